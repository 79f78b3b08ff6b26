/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What comes in by the sink pads: packets into the pad's queue, events. */

#include "gstrampschedulerprivate.h"

#include "base/clockglue.h"

#define RTP_HEADER_BYTES 12
#define MAX_OVERHEAD_BYTES 1000 /* nobody has more */
#define MIN_QUEUE_BYTES 15000   /* some packets may wait however little the share is */
#define MAX_QUEUE_BYTES 16000000        /* while there is no budget to tell time by */

#define SCHEDULER(parent) GST_RAMP_SCHEDULER (parent)

/* --- queue --- */

/* The queue counts RTP packets; what they cost beside that may change while they wait. */
static guint64
queued_bytes (const GstRampScheduler * self, GstRampPad * pad)
{
  return send_queue_bytes (pad->queue) + (guint64) send_queue_packets (pad->queue) * self->overhead_bytes;
}

guint
gst_ramp_scheduler_size (const GstRampScheduler * self, const SendPacket * packet)
{
  return packet->rtp_bytes + self->overhead_bytes;
}

void
gst_ramp_scheduler_set_overhead (GstRampScheduler * self, guint overhead_bytes)
{
  RcTime now = clock_glue_monotonic ();
  guint i;

  self->overhead_bytes = MIN (overhead_bytes, MAX_OVERHEAD_BYTES);
  for (i = 0; i < self->pads->len; i++) {
    GstRampPad *pad = self->pads->pdata[i];
    guint64 before = pad->flow.waiting_bytes, after = queued_bytes (self, pad);

    if (after > before)
      rc_ramp_on_arrived (&self->ramp, &pad->flow, (guint32) (after - before), now);
    else
      rc_ramp_on_dropped (&self->ramp, &pad->flow, before - after);
  }
}

static guint64
limit_bytes (GstRampScheduler * self, GstRampPad * pad)
{
  gdouble share_bps = MAX (pad->flow.share_bps, pad->flow.allocation_bps);
  gdouble bytes = (gdouble) self->max_queue_time * share_bps / 8e9;

  return (guint64) CLAMP (bytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES);
}

/* Dropping is for live sources only, and a greedy one can wait. */
static gboolean
may_drop (const GstRampPad * pad)
{
  return pad->live && pad->flow.params.flow_class == RC_RAMP_REAL_RATE;
}

static void
ask_live (GstRampScheduler * self, GstRampPad * pad)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live = FALSE, known = gst_pad_peer_query (GST_PAD (pad), query);

  if (known)
    gst_query_parse_latency (query, &live, NULL, NULL);
  gst_query_unref (query);
  g_mutex_lock (&self->lock);
  pad->live = live;
  pad->live_known = TRUE;
  g_mutex_unlock (&self->lock);
}

static gboolean
is_gone (const GstRampScheduler * self, const GstRampPad * pad)
{
  return !self->active || pad->flushing || !pad->queue;
}

static void
wait_for_room (GstRampScheduler * self, GstRampPad * pad)
{
  while (!is_gone (self, pad) && !may_drop (pad) && self->flow_return == GST_FLOW_OK
      && pad->flow.waiting_bytes > limit_bytes (self, pad)) {
    pad->waiting++;
    g_cond_wait (&self->room, &self->lock);
    pad->waiting--;
  }
}

static void
shed (GstRampScheduler * self, GstRampPad * pad, RcTime now)
{
  guint64 before = queued_bytes (self, pad);

  send_queue_shed (pad->queue, limit_bytes (self, pad), now);
  if (queued_bytes (self, pad) < before)
    rc_ramp_on_dropped (&self->ramp, &pad->flow, before - queued_bytes (self, pad));
  if (send_queue_take_keyframe_request (pad->queue, now)) {
    pad->keyframe = TRUE;
    gst_ramp_scheduler_schedule_tell (self);
  }
}

/* Takes the buffer. Where the queue itself drops, for want of a keyframe, the packet still is part of what the stream
 * needs. */
static void
enqueue (GstRampScheduler * self, GstRampPad * pad, GstBuffer * buffer, RcTime now)
{
  guint size_bytes = (guint) gst_buffer_get_size (buffer);
  guint64 before = send_queue_bytes (pad->queue);

  if (!send_queue_push (pad->queue, buffer, pad->codec, now)) {
    pad->non_rtp_buffers++;
    return;
  }
  rc_mediatarget_on_made (&pad->target, size_bytes - RTP_HEADER_BYTES, now);
  size_bytes += self->overhead_bytes;
  rc_ramp_on_arrived (&self->ramp, &pad->flow, size_bytes, now);
  if (send_queue_bytes (pad->queue) == before)
    rc_ramp_on_dropped (&self->ramp, &pad->flow, size_bytes);
  if (may_drop (pad))
    shed (self, pad, now);
  self->active_at = now;
}

