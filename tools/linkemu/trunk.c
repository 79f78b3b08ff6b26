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

/* Before anything is delivered (and freed), so that no packet skips its row. */
static void
log_begun (Trunk *self, RcTime now)
{
  link_queue_delay (&self->link, now);
  while (self->waiting && self->waiting->link.started_at != RC_TIME_NONE) {
    const LinkPacket *packet = &self->waiting->link;

    log_packet (self->log, packet->arrived_at, packet->size_bytes, packet->started_at - packet->arrived_at,
        LOG_FATE_OK);
    self->waiting = self->waiting->behind;
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
  log_row (self->log, &self->totals, link_queue_delay (&self->link, self->now), self->link.queue.bytes);
}

void
trunk_advance (Trunk *self, RcTime now)
{
  RcTime step_at = schedule_next_at (self->schedule);

  while (MIN (step_at == RC_TIME_NONE ? G_MAXINT64 : step_at, self->log->row_at) <= now) {
    if (step_at != RC_TIME_NONE && step_at < self->log->row_at) {
      pass_until (self, step_at);
      self->params.rate_bps = schedule_take (self->schedule);
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
  log_packet (self->log, now, packet->link.size_bytes, 0, fate);
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
