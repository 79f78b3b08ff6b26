/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours beside one of TCP, by the queue that they share. */
#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define RTT_MS 50
#define STARTS_WITHIN_S 10      /* either may be first */
#define FROM_S 30
#define LENGTH_S 90

static const struct
{
  LoopFlowKind kind;
  const char *name;
} tcps[] = {
  { LOOP_TCP_RENO, "Reno" }, { LOOP_TCP_CUBIC, "CUBIC" }, { LOOP_TCP_BBR, "BBRv1" },
};

static void
add_flows (LoopConfig *config, LoopFlowKind kind)
{
  case_media (config, RTT_MS);
  case_tcp (config, kind, RTT_MS);
  case_scatter (config, STARTS_WITHIN_S, 0);
}

static void
measure_shares (const Loop *loop, const LoopConfig *config, double *values)
{
  double fair = loop_capacity_bps (loop, FROM_S, LENGTH_S) / config->n_flows;

  values[0] = case_served_bps (loop, config, false, FROM_S, LENGTH_S) / fair;
  values[1] = case_least_bps (loop, config, false, FROM_S, LENGTH_S) / fair;
  values[2] = values[3] = NAN;
  if (config->n_flows > 1) {
    values[2] = case_served_bps (loop, config, true, FROM_S, LENGTH_S) / fair;
    values[3] = case_least_bps (loop, config, true, FROM_S, LENGTH_S) / fair;
  }
  values[4] = loop_queue_ms (loop, 0.95, FROM_S, LENGTH_S);
  values[5] = loop_queue_ms (loop, 1, FROM_S, LENGTH_S);
}

#define SHARE_COLUMNS \
  { { "ours", 2, SET_MEAN | SET_LEAST }, { "ours_10s", 2, SET_MEAN | SET_LEAST }, \
    { "tcp", 2, SET_MEAN | SET_LEAST }, { "tcp_10s", 2, SET_MEAN | SET_LEAST }, \
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "worst_ms", 0, SET_MEAN | SET_MOST } }

/* --- drop-tail --- */

#define QUEUE_MBPS 10

static const double queue_bdps[] = { 0.5, 1, 3, 10 };

static void
fill_queue (unsigned index, SetCase *self)
{
  double bdps = CASE_PICK (queue_bdps, &index);

  snprintf (self->name, sizeof self->name, "beside %-5s, queue %3g BDP", tcps[index].name, bdps);
  case_link (&self->config, QUEUE_MBPS * CASE_MBPS, rc_time_from_s (bdps * RTT_MS / 1e3),
      LENGTH_S);
  add_flows (&self->config, tcps[index].kind);
}

const LoopSet loop_set_queues = {
  "queues", "one of ours and one of TCP, 10 Mbit/s, RTT 50 ms, shallow and deep queues (BDP: 50 "
      "ms); starts in 10 s by seed; shares of fair from 30 to 90 s (10s: the least 10 s)",
  CASE_N (tcps) * CASE_N (queue_bdps), SHARE_COLUMNS, fill_queue, measure_shares,
};

/* --- managed --- */

#define AQM_MBPS 6

static const char *const aqms[] = { "PIE", "CoDel" };

static void
fill_aqm (unsigned index, SetCase *self)
{
  unsigned aqm = case_axis (&index, CASE_N (aqms));
  LinkAqmParams *params = &self->config.links[0].aqm;

  case_link (&self->config, AQM_MBPS * CASE_MBPS, RC_SECOND, LENGTH_S);
  if (aqm == 0)
    params->pie = LINK_PIE_RFC8033;
  else
    params->codel = (LinkCodelParams) { .target = 5 * RC_MSEC, .interval = 100 * RC_MSEC };
  if (index == CASE_N (tcps)) {
    snprintf (self->name, sizeof self->name, "alone, %s", aqms[aqm]);
    case_media (&self->config, RTT_MS);
    return;
  }
  snprintf (self->name, sizeof self->name, "beside %-5s, %s", tcps[index].name, aqms[aqm]);
  add_flows (&self->config, tcps[index].kind);
}

const LoopSet loop_set_aqm = {
  "aqm", "the same, 6 Mbit/s, a queue that PIE or CoDel manages",
  (CASE_N (tcps) + 1) * CASE_N (aqms), SHARE_COLUMNS, fill_aqm, measure_shares,
};