/* Upstream and the receiver's clock know only this pad's segment; what leaves is in one. */
static GstBuffer *
to_running_time (GstRampPad * pad, GstBuffer * buffer)
{
  const GstSegment *s = &pad->segment;

  if (s->format != GST_FORMAT_TIME || (s->rate == 1.0 && s->start == 0 && s->base == 0 && s->offset == 0))
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  GST_BUFFER_PTS (buffer) = gst_segment_to_running_time (s, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  GST_BUFFER_DTS (buffer) = gst_segment_to_running_time (s, GST_FORMAT_TIME, GST_BUFFER_DTS (buffer));
  return buffer;
}

static GstFlowReturn
gst_ramp_scheduler_chain (GstPad * gst_pad, GstObject * parent, GstBuffer * buffer)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);
  GstFlowReturn ret;
  guint64 foreign;

  buffer = to_running_time (pad, buffer);
  g_mutex_lock (&self->lock);
  if (!pad->live_known) {
    g_mutex_unlock (&self->lock);
    ask_live (self, pad);
    g_mutex_lock (&self->lock);
  }
  foreign = pad->non_rtp_buffers;
  wait_for_room (self, pad);
  ret = is_gone (self, pad) ? GST_FLOW_FLUSHING : pad->eos ? GST_FLOW_EOS : self->flow_return;
  if (ret == GST_FLOW_OK) {
    enqueue (self, pad, buffer, clock_glue_monotonic ());
    gst_ramp_scheduler_wake (self);
  } else {
    gst_buffer_unref (buffer);
  }
  foreign = pad->non_rtp_buffers - foreign;
  g_mutex_unlock (&self->lock);
  if (foreign > 0 && pad->non_rtp_buffers == 1)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("a buffer at %s is not an RTP packet and is not sent; put a payloader before rampscheduler",
            GST_OBJECT_NAME (pad)), (NULL));
  return ret;
}

/* --- events --- */

static void
set_caps (GstRampScheduler * self, GstRampPad * pad, GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  g_mutex_lock (&self->lock);
  pad->codec = rtp_codec_from_caps (caps);
  pad->audio = g_strcmp0 (gst_structure_get_string (s, "media"), "audio") == 0;
  pad->ssrc = 0;
  gst_structure_get_uint (s, "ssrc", &pad->ssrc);
  pad->tell = pad->target_bps > 0;      /* perhaps it is another encoder, which knows nothing yet */
  encoder_steering_look_again (pad->steering);
  gst_ramp_scheduler_schedule_tell (self);
  g_mutex_unlock (&self->lock);
  gst_ramp_scheduler_update_pad (self, pad);
}

void
gst_ramp_scheduler_revive (GstRampScheduler * self)
{
  if (!self->eos_sent)
    return;
  self->need_start = self->need_segment = TRUE;
  self->eos_sent = FALSE;
}

static void
set_eos (GstRampScheduler * self, GstRampPad * pad, gboolean eos)
{
  g_mutex_lock (&self->lock);
  pad->eos = eos;
  if (!eos) {
    pad->live_known = FALSE;    /* perhaps it is another source */
    gst_ramp_scheduler_revive (self);
  }
  gst_ramp_scheduler_wake (self);
  g_mutex_unlock (&self->lock);
}

void
gst_ramp_scheduler_forget_waiting (GstRampScheduler * self, GstRampPad * pad)
{
  guint64 before;

  if (!pad->queue)
    return;
  before = queued_bytes (self, pad);
  send_queue_flush (pad->queue);
  gst_queue_array_clear (pad->events);
  if (before > 0)
    rc_ramp_on_dropped (&self->ramp, &pad->flow, before);
}

static gboolean
gst_ramp_scheduler_sink_event (GstPad * gst_pad, GstObject * parent, GstEvent * event)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      set_eos (self, pad, FALSE);
      break;
    case GST_EVENT_EOS:
      set_eos (self, pad, TRUE);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      set_caps (self, pad, caps);
      break;
    case GST_EVENT_SEGMENT:
      gst_event_copy_segment (event, &pad->segment);    /* only this thread reads it */
      break;
    case GST_EVENT_FLUSH_START:
      gst_ramp_scheduler_flush_start (self, pad, event);
      return TRUE;
    case GST_EVENT_FLUSH_STOP:
      gst_ramp_scheduler_flush_stop (self, pad, event);
      return TRUE;
    default:
      if (GST_EVENT_IS_SERIALIZED (event))
        return gst_ramp_scheduler_keep_event (self, pad, event);
      return gst_pad_event_default (gst_pad, parent, event);
  }
  gst_event_unref (event);
  return TRUE;
}

