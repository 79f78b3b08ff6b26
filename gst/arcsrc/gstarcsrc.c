/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcsrc
 * @title: arcsrc
 * @see_also: rmcsink, arcreceiver, rtpjitterbuffer
 *
 * Receives RTP from rmcsink over UDP and returns the feedback that its congestion control needs:
 * the source of a live RTP pipeline.
 *
 * ## Behaviour
 * A bin of a source and arcreceiver. The first address that sends RTP (of the payload type of
 * #GstArcSrc:caps, if set) becomes the sender: packets from elsewhere are dropped and counted until
 * the sender has been silent for #GstArcSrc:sender-timeout. rmcsink verifies its address by
 * returning a cookie; it is followed to a new address by that cookie and takes precedence over
 * unverified senders. With #GstArcSrc:follow-sender, RTP with the sender's SSRC from another
 * address or port is accepted at once; anyone who learns the SSRC can then take over. An unverified
 * sender is sent no more bytes than arrived from it. The element handles URIs:
 * `arc://ADDRESS:PORT?encoding-name=H264&payload=96&clock-rate=90000&media=video`. The query
 * becomes the caps; `clock-rate` and `media` default to the values shown, address and port to those
 * of the properties. A query replaces earlier caps; a URI without one keeps them. `latency=200` in
 * the query is #GstArcSrc:latency in milliseconds.
 *
 * With #GstArcSrc:mode `caller` arcsrc calls a sender that listens, at #GstArcSrc:host and
 * #GstArcSrc:port, and takes media from there only. It calls until it is accepted, and again after
 * a second without media. A refusal is an error with the reason of the sender. As a URI:
 * `arc://HOST:PORT?mode=caller&streamid=TEXT`.
 *
 * Without #GstArcSrc:caps, arcsrc takes the format that rmcsink announces: all that the caps of the
 * payloader say but what is of one session, as the SSRC. The first packets wait for it, at most for
 * a second or 100 packets, and none is lost; before elements that take any caps nothing waits. If
 * the next elements do not take the format, its packets are dropped with a warning
 * (`packets-misfit`), since caps that they refuse would end the stream. A sender of several streams
 * announces none.
 *
 * A picture that an outage has cut in half comes out behind the outage, and sinks with `qos` report
 * how late it is. After 300 ms without media those reports are dropped at the sinks behind arcsrc,
 * or decoders would skip as much again. Pictures of after the outage are reported as ever.
 *
 * Each buffer carries the traffic class of its packet, with the ECN bits, as a
 * GstNetControlMessageMeta. Packets that came while others were being handled leave together as a
 * buffer list, unless the pad `src` or its peer has a pad probe. A probe further downstream needs
 * GST_PAD_PROBE_TYPE_BUFFER_LIST beside GST_PAD_PROBE_TYPE_BUFFER to see them.
 *
 * ## Feedback
 * Reports are sent to the sender's address, from the local address and port that it sends to.
 * Keyframes are requested with them (#GstArcSrc:request-keyframes), so that a picture appears at
 * once, however rarely the encoder makes keyframes. With rtpbin, link the request pads
 * `rtcp_src` (the sender's RTCP that is not addressed to arcsrc) to
 * `rtpbin.recv_rtcp_sink_%u`, and `rtpbin.send_rtcp_src_%u` to `rtcp_sink`, which sends by the same
 * socket. Element messages, both with the fields `timeout` and `silence` (guint64, nanoseconds)
 * and, if known, `sender` (string):
 *
 * * `GstArcSrcTimeout`: neither media for #GstArcSrc:timeout nor a sign of rmcsink, which sends one
 *   each second while its source pauses; also before the first packet; once until media resumes
 * * `GstArcSrcResumed`: media has resumed
 *
 * A stream that ran is told in words too: a warning, once in 30 timeouts at most and not if the
 * sender said that it ends, and an info when media is back.
 *
 * Lost packets are requested again on behalf of a jitter buffer with `do-retransmission=true`; see
 * arcreceiver, also for the message `GstArcReceiverLatency`.
 *
 * ## Tuning
 * #GstArcSrc:caps or the URI's query describe media that does not come from rmcsink. With
 * #GstArcSrc:adapt-latency the latency of the jitter buffer follows the path, within
 * #GstArcSrc:min-latency and #GstArcSrc:max-latency. #GstArcSrc:buffer-size (bytes) must hold what
 * arrives while the process is not scheduled.
 *
 * ## Statistics
 * See #GstArcSrc:stats, also as an element message each #GstArcSrc:stats-interval.
 *
 * ## Clock and threads
 * One thread receives packets and selects the sender by the monotonic clock; the kernel's
 * receive timestamp becomes the DTS of the buffer, from which arcreceiver measures; it is 0 for
 * packets received before the pipeline's base time. arcreceiver's thread sends reports and calls,
 * and never blocks; a thread of GStreamer's pool posts statistics.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcsrc port=5004 ! rtpjitterbuffer latency=200 !
 *     rtph264depay ! avdec_h264 ! videoconvert ! autovideosink
 * ]| Shows what `rmcsink host=THIS-MACHINE port=5004` sends, at a bitrate that follows the network.
 *
 * ## Limits
 * One sender at a time, by up to four paths (#GstRmcSink:paths), each of which joins by the cookies
 * of its own address and of one that is taken already. Multicast is received, but a sender with
 * many receivers must not be rmcsink; by which interfaces is the property `multicast-iface` of the
 * child `udpsrc`, in a launch line `arcsrc udpsrc::multicast-iface=eth0`.
 *
 * Since: 0.1
 */

#include "gstarcsrcprivate.h"

#include "arcreceiver/gstarcreceiver.h"
#include "base/binparts.h"
#include "base/propertyrows.h"
#include "base/watchlist.h"
#include "net/listensocket.h"
#include "rtp/rtcppads.h"

#include <gst/net/net.h>

#define SILENCE_FIELDS \
    DESCRIPTION_FIELD ("timeout", "uint64, ns", "as the property") \
    DESCRIPTION_FIELD ("silence", "uint64, ns", \
        "duration without media, or without a sign of the sender") \
    DESCRIPTION_FIELD ("sender", "string", "address of the last sender; absent if unknown")

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("rtcp_sink", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));

#define gst_arc_src_parent_class parent_class
G_DEFINE_FINAL_TYPE_WITH_CODE (GstArcSrc, gst_arc_src, GST_TYPE_BIN,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_arc_src_uri_handler_init));
GST_ELEMENT_REGISTER_DEFINE (arcsrc, "arcsrc", GST_RANK_PRIMARY, GST_TYPE_ARC_SRC);

/* What passes */

/* By several paths a sender has several addresses. An rtpsession downstream would take them for
 * senders that collide in an SSRC, and drop what comes from all but one. */
static GstBuffer *
gst_arc_src_hide_address (GstArcSrc * self, GstBuffer * buffer)
{
  GstNetAddressMeta *meta;

  if (peer_lanes_count (&self->peer.lanes) == 0)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_get_net_address_meta (buffer);
  if (meta)
    gst_buffer_remove_meta (buffer, &meta->meta);
  return buffer;
}

/* Media that came by a lane is as it left its payloader after this. Takes the buffer; NULL: it came
 * before. */
static GstBuffer *
gst_arc_src_take_lane (GstArcSrc * self, GstBuffer * buffer)
{
  GstClockTime claimed_at = GST_BUFFER_DTS (buffer);
  guint64 stamped_bps;
  RtpPacket packet;
  gboolean wake;

  if (peer_lanes_count (&self->peer.lanes) == 0)        /* they change in this thread only */
    return buffer;
  stamped_bps = meter_read_stamp (self->meter, buffer);
  buffer = peer_take_lane (&self->peer, buffer, &packet);
  if (packet.bytes > 0) {
    packet.explicit_bps = stamped_bps;
    if (GST_CLOCK_TIME_IS_VALID (claimed_at))
      claimed_at += gst_element_get_base_time (self->receiver);
    meter_take_lane (self->meter, &packet, claimed_at, &wake);
    if (wake)
      reporter_wake (self->reporter);
  }
  return buffer ? gst_arc_src_hide_address (self, buffer) : NULL;
}

static void
gst_arc_src_tell_lanes (GstArcSrc * self)
{
  guint32 ssrcs[RC_LANES_MAX];

  if (self->peer.lanes.number == self->lanes_number)
    return;
  self->lanes_number = self->peer.lanes.number;
  meter_set_lanes (self->meter, ssrcs, peer_get_lanes (&self->peer, ssrcs));
}

/* The time of receipt is the DTS. The kernel's is that of the system, which may have been set
 * meanwhile, and the socket is open since READY. The rule here: a packet came no sooner than the
 * one before it or the base time, and no later than now (running time; if unknown nothing is
 * changed). */
static void
gst_arc_src_set_time (GstArcSrc * self, GstBuffer * buffer, RcTime age, GstClockTime now)
{
  GstClockTime dts = now;

  if (!GST_CLOCK_TIME_IS_VALID (now))
    return;
  if (age != RC_TIME_NONE)
    dts = age >= 0 && (GstClockTime) age <= now ? now - (GstClockTime) age : self->came_at;
  self->came_at = MIN (MAX (dts, self->came_at), now);
  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = self->came_at;
}

/* Takes the buffer of the datagram; NULL: to be dropped, or RTCP, which is read once and goes to
 * arcreceiver by a shorter way than media. */
static GstBuffer *
gst_arc_src_take (GstArcSrc * self, const UdpDatagram * datagram, GstClockTime now)
{
  GstBuffer *buffer = datagram->buffer;
  RtcpMessage message;

  if (gst_arc_src_take_answer (self, buffer)) {
    gst_buffer_unref (buffer);
    return NULL;
  }
  buffer = gst_arc_src_admit (self, buffer, &datagram->local, &message);
  if (!buffer)
    return NULL;
  gst_arc_src_tell_lanes (self);
  gst_arc_src_check_caps (self, buffer, &message);
  gst_arc_src_set_time (self, buffer, datagram->age, now);
  if (message.verdict == RTCP_NOT_RTCP) {
    outage_qos_on_media (&self->outage, self->playout.srcpad, now);
    return gst_arc_src_take_lane (self, buffer);
  }
  if (message.n_infos > 0)
    peer_take_lane_infos (&self->peer, buffer, &message);
  buffer = gst_arc_src_hide_address (self, buffer);
  gst_arc_receiver_take_rtcp (GST_ARC_RECEIVER (self->receiver), buffer, &message);
  gst_buffer_unref (buffer);
  return NULL;
}

static void
gst_arc_src_take_all (gpointer owner, UdpDatagram * datagrams, guint n, GstClockTime now)
{
  for (guint i = 0; i < n; i++)
    datagrams[i].buffer = gst_arc_src_take (owner, &datagrams[i], now);
}

static void
gst_arc_src_on_tick (gpointer owner)
{
  GstArcSrc *self = owner;

  peer_check_silence (&self->peer);
  gst_arc_src_check_wait (self);
}

/* On arcreceiver's pad of reports, which leads nowhere else. */
static GstPadProbeReturn
gst_arc_src_on_report (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  peer_send (user_data, GST_PAD_PROBE_INFO_BUFFER (info));
  gst_clear_buffer ((GstBuffer **) & info->data);
  return GST_PAD_PROBE_HANDLED;
}

static GstFlowReturn
gst_arc_src_chain_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstArcSrc *self = GST_ARC_SRC (parent);
  RtcpMessage message;

  rtcp_message_read_buffer (&message, buffer);
  if (message.nacks.n_messages > 0)
    meter_note_nacks (self->meter, &message.nacks);
  peer_send (&self->peer, buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Request pads */

static GstPad *
gst_arc_src_new_rtcp_src (GstArcSrc * self, GstPadTemplate * templ)
{
  GstPad *target = gst_element_request_pad_simple (self->receiver, "sender_rtcp_src");
  GstPad *pad;

  if (!target)
    return NULL;
  pad = gst_ghost_pad_new_from_template ("rtcp_src", target, templ);
  gst_object_unref (target);
  return pad;
}

static GstPad *
gst_arc_src_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstPad *pad = GST_PAD_TEMPLATE_DIRECTION (templ) == GST_PAD_SINK
      ? rtcp_inlet_request (element, templ, gst_arc_src_chain_rtcp)
      : gst_arc_src_new_rtcp_src (self, templ);

  if (!pad) {
    GST_WARNING_OBJECT (self, "pad %s is in use already", GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
    return NULL;
  }
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

static void
gst_arc_src_release_pad (GstElement * element, GstPad * pad)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstPad *target = GST_IS_GHOST_PAD (pad) ? gst_ghost_pad_get_target (GST_GHOST_PAD (pad)) : NULL;

  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
  if (target) {
    gst_element_release_request_pad (self->receiver, target);
    gst_object_unref (target);
  }
}

/* States */

/* NULL: an error is on the bus. */
static GSocket *
gst_arc_src_new_socket (GstArcSrc * self, const gchar * address, guint16 port, gint buffer_bytes)
{
  gchar *resolved, *interfaces;
  GError *error = NULL;
  GSocket *socket = listen_socket_open (address, port, buffer_bytes, &resolved, &error);

  g_object_get (self->source, "multicast-iface", &interfaces, NULL);
  if (socket && !listen_socket_join (socket, resolved, interfaces, &error))
    g_clear_object (&socket);
  if (error)
    GST_ELEMENT_ERROR (self, RESOURCE, OPEN_READ, ("%s", error->message), (NULL));
  g_clear_error (&error);
  g_free (resolved);
  g_free (interfaces);
  return socket;
}

/* With the settings of now; FALSE: an error is on the bus. */
static gboolean
gst_arc_src_open (GstArcSrc * self)
{
  gchar *address, *uri_error;
  guint16 port;
  gint buffer_bytes;
  gboolean calls = gst_arc_src_calls (self);
  GSocket *socket = NULL;

  GST_OBJECT_LOCK (self);
  address = g_strdup (self->address);
  uri_error = g_strdup (self->uri_error);
  port = calls ? 0 : self->port;
  buffer_bytes = self->buffer_bytes;
  GST_OBJECT_UNLOCK (self);

  if (uri_error)
    GST_ELEMENT_ERROR (self, RESOURCE, SETTINGS, ("%s", uri_error), (NULL));
  else if (!calls || gst_arc_src_find_listener (self, &address))
    socket = gst_arc_src_new_socket (self, address, port, buffer_bytes);

  if (socket) {
    GST_INFO_OBJECT (self, "receive buffer: %d bytes of %d", listen_socket_buffer_bytes (socket),
        buffer_bytes);
    datagram_source_set_socket (self->source, socket);
    peer_change_socket (&self->peer, socket);
    if (!calls && listen_socket_port (socket) != port)
      g_object_notify (G_OBJECT (self), "port");
  }
  g_free (address);
  g_free (uri_error);
  return socket != NULL;
}

static void
gst_arc_src_close (GstArcSrc * self)
{
  GSocket *socket = peer_change_socket (&self->peer, NULL);

  if (!socket)
    return;
  datagram_source_set_socket (self->source, NULL);
  g_socket_close (socket, NULL);
  g_object_unref (socket);
}

static GstStateChangeReturn
gst_arc_src_change_state (GstElement * element, GstStateChange transition)
{
  GstArcSrc *self = GST_ARC_SRC (element);
  GstStateChangeReturn ret;

  switch (transition) {
    case GST_STATE_CHANGE_NULL_TO_READY:
      if (!gst_arc_src_begin_buffer (self) || !gst_arc_src_open (self))
        return GST_STATE_CHANGE_FAILURE;
      break;
    case GST_STATE_CHANGE_READY_TO_PAUSED:
      property_rows_warn_small_numbers (element);
      peer_reset (&self->peer);
      if (!gst_arc_src_begin_srtp (self))
        return GST_STATE_CHANGE_FAILURE;
      self->came_at = 0;
      outage_qos_reset (&self->outage);
      gst_arc_src_forget_format (self);
      self->wait_told = self->call_told = self->rejected_told = FALSE;
      self->answer_silence = 0;
      self->rejected_pkts = 0;
      seal_watch_clear (&self->seals);
      GST_OBJECT_LOCK (self);
      self->sealed_pkts = 0;
      GST_OBJECT_UNLOCK (self);
      gst_arc_src_restart_stats (self);
      gst_arc_src_start_calls (self);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_PLAYING:
      peer_expect_media (&self->peer);
      gst_arc_src_begin_calls (self);
      break;
    case GST_STATE_CHANGE_PAUSED_TO_READY:
      gst_arc_src_stop_calls (self);
      break;
    default:
      break;
  }

  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY) {
    gst_arc_src_leave (self);
    media_gate_reset (&self->gate);
    playout_steering_stop (&self->playout);
  }
  if (transition == GST_STATE_CHANGE_READY_TO_NULL
      || (transition == GST_STATE_CHANGE_NULL_TO_READY && ret == GST_STATE_CHANGE_FAILURE))
    gst_arc_src_close (self);
  return ret;
}

static void
gst_arc_src_finalize (GObject * object)
{
  GstArcSrc *self = GST_ARC_SRC (object);

  gst_arc_src_clear_calls (self);
  playout_steering_clear (&self->playout);
  seal_watch_clear (&self->seals);
  media_gate_reset (&self->gate);
  g_clear_pointer (&self->fields, g_bytes_unref);
  peer_clear (&self->peer);
  gst_arc_src_clear_properties (self);
  g_free (self->uri_error);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_arc_src_class_init (GstArcSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (gst_arc_src_debug, "arcsrc", 0, "Adaptive RTP receiver");

  object_class->finalize = gst_arc_src_finalize;
  gst_arc_src_install_properties (object_class);

  element_class->change_state = gst_arc_src_change_state;
  element_class->request_new_pad = gst_arc_src_request_new_pad;
  element_class->release_pad = gst_arc_src_release_pad;
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_sink_template);
  gst_element_class_set_static_metadata (element_class, "ARC source", "Source/Network/RTP",
      "Receives RTP over UDP and sends congestion control feedback", "the gst-arc authors");
  gst_arc_src_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_SRC_TIMEOUT,
          "neither media nor a sign of the sender for the time set by timeout")
      SILENCE_FIELDS
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_SRC_RESUMED, "media arrives again") SILENCE_FIELDS
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_SRC_STATS, "the statistics, each stats-interval")
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_RECEIVER_LATENCY, METER_LATENCY_TEXT)
      METER_LATENCY_FIELDS);
}

