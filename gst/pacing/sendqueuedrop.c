/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What leaves the queue without being sent. */

#include "pacing/sendqueueprivate.h"

static SendFrame *
frame_at (SendQueue * self, guint nth)
{
  return send_queue_peek (self, nth)->frame;
}

/* Takes the flow's packets of dropped frames out, and leaves their number as the gap before the
 * next one. */
static void
sweep (SendQueue * self, SendFlow * flow)
{
  guint n = send_queue_packets (self);
  guint16 gap = 0;

  for (; n > 0; n--) {          /* round once: what stays goes to the tail */
    SendPacket packet = send_queue_remove_head (self);

    if (packet.frame->flow == flow && packet.frame->dropped) {
      gap += packet.gap + 1;
      flow->has_gaps = self->has_gaps = TRUE;
      self->stats.packets_dropped++;
      self->stats.bytes_dropped += packet.size_bytes;
      send_queue_account_removed (self, &packet);
      send_packet_clear (&packet);
      continue;
    }
    if (packet.frame->flow == flow) {
      packet.gap += gap;
      gap = 0;
    }
    send_queue_append (self, &packet);
  }
  flow->pending_gap += gap;
}

/* A transport stream drops pictures as they come (judge_picture). This is for one whose sound alone
 * is too much. */
#define STREAM_LIMITS 3

/* Bytes that count against the limit. */
static guint64
countable_bytes (const SendQueue * self, const SendFlow * flow)
{
  if (send_flow_has_pictures (flow))
    return flow->queued_bytes / STREAM_LIMITS > self->limit_bytes ? flow->queued_bytes : 0;
  return flow->queued_bytes - (flow->newest_key ? flow->newest_key->queued_bytes : 0);
}

/* Frames that have not begun to leave: those before `key`, or those behind it; without a key
 * all. */
static void
drop_around_key (SendQueue * self, SendFlow * flow, const SendFrame * key, gboolean behind)
{
  gboolean passed = FALSE;
  guint i;

  for (i = 0; i < send_queue_packets (self); i++) {
    SendFrame *frame = frame_at (self, i);

    if (frame->flow != flow)
      continue;
    if (frame == key)
      passed = TRUE;
    else if (frame->sent_packets == 0 && (!key || passed == behind))
      send_queue_drop_frame (self, frame);
  }
  sweep (self, flow);
}

/* Every frame stands alone (audio, JPEG): the oldest go, as many as need be. */
static void
drop_oldest (SendQueue * self, SendFlow * flow, guint64 limit_bytes)
{
  guint64 left = countable_bytes (self, flow);
  guint i;

  for (i = 0; i < send_queue_packets (self) && left > limit_bytes; i++) {
    SendFrame *frame = frame_at (self, i);

    if (frame->flow != flow || frame->sent_packets > 0 || frame->dropped
        || frame == flow->newest_key)
      continue;
    send_queue_drop_frame (self, frame);
    left -= MIN (left, frame->queued_bytes);
  }
  sweep (self, flow);
}

static void
shed_flow (SendQueue * self, SendFlow * flow, guint64 limit_bytes, RcTime now)
{
  SendFrame *key = flow->newest_key;

  if (!flow->has_deltas || send_flow_has_pictures (flow)) {
    drop_oldest (self, flow, limit_bytes);
    return;
  }
  if (key && (key->queued_bytes == 0 || key->sent_packets > 0))
    key = NULL;
  if (key)
    drop_around_key (self, flow, key, FALSE);
  if (countable_bytes (self, flow) > limit_bytes) {
    drop_around_key (self, flow, key, TRUE);
    send_flow_await_key (flow, now);
  }
}

void
send_queue_shed (SendQueue * self, guint64 limit_bytes, RcTime now)
{
  SendFlow *largest = NULL;
  guint64 sum = 0;
  guint i;

  self->rigid = FALSE;
  self->limit_bytes = limit_bytes;
  for (i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    sum += countable_bytes (self, flow);
    if (!largest || countable_bytes (self, flow) > countable_bytes (self, largest))
      largest = flow;
  }
  if (sum <= limit_bytes)
    return;
  sum -= countable_bytes (self, largest);
  shed_flow (self, largest, limit_bytes - MIN (limit_bytes, sum), now);
}

static void
shed_rigid_flow (SendQueue * self, SendFlow * flow, guint64 limit_bytes, guint64 hold_bytes,
    RcTime now)
{
  SendFrame *frame = flow->frame;

  if (frame->dropped || frame->sent_packets > 0)
    return;
  if (frame->key) {
    if (flow->queued_bytes - frame->queued_bytes > limit_bytes)
      drop_around_key (self, flow, frame, FALSE);
    return;
  }
  if (flow->queued_bytes <= (frame->discardable ? limit_bytes : hold_bytes)
      || (!frame->discardable && countable_bytes (self, flow) <= limit_bytes))
    return;
  send_queue_drop_frame (self, frame);
  sweep (self, flow);
  if (!frame->discardable)
    send_flow_await_key (flow, now);
}

void
send_queue_shed_rigid (SendQueue * self, guint64 limit_bytes, guint64 hold_bytes, RcTime now)
{
  gboolean any = FALSE;

  self->rigid = TRUE;
  self->limit_bytes = limit_bytes;
  for (guint i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    if (!flow->has_deltas || !flow->frame || send_flow_has_pictures (flow))
      continue;
    any = TRUE;
    shed_rigid_flow (self, flow, limit_bytes, hold_bytes, now);
  }
  if (!any)
    send_queue_shed (self, limit_bytes, now);
}

/* The gap of what is forgotten stays, so that sequence numbers still close up. */
void
send_queue_flush (SendQueue * self)
{
  SendQueueStats stats = self->stats;
  guint i;

  for (i = 0; i < send_queue_packets (self); i++)
    frame_at (self, i)->dropped = TRUE;
  for (i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    sweep (self, flow);
    g_clear_pointer (&flow->frame, send_frame_unref);
    flow->awaits_key = FALSE;
  }
  self->stats = stats;
}

void
send_queue_set_admits_one (SendQueue * self, gboolean admits_one)
{
  self->admits_one = admits_one;
}

void
send_queue_set_closed (SendQueue * self, gboolean closed, RcTime now)
{
  guint i;

  self->closed = closed;
  for (i = 0; closed && i < send_queue_packets (self); i++)
    send_queue_drop_frame (self, frame_at (self, i));
  for (i = 0; i < self->flows->len; i++) {
    SendFlow *flow = self->flows->pdata[i];

    sweep (self, flow);
    if (flow->has_deltas)
      send_flow_await_key (flow, now);
  }
}
