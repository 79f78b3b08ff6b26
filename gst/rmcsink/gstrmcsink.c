/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-rmcsink
 * @title: rmcsink
 * @see_also: arcsrc, arcreceiver, udpsink
 *
 * Sends RTP over UDP to one receiver with congestion control, and sets the bitrate of the encoders
 * upstream accordingly. It takes the place of udpsink; the receiver is an arcsrc (or an
 * arcreceiver).
 *
 * ## Behaviour
 *
 * The congestion control algorithm (#GstRmcSink:congestion-control, by default ARC:
 * lib/rc/law/arclive.c) computes the sending rate from the receiver's reports; RMC
 * (lib/rc/pace/rmc.c) paces each packet at that rate. The send queue is measured as time at the
 * current rate. Beyond #GstRmcSink:max-queue-time, a live source (as its latency query reports) has
 * whole frames dropped up to the next keyframe, which is requested upstream; any other source is
 * blocked and loses nothing. Sequence numbers are renumbered after dropped frames
 * (#GstRmcSink:renumber), so that the receiver does not count them as lost. `sync` is disabled for
 * live sources and enabled for others, unless the application sets it. A source that is not live
 * and that keeps to the clock by itself for two seconds, as an application that pushes frames when
 * it has made them (appsrc without is-live, OpenCV's VideoWriter), is not blocked either, and has
 * its frames dropped as a live one; an INFO message says so. Behind a rampscheduler,
 * which drops and orders packets itself, the send queue stays empty: the scheduler asks the pacer
 * of rmcsink when the next packet may leave, and selects it then. At the end of the stream the
 * queue is drained first.
 *
 * With `rcp`, `qi-rcp` and `piqi-rcp` each packet carries a stamp (an RTP header extension of 16
 * bytes) in which relays on the path (rcprelay) signal a rate; the lower of this rate and ARC's
 * applies, and ARC's alone if no relay stamps. The ID of the extension is that of `extmap-*` in the
 * caps, by default 12. With #GstRmcSink:srtp-key the stamp is a trailer of 16 bytes behind the SRTP
 * packet instead, which is added once the receiver is known to be an arcsrc.
 *
 * Packets are ECN-capable (#GstRmcSink:ecn) once the reports show that the receiver reads ECN bits
 * and ten probe packets have arrived with theirs: routers can then mark packets instead of dropping
 * them, and the algorithm treats a mark as a sign of congestion. Live ARC first tries ECT(1), which
 * requests the short queues of L4S (RFC 9331), and then ECT(0); the other algorithms try ECT(0). If
 * marks are erased on the path, or all packets are marked for seconds, ECN is disabled for a minute
 * (lib/rc/sender/ecn.h).
 *
 * If no report arrives for some seconds (parameter `stop`), media stops, probes continue, and media
 * resumes with the first report. `congestion-control=fixed` does not stop unless
 * #GstRmcSink:controller-params sets `stop`, so it also serves a receiver that does not report,
 * such as udpsrc. Such a receiver gets RTP only: until the first report arrives, rmcsink sends no
 * RTCP of its own, and its probes are media packets of at least 132 bytes, one each second and
 * later one each 3 s.
 *
 * A name in #GstRmcSink:host is resolved on a separate thread: state changes do not wait for the
 * name server, but the first packet waits for the address. If the name is unknown or the network
 * unreachable, as on a machine that boots before its network, rmcsink warns once and tries again
 * until it succeeds, after 0.5 s at first and after 5 s at most. Meanwhile packets of a live source
 * are dropped (`packets-unreachable`), and so are those of a source that is not live but keeps
 * pace. Any other source waits and loses nothing.
 *
 * If sending fails for lack of a route, or no answer arrives for half a second, rmcsink queries the
 * system for the local address that leads to the receiver, and sends from it if it has changed
 * (another network, a new address, a VPN), unless #GstRmcSink:bind-address is set. After a second,
 * and each 5 s from then on, it resolves #GstRmcSink:host again and follows a change of address
 * within the same family. The algorithm then restarts at #GstRmcSink:start-bitrate or less. A path
 * that works is left alone. A port that rejects packets for half a second causes a warning.
 *
 * With #GstRmcSink:mode `listener` the receiver calls #GstRmcSink:port (arcsrc mode=caller), and
 * media flows from then on. The signal #GstRmcSink::caller-connecting has the address and the
 * stream id of the caller; a text that it returns refuses it, and its arcsrc posts an error with
 * that text. One receiver is served at a time: until it leaves, or has been silent for some
 * seconds, others are told to call later. With #GstRmcSink:srtp-key a caller has to prove that it
 * has the key.
 *
 * With #GstRmcSink:paths the stream leaves by several paths to an arcsrc at once. Each has a
 * congestion control of its own, and the target of the encoders is what they carry together. A
 * packet takes the path by which it arrives first (lib/rc/sender/lanes.h). What a path that falls
 * silent has taken leaves by another one. A path joins once the receiver has confirmed it, which
 * only arcsrc does; any other receiver gets one path. Interfaces and addresses that are not there
 * are looked for each second. The element message `GstRmcSinkPath` (`path`, `state`: string) tells
 * changes. With mode `listener`, and of an arcserversink, paths are local addresses and interfaces,
 * from which media leaves to the caller beside the port that it called.
 *
 * Packets requested by generic NACKs (RFC 4585) are retransmitted ahead of queued media if they
 * were sent within #GstRmcSink:rtx-time, either unchanged or according to RFC 4588
 * (#GstRmcSink:rtx-payload-type-map). They leave ahead of the pacing and take at most half of
 * the rate; audio precedes video, and the oldest packets precede newer ones. If the round-trip time
 * is half of rtx-time or more, each is sent twice.
 *
 * Payloaders upstream whose `mtu` is at its default make packets that the path carries in one piece
 * (#GstRmcSink:adapt-encoder). The kernel says how large these are, by its links and by ICMP: on a
 * tunnel with an MTU of 1280, RTP packets of 1250 bytes. A change while playing is followed; an
 * INFO message says so. Other packets that are too large travel in fragments, are counted
 * (`packets-oversize`), and cause one warning.
 *
 * ## Feedback
 *
 * Reports are received as RTCP APP packets on the same socket, from the receiver's address only.
 * Other RTCP from there leaves by the request pad `rtcp_src`, and RTCP into `rtcp_sink` is sent
 * immediately. For the sender reports of rtpbin, `rtcp_sink` suffices. Linking both pads to one
 * rtpbin closes a loop in the graph, of which GStreamer warns at each state change; a udpsink and a
 * udpsrc on the same machine between `rtcp_src` and rtpbin avoid it.
 *
 * A receiver that sends plain RTCP receiver reports (RFC 3550) suffices: the algorithm `slow` then
 * takes over until better feedback arrives, and rmcsink sends RTCP sender reports. Reports that
 * arrive on another port enter by the request pad `recv_rtcp_sink` (behind a udpsrc). A REMB
 * message of the receiver limits the rate for 5 s.
 *
 * Keyframe requests (RTCP PLI and FIR) are forwarded to the encoder of the stream that they name,
 * as the upstream event GstForceKeyUnit with the field `ssrc`, at most five a second per stream.
 * The first report of a new receiver and frames dropped by rmcsink cause requests, too. They are
 * removed from the RTCP that leaves by `rtcp_src`, since an rtpbin there would request the keyframe
 * again.
 *
 * Whenever the target changes by some percent, rmcsink sends the custom upstream event
 * `GstArcTargetBitrate` (`bitrate`: uint, bit/s of media, `ssrc`: uint, `network-bitrate`: uint,
 * bit/s of all streams, headers included, `latency`: uint64, ns), sets the bitrate property of the
 * encoders found upstream (#GstRmcSink:adapt-encoder), notifies `target-bitrate`, and posts an
 * element message `GstRmcSinkTargetBitrate` (`bitrate`: uint).
 *
 * A stock rtpulpfecenc upstream whose percentages are left at 0 gets the percentage that pays off,
 * given the reported losses and the retransmissions that arrive in time
 * (#GstRmcSink:adapt-encoder). #GstRmcSink:rtx-time is taken as the latency of the receiver.
 *
 * ## Tuning
 *
 * #GstRmcSink:max-bitrate (bit/s) limits the sending rate, #GstRmcSink:start-bitrate (bit/s)
 * applies until the capacity is known, and #GstRmcSink:max-queue-time (ns) limits the delay in the
 * sender. After a late wake-up a burst of three packets leaves, or of 1 ms of the rate if that is
 * more; the rest is made up for at several times the rate, so that the mean stays exact.
 * #GstRmcSink:pacing-priority helps if other threads occupy the CPU.
 *
 * ## Statistics
 *
 * #GstRmcSink:stats, and every #GstRmcSink:stats-interval and at the end of the stream as an
 * element message `GstRmcSinkStats`; gst-inspect-1.0 lists the fields.
 *
 * ## Clock and threads
 *
 * Pacing and round-trip times use the monotonic clock of the machine. One thread, shared by all
 * rmcsinks of the process, paces, sends, receives and calls the law (behind a rampscheduler its
 * thread sends); #GstRmcSink:pacing-priority makes it a real-time thread. Packets that are due
 * together leave in one system call, cut by the kernel where it can (UDP generic segmentation).
 * Events, messages and notifications come from a few other threads, never from that one.
 *
 * ## Example
 *
 * |[
 * gst-launch-1.0 v4l2src ! videoconvert ! x264enc tune=zerolatency ! rtph264pay mtu=1200 ! \
 *     rmcsink host=192.0.2.1 port=5004
 * ]|
 * The encoder starts at 500 kbit/s and climbs to what the network carries.
 *
 * ## Limits
 *
 * One receiver, no multicast, and up to four paths. Retransmission by elements upstream requires
 * renumber=false and rtx-time=0; frames dropped by rmcsink then look like losses to the receiver.
 * SRTP input is not supported, since its sequence numbers are authenticated.
 *
 * Since: 0.1
 */

#include "gstrmcsinkprivate.h"

#include "base/description.h"
#include "base/watchlist.h"
#include "rtp/extmap.h"

#include <gst/arc/arc.h>
#include <rc/feedback/twcc.h>

/* Buffers of a list in one go: the pacing thread waits for so many at most. */
#define MAX_PUSH 64
#define MAX_HELD 20000  /* 2 s of 100 Mbit/s, in which pace shows (sinklive.c) */
#define MAX_FIRST_OTHER_BUFFERS 100     /* so many without one RTP packet: the pipeline is wrong */

G_DEFINE_TYPE_WITH_CODE (GstRmcSink, gst_rmc_sink, GST_TYPE_BASE_SINK,
    G_IMPLEMENT_INTERFACE (GST_TYPE_URI_HANDLER, gst_rmc_sink_uri_handler_init);
    GST_DEBUG_CATEGORY_INIT (gst_rmc_sink_debug, "rmcsink", 0,
        "RTP sender with congestion control"));
GST_ELEMENT_REGISTER_DEFINE (rmcsink, "rmcsink", GST_RANK_NONE, GST_TYPE_RMC_SINK);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

/* --- stream --- */

/* An asynchronous sink may get to PLAYING without that state change, by its first buffer: called
 * by whichever comes first. */
static void
begin_playing (GstRmcSink * self)
{
  SendSession *session;

  if (g_atomic_int_get (&self->host.playing))
    return;
  session = session_host_dup_session (&self->host);
  if (session && g_atomic_int_compare_and_exchange (&self->host.playing, FALSE, TRUE)) {
    if (!g_atomic_int_get (&self->host.live_known))
      gst_rmc_sink_ask_live (self);
    session_host_find_encoders (&self->host);
  }
  g_clear_pointer (&session, send_session_unref);
}

static GstFlowReturn
refuse_other (GstRmcSink * self)
{
  self->other_buffers++;
  if (self->other_buffers == 1)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("a buffer is not an RTP packet and is not "
            "sent; put a payloader, such as rtph264pay, before rmcsink"), (NULL));
  if (self->rtp_buffers > 0 || self->other_buffers < MAX_FIRST_OTHER_BUFFERS)
    return GST_FLOW_OK;
  GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("no RTP packet among the first %u buffers; put "
          "a payloader, such as rtph264pay, before rmcsink", self->other_buffers), (NULL));
  return GST_FLOW_ERROR;
}

static GstFlowReturn
push (GstRmcSink * self, GstBuffer ** buffers, guint n)
{
  GstFlowReturn ret = GST_FLOW_OK;
  SendPushResult result;
  guint taken = 0, before;

  gst_rmc_sink_warn_of_srtp (self);
  while (taken < n && ret == GST_FLOW_OK) {
    gint64 began_at = g_get_monotonic_time ();

    before = taken;
    result = send_session_push (self->host.session, buffers, n, &taken);
    gst_rmc_sink_note_push (self, began_at);
    if (taken > before)
      self->rtp_buffers = 1;
    if (result == SEND_PUSH_NOT_RTP) {
      taken++;
      ret = refuse_other (self);
    } else if (result == SEND_PUSH_INTERRUPTED) {
      ret = gst_base_sink_wait_preroll (GST_BASE_SINK (self));
    }
  }
  return ret;
}

static void
drop_held (GstRmcSink * self)
{
  g_queue_clear_full (&self->held, (GDestroyNotify) gst_buffer_unref);
}

/* What a live source makes while the receiver cannot be reached yet is lost, so that nothing
 * upstream waits: a recording beside this sink goes on. Of any other it is kept. */
static void
put_aside (GstRmcSink * self, GstBuffer * buffer)
{
  g_queue_push_tail (&self->held, gst_buffer_ref (buffer));
  self->let_go &= self->held.length < MAX_HELD;
  if (!gst_rmc_sink_keeps_pace (self))
    return;
  GST_OBJECT_LOCK (self);
  self->unreachable_packets += self->held.length;
  GST_OBJECT_UNLOCK (self);
  drop_held (self);
}

static GstFlowReturn
push_held (GstRmcSink * self)
{
  GstFlowReturn ret = GST_FLOW_OK;
  GstBuffer *buffer;

  while (ret == GST_FLOW_OK && (buffer = g_queue_pop_head (&self->held))) {
    ret = gst_rmc_sink_check_size (self, gst_buffer_get_size (buffer)) ? push (self, &buffer, 1)
        : GST_FLOW_ERROR;
    gst_buffer_unref (buffer);
  }
  return ret;
}

static GstFlowReturn
await_session (GstRmcSink * self)
{
  GstFlowReturn ret = gst_rmc_sink_await_session (self);

  if (ret != GST_FLOW_OK)
    return ret;
  begin_playing (self);
  return push_held (self);
}

static GstFlowReturn
gst_rmc_sink_render (GstBaseSink * sink, GstBuffer * buffer)
{
  GstRmcSink *self = GST_RMC_SINK (sink);
  GstFlowReturn ret = await_session (self);

  if (ret == GST_RMC_SINK_UNREACHABLE) {
    put_aside (self, buffer);
    return GST_FLOW_OK;
  }
  if (ret != GST_FLOW_OK)
    return ret;
  if (!gst_rmc_sink_check_size (self, gst_buffer_get_size (buffer)))
    return GST_FLOW_ERROR;
  return push (self, &buffer, 1);
}

static GstFlowReturn
gst_rmc_sink_render_list (GstBaseSink * sink, GstBufferList * list)
{
  GstRmcSink *self = GST_RMC_SINK (sink);
  guint i, k, n, length = gst_buffer_list_length (list);
  GstFlowReturn ret = GST_FLOW_OK;
  GstBuffer *buffers[MAX_PUSH];

  ret = await_session (self);
  for (i = 0; i < length && ret == GST_RMC_SINK_UNREACHABLE; i++)
    put_aside (self, gst_buffer_list_get (list, i));
  if (ret != GST_FLOW_OK)
    return ret == GST_RMC_SINK_UNREACHABLE ? GST_FLOW_OK : ret;
  for (i = 0; i < length && ret == GST_FLOW_OK; i += n) {
    n = MIN (length - i, MAX_PUSH);
    for (k = 0; k < n && ret == GST_FLOW_OK; k++) {
      buffers[k] = gst_buffer_list_get (list, i + k);
      if (!gst_rmc_sink_check_size (self, gst_buffer_get_size (buffers[k])))
        ret = GST_FLOW_ERROR;
    }
    if (ret == GST_FLOW_OK)
      ret = push (self, buffers, n);
  }
  return ret;
}

static void
warn_of_unsent (GstRmcSink * self)
{
  GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
      ("the stream ends with packets unsent, since the receiver does not answer"), (NULL));
}

/* The last word: what was sent in all. */
static void
post_final_stats (GstRmcSink * self)
{
  gboolean wanted;

  GST_OBJECT_LOCK (self);
  wanted = self->settings.stats_interval > 0;
  GST_OBJECT_UNLOCK (self);
  if (wanted)
    gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
            session_host_create_stats (&self->host)));
}

gboolean
gst_rmc_sink_finish (GstRmcSink * self)
{
  SendSession *session = session_host_dup_session (&self->host);
  SendDrainResult result = session ? send_session_drain (session) : SEND_DRAIN_DONE;

  if (result == SEND_DRAIN_SILENT)
    warn_of_unsent (self);
  if (session && result != SEND_DRAIN_INTERRUPTED) {
    send_session_say_bye (session);
    post_final_stats (self);
  }
  g_clear_pointer (&session, send_session_unref);
  return result != SEND_DRAIN_INTERRUPTED;
}

static GstFlowReturn
drain (GstRmcSink * self)
{
  SendDrainResult result;
  GstFlowReturn ret;

  self->let_go = FALSE;
  ret = await_session (self);
  if (ret == GST_RMC_SINK_UNREACHABLE) {
    if (self->held.length > 0)
      warn_of_unsent (self);
    return GST_FLOW_OK;
  }
  if (ret != GST_FLOW_OK)
    return ret;
  while ((result = send_session_drain (self->host.session)) == SEND_DRAIN_INTERRUPTED) {
    ret = gst_base_sink_wait_preroll (GST_BASE_SINK (self));
    if (ret != GST_FLOW_OK)
      return ret;
  }
  if (result == SEND_DRAIN_SILENT)
    warn_of_unsent (self);
  send_session_say_bye (self->host.session);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_rmc_sink_wait_event (GstBaseSink * sink, GstEvent * event)
{
  GstFlowReturn ret = GST_BASE_SINK_CLASS (gst_rmc_sink_parent_class)->wait_event (sink, event);

  if (ret == GST_FLOW_OK && GST_EVENT_TYPE (event) == GST_EVENT_EOS) {
    ret = drain (GST_RMC_SINK (sink));
    post_final_stats (GST_RMC_SINK (sink));
  }
  return ret;
}

void
gst_rmc_sink_flush (GstRmcSink * self)
{
  SendSession *session = session_host_dup_session (&self->host);

  if (session)
    send_session_flush (session);
  g_clear_pointer (&session, send_session_unref);
}

static gboolean
gst_rmc_sink_event (GstBaseSink * sink, GstEvent * event)
{
  GstRmcSink *self = GST_RMC_SINK (sink);
  gboolean flush = GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START;
  gboolean ok;

  /* Links further upstream: perhaps a camera where a file was. Asked before its first buffer. */
  if (GST_EVENT_TYPE (event) == GST_EVENT_STREAM_START)
    g_atomic_int_set (&self->host.live_known, FALSE);
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    drop_held (self);
  ok = GST_BASE_SINK_CLASS (gst_rmc_sink_parent_class)->event (sink, event);
  if (flush)
    gst_rmc_sink_flush (self);
  return ok;
}

static gboolean
offers (const GstStructure * structure, const gchar * field)
{
  gboolean offered;

  return gst_structure_get_boolean (structure, field, &offered) && offered;
}

/* What the caps say of the receiver's feedback. GStreamer makes them from SDP: a=rtcp-fb becomes
 * rtcp-fb-*, a=extmap becomes extmap-*. */
static void
check_feedback_caps (GstRmcSink * self, const GstCaps * caps)
{
  const GstStructure *structure = gst_caps_get_structure (caps, 0);

  if (!offers (structure, "rtcp-fb-transport-cc") || offers (structure, "rtcp-fb-ack-ccfb")
      || extmap_id_of_caps (caps, RC_TWCC_URI) != 0)
    return;
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("The caps promise feedback by TWCC (rtcp-fb-transport-cc), but name no header extension for "
          "the numbers that it needs, so none can come. Add extmap-1=" RC_TWCC_URI " to the caps "
          "behind the payloader, or leave rtcp-fb-transport-cc out"), (NULL));
}

void
gst_rmc_sink_follow_caps (GstRmcSink * self, GstCaps * caps)
{
  check_feedback_caps (self, caps);
  g_atomic_int_set (&self->mtu_due, TRUE);
  caps = gst_rmc_sink_own_caps (self, caps);
  session_host_set_caps (&self->host, caps);
  gst_caps_unref (caps);
}

static gboolean
gst_rmc_sink_set_caps (GstBaseSink * sink, GstCaps * caps)
{
  gst_rmc_sink_follow_caps (GST_RMC_SINK (sink), caps);
  return TRUE;
}

static gboolean
gst_rmc_sink_unlock (GstBaseSink * sink)
{
  gst_rmc_sink_set_interrupted (GST_RMC_SINK (sink), TRUE);
  return TRUE;
}

static gboolean
gst_rmc_sink_unlock_stop (GstBaseSink * sink)
{
  gst_rmc_sink_set_interrupted (GST_RMC_SINK (sink), FALSE);
  return TRUE;
}

/* --- states --- */

static gboolean
ready_to_paused (GstRmcSink * self)
{
  SendSession *session;

  self->rtp_buffers = self->other_buffers = 0;
  self->session_met = FALSE;
  self->path_looks = 0;
  gst_rmc_sink_begin_mtu (self);
  gst_rmc_sink_begin_pace (self);
  GST_OBJECT_LOCK (self);
  self->unreachable_packets = 0;
  GST_OBJECT_UNLOCK (self);
  gst_rmc_sink_set_interrupted (self, FALSE);
  session_host_begin (&self->host);
  if (!gst_rmc_sink_open_session (self))
    return FALSE;
  /* Sinks change state before what feeds them: the encoders open with the start bitrate. In
   * arcserversink they run already, and the worker that starts it must not wait for them. */
  session = session_host_dup_session (&self->host);
  if (session && self->feed)
    session_host_set_live (&self->host, TRUE);
  if (session && self->served)
    work_turns_schedule (&self->host.turns);
  else if (session)
    work_turns_take (&self->host.turns);
  g_clear_pointer (&session, send_session_unref);
  return TRUE;
}

static GstStateChangeReturn
gst_rmc_sink_change_state (GstElement * element, GstStateChange transition)
{
  GstRmcSink *self = GST_RMC_SINK (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !ready_to_paused (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_PLAYING)
    begin_playing (self);
  if (transition == GST_STATE_CHANGE_PLAYING_TO_PAUSED)
    g_atomic_int_set (&self->host.playing, FALSE);

  ret = GST_ELEMENT_CLASS (gst_rmc_sink_parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE))
    gst_rmc_sink_close_session (self);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    drop_held (self);
  return ret;
}

static void
gst_rmc_sink_finalize (GObject * object)
{
  GstRmcSink *self = GST_RMC_SINK (object);

  gst_rmc_sink_stop_listening (self);   /* of one that was never started */
  gst_rmc_sink_clear_settings (self);
  session_host_clear (&self->host);
  g_cond_clear (&self->opened);
  rtcp_outlet_clear (&self->rtcp_outlet);
  G_OBJECT_CLASS (gst_rmc_sink_parent_class)->finalize (object);
}

static void
gst_rmc_sink_init (GstRmcSink * self)
{
  watch_list_add (GST_ELEMENT (self));
  gst_rmc_sink_init_settings (self);
  session_host_init (&self->host, GST_ELEMENT (self), GST_BASE_SINK_PAD (self),
      &gst_rmc_sink_host_funcs);
  rtcp_outlet_init (&self->rtcp_outlet);
  g_cond_init (&self->opened);
  gst_rmc_sink_init_calls (self);
  /* It would hold a reference: copies. */
  gst_base_sink_set_last_sample_enabled (GST_BASE_SINK (self), FALSE);
}

static void
gst_rmc_sink_class_init (GstRmcSinkClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  object_class->finalize = gst_rmc_sink_finalize;
  gst_rmc_sink_install_properties (object_class);
  join_signal_new (G_TYPE_FROM_CLASS (klass));
  gst_rmc_sink_install_live (klass);

  element_class->change_state = gst_rmc_sink_change_state;
  element_class->request_new_pad = gst_rmc_sink_request_pad;
  element_class->release_pad = gst_rmc_sink_release_pad;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_rmc_sink_add_rtcp_templates (element_class);
  gst_element_class_set_static_metadata (element_class,
      "Adaptive RTP sender", "Sink/Network/RTP",
      "Sends RTP over UDP with congestion control and adapts the encoders upstream",
      "the gst-arc authors");
  gst_rmc_sink_describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_SIGNALS,
      JOIN_SIGNAL_DESCRIPTION);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_RMC_SINK_TARGET_BITRATE, "the target of the encoders has changed")
      DESCRIPTION_FIELD ("bitrate", "uint, bit/s", "new target, media only")
      DESCRIPTION_FIELD ("cause", "string", "why it is no more, as the statistic target-cause")
      DESCRIPTION_NEXT_STRUCTURE (GST_RMC_SINK_PATH, "with the property paths: the state of a "
          "path is another one than a second ago")
      DESCRIPTION_FIELD ("path", "string", "as in the property")
      DESCRIPTION_FIELD ("state", "string", "as the statistic; gone: it is not there")
      DESCRIPTION_NEXT_STRUCTURE (GST_RMC_SINK_STATE, "media flows to a receiver that answers, or "
          "has stopped")
      DESCRIPTION_FIELD ("state", "string", "running: a receiver has answered; stopped: no "
          "report came, so no media is sent")
      DESCRIPTION_FIELD ("reason", "string", "of stopped: silence, unreachable, port-refused, "
          "other-sender or payload-type; else empty")
      DESCRIPTION_NEXT_STRUCTURE (GST_RMC_SINK_STATS, "the statistics, each stats-interval and at "
          "the end of the stream"));
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_EVENTS,
      DESCRIPTION_STRUCTURE (GST_ARC_TARGET_BITRATE, "sent upstream, for encoders that rmcsink "
          "does not know")
      DESCRIPTION_TARGET_BITRATE DESCRIPTION_NETWORK_BITRATE);

  sink_class->render = gst_rmc_sink_render;
  sink_class->render_list = gst_rmc_sink_render_list;
  sink_class->wait_event = gst_rmc_sink_wait_event;
  sink_class->event = gst_rmc_sink_event;
  sink_class->set_caps = gst_rmc_sink_set_caps;
  sink_class->unlock = gst_rmc_sink_unlock;
  sink_class->unlock_stop = gst_rmc_sink_unlock_stop;
}
