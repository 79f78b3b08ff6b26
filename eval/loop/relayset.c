/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Ten flows of ours behind one link whose capacity varies: each for itself, or through a relay that
 * divides a fixed capacity or one that it learns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caseparts.h"
#include "drives.h"
#include "opportunitylist.h"
#include "sets.h"

#define N_FLOWS 10
#define FROM_S 10
#define RTT_MS 60
#define LENGTH (120 * RC_SECOND)        /* at most: some were recorded for less */
#define QUEUE (2 * RC_SECOND)   /* of the modem */
#define LEAST_BPS 20000         /* of a flow: some drives carry little for long */
#define EACH 10                 /* in the order of their names; every other one of each network */

typedef enum
{
  ALONE,
  FIXED,                        /* the mean of the drive */
  LEARNT,
  N_WAYS
} Way;

static const char *const way_names[N_WAYS] = { "no relay", "fixed", "auto" };

static uint64_t
mean_bps (const OpportunityList *list)
{
  return (uint64_t) (list->n * (double) LINK_OPPORTUNITY_BYTES * 8 / rc_time_to_s (list->length));
}

static void
add_flows (LoopConfig *config, Way way)
{
  for (unsigned i = 0; i < N_FLOWS; i++) {
    LoopFlowConfig *flow = case_media (config, RTT_MS);

    flow->limits.min_bps = LEAST_BPS;
    flow->start_at = i * 100 * RC_MSEC;
    flow->law = way == ALONE ? NULL : "piqi-rcp";
  }
}

/* As rcprelay has it. */
static void
add_relay (LoopConfig *config, uint64_t capacity_bps)
{
  config->relay = (LoopRelay) {
    .is_there = true, .capacity_bps = capacity_bps,
    .limits = { N_FLOWS * LEAST_BPS, CASE_MBPS, 1000 * CASE_MBPS },
    .router = RC_ROUTER_PARAMS_DEFAULT, .max_queue_time = 250 * RC_MSEC,
  };
  if (capacity_bps == 0)
    config->relay.router.gamma_ratio = 1;
}

static void
fill_uplink (unsigned index, SetCase *self)
{
  Way way = (Way) case_axis (&index, N_WAYS);
  const char *path = drive_path (index * EACH + index % 2);
  OpportunityList list = { 0 };

  if (!opportunitylist_read (&list, path)) {
    fprintf (stderr, "%s is no trace\n", path);
    exit (1);
  }
  snprintf (self->name, sizeof self->name, "%.40s, %s", strrchr (path, '#') + 1, way_names[way]);
  self->opportunities = list.at;
  self->config.links[0].opportunities = list.at;
  self->config.links[0].n_opportunities = list.n;
  self->config.links[0].queue_time = QUEUE;
  self->config.length = rc_sooner (list.length, LENGTH);
  add_flows (&self->config, way);
  if (way != ALONE)
    add_relay (&self->config, way == FIXED ? mean_bps (&list) : 0);
}

/* The queue: in the relay and behind it. */
static void
measure_uplink (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length), sent = 0;

  for (unsigned i = 0; i < config->n_flows; i++)
    sent += loop_packets_sent (loop, (int) i, FROM_S, to_s);
  values[0] = loop_capacity_bps (loop, FROM_S, to_s) / 1e6;
  values[1] = case_carried (loop, FROM_S, to_s);
  values[2] = loop_queue_ms (loop, 0.50, FROM_S, to_s);
  values[3] = loop_queue_outside_outages_ms (loop, 0.95, FROM_S, to_s);
  values[4] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
  values[5] = loop_jain (loop, FROM_S, to_s);
  values[6] = loop_drops (loop, FROM_S, to_s) / sent;
}

const LoopSet loop_set_uplink = {
  "uplink", "ten flows on recorded uplinks of cars, from 10 s on: without a relay, with one that "
      "has the mean for its capacity, or that learns it; p95: of packets outside outages",
  N_DRIVES / EACH * N_WAYS,
  { { "mbps", 1, 0 }, { "use", 3, SET_MEAN | SET_LEAST }, { "p50_ms", 0, SET_MEAN },
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "p95_all", 0, SET_MEAN | SET_MOST },
    { "jain", 3, SET_MEAN | SET_LEAST }, { "lost", 4, SET_MEAN | SET_MOST } },
  fill_uplink, measure_uplink, .only_by_name = true,
};
