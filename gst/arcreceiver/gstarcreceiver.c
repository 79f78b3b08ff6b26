/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcreceiver
 * @title: arcreceiver
 * @see_also: arcsrc, rmcsink
 *
 * Passes RTP through unmodified, measures it, and generates the feedback for rmcsink or another
 * sender. For packets that do not come from arcsrc, which contains one: behind udpsrc, an SRTP
 * decoder, or another transport.
 *
 * ## Behaviour
 * One receiver of lib/rc/receiver/receiver.c for each SSRC measures the received rate, low-pass
 * filtered, and counts lost, reordered, duplicate and ECN-marked packets. A native report is sent
 * at each report interval requested by the sender, and at once after a loss; one compound RTCP
 * packet contains the reports of all active SSRCs, at most 16. #GstArcReceiver:feedback selects
 * other formats for other senders. Packets that are not RTP are dropped and counted. The arrival
 * time of a packet is its DTS if that is plausible (not in the future and at most one second old:
 * udpsrc can set it to the kernel's receive timestamp), otherwise the time at which the element
 * handles it. ECN bits are read from the GstNetControlMessageMeta (IP_TOS, IPV6_TCLASS) of the
 * buffer, which arcsrc attaches.
 *
 * Keyframes are requested (#GstArcReceiver:request-keyframes) by PLI or FIR in a compound packet
 * that is sent at once: if a source begins without a keyframe, on the upstream event
 * GstForceKeyUnit, and after unrepaired losses. A loss counts as unrepaired when it is detected or,
 * if a jitter buffer downstream sends GstRTPRetransmissionRequest events (`do-retransmission`),
 * after the latency of that jitter buffer. For H.264, H.265, VP8, VP9 and AV1 the element detects
 * keyframes by the caps and repeats the request until one arrives; for other media each request is
 * made once.
 *
 * ## Feedback
 * Reports leave by the request pad `rtcp_src`: send them to the address that the media comes from,
 * from the port at which it arrives. RTCP of the sender enters multiplexed with RTP on `sink` (RFC
 * 5761) or on the request pad `rtcp_sink`; messages for this element (the sender's round-trip time)
 * are removed, other RTCP leaves by the request pad `sender_rtcp_src`, meant for
 * `rtpbin.recv_rtcp_sink_%u`. Without these pads the element only measures. EOS and flushes are
 * forwarded to all source pads.
 *
 * The upstream event `GstRTPRetransmissionRequest` of a jitter buffer becomes a generic NACK (RFC
 * 4585), together with others of the same millisecond and with a report that is due. Without
 * `rtcp_src` the event is forwarded. A retransmitted packet gets the flag
 * GST_RTP_BUFFER_FLAG_RETRANSMISSION, and its loss remains a loss in the reports. The element
 * message `GstArcReceiverLatency` (`needed`, `latency`: guint64, ns) reports that repair on this
 * path needs more latency than that of the jitter buffer (`deadline` of its event), or else of the
 * pipeline (the LATENCY event). The first one comes with a warning. With `adapt-latency` of arcsrc
 * there is none.
 *
 * ## Statistics
 * See #GstArcReceiver:stats.
 *
 * ## Clock and threads
 * All times are of the element's clock, or of the system clock until it has one. With a new clock
 * it becomes a new receiver (a new instance id) to the sender. Packets are measured on their
 * streaming thread; a second thread makes the reports.
 *
 * ## Example
 * |[
 * gst-launch-1.0 udpsrc port=5004 \
 *     caps="application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96" !
 *     arcreceiver name=r ! rtpjitterbuffer ! rtph264depay ! avdec_h264 ! autovideosink
 *     r.rtcp_src ! udpsink host=192.0.2.1 port=5002 sync=false async=false
 * ]| Shows H.264 video that rmcsink sends from port 5002 of 192.0.2.1, which adapts its rate.
 * arcsrc finds the sender's address by itself and is shorter.
 *
 * ## Limits
 * Reads RTP headers, therefore behind SRTP decryption where RTCP is encrypted. A seventeenth SSRC
 * at a time passes unmeasured.
 *
 * Since: 0.1
 */

#include "gstarcreceiverprivate.h"

#include "base/clockglue.h"
#include "base/padwalk.h"
#include "base/watchlist.h"
#include "rtp/rtcpmessage.h"

#include <gst/rtp/rtp.h>

#include <rc/feedback/twcc.h>

#define MOST_TOGETHER 32        /* packets of a list under one lock: others wait for it */

GST_DEBUG_CATEGORY_STATIC (arcreceiver_debug);
#define GST_CAT_DEFAULT arcreceiver_debug

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp; application/x-rtcp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src", GST_PAD_SRC,
    GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("rtcp_sink", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate sender_rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("sender_rtcp_src",
    GST_PAD_SRC, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));

#define gst_arc_receiver_parent_class parent_class
G_DEFINE_FINAL_TYPE (GstArcReceiver, gst_arc_receiver, GST_TYPE_ELEMENT);
GST_ELEMENT_REGISTER_DEFINE (arcreceiver, "arcreceiver", GST_RANK_NONE, GST_TYPE_ARC_RECEIVER);

/* Reports */

/* The first one is a warning too: what plays the stream may not read messages of elements. */
static void
gst_arc_receiver_tell_latency (GstArcReceiver * self, const MeterReport * report)
{
  GstClockTime needed = clock_glue_to_gst (report->needed);
  GstClockTime there = clock_glue_to_gst (report->there);

  if (!self->told_latency)
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS, ("Lost packets come again too late for a "
            "jitter buffer of %u ms; set its latency to %u, or adapt-latency=true at arcsrc",
            (guint) GST_TIME_AS_MSECONDS (there), (guint) GST_TIME_AS_MSECONDS (needed)), (NULL));
  self->told_latency = TRUE;
  gst_element_post_message (GST_ELEMENT (self), gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_ARC_RECEIVER_LATENCY, "needed", G_TYPE_UINT64, needed, "latency",
              G_TYPE_UINT64, there, NULL)));
}

