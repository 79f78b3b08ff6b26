/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rampsource.h"

#define MAX_OVERHEAD_BYTES 1000 /* above that of any stack of tunnels */
#define MIN_QUEUE_BYTES 15000   /* some packets may wait however little the share is */
#define MAX_QUEUE_BYTES 16000000        /* while no budget relates bytes to time */

/* --- sizes --- */

/* The queue counts RTP packets; what they cost beside that may change while they wait. */
static guint64
queued_bytes (const RampSource * self, GstRampPad * pad)
{
  guint64 overhead_bytes = (guint64) send_queue_packets (pad->queue) * self->overhead_bytes;

  return send_queue_bytes (pad->queue) + overhead_bytes;
}

static guint
size_of (const RampSource * self, const SendPacket * packet)
{
  return packet->rtp_bytes + self->overhead_bytes;
}

static guint64
limit_bytes (const RampSource * self, GstRampPad * pad)
{
  gdouble share_bps = MAX (pad->flow.share_bps, pad->flow.allocation_bps);
  gdouble bytes = (gdouble) self->max_queue_time * share_bps / 8e9;

  return (guint64) CLAMP (bytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES);
}

void
ramp_source_set_overhead (RampSource * self, guint overhead_bytes, RcTime now)
{
  self->overhead_bytes = MIN (overhead_bytes, MAX_OVERHEAD_BYTES);
  for (guint i = 0; i < self->pads->len; i++) {
    GstRampPad *pad = self->pads->pdata[i];
    guint64 before = pad->flow.waiting_bytes, after = queued_bytes (self, pad);

    if (after > before)
      rc_ramp_on_arrived (&self->ramp, &pad->flow, (guint32) (after - before), now);
    else
      rc_ramp_on_dropped (&self->ramp, &pad->flow, before - after);
  }
}

/* --- out --- */

static GstRampPad *
pad_of (RcRampFlow * flow)
{
  return (GstRampPad *) ((guint8 *) flow - G_STRUCT_OFFSET (GstRampPad, flow));
}

static gboolean
source_peek (PacketSource * source, guint nth, RcTime now, PacedPacket * packet)
{
  RampSource *self = (RampSource *) source;
  RcRampFlow *flow = nth == 0 ? rc_ramp_next (&self->ramp, now) : NULL;
  const SendPacket *head;

  if (nth > 0)
    return FALSE;
  self->chosen = flow ? pad_of (flow) : NULL;
  if (!self->chosen)
    return FALSE;
  head = send_queue_peek (self->chosen->queue, 0);
  *packet = (PacedPacket) { head->buffer, size_of (self, head) };
  return TRUE;
}

static void
source_make_ready (PacketSource * source, guint n, GstBuffer ** buffers)
{
  SendQueue *queue = ((RampSource *) source)->chosen->queue;

  send_queue_number (queue, n);
  for (guint i = 0; i < n; i++)
    buffers[i] = send_queue_peek (queue, i)->buffer;
}

static void
source_take (PacketSource * source, RcTime now)
{
  RampSource *self = (RampSource *) source;
  GstRampPad *pad = self->chosen;
  const SendPacket *packet = send_queue_peek (pad->queue, 0);
  guint size_bytes = size_of (self, packet);

  rc_ramp_on_sent (&self->ramp, &pad->flow, size_bytes, now);
  rc_mediatarget_on_sent (&pad->target, size_bytes, packet->payload_bytes);
  self->packets++;
  self->bytes += size_bytes;
  send_queue_pop (pad->queue, now);
}

static guint64
source_get_waiting_bytes (PacketSource * source)
{
  RampSource *self = (RampSource *) source;
  guint64 bytes = 0;

  for (guint i = 0; i < self->pads->len; i++) {
    const GstRampPad *pad = self->pads->pdata[i];

    bytes += pad->flow.waiting_bytes;
  }
  return bytes;
}

gboolean
ramp_source_has_event (const RampSource * self)
{
  gboolean has = FALSE;

  for (guint i = 0; i < self->pads->len && self->n_events > 0 && !has; i++) {
    GstRampPad *pad = self->pads->pdata[i];

    has = ramp_events_are_due (&pad->events, pad->queue);
  }
  return has;
}

GstEvent *
ramp_source_take_event (RampSource * self)
{
  GstEvent *event = NULL;

  for (guint i = 0; i < self->pads->len && self->n_events > 0 && !event; i++) {
    GstRampPad *pad = self->pads->pdata[i];

    event = ramp_events_take (&pad->events, pad->queue);
  }
  self->n_events -= event != NULL;
  return event;
}

gboolean
ramp_source_is_empty (const RampSource * self)
{
  for (guint i = 0; i < self->pads->len; i++) {
    const GstRampPad *pad = self->pads->pdata[i];

    if (pad->flow.waiting_bytes > 0)
      return FALSE;
  }
  return self->n_events == 0;
}

static const PacketSourceFuncs source_funcs = {
  source_peek, source_make_ready, source_take, source_get_waiting_bytes
};

/* --- in --- */

/* Dropping is for live sources only, and a greedy one can wait. */
static gboolean
may_drop (const GstRampPad * pad)
{
  return pad->live && pad->flow.params.flow_class == RC_RAMP_REAL_RATE;
}

gboolean
ramp_source_has_room (const RampSource * self, GstRampPad * pad)
{
  return may_drop (pad) || pad->flow.waiting_bytes <= limit_bytes (self, pad);
}

