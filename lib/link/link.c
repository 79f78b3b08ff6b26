/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The serialiser is lazy: nothing happens between calls, each call catches up with what service
 * did since the last.
 *
 * Work is counted in bit x ns: a packet needs size * 8 * 10^9, the link does rate * dt. Service
 * ends at the first whole nanosecond at which the need is met, and the overshoot goes to the
 * packet behind. So n packets in a row end at
 *   ceil (sum (size) * 8 * 10^9 / rate)
 * after the first began, however often the link was asked in between, and link_queue_delay() is
 * exact in one division. */
#include "link.h"

#include "random.h"

#define BIT_NS_PER_BYTE (8 * (uint64_t) RC_SECOND)
#define JITTER_MAX_SD 3.0

/* Work from served_at until the first `bytes` of the queue are served. */
static RcTime
work_of (const Link *self, uint64_t bytes)
{
  uint64_t need = bytes * BIT_NS_PER_BYTE;
  uint64_t rate = self->params.rate_bps;

  if (rate == 0 || need <= self->served_bit_ns)
    return 0;
  need -= self->served_bit_ns;
  return (RcTime) (need / rate + (need % rate != 0));
}

/* Of it, what was done by `now`. */
static RcTime
work_done (const Link *self, RcTime now)
{
  return link_stalls_served (&self->stalls, self->served_at, now);
}

static RcTime
finish_at (const Link *self, uint64_t bytes)
{
  if (self->opportunities.n > 0)
    return link_opportunities_finish_at (&self->opportunities, self->served_at, bytes);
  return link_stalls_finish_at (&self->stalls, self->served_at, work_of (self, bytes));
}

static RcTime
jitter (Link *self)
{
  double extra = 0;

  if (self->params.jitter_sd > 0) {
    double z = link_random_normal (&self->jitter_random);

    extra += rc_clampd (z < 0 ? -z : z, 0, JITTER_MAX_SD) * (double) self->params.jitter_sd;
  }
  if (self->params.jitter_mean > 0)
    extra += link_random_exponential (&self->jitter_random) * (double) self->params.jitter_mean;
  return (RcTime) extra;
}

static void
put_on_line (Link *self, LinkPacket *packet, RcTime served_at)
{
  packet->deliver_at = served_at + self->params.delay + jitter (self);
  if (packet->deliver_at < self->last_deliver_at) {
    if (self->params.overtakes && self->line.head) {
      link_fifo_overtake (&self->line, packet);
      return;
    }
    packet->deliver_at = self->last_deliver_at;
  }
  self->last_deliver_at = packet->deliver_at;
  link_fifo_push (&self->line, packet);
}

/* When the byte behind the first `bytes` of what waits is served. */
static RcTime
begin_at (const Link *self, uint64_t bytes)
{
  if (self->opportunities.n > 0)
    return link_opportunities_begin_at (&self->opportunities, self->served_at, bytes);
  return link_stalls_ready_at (&self->stalls,
      bytes > 0 ? finish_at (self, bytes) : self->served_at);
}

/* Sees to it that a packet is in service; FALSE: nothing waits, or nothing is served by `now`. Not
 * earlier than it happens: the AQM decides at that time. */
static bool
begin_service (Link *self, RcTime now)
{
  RcTime at;

  if (self->queues.serving)
    return true;
  if (link_queues_pkts (&self->queues) == 0 || (at = begin_at (self, 0)) > now)
    return false;
  self->served_at = at;
  return link_queues_begin (&self->queues, &self->params.aqm, at);
}

static RcTime
service_ends_at (const Link *self)
{
  return finish_at (self, self->queues.serving->head->size_bytes);
}

static void
finish_service (Link *self)
{
  LinkPacket *packet = link_queues_finish (&self->queues);
  uint64_t work = (uint64_t) work_of (self, packet->size_bytes);

  self->served_at = finish_at (self, packet->size_bytes);
  if (self->opportunities.n > 0) {
    link_opportunities_serve (&self->opportunities, packet->size_bytes);
  } else if (self->params.rate_bps > 0) {
    self->served_bit_ns += work * self->params.rate_bps;
    self->served_bit_ns -= packet->size_bytes * BIT_NS_PER_BYTE;
  }
  put_on_line (self, packet, self->served_at);
}

