/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The serialiser is lazy: nothing happens between calls, each call catches up with what service did since the last.
 *
 * Work is counted in bit x ns: a packet needs size * 8 * 10^9, the link does rate * dt. Service ends at the first whole
 * nanosecond at which the need is met, and the overshoot goes to the packet behind. So n packets in a row end at
 *   ceil (sum (size) * 8 * 10^9 / rate)
 * after the first began, however often the link was asked in between, and link_queue_delay() is exact in one
 * division. */
#include "link.h"

#include "random.h"

#define BIT_NS_PER_BYTE (8 * (uint64_t) RC_SECOND)
#define JITTER_MAX_SD 3.0

static void
fifo_init (LinkFifo *self)
{
  *self = (LinkFifo) { .tail = NULL };
  self->tail = &self->head;
}

static void
fifo_push (LinkFifo *self, LinkPacket *packet)
{
  packet->next = NULL;
  *self->tail = packet;
  self->tail = &packet->next;
  self->pkts++;
  self->bytes += packet->size_bytes;
}

static LinkPacket *
fifo_pop (LinkFifo *self)
{
  LinkPacket *packet = self->head;

  self->head = packet->next;
  if (!self->head)
    self->tail = &self->head;
  packet->next = NULL;
  self->pkts--;
  self->bytes -= packet->size_bytes;
  return packet;
}

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

/* Before the first packet of the line that is due later. */
static void
overtake (LinkFifo *line, LinkPacket *packet)
{
  LinkPacket **place = &line->head;

  while ((*place)->deliver_at <= packet->deliver_at)
    place = &(*place)->next;
  packet->next = *place;
  *place = packet;
  line->pkts++;
  line->bytes += packet->size_bytes;
}

static void
put_on_line (Link *self, LinkPacket *packet, RcTime served_at)
{
  packet->deliver_at = served_at + self->params.delay + jitter (self);
  if (packet->deliver_at < self->last_deliver_at) {
    if (self->params.overtakes && self->line.head) {
      overtake (&self->line, packet);
      return;
    }
    packet->deliver_at = self->last_deliver_at;
  }
  self->last_deliver_at = packet->deliver_at;
  fifo_push (&self->line, packet);
}

/* FALSE: CoDel takes the packet at the head, which would begin service at served_at. */
static bool
head_passes (Link *self)
{
  const LinkParams *p = &self->params;
  LinkPacket *head = self->queue.head;
  RcTime wait = self->served_at - head->arrived_at;
  LinkCodelVerdict verdict = LINK_CODEL_PASS;

  head->started_at = self->served_at;
  if (p->codel.target > 0)
    verdict = link_codel_on_head (&self->codel, &p->codel, wait, self->queue.bytes - head->size_bytes,
        head->ect, self->served_at);
  if (verdict == LINK_CODEL_DROP)
    return false;
  if (verdict == LINK_CODEL_MARK || (head->ect && p->mark_delay > 0 && wait > p->mark_delay)) {
    head->ce = true;
    self->marked_pkts++;
  }
  return true;
}

/* Sees to it that a packet is in service; FALSE: the queue is empty, or the server stalls beyond `now`.
 * Not earlier than it happens: CoDel decides at that time. */
static bool
begin_service (Link *self, RcTime now)
{
  while (self->queue.head && !self->head_is_served) {
    RcTime ready_at = link_stalls_ready_at (&self->stalls, self->served_at);

    if (ready_at > now)
      return false;
    self->served_at = ready_at;
    self->head_is_served = head_passes (self);
    if (!self->head_is_served) {
      fifo_push (&self->dropped, fifo_pop (&self->queue));
      self->codel_dropped_pkts++;
    }
  }
  return self->head_is_served;
}

static void
finish_head (Link *self)
{
  LinkPacket *packet = self->queue.head;
  RcTime work = work_of (self, packet->size_bytes);

  self->served_at = finish_at (self, packet->size_bytes);
  self->served_bit_ns += (uint64_t) work * self->params.rate_bps;
  if (self->params.rate_bps > 0)
    self->served_bit_ns -= packet->size_bytes * BIT_NS_PER_BYTE;
  self->head_is_served = false;
  put_on_line (self, fifo_pop (&self->queue), self->served_at);
}

