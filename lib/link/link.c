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

#define BIT_NS_PER_BYTE (8 * (uint64_t) RC_SECOND)
#define JITTER_MAX_SD 3.0

/* splitmix64: every seed is a good one, and the state is one word. */
static uint64_t
random_next (uint64_t *state)
{
  uint64_t z = *state += UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* [0, 1) */
static double
random_uniform (uint64_t *state)
{
  return (double) (random_next (state) >> 11) * 0x1p-53;
}

/* Sum of twelve uniforms: variance 1, the same bits on every machine (libm differs), and its tails are cut anyway. */
static double
random_normal (uint64_t *state)
{
  double sum = -6;

  for (unsigned i = 0; i < 12; i++)
    sum += random_uniform (state);
  return sum;
}

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

/* From served_at until the first `bytes` of the queue are served. */
static RcTime
service_time (const Link *self, uint64_t bytes)
{
  uint64_t need = bytes * BIT_NS_PER_BYTE;
  uint64_t rate = self->params.rate_bps;

  if (rate == 0 || need <= self->served_bit_ns)
    return 0;
  need -= self->served_bit_ns;
  return (RcTime) (need / rate + (need % rate != 0));
}

static RcTime
jitter (Link *self)
{
  double z;

  if (self->params.jitter_sd <= 0)
    return 0;
  z = rc_clampd (random_normal (&self->jitter_random), -JITTER_MAX_SD, JITTER_MAX_SD);
  return (RcTime) ((z < 0 ? -z : z) * (double) self->params.jitter_sd);
}

static void
put_on_line (Link *self, LinkPacket *packet, RcTime served_at)
{
  packet->deliver_at = served_at + self->params.delay + jitter (self);
  if (packet->deliver_at < self->last_deliver_at)
    packet->deliver_at = self->last_deliver_at;
  self->last_deliver_at = packet->deliver_at;
  fifo_push (&self->line, packet);
}

/* The packet at the head begins service at served_at, unless CoDel takes it. */
static void
begin_service (Link *self)
{
  const LinkParams *p = &self->params;
  LinkCodelVerdict verdict = LINK_CODEL_PASS;
  LinkPacket *head;

  while ((head = self->queue.head)) {
    RcTime wait = self->served_at - head->arrived_at;

    head->started_at = self->served_at;
    if (p->codel.target > 0)
      verdict = link_codel_on_head (&self->codel, &p->codel, wait, self->queue.bytes - head->size_bytes, head->ect,
          self->served_at);
    if (verdict != LINK_CODEL_DROP) {
      if (verdict == LINK_CODEL_MARK || (head->ect && p->mark_delay > 0 && wait > p->mark_delay)) {
        head->ce = true;
        self->marked_pkts++;
      }
      return;
    }
    fifo_push (&self->dropped, fifo_pop (&self->queue));
    self->codel_dropped_pkts++;
  }
}

static void
finish_head (Link *self)
{
  LinkPacket *packet = fifo_pop (&self->queue);
  RcTime took = service_time (self, packet->size_bytes);
  uint64_t done = self->served_bit_ns + (uint64_t) took * self->params.rate_bps;

  self->served_at += took;
  self->served_bit_ns = 0;
  begin_service (self);
  if (self->queue.head && self->params.rate_bps != 0)
    self->served_bit_ns = done - packet->size_bytes * BIT_NS_PER_BYTE;
  put_on_line (self, packet, self->served_at);
}

static void
serve_until (Link *self, RcTime now)
{
  while (self->queue.head && self->served_at + service_time (self, self->queue.head->size_bytes) <= now)
    finish_head (self);
}

static RcTime
wait_of_next (const Link *self, RcTime now)
{
  if (!self->queue.head)
    return 0;
  return self->served_at + service_time (self, self->queue.bytes) - now;
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
  return (p->queue_time > 0 && wait_of_next (self, now) > p->queue_time)
      || (p->queue_bytes > 0 && waiting_bytes + size_bytes > p->queue_bytes)
      || (p->queue_pkts > 0 && self->queue.pkts > p->queue_pkts);
}

static bool
is_lost (Link *self)
{
  const LinkParams *p = &self->params;
  bool lost = random_uniform (&self->loss_random) < p->loss_ratio;

  if (p->burst_loss_ratio > 0) {
    double leave = 1 / p->burst_loss_pkts, enter = leave * p->burst_loss_ratio / (1 - p->burst_loss_ratio);

    self->in_burst = random_uniform (&self->burst_random) < (self->in_burst ? 1 - leave : enter);
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
  self->loss_random = random_next (&seed);
  self->jitter_random = random_next (&seed);
  self->burst_random = random_next (&seed);
}

void
link_set_params (Link *self, const LinkParams *params, RcTime now)
{
  serve_until (self, now);
  if (self->queue.head) {
    self->served_bit_ns += (uint64_t) (now - self->served_at) * self->params.rate_bps;
    self->served_at = now;
  }
  self->params = *params;
  serve_until (self, now);
}

LinkVerdict
link_arrive (Link *self, LinkPacket *packet, RcTime now)
{
  bool lost = is_lost (self);

  serve_until (self, now);
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
  if (self->queue.head == packet) {
    self->served_at = now;
    begin_service (self);
  }
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
  serve_until (self, now);
  if (self->line.head)
    return self->line.head->deliver_at;
  if (!self->queue.head)
    return RC_TIME_NONE;
  return self->served_at + service_time (self, self->queue.head->size_bytes) + self->params.delay;
}

RcTime
link_queue_delay (Link *self, RcTime now)
{
  serve_until (self, now);
  return wait_of_next (self, now);
}
