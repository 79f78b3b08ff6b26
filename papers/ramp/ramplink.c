/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ramplink.h"

#include <math.h>
#include <string.h>

#define RANDOM_SUM 12           /* uniform numbers whose sum is nearly normal with variance 1 */

static double
uniform (WorldFlow *flow)
{
  flow->random = flow->random * UINT64_C (6364136223846793005) + UINT64_C (1442695040888963407);
  return (double) (flow->random >> 11) / 9007199254740992.0;
}

static double
normal (WorldFlow *flow)
{
  double sum = 0;

  for (int i = 0; i < RANDOM_SUM; i++)
    sum += uniform (flow);
  return sum - RANDOM_SUM / 2;
}

void
world_init (World *self, WorldPacket *memory, const RcRampParams *params, uint64_t link_bps)
{
  memset (self, 0, sizeof *self);
  self->link_bps = link_bps;
  for (unsigned i = 0; i < WORLD_FLOWS; i++)
    self->flows[i].queue.packets = memory + (size_t) i * WORLD_PACKETS;
  rc_ramp_init (&self->ramp, params, link_bps, 0);
}

WorldFlow *
world_add (World *self, const WorldSource *source)
{
  WorldFlow *flow = &self->flows[self->n_flows];

  flow->source = *source;
  flow->frame_at = source->starts_at > self->now ? source->starts_at : self->now;
  flow->random = ++self->n_flows;
  rc_ramp_add (&self->ramp, &flow->flow, &source->params, self->now);
  return flow;
}

/* --- queues --- */

static bool
put (WorldQueue *queue, WorldPacket packet, unsigned limit)
{
  if (queue->count >= (limit > 0 ? limit : WORLD_PACKETS))
    return false;
  queue->packets[(queue->head + queue->count++) % WORLD_PACKETS] = packet;
  return true;
}

static WorldPacket
take (WorldQueue *queue)
{
  WorldPacket packet = queue->packets[queue->head];

  queue->head = (queue->head + 1) % WORLD_PACKETS;
  queue->count--;
  return packet;
}

static void
arrive (World *self, unsigned i, uint32_t bytes)
{
  WorldFlow *flow = &self->flows[i];
  WorldQueue *queue = self->fcfs ? &self->flows[0].queue : &flow->queue;

  flow->arrived_bytes += bytes;
  if (!put (queue, (WorldPacket) { self->now, bytes, i }, self->queue_limit_pkts))
    flow->dropped_bytes += bytes;
  else if (!self->fcfs)
    rc_ramp_on_arrived (&self->ramp, &flow->flow, bytes, self->now);
}

/* --- sources --- */

static RcTime
interval_of (const WorldSource *source)
{
  return source->frame_interval > 0 ? source->frame_interval :
      rc_time_of_bytes (source->packet_bytes, (uint64_t) source->rate_bps);
}

static double
frame_bytes (WorldFlow *flow)
{
  const WorldSource *s = &flow->source;
  double mean = s->rate_bps / 8 * rc_time_to_s (interval_of (s)), size;

  if (s->key_every > 0)
    mean *= s->key_every / (s->key_every - 1 + s->key_gain);
  size = mean * (1 + s->vbr_ratio * normal (flow));
  if (s->key_every > 0 && flow->frames % s->key_every == 0)
    size = mean * s->key_gain;
  return size > 0 ? size : 0;
}

static void
make_frame (World *self, unsigned i)
{
  WorldFlow *flow = &self->flows[i];

  if (flow->source.frame_interval == 0) {
    arrive (self, i, flow->source.packet_bytes);
  } else {
    flow->owed_bytes += frame_bytes (flow);
    for (; flow->owed_bytes >= flow->source.packet_bytes;
        flow->owed_bytes -= flow->source.packet_bytes)
      arrive (self, i, flow->source.packet_bytes);
  }
  flow->frames++;
  flow->frame_at += interval_of (&flow->source);
  if (flow->frame_at >= flow->source.ends_at && flow->source.ends_at > 0)
    flow->frame_at = INT64_MAX;
}

/* --- link --- */

static void
leave (World *self, WorldPacket packet)
{
  WorldFlow *flow = &self->flows[packet.flow];
  RcTime delay = self->now - packet.arrived_at;

  flow->sent_bytes += packet.bytes;
  flow->delay_pkts++;
  flow->delay_sum_s += rc_time_to_s (delay);
  if (delay > flow->delay_max)
    flow->delay_max = delay;
  self->link_free_at = self->now + rc_time_of_bytes (packet.bytes, self->link_bps);
}

/* When to come again without an arrival. */
static RcTime
serve (World *self)
{
  RcRampFlow *next;
  RcTime at;

  if (self->now < self->link_free_at)
    return self->link_free_at;
  if (self->fcfs) {
    if (self->flows[0].queue.count == 0)
      return INT64_MAX;
    leave (self, take (&self->flows[0].queue));
    return self->link_free_at;
  }
  next = rc_ramp_next (&self->ramp, self->now);
  if (!next) {
    at = rc_ramp_next_at (&self->ramp);
    return at == RC_TIME_NONE ? INT64_MAX : at;
  }
  for (unsigned i = 0; i < self->n_flows; i++) {
    if (&self->flows[i].flow != next)
      continue;
    WorldPacket packet = take (&self->flows[i].queue);

    rc_ramp_on_sent (&self->ramp, next, packet.bytes, self->now);
    leave (self, packet);
  }
  return self->link_free_at;
}

static RcTime
earliest (RcTime a, RcTime b)
{
  return a < b ? a : b;
}

void
world_run (World *self, RcTime until)
{
  while (self->now < until) {
    RcTime next = until;

    for (unsigned i = 0; i < self->n_flows; i++) {
      while (self->flows[i].frame_at <= self->now)
        make_frame (self, i);
      next = earliest (next, self->flows[i].frame_at);
    }
    if (self->now >= rc_ramp_sample_at (&self->ramp))
      rc_ramp_sample (&self->ramp, self->now);
    next = earliest (next, rc_ramp_sample_at (&self->ramp));
    self->now = earliest (next, serve (self));
  }
}

void
world_reset_delays (World *self)
{
  for (unsigned i = 0; i < self->n_flows; i++) {
    self->flows[i].delay_max = 0;
    self->flows[i].delay_sum_s = 0;
    self->flows[i].delay_pkts = 0;
  }
}
