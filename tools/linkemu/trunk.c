/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "trunk.h"

void
trunk_init (Trunk *self, const LinkParams *params, guint64 seed, Schedule *schedule, Log *log,
    TrunkOutput output, gpointer user_data)
{
  *self = (Trunk) { .params = *params, .schedule = schedule, .log = log, .output = output,
      .user_data = user_data };
  for (guint i = 0; i < G_N_ELEMENTS (self->waiting); i++)
    self->waiting[i].tail = &self->waiting[i].head;
  link_init (&self->link, params, seed);
  trunk_advance (self, 0);
}

static void
log_fate (Trunk *self, const Packet *packet, RcTime arrived_at, RcTime queue_delay, LogFate fate)
{
  LogPacket line = { arrived_at, queue_delay, packet->link.size_bytes, fate,
    packet->link.ecn == LINK_ECN_CE, packet->flow };

  log_packet (self->log, &line);
}

/* Before anything is delivered (and freed), so that no packet skips its row. */
static void
log_begun (Trunk *self, TrunkWaiting *waiting)
{
  Packet *packet;

  while ((packet = waiting->head) && packet->link.started_at != RC_TIME_NONE) {
    RcTime arrived_at = packet->link.arrived_at;

    waiting->head = packet->behind;
    if (packet->link.aqm_dropped) {
      log_fate (self, packet, arrived_at, 0, LOG_FATE_AQM);
      self->taken_bytes -= packet->link.size_bytes;
    } else {
      log_fate (self, packet, arrived_at, packet->link.started_at - arrived_at, LOG_FATE_OK);
    }
  }
  if (!waiting->head)
    waiting->tail = &waiting->head;
}

static void
pass_until (Trunk *self, RcTime now)
{
  LinkPacket *packet;

  self->now = MAX (self->now, now);
  link_queue_delay (&self->link, self->now);
  for (guint i = 0; i < G_N_ELEMENTS (self->waiting); i++)
    log_begun (self, &self->waiting[i]);
  while ((packet = link_take_dropped (&self->link)))
    g_free (packet);
  while ((packet = link_deliver (&self->link, self->now))) {
    self->totals.delivered_pkts++;
    self->output ((Packet *) packet, self->user_data);
  }
}

static void
write_row (Trunk *self)
{
  const guint64 waiting_bytes = link_queues_bytes (&self->link.queues);

  self->totals.capacity_bits = link_capacity_bits (&self->link, self->now);
  self->totals.served_bytes = self->taken_bytes - waiting_bytes;
  self->totals.tail_dropped_pkts = self->link.tail_dropped_pkts;
  self->totals.random_lost_pkts = self->link.random_lost_pkts;
  self->totals.aqm_dropped_pkts = self->link.queues.aqm_dropped_pkts;
  self->totals.marked_pkts = self->link.queues.marked_pkts;
  log_row (self->log, &self->totals, link_queue_delay (&self->link, self->now), waiting_bytes);
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

static void
wait_for_begin (TrunkWaiting *self, Packet *packet)
{
  packet->behind = NULL;
  *self->tail = packet;
  self->tail = &packet->behind;
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
    case LINK_DROPPED_AQM:
      drop (self, packet, now, LOG_FATE_AQM);
      break;
    case LINK_TAKEN:
      self->taken_bytes += packet->link.size_bytes;
      wait_for_begin (&self->waiting[link_dualpi2_is_l (packet->link.ecn)], packet);
      break;
  }
}

RcTime
trunk_next_at (Trunk *self)
{
  RcTime at = self->log->row_at, link_at = link_next_at (&self->link, self->now);
  RcTime step_at = link_queues_pkts (&self->link.queues) > 0 ? schedule_next_at (self->schedule)
      : RC_TIME_NONE;

  if (link_at != RC_TIME_NONE)
    at = MIN (at, link_at);
  return step_at != RC_TIME_NONE ? MIN (at, step_at) : at;
}