/* On another thread, since a state change waits for the one that reports. */
static void
gst_arc_receiver_tell_faults (GstElement * element, gpointer user_data)
{
  const MeterReport *report = user_data;
  guint late_ms = (guint) GST_TIME_AS_MSECONDS (clock_glue_to_gst (report->delay)) + 1;

  if (report->faults & METER_LACKS_NUMBERS)
    GST_ELEMENT_WARNING (element, STREAM, FORMAT,
        ("feedback=twcc needs packets with a transport-wide number, and caps that name its header "
            "extension, such as extmap-1=%s, at both ends: the sender gets receiver reports "
            "instead", RC_TWCC_URI), (NULL));
  if (report->faults & METER_LACKS_LATENCY)
    gst_arc_receiver_tell_latency (GST_ARC_RECEIVER (element), report);
  if (report->faults & METER_COMES_LATE)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS, ("frames come up to %u ms later than the "
            "fastest, too late for a latency of %u ms: set the latency of the jitter buffer to %u "
            "or more, or adapt-latency=true at arcsrc", late_ms,
            (guint) GST_TIME_AS_MSECONDS (clock_glue_to_gst (report->there)), late_ms), (NULL));
}

static void
gst_arc_receiver_log_report (GstArcReceiver * self, GstBuffer * buffer)
{
  RtcpMessage message;

  if (gst_debug_category_get_threshold (GST_CAT_DEFAULT) < GST_LEVEL_DEBUG)
    return;
  rtcp_message_read_buffer (&message, buffer);
  if (message.n_keyframes > 0)
    GST_DEBUG_OBJECT (self, "a keyframe is requested of %08x", message.keyframes[0].ssrc);
  for (guint i = 0; i < message.n_reports; i++) {
    const RcReport *report = &message.reports[i];

    GST_LOG_OBJECT (self, "report %u on %08x: received %u, lost %u, %" G_GUINT64_FORMAT " bit/s",
        report->number, report->ssrc, report->received_pkts, report->lost_pkts,
        report->bandwidth_bps);
  }
  GST_LOG_OBJECT (self, "%" G_GSIZE_FORMAT " bytes of RTCP to the sender: %u lists, %u NACKs",
      gst_buffer_get_size (buffer), message.n_lists, message.nacks.n_messages);
}

