/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "world.h"

#include <stdlib.h>

/* --- queues of parcels past the last link, in the order in which they passed it --- */

static void
push (ParcelQueue *queue, Parcel *parcel)
{
  parcel->next = NULL;
  if (!queue->head)
    queue->tail = &queue->head;
  *queue->tail = parcel;
  queue->tail = &parcel->next;
}

static Parcel *
pop_due (ParcelQueue *queue, RcTime now)
{
  Parcel *parcel = queue->head;

  if (!parcel || parcel->due_at > now)
    return NULL;
  queue->head = parcel->next;
  return parcel;
}

static void
free_all (ParcelQueue *queue)
{
  Parcel *parcel;

  while ((parcel = pop_due (queue, INT64_MAX)))
    free (parcel);
}

/* --- life --- */

void
world_init (World *self, const LoopConfig *config, Loop *loop)
{
  *self = (World) { .config = config, .loop = loop };
  self->random = config->seed * 2862933555777941757ULL + 3037000493ULL;
  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++)
    link_init (&self->link[i], &config->links[i], config->seed + i);
  self->relay = config->relay.is_there ? uplink_relay_new (config) : NULL;
}

void
world_clear (World *self)
{
  LinkPacket *inside;

  if (self->relay)
    uplink_relay_free (self->relay);
  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++) {
    while ((inside = link_deliver (&self->link[i], INT64_MAX / 2)))
      free (inside);
    while ((inside = link_take_dropped (&self->link[i])))
      free (inside);
  }
  for (unsigned i = 0; i < LOOP_MAX_FLOWS; i++) {
    free_all (&self->there[i]);
    free_all (&self->back[i]);
  }
}

RcTime
world_epoch (const World *self)
{
  uint64_t mixed = (self->config->seed + self->config->steps[0].rate_bps) * 2862933555777941757ULL;

  return (RcTime) (mixed % (60 * RC_SECOND));
}

double
world_uniform (World *self)
{
  self->random = self->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double) (self->random >> 11) / 9007199254740992.0;
}

/* --- links --- */

static void
pass_last_link (World *self, Parcel *parcel, RcTime now)
{
  if (!parcel->is_back)
    measures_note_served (self->loop, parcel->flow, parcel->link.size_bytes, parcel->sent_at,
        parcel->waited, now);
  parcel->due_at = now + parcel->rest;
  push (parcel->is_back ? &self->back[parcel->flow] : &self->there[parcel->flow], parcel);
}

static void
drop (World *self, Parcel *parcel, RcTime now)
{
  if (!parcel->is_back)
    measures_note_drop (self->loop, parcel->flow, now);
  free (parcel);
}

/* To its next link or past the last. */
static void
forward (World *self, Parcel *parcel, RcTime now)
{
  unsigned i = 0;

  if (parcel->route == 0) {
    pass_last_link (self, parcel, now);
    return;
  }
  while (!(parcel->route & 1U << i))
    i++;
  parcel->route &= ~(1U << i);
  if (link_arrive (&self->link[i], &parcel->link, now) != LINK_TAKEN)
    drop (self, parcel, now);
}

static void
run_links (World *self, RcTime now)
{
  LinkPacket *out;

  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++) {
    while ((out = link_deliver (&self->link[i], now))) {
      Parcel *parcel = (Parcel *) out;

      parcel->waited += out->started_at - out->arrived_at;
      forward (self, parcel, now);
    }
    while ((out = link_take_dropped (&self->link[i])))
      drop (self, (Parcel *) out, now);
  }
}

static void
run_steps (World *self, RcTime now)
{
  const LoopStep *step = &self->config->steps[self->step];

  for (; self->step < LOOP_MAX_STEPS && step->rate_bps && step->at <= now; step++, self->step++) {
    Link *link = &self->link[step->link];
    LinkParams params = link->params;

    params.rate_bps = step->rate_bps;
    params.delay = step->delay;
    link_set_params (link, &params, now);
  }
}

static void
run_relay (World *self, RcTime now)
{
  Parcel *parcel;

  while ((parcel = uplink_relay_send (self->relay, now)))
    forward (self, parcel, now);
}

static void
relay (World *self, Parcel *parcel, RcTime now)
{
  if (uplink_relay_take (self->relay, parcel, now))
    run_relay (self, now);
  else
    drop (self, parcel, now);
}

void
world_send (World *self, Parcel *parcel, RcTime now)
{
  parcel->sent_at = now;
  if (!parcel->is_back)
    measures_note_sent (self->loop, parcel->flow, now);
  if (self->relay && !parcel->is_back)
    relay (self, parcel, now);
  else
    forward (self, parcel, now);
}

void
world_run (World *self, RcTime now)
{
  run_steps (self, now);
  run_links (self, now);
}

RcTime
world_next_at (World *self, RcTime now)
{
  RcTime next = RC_TIME_NONE;

  if (self->relay) {
    run_relay (self, now);
    next = uplink_relay_next_at (self->relay, now);
  }
  measures_note_link (self->loop, link_capacity_bits (&self->link[0], now),
      link_queue_delay (&self->link[0], now), now);
  for (unsigned i = 0; i < LOOP_MAX_LINKS; i++) {
    next = rc_sooner (next, link_next_at (&self->link[i], now));
    if (i > 0)
      measures_note_other_link (self->loop, i, link_capacity_bits (&self->link[i], now), now);
  }
  return next;
}

/* --- ends --- */

Parcel *
world_take (World *self, unsigned flow, bool is_back, RcTime now)
{
  return pop_due (is_back ? &self->back[flow] : &self->there[flow], now);
}

RcTime
world_due_at (const World *self, unsigned flow)
{
  const Parcel *there = self->there[flow].head, *back = self->back[flow].head;

  return rc_sooner (there ? there->due_at : RC_TIME_NONE, back ? back->due_at : RC_TIME_NONE);
}
