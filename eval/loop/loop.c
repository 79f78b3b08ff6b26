/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <stdlib.h>

#include "lanesflow.h"
#include "loop.h"
#include "mediaflow.h"
#include "tcpflow.h"

#define LONGEST_STEP (10 * RC_MSEC)     /* the measures look at the first link at least so often */

typedef struct
{
  const LoopFlowConfig *config;
  MediaFlow *media;             /* one of them; NULL: not started */
  TcpFlow *tcp;
  LanesFlow *lanes;
  RcTime due_at;
} Flow;

/* Returns when to come again, whatever parcels come. */
static RcTime
run_flow (Flow *self, World *world, unsigned id, RcTime now)
{
  const LoopFlowConfig *config = self->config;
  bool stopped = config->stop_at > 0 && now >= config->stop_at;

  if (now < config->start_at)
    return config->start_at;
  if (config->kind == LOOP_MEDIA) {
    if (!self->media)
      self->media = mediaflow_new (world, id, now);
    return mediaflow_run (self->media, stopped, now);
  }
  if (config->kind == LOOP_LANE)
    return RC_TIME_NONE;
  if (config->kind == LOOP_LANES) {
    if (!self->lanes)
      self->lanes = lanesflow_new (world, id, now);
    return lanesflow_run (self->lanes, now);
  }
  if (!self->tcp)
    self->tcp = tcpflow_new (world, id);
  return tcpflow_run (self->tcp, stopped, now);
}

static bool
is_due (const Flow *self, const World *world, unsigned id, RcTime now)
{
  RcTime parcel_at = world_due_at (world, id);

  return (self->due_at != RC_TIME_NONE && self->due_at <= now)
      || (parcel_at != RC_TIME_NONE && parcel_at <= now);
}

/* A further lane is run by the flow that it belongs to. */
static unsigned
owner_of (const LoopConfig *config, unsigned id)
{
  while (config->flows[id].kind == LOOP_LANE)
    id--;
  return id;
}

/* What has come already waits until the flow takes it, at due_at. */
static RcTime
next_at (const Flow *self, const World *world, unsigned id, RcTime now)
{
  RcTime parcel_at = world_due_at (world, id);

  return rc_sooner (self->due_at, parcel_at <= now ? RC_TIME_NONE : parcel_at);
}

Loop *
loop_run (const LoopConfig *config)
{
  Loop *loop = measures_new (config);
  World *world = calloc (1, sizeof *world);
  Flow *flows = calloc (config->n_flows, sizeof *flows);
  RcTime now = 0, next;

  world_init (world, config, loop);
  for (unsigned i = 0; i < config->n_flows; i++)
    flows[i] = (Flow) { .config = &config->flows[i],
      .due_at = config->flows[i].kind == LOOP_LANE ? RC_TIME_NONE : 0 };
  while (now < config->length) {
    world_run (world, now);
    next = now + LONGEST_STEP;
    for (unsigned i = 0; i < config->n_flows; i++) {
      unsigned owner = owner_of (config, i);

      if (is_due (&flows[i], world, i, now))
        flows[owner].due_at = run_flow (&flows[owner], world, owner, now);
    }
    for (unsigned i = 0; i < config->n_flows; i++)
      next = rc_sooner (next, next_at (&flows[i], world, i, now));
    next = rc_sooner (next, world_next_at (world, now));
    now = next > now ? next : now + 1;
  }
  for (unsigned i = 0; i < config->n_flows; i++) {
    mediaflow_free (flows[i].media);
    tcpflow_free (flows[i].tcp);
    lanesflow_free (flows[i].lanes);
  }
  world_clear (world);
  free (flows);
  free (world);
  return loop;
}