static void
shed (RampSource * self, GstRampPad * pad, RcTime now)
{
  guint64 before = queued_bytes (self, pad);

  send_queue_shed (pad->queue, limit_bytes (self, pad), now);
  if (queued_bytes (self, pad) == before)
    return;
  GST_DEBUG_OBJECT (pad, "%" G_GUINT64_FORMAT " bytes of frames dropped: beyond what may wait "
      "at its share", before - queued_bytes (self, pad));
  rc_ramp_on_dropped (&self->ramp, &pad->flow, before - queued_bytes (self, pad));
}

/* Where the queue itself drops, for want of a keyframe, the packet still is part of what the stream
 * needs. */
void
ramp_source_push (RampSource * self, GstRampPad * pad, GstBuffer * buffer, RcTime now)
{
  guint size_bytes = (guint) gst_buffer_get_size (buffer);
  guint64 before = send_queue_bytes (pad->queue);

  if (!send_queue_push (pad->queue, buffer, pad->codec, now)) {
    pad->non_rtp_buffers++;
    return;
  }
  rc_mediatarget_on_made (&pad->target, send_queue_made_bytes (pad->queue), now);
  size_bytes += self->overhead_bytes;
  rc_ramp_on_arrived (&self->ramp, &pad->flow, size_bytes, now);
  if (send_queue_bytes (pad->queue) == before)
    rc_ramp_on_dropped (&self->ramp, &pad->flow, size_bytes);
  if (may_drop (pad))
    shed (self, pad, now);
}

void
ramp_source_push_event (RampSource * self, GstRampPad * pad, GstEvent * event)
{
  guint before = ramp_events_n (&pad->events);

  ramp_events_push (&pad->events, event, pad->queue);
  self->n_events += ramp_events_n (&pad->events) - before;
}

static void
forget_events (RampSource * self, GstRampPad * pad)
{
  self->n_events -= ramp_events_n (&pad->events);
  ramp_events_forget (&pad->events);
}

void
ramp_source_forget_waiting (RampSource * self, GstRampPad * pad)
{
  guint64 before;

  if (!pad->queue)
    return;
  before = queued_bytes (self, pad);
  send_queue_flush (pad->queue);
  forget_events (self, pad);
  if (before > 0)
    rc_ramp_on_dropped (&self->ramp, &pad->flow, before);
}

/* --- pads --- */

void
ramp_source_init (RampSource * self, const RcRampParams * params, RcTime now)
{
  self->source.funcs = &source_funcs;
  self->pads = g_ptr_array_new_with_free_func (gst_object_unref);
  self->overhead_bytes = RC_OVERHEAD_IPV4_BYTES;
  self->renumber = TRUE;
  rc_ramp_init (&self->ramp, params, 0, now);
}

void
ramp_source_clear (RampSource * self)
{
  g_ptr_array_unref (self->pads);
}

void
ramp_source_set_profile (RampSource * self, RcProfile profile, guint64 greedy_min_bps, RcTime now)
{
  RcRampParams live = RC_RAMP_PARAMS_DEFAULT, paper = RC_RAMP_PARAMS_PAPER;
  RcRampParams params = profile == RC_PROFILE_PAPER ? paper : live;

  params.greedy_min_bps = greedy_min_bps;
  rc_ramp_set_params (&self->ramp, &params);
  self->profile = profile;
  for (guint i = 0; i < self->pads->len; i++) {
    gst_ramp_pad_set_profile (self->pads->pdata[i], profile);
    ramp_source_update (self, self->pads->pdata[i], now);
  }
}

void
ramp_source_add (RampSource * self, GstRampPad * pad, RcTime now)
{
  RcRampFlowParams params;

  gst_ramp_pad_set_profile (pad, self->profile);
  params = gst_ramp_pad_get_params (pad);
  pad->queue = send_queue_new (0, self->renumber);
  rc_mediatarget_init (&pad->target);
  rc_ramp_add (&self->ramp, &pad->flow, &params, now);
  g_ptr_array_add (self->pads, gst_object_ref (pad));
}

void
ramp_source_remove (RampSource * self, GstRampPad * pad)
{
  rc_ramp_remove (&self->ramp, &pad->flow);
  g_clear_pointer (&pad->queue, send_queue_free);
  forget_events (self, pad);
  self->chosen = NULL;
  g_ptr_array_remove (self->pads, pad);
}

static void
change_class (RampSource * self, GstRampPad * pad, const RcRampFlowParams * params, RcTime now)
{
  RcRampFlow before = pad->flow;

  rc_ramp_remove (&self->ramp, &pad->flow);
  rc_ramp_add (&self->ramp, &pad->flow, params, now);
  rc_ramp_on_arrived (&self->ramp, &pad->flow, (guint32) before.waiting_bytes, now);
  pad->flow.arrived_bytes = before.arrived_bytes;
  pad->flow.sent_bytes = before.sent_bytes;
  pad->flow.dropped_bytes = before.dropped_bytes;
}

void
ramp_source_update (RampSource * self, GstRampPad * pad, RcTime now)
{
  RcRampFlowParams params = gst_ramp_pad_get_params (pad);

  if (!pad->queue)
    return;
  if (params.flow_class == pad->flow.params.flow_class)
    rc_ramp_set_flow (&self->ramp, &pad->flow, &params, now);
  else
    change_class (self, pad, &params, now);
}

void
ramp_source_set_renumber (RampSource * self, gboolean renumber)
{
  self->renumber = renumber;
  for (guint i = 0; i < self->pads->len; i++)
    send_queue_set_renumber (GST_RAMP_PAD (self->pads->pdata[i])->queue, renumber);
}
