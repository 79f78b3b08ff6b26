/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "trunk.h"

void
trunk_init (Trunk *self, const LinkParams *params, guint64 seed, Schedule *schedule, Log *log, TrunkOutput output,
    gpointer user_data)
{
  *self = (Trunk) { .params = *params, .schedule = schedule, .log = log, .output = output, .user_data = user_data };
  self->waiting_tail = &self->waiting;
  link_init (&self->link, params, seed);
  trunk_advance (self, 0);
}

static void
log_fate (Trunk *self, const Packet *packet, RcTime arrived_at, RcTime queue_delay, LogFate fate)
{
  LogPacket line = { arrived_at, queue_delay, packet->link.size_bytes, fate, packet->link.ce, packet->flow };

  log_packet (self->log, &line);
}

/* Before anything is delivered (and freed), so that no packet skips its row. */
static void
log_begun (Trunk *self, RcTime now)
{
  Packet *packet;

  link_queue_delay (&self->link, now);
  while ((packet = self->waiting) && packet->link.started_at != RC_TIME_NONE) {
    RcTime arrived_at = packet->link.arrived_at;

    self->waiting = packet->behind;
    if (&packet->link == self->link.dropped.head) {
      log_fate (self, packet, arrived_at, 0, LOG_FATE_CODEL);
      self->taken_bytes -= packet->link.size_bytes;
      g_free (link_take_dropped (&self->link));
    } else {
      log_fate (self, packet, arrived_at, packet->link.started_at - arrived_at, LOG_FATE_OK);
    }
  }
  if (!self->waiting)
    self->waiting_tail = &self->waiting;
}

static void
pass_until (Trunk *self, RcTime now)
{
  LinkPacket *packet;

  if (now > self->now) {
    self->totals.capacity_bits += (gdouble) self->params.rate_bps * rc_time_to_s (now - self->now);
    self->now = now;
  }
  log_begun (self, self->now);
  while ((packet = link_deliver (&self->link, self->now))) {
    self->totals.delivered_pkts++;
    self->output ((Packet *) packet, self->user_data);
  }
}

static void
write_row (Trunk *self)
{
  self->totals.served_bytes = self->taken_bytes - self->link.queue.bytes;
  self->totals.tail_dropped_pkts = self->link.tail_dropped_pkts;
  self->totals.random_lost_pkts = self->link.random_lost_pkts;
  self->totals.codel_dropped_pkts = self->link.codel_dropped_pkts;
  self->totals.marked_pkts = self->link.marked_pkts;
  log_row (self->log, &self->totals, link_queue_delay (&self->link, self->now), self->link.queue.bytes);
}

void
trunk_advance (Trunk *self, RcTime now)
{
  RcTime step_at = schedule_next_at (self->schedule);

  while (MIN (step_at == RC_TIME_NONE ? G_MAXINT64 : step_at, self->log->row_at) <= now) {
    if (step_at != RC_TIME_NONE && step_at < self->log->row_at) {
      pass_until (self, step_at);
      schedule_take (self->schedule, &self->params);
      link_set_params (&self->link, &self->params, step_at);
    } else {
      pass_until (self, self->log->row_at);
      write_row (self);
    }
    step_at = schedule_next_at (self->schedule);
  }
  pass_until (self, now);
}

static void
drop (Trunk *self, Packet *packet, RcTime now, LogFate fate)
{
  log_fate (self, packet, now, 0, fate);
  g_free (packet);
}

void
trunk_arrive (Trunk *self, Packet *packet, RcTime now)
{
  trunk_advance (self, now);
  now = self->now;
  self->totals.arrived_bytes += packet->link.size_bytes;
  if (schedule_is_dark (self->schedule, now)) {
    self->blackout_pkts++;
    drop (self, packet, now, LOG_FATE_BLACKOUT);
    return;
  }
  switch (link_arrive (&self->link, &packet->link, now)) {
    case LINK_DROPPED_TAIL:
      drop (self, packet, now, LOG_FATE_TAIL);
      break;
    case LINK_DROPPED_RANDOM:
      drop (self, packet, now, LOG_FATE_RANDOM);
      break;
    case LINK_TAKEN:
      self->taken_bytes += packet->link.size_bytes;
      packet->behind = NULL;
      *self->waiting_tail = packet;
      self->waiting_tail = &packet->behind;
      break;
  }
}

RcTime
trunk_next_at (Trunk *self)
{
  RcTime at = self->log->row_at, link_at = link_next_at (&self->link, self->now);
  RcTime step_at = self->link.queue.head ? schedule_next_at (self->schedule) : RC_TIME_NONE;

  if (link_at != RC_TIME_NONE)
    at = MIN (at, link_at);
  return step_at != RC_TIME_NONE ? MIN (at, step_at) : at;
}