static void
serve_until (Link *self, RcTime now)
{
  while (begin_service (self, now) && finish_at (self, self->queue.head->size_bytes) <= now)
    finish_head (self);
  link_stalls_forget (&self->stalls, self->served_at);
}

/* An idle server is free from `now` on. */
static void
rest_until (Link *self, RcTime now)
{
  if (self->queue.head)
    return;
  self->served_at = now;
  self->served_bit_ns = 0;
  link_stalls_forget (&self->stalls, now);
}

static RcTime
wait_of_next (const Link *self, RcTime now)
{
  RcTime free_at = self->queue.head ? finish_at (self, self->queue.bytes) : now;

  return link_stalls_ready_at (&self->stalls, free_at) - now;
}

/* Of what waits, at the present rate: drop-tail knows nothing of the stalls that will come. */
static RcTime
queue_time (const Link *self, RcTime now)
{
  return work_of (self, self->queue.bytes) - work_done (self, now);
}

static bool
queue_is_full (const Link *self, uint32_t size_bytes, RcTime now)
{
  const LinkParams *p = &self->params;
  uint64_t waiting_bytes;

  if (self->queue.bytes + size_bytes > LINK_MAX_QUEUE_BYTES)
    return true;
  if (!self->queue.head)
    return false;
  waiting_bytes = self->queue.bytes - self->queue.head->size_bytes;
  return (p->queue_time > 0 && queue_time (self, now) > p->queue_time)
      || (p->queue_bytes > 0 && waiting_bytes + size_bytes > p->queue_bytes)
      || (p->queue_pkts > 0 && self->queue.pkts > p->queue_pkts);
}

static bool
is_lost (Link *self)
{
  const LinkParams *p = &self->params;
  bool lost = link_random_uniform (&self->loss_random) < p->loss_ratio;

  if (p->burst_loss_ratio > 0) {
    double leave = 1 / p->burst_loss_pkts, enter = leave * p->burst_loss_ratio / (1 - p->burst_loss_ratio);

    self->in_burst = link_random_uniform (&self->burst_random) < (self->in_burst ? 1 - leave : enter);
    lost = lost || self->in_burst;
  }
  return lost;
}

void
link_init (Link *self, const LinkParams *params, uint64_t seed)
{
  *self = (Link) { .params = *params };
  fifo_init (&self->queue);
  fifo_init (&self->line);
  fifo_init (&self->dropped);
  link_codel_init (&self->codel);
  self->loss_random = link_random_next (&seed);
  self->jitter_random = link_random_next (&seed);
  self->burst_random = link_random_next (&seed);
  self->stalls.random = link_random_next (&seed);
  link_stalls_init (&self->stalls, params->stall_mean, params->stall_length, self->stalls.random, 0);
  self->counted_stalls = self->stalls;
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
  if (self->head_is_served)
    self->served_bit_ns += (uint64_t) work_done (self, now) * self->params.rate_bps;
  self->served_at = now;
  set_stalls (self, params, now);
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
  if (queue_is_full (self, packet->size_bytes, now)) {
    self->tail_dropped_pkts++;
    return LINK_DROPPED_TAIL;
  }
  fifo_push (&self->queue, packet);
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
  packet = fifo_pop (&self->line);
  self->delivered_pkts++;
  self->delivered_bytes += packet->size_bytes;
  return packet;
}

LinkPacket *
link_take_dropped (Link *self)
{
  return self->dropped.head ? fifo_pop (&self->dropped) : NULL;
}

RcTime
link_next_at (Link *self, RcTime now)
{
  RcTime served_at = RC_TIME_NONE;

  serve_until (self, now);
  if (self->line.head && !self->params.overtakes)
    return self->line.head->deliver_at;
  if (self->queue.head)
    served_at = finish_at (self, self->queue.head->size_bytes) + self->params.delay;
  return rc_sooner (served_at, self->line.head ? self->line.head->deliver_at : RC_TIME_NONE);
}

RcTime
link_queue_delay (Link *self, RcTime now)
{
  serve_until (self, now);
  rest_until (self, now);
  return wait_of_next (self, now);
}

double
link_capacity_bits (Link *self, RcTime now)
{
  RcTime served = link_stalls_served (&self->counted_stalls, self->counted_at, now);

  self->capacity_bits += (double) self->params.rate_bps * rc_time_to_s (served);
  self->counted_at = now;
  link_stalls_forget (&self->counted_stalls, now);
  return self->capacity_bits;
}