static RcTime
gst_arc_receiver_report (gpointer user_data)
{
  GstArcReceiver *self = user_data;
  MeterReport report;

  meter_report (self->meter, &report);
  if (report.faults)
    gst_element_call_async (GST_ELEMENT (self), gst_arc_receiver_tell_faults,
        g_memdup2 (&report, sizeof report), g_free);
  if (report.buffer && GST_LEVEL_DEBUG <= _gst_debug_min)
    gst_arc_receiver_log_report (self, report.buffer);
  if (report.buffer && rtcp_outlet_push (&self->reports, report.buffer))
    meter_count_sent (self->meter);
  return report.due_at;
}

static void
gst_arc_receiver_use_clock (GstArcReceiver * self, GstClock * clock)
{
  meter_set_clock (self->meter, clock);
  reporter_set_clock (&self->reporter, clock);
}

static gboolean
gst_arc_receiver_set_clock (GstElement * element, GstClock * clock)
{
  if (clock)
    gst_arc_receiver_use_clock (GST_ARC_RECEIVER (element), clock);
  return GST_ELEMENT_CLASS (parent_class)->set_clock (element, clock);
}

/* Packets in */

/* A DTS by the element's clock. */
static GstClockTime
gst_arc_receiver_to_clock (GstArcReceiver * self, GstClockTime dts)
{
  GstClockTime running_time;

  if (self->segment.format != GST_FORMAT_TIME)
    return GST_CLOCK_TIME_NONE;
  running_time = gst_segment_to_running_time (&self->segment, GST_FORMAT_TIME, dts);
  if (!GST_CLOCK_TIME_IS_VALID (running_time))
    return GST_CLOCK_TIME_NONE;
  return gst_element_get_base_time (GST_ELEMENT (self)) + running_time;
}

/* Leaves the buffer to the caller. claimed_at: as in meter.h. */
static void
gst_arc_receiver_take_message (GstArcReceiver * self, GstBuffer * buffer,
    const RtcpMessage * message, GstClockTime claimed_at)
{
  guint bytes = (guint) gst_buffer_get_size (buffer);
  gboolean wake;

  if (meter_take_rtcp (self->meter, message, bytes, claimed_at, &wake))
    rtcp_outlet_push (&self->sender_rtcp, gst_buffer_ref (buffer));
  if (wake)
    reporter_wake (&self->reporter);
}

/* The lock is the pad's, since the segment comes by it. */
void
gst_arc_receiver_take_rtcp (GstArcReceiver * self, GstBuffer * buffer, const RtcpMessage * message)
{
  GST_PAD_STREAM_LOCK (self->sinkpad);
  gst_arc_receiver_take_message (self, buffer, message,
      gst_arc_receiver_to_clock (self, GST_BUFFER_DTS (buffer)));
  GST_PAD_STREAM_UNLOCK (self->sinkpad);
}

/* A jitter buffer derives from the packets that it has seen how far numbers may leap. After false
 * ones it would take the true ones for late as long as these are behind; with caps it forgets. */
static void
gst_arc_receiver_repeat_caps (GstArcReceiver * self)
{
  GstEvent *caps = gst_pad_get_sticky_event (self->srcpad, GST_EVENT_CAPS, 0);

  if (caps)
    gst_pad_push_event (self->srcpad, gst_event_copy (caps));
  gst_clear_event (&caps);
}

/* What follows a demuxer or an rtpbin has caps of one stream; what is no RTP ends the search. */
static gboolean
gst_arc_receiver_learn_of_pad (GstPad * pad, GstElement * element, gpointer user_data)
{
  GstArcReceiver *self = user_data;
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean is_rtp = TRUE;

  if (caps) {
    is_rtp = gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtp");
    if (is_rtp)
      meter_learn_caps (self->meter, caps);
    gst_caps_unref (caps);
  }
  return is_rtp;
}

