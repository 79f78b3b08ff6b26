/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What comes in by the sink pad: packets into the session's queue, events behind them. */

#include "gstrtparcbweprivate.h"

#include "base/clockglue.h"

#include <gst/rtp/gstrtpbuffer.h>

/* Buffers of a list in one go: the pacing thread waits for so many at most. */
#define MAX_PUSH 64
#define ORIGINAL_NUMBER_BYTES 2

static void
refuse_other (GstRtpArcBwe * self)
{
  SessionStats stats;

  send_session_get_stats (self->host.session, &stats);
  if (stats.non_rtp_buffers == 1)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("a buffer is not an RTP packet and is not sent; "
            "put a payloader, such as rtph264pay, before rtparcbwe"), (NULL));
}

static gboolean
is_repair (GstBuffer * buffer)
{
  return GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION);
}

/* FALSE: a retransmission that exceeds its share of the rate. */
static gboolean
admit (GstRtpArcBwe * self, GstBuffer * buffer)
{
  gboolean admitted;

  if (!is_repair (buffer))
    return TRUE;
  admitted = rtx_budget_take (&self->rtx, (guint) gst_buffer_get_size (buffer),
      send_session_get_rate_bps (self->host.session), clock_glue_monotonic ());
  g_atomic_int_inc (admitted ? &self->rtx_passed : &self->rtx_dropped);
  return admitted;
}

/* The payload of a retransmission begins with the number of what is sent again [RFC 4588 4], as it
 * came here; the receiver knows the one with which it left. The buffer is writable. */
static void
translate_repair (GstRtpArcBwe * self, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *payload;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return;
  if (gst_rtp_buffer_get_payload_len (&rtp) >= ORIGINAL_NUMBER_BYTES) {
    payload = gst_rtp_buffer_get_payload (&rtp);
    GST_WRITE_UINT16_BE (payload, send_session_number_out (self->host.session,
            gst_rtp_buffer_get_ssrc (&rtp), gst_rtp_buffer_get_timestamp (&rtp),
            GST_READ_UINT16_BE (payload)));
  }
  gst_rtp_buffer_unmap (&rtp);
}

static GstFlowReturn
push (GstRtpArcBwe * self, GstBuffer ** buffers, guint n)
{
  GstFlowReturn ret = (GstFlowReturn) g_atomic_int_get (&self->flow);
  gboolean live = FALSE;
  guint taken = 0;

  if (session_host_learn_live (&self->host, &live))
    session_host_set_live (&self->host, live);
  while (taken < n && ret == GST_FLOW_OK) {
    switch (send_session_push (self->host.session, buffers, n, &taken)) {
      case SEND_PUSH_NOT_RTP:
        taken++;
        refuse_other (self);
        break;
      case SEND_PUSH_INTERRUPTED:
        ret = GST_FLOW_FLUSHING;
        break;
      default:
        break;
    }
  }
  return ret;
}

static GstFlowReturn
gst_rtp_arc_bwe_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (parent);
  GstFlowReturn ret;

  if (is_repair (buffer)) {
    buffer = gst_buffer_make_writable (buffer);
    translate_repair (self, buffer);
  }
  ret = push (self, &buffer, admit (self, buffer) ? 1 : 0);
  gst_buffer_unref (buffer);
  return ret;
}

static GstFlowReturn
gst_rtp_arc_bwe_chain_list (GstPad * pad, GstObject * parent, GstBufferList * list)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (parent);
  GstBuffer *buffers[MAX_PUSH];
  GstFlowReturn ret = GST_FLOW_OK;
  guint n = 0, length = gst_buffer_list_length (list);

  for (guint i = 0; i < length && ret == GST_FLOW_OK; i++) {
    buffers[n] = gst_buffer_list_get (list, i);
    if (is_repair (buffers[n])) {
      list = gst_buffer_list_make_writable (list);
      buffers[n] = gst_buffer_list_get_writable (list, i);
      translate_repair (self, buffers[n]);
    }
    n += admit (self, buffers[n]);
    if (n < MAX_PUSH && i + 1 < length)
      continue;
    ret = push (self, buffers, n);
    n = 0;
  }
  gst_buffer_list_unref (list);
  return ret;
}

/* --- events --- */

/* Takes the event. */
static gboolean
keep_event (GstRtpArcBwe * self, GstEvent * event)
{
  pad_transport_push_event (&self->transport, event, send_session_get_count (self->host.session));
  return TRUE;
}

/* All that waits leaves first. */
static gboolean
end (GstRtpArcBwe * self, GstEvent * event)
{
  SendDrainResult result = send_session_drain (self->host.session);

  if (result == SEND_DRAIN_INTERRUPTED) {
    gst_event_unref (event);
    return FALSE;
  }
  if (result == SEND_DRAIN_SILENT)
    GST_ELEMENT_WARNING (self, RESOURCE, WRITE,
        ("the stream ends with packets unsent, since the receiver does not answer"), (NULL));
  return keep_event (self, event);
}

/* The element may stop meanwhile: the begin of a flush waits for no stream lock, and its end gets
 * that after it was let in. */
static gboolean
begin_flush (GstRtpArcBwe * self, GstEvent * event)
{
  SendSession *session = session_host_dup_session (&self->host);
  gboolean ok = gst_pad_push_event (self->srcpad, event);

  if (!session)
    return ok;
  gst_rtp_arc_bwe_halt (self, session);
  gst_pad_pause_task (self->srcpad);
  send_session_flush (session);
  send_session_unref (session);
  return ok;
}

static gboolean
end_flush (GstRtpArcBwe * self, GstEvent * event)
{
  SendSession *session = session_host_dup_session (&self->host);
  gboolean ok = gst_pad_push_event (self->srcpad, event);

  if (!session)
    return ok;
  gst_rtp_arc_bwe_start_task (self, session);
  send_session_unref (session);
  return ok;
}

static gboolean
gst_rtp_arc_bwe_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  GstRtpArcBwe *self = GST_RTP_ARC_BWE_CAST (parent);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_FLUSH_START:
      return begin_flush (self, event);
    case GST_EVENT_FLUSH_STOP:
      return end_flush (self, event);
    case GST_EVENT_EOS:
      return end (self, event);
    case GST_EVENT_STREAM_START:
      g_atomic_int_set (&self->host.live_known, FALSE);      /* perhaps it is another source */
      g_atomic_int_set (&self->flow, GST_FLOW_OK);
      return keep_event (self, event);
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      session_host_set_caps (&self->host, caps);
      return keep_event (self, event);
    default:
      return GST_EVENT_IS_SERIALIZED (event) ? keep_event (self, event)
          : gst_pad_event_default (pad, parent, event);
  }
}

/* The answer to a serialized query, such as ALLOCATION or DRAIN, would have to wait for what
 * follows. */
static gboolean
gst_rtp_arc_bwe_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  if (GST_QUERY_TYPE (query) == GST_QUERY_CUSTOM
      && gst_structure_has_name (gst_query_get_structure (query), BWE_FOLLOWS))
    return TRUE;
  return GST_QUERY_IS_SERIALIZED (query) ? FALSE : gst_pad_query_default (pad, parent, query);
}

void
gst_rtp_arc_bwe_init_sink_pad (GstRtpArcBwe * self)
{
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_arc_bwe_chain);
  gst_pad_set_chain_list_function (self->sinkpad, gst_rtp_arc_bwe_chain_list);
  gst_pad_set_event_function (self->sinkpad, gst_rtp_arc_bwe_sink_event);
  gst_pad_set_query_function (self->sinkpad, gst_rtp_arc_bwe_sink_query);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
}
