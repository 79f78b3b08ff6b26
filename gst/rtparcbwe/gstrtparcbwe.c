/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rtparcbwe
 * @title: rtparcbwe
 * @see_also: rmcsink, rtpbin, webrtcbin
 *
 * Sender-side congestion control for an RTP session of webrtcbin or rtpbin, in the place of
 * `rtpgccbwe` of gst-plugins-rs. Return it from the signal `request-aux-sender` of webrtcbin, or
 * put it before `send_rtp_sink_0` of rtpbin. For rtpbin's own signal `request-aux-sender`, return a
 * bin around it with ghost pads `sink_0` and `src_0` (0: the number of the session).
 *
 * ## Behaviour
 *
 * It runs the same session as rmcsink (congestion control, pacer, send queue, encoders), but its
 * packets leave by the source pad instead of a socket. The rtpsession that follows assigns
 * transport-wide sequence numbers and receives transport-wide congestion control feedback (TWCC),
 * which every browser sends, and reports it by the upstream event `RTPTWCCPackets`. The packets
 * must carry the header extension of TWCC: add `rtphdrexttwcc` to the payloader, or its `extmap` to
 * the caps behind the payloader. Feedback according to RFC 8888 is received as well, by a signal of
 * rtpsession, and is preferred if both arrive. It places no requirement on the packets.
 *
 * Until feedback arrives, the rate stays at its initial value. After 5 s without either format a
 * warning names the possible causes, and from then on the rate follows the receiver reports of
 * rtpsession (the algorithm `slow`, lib/rc/law/slow.c) until better feedback arrives. Feedback that
 * stops in the middle of a call, for instance after a renegotiation, is replaced by receiver
 * reports after 2 s. Without these, the rate falls step by step to #GstRtpArcBwe:min-bitrate, but
 * media never stops: the RTP session or the peer connection ends when the peer is gone.
 *
 * The bitrate of the encoders upstream is set (#GstRtpArcBwe:adapt-encoder), and changes of
 * #GstRtpArcBwe:estimated-bitrate are notified, for applications that set it themselves. Several
 * encoders behind one rtparcbwe share the target equally, as behind rmcsink. With a rampscheduler
 * upstream, RAMP allocates the rate: each stream gets its demand, and audio does not wait for
 * keyframes. rampscheduler has one source pad, which suits rtpbin; streams in webrtcbin are joined
 * behind webrtcbin's own pads.
 *
 * If the backlog exceeds #GstRtpArcBwe:max-queue-time, whole frames of a live source are dropped
 * and a keyframe is requested; other sources are blocked. At the end of the stream the queue is
 * drained first.
 *
 * Sequence numbers are closed up behind dropped frames (#GstRtpArcBwe:renumber), so that the
 * receiver neither counts nor requests them. An rtprtxsend upstream, such as that of webrtcbin,
 * knows other numbers then: requests that go up to it, and the original numbers in its packets, are
 * translated.
 *
 * Retransmissions of an rtprtxsend upstream may take a fifth of the rate, averaged over half a
 * second; those beyond are dropped and counted. The target of the encoders is reduced accordingly.
 *
 * ## Clock and threads
 *
 * The pacing thread of the process hands packets to the task of the source pad, which pushes them
 * one by one. Notifications and messages are issued by other threads, without a lock.
 *
 * ## Limits
 *
 * No queue may stand between it and the network, since the time at which a packet enters rtpsession
 * is taken for its departure. Time for which the push itself is blocked is accounted for.
 *
 * One rtparcbwe per RTP session, passed by all streams of the session. Of two in a row, the later
 * one is active; the earlier one warns and passes packets through. Of two in parallel before an
 * rtpfunnel, TWCC numbers the packets in one sequence and does not say whose they are: a warning is
 * posted, and both use receiver reports or RFC 8888, which name the streams. If a stream bypasses
 * rtparcbwe, TWCC counts its packets, too; a warning is posted.
 *
 * Since: 0.1
 */

/* A guest sends no RTCP of its own, which would be strange packets in somebody else's session,
 * and the law hears of no departure before the first feedback: ICE and DTLS take seconds, and an
 * answer may refuse TWCC. After it, silence lets the rate fall to min-bitrate and never stops
 * media. */

#include "gstrtparcbweprivate.h"

#include "base/description.h"
#include "base/watchlist.h"

#include <gst/arc/arc.h>

/* Behind the pad: UDP, IPv4, and the authentication tag of SRTP, which WebRTC always has. */
#define SRTP_TAG_BYTES 10

G_DEFINE_TYPE_WITH_CODE (GstRtpArcBwe, gst_rtp_arc_bwe, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (gst_rtp_arc_bwe_debug, "rtparcbwe", 0,
        "RTP bandwidth estimator"));
GST_ELEMENT_REGISTER_DEFINE (rtparcbwe, "rtparcbwe", GST_RANK_NONE, GST_TYPE_RTP_ARC_BWE);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

/* --- states --- */

static gboolean
ready_to_paused (GstRtpArcBwe * self)
{
  session_host_begin (&self->host);
  if (!gst_rtp_arc_bwe_open_session (self))
    return FALSE;
  work_turns_schedule (&self->host.turns);
  return TRUE;
}

static GstStateChangeReturn
gst_rtp_arc_bwe_change_state (GstElement * element, GstStateChange transition)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !ready_to_paused (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    g_atomic_int_set (&self->host.playing, TRUE);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    g_atomic_int_set (&self->host.playing, FALSE);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    gst_rtp_arc_bwe_halt (self, self->host.session);    /* else a wait for room holds the pads */

  ret = GST_ELEMENT_CLASS (gst_rtp_arc_bwe_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
    gst_rtp_arc_bwe_close_session (self);
  return ret;
}

/* --- properties: those of the session --- */

#define FIRST_ID 1

static void
set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  session_host_set (&GST_RTP_ARC_BWE_CAST (object)->host, id - FIRST_ID, value, pspec);
}

/* The target of the encoders; without one, the rate to begin with. */
static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  SessionHost *host = &GST_RTP_ARC_BWE_CAST (object)->host;
  guint target_bps = session_host_get_target_bps (host);

  if (id == FIRST_ID + SESSION_PROPERTY_START_BITRATE && target_bps > 0)
    g_value_set_uint (value, target_bps);
  else
    session_host_get (host, id - FIRST_ID, value);
}

static void
notify (GObject * object, GParamSpec * pspec)
{
  session_host_on_notify (&GST_RTP_ARC_BWE_CAST (object)->host, pspec);
}

static void
install_properties (GObjectClass * klass)
{
  const PropertyRow start = SESSION_PROPERTY_START ("estimated-bitrate", "Estimated bitrate",
      PROPERTY_READY, "Current target of the encoders in bit/s of media, headers "
      "excluded. Set in NULL or READY: initial sending rate in bit/s, headers included");

  klass->set_property = set_property;
  klass->get_property = get_property;
  klass->notify = notify;
  session_properties_install (klass, FIRST_ID, &start, gst_rtp_arc_bwe_host_funcs.renumber);
}

/* --- the element --- */

static void
gst_rtp_arc_bwe_finalize (GObject * object)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE (object);

  session_host_clear (&self->host);
  pad_transport_clear (&self->transport);
  push_times_clear (&self->push_times);
  G_OBJECT_CLASS (gst_rtp_arc_bwe_parent_class)->finalize (object);
}