/* TRUE: RTCP, which goes no further. Leaves the buffer to the caller. */
static gboolean
gst_arc_receiver_take_if_rtcp (GstArcReceiver * self, GstBuffer * buffer)
{
  RtcpMessage message;

  if (rtcp_message_read_buffer (&message, buffer) == RTCP_NOT_RTCP)
    return FALSE;
  gst_arc_receiver_take_message (self, buffer, &message,
      gst_arc_receiver_to_clock (self, GST_BUFFER_DTS (buffer)));
  return TRUE;
}

/* FALSE: it must not go on, or not yet. */
static gboolean
gst_arc_receiver_judge (GstArcReceiver * self, const MeterMedia * media)
{
  if (!media->is_rtp)
    GST_DEBUG_OBJECT (self, "dropped, not RTP: %" GST_PTR_FORMAT, media->buffer);
  if (media->unclocked)
    pad_walk (self->srcpad, gst_arc_receiver_learn_of_pad, self);
  if (media->anew)
    gst_arc_receiver_repeat_caps (self);
  return media->is_rtp && !media->waits;
}

/* A repair is marked as GStreamer's elements mark it: the jitter buffer then takes no jitter from
 * its late arrival, and the round trip from its request. Takes the buffer. */
static GstBuffer *
gst_arc_receiver_mark (const MeterMedia * media, GstBuffer * buffer)
{
  if (!media->repair)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_FLAG_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
  return buffer;
}

static GstFlowReturn
gst_arc_receiver_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (parent);
  MeterMedia media = { buffer, gst_arc_receiver_to_clock (self, GST_BUFFER_DTS (buffer)) };
  gboolean goes_on = FALSE;

  if (!gst_arc_receiver_take_if_rtcp (self, buffer)) {
    if (meter_take_rtp (self->meter, &media, 1))
      reporter_wake (&self->reporter);
    goes_on = gst_arc_receiver_judge (self, &media);
  }
  if (media.before)
    gst_pad_push (self->srcpad, media.before);
  if (goes_on)
    return gst_pad_push (self->srcpad, gst_arc_receiver_mark (&media, buffer));
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Measures all media of the list. Returns how many packets that is. */
static guint
gst_arc_receiver_measure (GstArcReceiver * self, GstBufferList * list, MeterMedia * media)
{
  guint n = gst_buffer_list_length (list), n_media = 0;
  gboolean wake = FALSE;

  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = gst_buffer_list_get (list, i);

    if (!gst_arc_receiver_take_if_rtcp (self, buffer))
      media[n_media++] = (MeterMedia) { buffer,
          gst_arc_receiver_to_clock (self, GST_BUFFER_DTS (buffer)) };
  }
  for (guint i = 0; i < n_media; i += MOST_TOGETHER)
    wake |= meter_take_rtp (self->meter, media + i, MIN (n_media - i, MOST_TOGETHER));
  if (wake)
    reporter_wake (&self->reporter);
  return n_media;
}

/* Takes the list, and returns what goes on: most often the same. */
static GstBufferList *
gst_arc_receiver_take_list (GstArcReceiver * self, GstBufferList * list, MeterMedia * media)
{
  guint n = gst_arc_receiver_measure (self, list, media);
  gboolean same = n == gst_buffer_list_length (list);
  GstBufferList *out;

  for (guint i = 0; i < n; i++) {
    media[i].waits = !gst_arc_receiver_judge (self, &media[i]);
    same &= !media[i].waits && !media[i].before && !media[i].repair;
  }
  if (same)
    return list;
  out = gst_buffer_list_new_sized (n);
  for (guint i = 0; i < n; i++) {
    if (media[i].before)
      gst_buffer_list_add (out, media[i].before);
    if (!media[i].waits)
      gst_buffer_list_add (out, gst_arc_receiver_mark (&media[i],
              gst_buffer_ref (media[i].buffer)));
  }
  gst_buffer_list_unref (list);
  return out;
}