static void
serve_until (Link *self, RcTime now)
{
  while (begin_service (self, now) && service_ends_at (self) <= now)
    finish_service (self);
  link_stalls_forget (&self->stalls, self->served_at);
}

/* An idle server is free from `now` on. */
static void
rest_until (Link *self, RcTime now)
{
  if (link_queues_pkts (&self->queues) > 0)
    return;
  self->served_at = now;
  self->served_bit_ns = 0;
  link_stalls_forget (&self->stalls, now);
  if (self->opportunities.n > 0)
    link_opportunities_skip (&self->opportunities, now);
}

/* Of what waits: at the present rate, which knows nothing of stalls to come, or at the mean one. */
static RcTime
queue_time (const Link *self, RcTime now)
{
  const LinkOpportunities *o = &self->opportunities;
  uint64_t bytes = link_queues_bytes (&self->queues);

  if (o->n > 0)
    return (RcTime) ((double) bytes * (double) o->at[o->n - 1] / o->n / LINK_OPPORTUNITY_BYTES);
  return work_of (self, bytes) - work_done (self, now);
}

/* In service, or first in line for it: it counts for no limit. */
static const LinkPacket *
head (const LinkQueues *queues)
{
  if (queues->serving)
    return queues->serving->head;
  return queues->l4s.head ? queues->l4s.head : queues->classic.head;
}

static bool
queue_is_full (const Link *self, uint32_t size_bytes, RcTime now)
{
  const LinkParams *p = &self->params;
  uint64_t bytes = link_queues_bytes (&self->queues);
  uint32_t pkts = link_queues_pkts (&self->queues);

  if (bytes + size_bytes > LINK_MAX_QUEUE_BYTES)
    return true;
  if (pkts == 0)
    return false;
  bytes -= head (&self->queues)->size_bytes;
  return (p->queue_time > 0 && queue_time (self, now) > p->queue_time)
      || (p->queue_bytes > 0 && bytes + size_bytes > p->queue_bytes)
      || (p->queue_pkts > 0 && pkts > p->queue_pkts);
}

/* It is within what the policer lets through. */
static bool
is_lawful (Link *self, uint32_t size_bytes, RcTime now)
{
  const LinkParams *p = &self->params;

  if (p->police_bps == 0)
    return true;
  self->tokens_bytes += (double) p->police_bps * (double) (now - self->tokens_at) / 8e9;
  if (self->tokens_bytes > (double) p->police_bytes)
    self->tokens_bytes = (double) p->police_bytes;
  self->tokens_at = now;
  if (self->tokens_bytes < size_bytes)
    return false;
  self->tokens_bytes -= size_bytes;
  return true;
}

static bool
is_lost (Link *self)
{
  const LinkParams *p = &self->params;
  bool lost = link_random_uniform (&self->loss_random) < p->loss_ratio;

  if (p->burst_loss_ratio > 0) {
    double leave = 1 / p->burst_loss_pkts;
    double enter = leave * p->burst_loss_ratio / (1 - p->burst_loss_ratio);
    double stay_or_enter = self->in_burst ? 1 - leave : enter;

    self->in_burst = link_random_uniform (&self->burst_random) < stay_or_enter;
    lost = lost || self->in_burst;
  }
  return lost;
}

void
link_init (Link *self, const LinkParams *params, uint64_t seed)
{
  *self = (Link) { .params = *params,.tokens_bytes = (double) params->police_bytes };
  link_queues_init (&self->queues);
  link_fifo_init (&self->line);
  self->loss_random = link_random_next (&seed);
  self->jitter_random = link_random_next (&seed);
  self->burst_random = link_random_next (&seed);
  link_stalls_init (&self->stalls, params->stall_mean, params->stall_length,
      link_random_next (&seed), 0);
  self->queues.pie.random = link_random_next (&seed);
  self->counted_stalls = self->stalls;
  link_opportunities_init (&self->opportunities, params->opportunities, params->n_opportunities, 0);
}