/* The answer to a serialized query, such as ALLOCATION or DRAIN, would have to wait for what follows. */
static gboolean
gst_ramp_scheduler_sink_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_IS_SERIALIZED (query) ? FALSE : gst_pad_query_default (pad, parent, query);
}

static gboolean
gst_ramp_scheduler_activate_sink (GstPad * gst_pad, GstObject * parent, GstPadMode mode, gboolean active)
{
  GstRampScheduler *self = SCHEDULER (parent);
  GstRampPad *pad = GST_RAMP_PAD (gst_pad);

  if (mode != GST_PAD_MODE_PUSH)
    return FALSE;
  g_mutex_lock (&self->lock);
  pad->flushing = !active;
  pad->eos = pad->live_known = FALSE;
  if (!active)
    gst_ramp_scheduler_forget_waiting (self, pad);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
  if (active)
    gst_segment_init (&pad->segment, GST_FORMAT_TIME);
  return TRUE;
}

static void
on_linked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  encoder_steering_look_again (GST_RAMP_PAD (pad)->steering);
}

static void
on_unlinked (GstPad * pad, GstPad * peer, gpointer user_data)
{
  GstObject *parent = gst_object_get_parent (GST_OBJECT (pad));

  if (parent)
    gst_ramp_scheduler_flush_forget_pad (GST_RAMP_SCHEDULER (parent), GST_RAMP_PAD (pad));
  gst_clear_object (&parent);
}

void
gst_ramp_scheduler_init_sink_pad (GstRampPad * pad)
{
  GstPad *gst_pad = GST_PAD (pad);

  gst_pad_set_chain_function (gst_pad, gst_ramp_scheduler_chain);
  gst_pad_set_event_function (gst_pad, gst_ramp_scheduler_sink_event);
  gst_pad_set_query_function (gst_pad, gst_ramp_scheduler_sink_query);
  gst_pad_set_activatemode_function (gst_pad, gst_ramp_scheduler_activate_sink);
  g_signal_connect (pad, "linked", G_CALLBACK (on_linked), NULL);
  g_signal_connect (pad, "unlinked", G_CALLBACK (on_unlinked), NULL);
}

/* --- pads --- */

void
gst_ramp_scheduler_enter_pad (GstRampScheduler * self, GstRampPad * pad)
{
  RcRampFlowParams params;

  g_mutex_lock (&self->lock);
  params = gst_ramp_pad_get_params (pad);
  pad->queue = send_queue_new (0, self->renumber);
  rc_mediatarget_init (&pad->target);
  rc_ramp_add (&self->ramp, &pad->flow, &params, clock_glue_monotonic ());
  g_ptr_array_add (self->pads, gst_object_ref (pad));
  g_mutex_unlock (&self->lock);
}

void
gst_ramp_scheduler_leave_pad (GstRampScheduler * self, GstRampPad * pad)
{
  g_mutex_lock (&self->lock);
  rc_ramp_remove (&self->ramp, &pad->flow);
  g_clear_pointer (&pad->queue, send_queue_free);
  g_cond_broadcast (&self->room);
  gst_ramp_scheduler_wake (self);       /* the others may all be at their end */
  g_ptr_array_remove (self->pads, pad);
  g_mutex_unlock (&self->lock);
  gst_ramp_scheduler_flush_forget_pad (self, pad);
}

void
gst_ramp_scheduler_update_pad (GstRampScheduler * self, GstRampPad * pad)
{
  RcTime now = clock_glue_monotonic ();
  RcRampFlowParams params;

  g_mutex_lock (&self->lock);
  params = gst_ramp_pad_get_params (pad);
  if (pad->queue && params.flow_class == pad->flow.params.flow_class) {
    rc_ramp_set_flow (&self->ramp, &pad->flow, &params, now);
  } else if (pad->queue) {
    RcRampFlow before = pad->flow;

    rc_ramp_remove (&self->ramp, &pad->flow);
    rc_ramp_add (&self->ramp, &pad->flow, &params, now);
    rc_ramp_on_arrived (&self->ramp, &pad->flow, (guint32) before.waiting_bytes, now);
    pad->flow.arrived_bytes = before.arrived_bytes;
    pad->flow.sent_bytes = before.sent_bytes;
    pad->flow.dropped_bytes = before.dropped_bytes;
  }
  self->retell = TRUE;
  gst_ramp_scheduler_wake (self);
  g_cond_broadcast (&self->room);
  g_mutex_unlock (&self->lock);
}