static GstFlowReturn
gst_arc_receiver_chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (parent);
  guint n = gst_buffer_list_length (list);
  MeterMedia few[MOST_TOGETHER], *media = n > MOST_TOGETHER ? g_new (MeterMedia, n) : few;

  list = gst_arc_receiver_take_list (self, list, media);
  if (media != few)
    g_free (media);
  if (gst_buffer_list_length (list) > 0)
    return gst_pad_push_list (self->srcpad, list);
  gst_buffer_list_unref (list);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_arc_receiver_chain_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  RtcpMessage message;

  rtcp_message_read_buffer (&message, buffer);
  gst_arc_receiver_take_message (GST_ARC_RECEIVER (parent), buffer, &message,
      GST_CLOCK_TIME_NONE);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* Events, queries */

/* A funnel announces its inputs in turn, but what goes on is RTP all the time. Takes the event. */
static gboolean
gst_arc_receiver_pass_caps (GstArcReceiver * self, GstEvent * event)
{
  GstCaps *caps;

  gst_event_parse_caps (event, &caps);
  if (!gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtcp")) {
    meter_set_caps (self->meter, caps);
    return gst_pad_push_event (self->srcpad, event);
  }
  gst_event_unref (event);
  return TRUE;
}

static gboolean
gst_arc_receiver_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:
      return gst_arc_receiver_pass_caps (self, event);
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &self->segment);
      break;
    case GST_EVENT_FLUSH_STOP:
      gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);
      /* FALLTHROUGH */
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_EOS:
      rtcp_outlet_push_event (&self->reports, event);
      rtcp_outlet_push_event (&self->sender_rtcp, event);
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

/* Our NACKs request what a jitter buffer wants retransmitted; without a pad for them its event
 * goes on upstream, where another element may handle it. */
static gboolean
gst_arc_receiver_src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (parent);
  gboolean taken = FALSE, wake;
  GstClockTime latency;

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY) {
    gst_event_parse_latency (event, &latency);
    meter_set_latency (self->meter, latency);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM
      && gst_event_get_structure (event)) {
    taken = meter_take_event (self->meter, gst_event_get_structure (event), &wake)
        && rtcp_outlet_is_requested (&self->reports);
    if (wake)
      reporter_wake (&self->reporter);
  }
  if (!taken)
    return gst_pad_event_default (pad, parent, event);
  gst_event_unref (event);
  return TRUE;
}

void
gst_arc_receiver_lend (GstArcReceiver * self, Meter ** meter, Reporter ** reporter)
{
  *meter = self->meter;
  *reporter = &self->reporter;
}

/* Media goes from sink to src; the RTCP pads are streams of their own. */
static GstIterator *
gst_arc_receiver_iterate_links (GstPad * pad, GstObject * parent)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (parent);
  GstPad *other = pad == self->sinkpad ? self->srcpad : self->sinkpad;
  GValue value = G_VALUE_INIT;
  GstIterator *it;

  g_value_init (&value, GST_TYPE_PAD);
  g_value_set_object (&value, other);
  it = gst_iterator_new_single (GST_TYPE_PAD, &value);
  g_value_unset (&value);
  return it;
}

static GstPad *
gst_arc_receiver_request_new_pad (GstElement * element, GstPadTemplate * templ, const gchar * name,
    const GstCaps * caps)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (element);
  const gchar *which = GST_PAD_TEMPLATE_NAME_TEMPLATE (templ);
  GstPad *pad;

  if (g_str_equal (which, rtcp_src_template.name_template))
    pad = rtcp_outlet_request (&self->reports, templ);
  else if (g_str_equal (which, sender_rtcp_src_template.name_template))
    pad = rtcp_outlet_request (&self->sender_rtcp, templ);
  else
    pad = rtcp_inlet_request (element, templ, gst_arc_receiver_chain_rtcp);

  if (!pad) {
    GST_WARNING_OBJECT (self, "pad %s is in use already", which);
    return NULL;
  }
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

static void
gst_arc_receiver_release_pad (GstElement * element, GstPad * pad)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (element);

  rtcp_outlet_release (&self->reports, pad);
  rtcp_outlet_release (&self->sender_rtcp, pad);
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

/* States */

