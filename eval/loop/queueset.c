/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours beside one of TCP, by the queue that they share. */
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define MBPS 10
#define RTT_MS 50
#define STARTS_WITHIN_S 10      /* either may be first */
#define FROM_S 30
#define LENGTH_S 90

static const struct
{
  LoopFlowKind kind;
  const char *name;
} tcps[] = { { LOOP_TCP_RENO, "Reno" }, { LOOP_TCP_CUBIC, "CUBIC" }, { LOOP_TCP_BBR, "BBRv1" } };

static const double queue_bdps[] = { 0.5, 1, 3, 10 };

static void
fill_queue (unsigned index, SetCase *self)
{
  double bdps = CASE_PICK (queue_bdps, &index);
  LoopConfig *config = &self->config;

  snprintf (self->name, sizeof self->name, "beside %-5s, queue %3g BDP", tcps[index].name, bdps);
  case_link (config, MBPS * CASE_MBPS, rc_time_from_s (bdps * RTT_MS / 1e3), LENGTH_S);
  case_media (config, RTT_MS)->start_at
      = rc_time_from_s (STARTS_WITHIN_S * case_random (config, 0));
  case_tcp (config, tcps[index].kind, RTT_MS)->start_at
      = rc_time_from_s (STARTS_WITHIN_S * case_random (config, 1));
}

static void
measure_queue (const Loop *loop, const LoopConfig *config, double *values)
{
  double fair = loop_capacity_bps (loop, FROM_S, LENGTH_S) / 2;

  values[0] = case_served_bps (loop, config, false, FROM_S, LENGTH_S) / fair;
  values[1] = case_least_bps (loop, config, false, FROM_S, LENGTH_S) / fair;
  values[2] = case_served_bps (loop, config, true, FROM_S, LENGTH_S) / fair;
  values[3] = case_least_bps (loop, config, true, FROM_S, LENGTH_S) / fair;
  values[4] = loop_queue_ms (loop, 0.95, FROM_S, LENGTH_S);
  values[5] = loop_queue_ms (loop, 1, FROM_S, LENGTH_S);
}

const LoopSet loop_set_queues = {
  "queues", "one of ours and one of TCP, 10 Mbit/s, RTT 50 ms, shallow and deep queues (BDP: 50 ms); "
      "starts in the first 10 s by seed; shares of fair from 30 to 90 s (10s: the least 10 s)",
  CASE_N (tcps) * CASE_N (queue_bdps),
  { { "ours", 2, SET_MEAN | SET_LEAST }, { "ours_10s", 2, SET_MEAN | SET_LEAST },
    { "tcp", 2, SET_MEAN | SET_LEAST }, { "tcp_10s", 2, SET_MEAN | SET_LEAST },
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "worst_ms", 0, SET_MEAN | SET_MOST } },
  fill_queue, measure_queue,
};