static void
gst_arc_src_add_source (GstArcSrc * self)
{
  static const DatagramSourceFuncs funcs = { gst_arc_src_take_all, gst_arc_src_on_tick };

  self->source = datagram_source_new (&funcs, self);
  gst_bin_add (GST_BIN (self), GST_ELEMENT (self->source));
  gst_element_link_pads (GST_ELEMENT (self->source), "src", self->receiver, "sink");
}

static void
gst_arc_src_init (GstArcSrc * self)
{
  GstPad *pad;

  watch_list_add (GST_ELEMENT (self));
  peer_init (&self->peer, GST_ELEMENT (self));
  self->receiver = g_object_new (GST_TYPE_ARC_RECEIVER, "name", "arcreceiver", NULL);
  gst_bin_add (GST_BIN (self), self->receiver);
  gst_arc_receiver_lend (GST_ARC_RECEIVER (self->receiver), &self->meter, &self->reporter);
  gst_arc_src_init_stats (self);
  gst_arc_src_init_calls (self);
  /* Reports go straight to the socket. */
  gst_object_unref (gst_element_request_pad_simple (self->receiver, "rtcp_src"));
  bin_part_probe (self->receiver, "rtcp_src", GST_PAD_PROBE_TYPE_BUFFER, gst_arc_src_on_report,
      &self->peer);
  gst_arc_src_add_source (self);

  pad = gst_element_get_static_pad (self->receiver, "src");
  playout_steering_init (&self->playout, GST_ELEMENT (self), self->meter, pad);
  gst_object_unref (pad);
  gst_arc_src_init_properties (self);
  datagram_source_set_out (self->source, bin_part_show (self, self->receiver, "src",
          &src_template));
}