static gboolean
gst_arc_receiver_start (GstArcReceiver * self)
{
  GstClock *clock = gst_element_get_clock (GST_ELEMENT (self));
  GError *error = NULL;
  gboolean ok;

  if (!clock)
    clock = gst_system_clock_obtain ();
  gst_arc_receiver_use_clock (self, clock);
  gst_object_unref (clock);

  meter_restart (self->meter);
  self->told_latency = FALSE;
  gst_segment_init (&self->segment, GST_FORMAT_UNDEFINED);

  ok = reporter_start (&self->reporter, &error);
  if (!ok)
    GST_ELEMENT_ERROR (self, RESOURCE, FAILED,
        ("Cannot start the report thread: %s", error->message), (NULL));
  g_clear_error (&error);
  return ok;
}

static GstStateChangeReturn
gst_arc_receiver_change_state (GstElement * element, GstStateChange transition)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !gst_arc_receiver_start (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reporter_ask_to_stop (&self->reporter);

  ret = GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY
      || (transition == GST_STATE_CHANGE_READY_TO_PAUSED && ret == GST_STATE_CHANGE_FAILURE)) {
    reporter_ask_to_stop (&self->reporter);
    reporter_join (&self->reporter);
  }
  return ret;
}

static void
gst_arc_receiver_finalize (GObject * object)
{
  GstArcReceiver *self = GST_ARC_RECEIVER (object);

  reporter_clear (&self->reporter);
  meter_clear (self->meter);
  g_free (self->meter);
  rtcp_outlet_clear (&self->reports);
  rtcp_outlet_clear (&self->sender_rtcp);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
describe_stats (GstElementClass * klass)
{
  const FieldStructure structures[] = {
    {GST_ARC_RECEIVER_STATS, "property stats", {METER_TABLES}}, METER_SOURCE_STRUCTURE, {NULL}
  };

  fields_describe (klass, structures);
}

static void
gst_arc_receiver_class_init (GstArcReceiverClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  GST_DEBUG_CATEGORY_INIT (arcreceiver_debug, "arcreceiver", 0, "RTP congestion feedback");

  object_class->finalize = gst_arc_receiver_finalize;
  gst_arc_receiver_install_properties (object_class);

  element_class->change_state = gst_arc_receiver_change_state;
  element_class->set_clock = gst_arc_receiver_set_clock;
  element_class->request_new_pad = gst_arc_receiver_request_new_pad;
  element_class->release_pad = gst_arc_receiver_release_pad;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_sink_template);
  gst_element_class_add_static_pad_template (element_class, &rtcp_src_template);
  gst_element_class_add_static_pad_template (element_class, &sender_rtcp_src_template);
  gst_element_class_set_static_metadata (element_class, "ARC receiver", "Filter/Network/RTP",
      "Measures received RTP and reports bandwidth, delay and loss to the sender",
      "the gst-arc authors");
  describe_stats (element_class);
  gst_element_class_add_static_metadata (element_class, DESCRIPTION_MESSAGES,
      DESCRIPTION_STRUCTURE (GST_ARC_RECEIVER_LATENCY, METER_LATENCY_TEXT) METER_LATENCY_FIELDS);
}

static void
gst_arc_receiver_init (GstArcReceiver * self)
{
  watch_list_add (GST_ELEMENT (self));
  self->meter = g_new (Meter, 1);
  meter_init (self->meter);
  rtcp_outlet_init (&self->reports);
  rtcp_outlet_init (&self->sender_rtcp);
  reporter_init (&self->reporter);
  reporter_add (&self->reporter, (ReporterTask) { gst_arc_receiver_report, self, FALSE });

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_arc_receiver_chain);
  gst_pad_set_chain_list_function (self->sinkpad, gst_arc_receiver_chain_list);
  gst_pad_set_event_function (self->sinkpad, gst_arc_receiver_sink_event);
  gst_pad_set_iterate_internal_links_function (self->sinkpad, gst_arc_receiver_iterate_links);
  /* No proxy of ALLOCATION: datagrams come in buffers of their own, and rtpjitterbuffer answers
   * only when all that came before has left, so that who reads the socket would wait for its
   * latency. */
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_pad_set_event_function (self->srcpad, gst_arc_receiver_src_event);
  gst_pad_set_iterate_internal_links_function (self->srcpad, gst_arc_receiver_iterate_links);
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