static void
gst_rtp_arc_bwe_init (GstRtpArcBwe * self)
{
  watch_list_add (GST_ELEMENT (self));
  pad_transport_init (&self->transport, RC_OVERHEAD_IPV4_BYTES + SRTP_TAG_BYTES);
  push_times_init (&self->push_times);
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_rtp_arc_bwe_init_sink_pad (self);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_rtp_arc_bwe_init_src_pad (self);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
  session_host_init (&self->host, GST_ELEMENT (self), self->sinkpad, &gst_rtp_arc_bwe_host_funcs);
}

static void
gst_rtp_arc_bwe_class_init (GstRtpArcBweClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_rtp_arc_bwe_finalize;
  install_properties (object_class);
  element_class->change_state = gst_rtp_arc_bwe_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "Congestion control before an RTP session", "Network/WebRTC/RTP/Filter",
      "Paces RTP by the transport-wide feedback of rtpsession and adapts the encoders upstream",
      "the gst-arc authors");
  gst_rtp_arc_bwe_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE ("RTPTWCCPackets", "received from rtpsession and forwarded")
      DESCRIPTION_FIELD ("packets", "array", "numbers and times of the packets of a message")
      DESCRIPTION_NEXT_STRUCTURE (GST_ARC_TARGET_BITRATE, "sent upstream, for encoders that "
          "rtparcbwe does not know")
      DESCRIPTION_TARGET_BITRATE DESCRIPTION_NETWORK_BITRATE);
}