static void
set_stalls (Link *self, const LinkParams *params, RcTime now)
{
  RcTime mean = params->stall_mean, length = params->stall_length;

  if (mean == self->params.stall_mean && length == self->params.stall_length)
    return;
  link_stalls_init (&self->stalls, mean, length, self->stalls.random, now);
  self->counted_stalls = self->stalls;
}

void
link_set_params (Link *self, const LinkParams *params, RcTime now)
{
  serve_until (self, now);
  link_capacity_bits (self, now);
  if (self->queues.serving && self->opportunities.n == 0)
    self->served_bit_ns += (uint64_t) work_done (self, now) * self->params.rate_bps;
  self->served_at = now;
  set_stalls (self, params, now);
  if (params->opportunities != self->params.opportunities)
    link_opportunities_init (&self->opportunities, params->opportunities,
        params->n_opportunities, now);
  self->params = *params;
  serve_until (self, now);
}

LinkVerdict
link_arrive (Link *self, LinkPacket *packet, RcTime now)
{
  bool lost = is_lost (self);

  serve_until (self, now);
  rest_until (self, now);
  packet->arrived_at = now;
  packet->started_at = packet->deliver_at = RC_TIME_NONE;
  self->arrived_pkts++;
  self->arrived_bytes += packet->size_bytes;
  if (lost) {
    self->random_lost_pkts++;
    return LINK_DROPPED_RANDOM;
  }
  if (!is_lawful (self, packet->size_bytes, now) || queue_is_full (self, packet->size_bytes, now)) {
    self->tail_dropped_pkts++;
    return LINK_DROPPED_TAIL;
  }
  packet->aqm_dropped = false;
  if (!link_queues_push (&self->queues, &self->params.aqm, packet))
    return LINK_DROPPED_AQM;
  begin_service (self, now);
  return LINK_TAKEN;
}

LinkPacket *
link_deliver (Link *self, RcTime now)
{
  LinkPacket *packet;

  serve_until (self, now);
  if (!self->line.head || self->line.head->deliver_at > now)
    return NULL;
  packet = link_fifo_pop (&self->line);
  self->delivered_pkts++;
  return packet;
}

LinkPacket *
link_take_dropped (Link *self)
{
  return self->queues.dropped.head ? link_fifo_pop (&self->queues.dropped) : NULL;
}

RcTime
link_next_at (Link *self, RcTime now)
{
  RcTime served_at = RC_TIME_NONE;

  serve_until (self, now);
  if (self->line.head && !self->params.overtakes)
    return self->line.head->deliver_at;
  if (self->queues.serving)
    served_at = service_ends_at (self) + self->params.delay;
  else if (link_queues_pkts (&self->queues) > 0)
    served_at = begin_at (self, 0);
  return rc_sooner (served_at, self->line.head ? self->line.head->deliver_at : RC_TIME_NONE);
}

RcTime
link_queue_delay (Link *self, RcTime now)
{
  serve_until (self, now);
  rest_until (self, now);
  return begin_at (self, link_queues_bytes (&self->queues)) - now;
}

double
link_capacity_bits (Link *self, RcTime now)
{
  const LinkOpportunities *o = &self->opportunities;

  if (o->n > 0) {
    uint64_t n = link_opportunities_count (o, now) - link_opportunities_count (o, self->counted_at);

    self->capacity_bits += 8.0 * LINK_OPPORTUNITY_BYTES * (double) n;
  } else {
    RcTime served = link_stalls_served (&self->counted_stalls, self->counted_at, now);

    self->capacity_bits += (double) self->params.rate_bps * rc_time_to_s (served);
    link_stalls_forget (&self->counted_stalls, now);
  }
  self->counted_at = now;
  return self->capacity_bits;
}
