/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Flows of ours alone on a steady link: do they share it, and is it quiet, in each seed? */
#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define STARTS_WITHIN_S 10
#define LATE_S 30               /* when the last one begins, if it is late */
#define FROM_S 30
#define LATE_FROM_S 70
#define MEASURED_S 60

typedef struct
{
  const char *name;
  unsigned n;
  double mbps, clocks_s;
  bool deep;                    /* a queue of 3 s, not of 300 ms */
  bool rtts;                    /* 20, 100 and 300 ms in turn, not 50 ms */
  bool late;
} Own;

static const Own owns[] = {
  { "2 on 4 Mbit/s", 2, 4 },
  { "2 on 4 Mbit/s, clocks 0.5 s apart", 2, 4, .clocks_s = 0.5 },
  { "2 on 4 Mbit/s, clocks 5 s apart", 2, 4, .clocks_s = 5 },
  { "4 on 8 Mbit/s", 4, 8 },
  { "10 on 10 Mbit/s", 10, 10 },
  { "10 on 10 Mbit/s, clocks 0.5 s apart", 10, 10, .clocks_s = 0.5 },
  { "10 on 10 Mbit/s, clocks 5 s apart", 10, 10, .clocks_s = 5 },
  { "10 on 10 Mbit/s, queue 3 s", 10, 10, .deep = true },
  { "10 on 3 Mbit/s", 10, 3 },
  { "10 on 3 Mbit/s, clocks 5 s apart", 10, 3, .clocks_s = 5 },
  { "30 on 30 Mbit/s", 30, 30 },
  { "30 on 30 Mbit/s, clocks 5 s apart", 30, 30, .clocks_s = 5 },
  { "RTT 20, 100, 300 ms on 6 Mbit/s", 3, 6, .rtts = true },
  { "RTT 20, 100, 300 ms on 30 Mbit/s", 3, 30, .rtts = true },
  { "2 on 4 Mbit/s, one late", 2, 4, .late = true },
  { "4 on 8 Mbit/s, one late", 4, 8, .late = true },
  { "10 on 10 Mbit/s, one late", 10, 10, .late = true },
  { "2 on 100 Mbit/s, one late", 2, 100, .late = true },
};

static void
fill_own (unsigned index, SetCase *self)
{
  static const double rtts_ms[] = { 20, 100, 300 };
  const Own *own = &owns[index];
  LoopConfig *config = &self->config;

  snprintf (self->name, sizeof self->name, "%s", own->name);
  case_link (config, (uint64_t) (own->mbps * 1e6), own->deep ? 3 * RC_SECOND : 300 * RC_MSEC,
      (own->late ? LATE_FROM_S : FROM_S) + MEASURED_S);
  for (unsigned i = 0; i < own->n; i++)
    case_media (config, own->rtts ? rtts_ms[i % CASE_N (rtts_ms)] : 50);
  case_scatter (config, STARTS_WITHIN_S, own->clocks_s);
  if (own->late)
    config->flows[own->n - 1].start_at += LATE_S * RC_SECOND;
}

/* Of all flows, over any CASE_WINDOW_S. */
static double
least_window_bps (const Loop *loop, const LoopConfig *config, double from_s, double to_s)
{
  double least = INFINITY;

  for (unsigned i = 0; i < config->n_flows; i++)
    for (double s = from_s; s + CASE_WINDOW_S <= to_s; s++)
      least = fmin (least, loop_served_bps (loop, (int) i, s, s + CASE_WINDOW_S));
  return least;
}

/* From the start of the last flow, if that is late, until it has 80 % of its share; not reached
 * counts as the whole time. */
static double
late_s (const Loop *loop, const LoopConfig *config, double fair_bps)
{
  unsigned last = config->n_flows - 1;
  double start_s = rc_time_to_s (config->flows[last].start_at);
  double end_s = rc_time_to_s (config->length);
  double at_s = loop_reached_at_s (loop, (int) last, 0.8 * fair_bps, start_s);

  if (start_s < LATE_S)
    return NAN;
  return (at_s < 0 ? end_s : at_s) - start_s;
}

static void
measure_own (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length), from_s = to_s - MEASURED_S;
  double fair_bps = loop_capacity_bps (loop, from_s, to_s) / config->n_flows;
  double least_bps = INFINITY, most_bps = 0;

  for (unsigned i = 0; i < config->n_flows; i++) {
    double bps = loop_served_bps (loop, (int) i, from_s, to_s);

    least_bps = fmin (least_bps, bps);
    most_bps = fmax (most_bps, bps);
  }
  values[0] = loop_jain (loop, from_s, to_s);
  values[1] = least_bps / fair_bps;
  values[2] = least_window_bps (loop, config, from_s, to_s) / fair_bps;
  values[3] = most_bps / fair_bps;
  values[4] = loop_queue_ms (loop, 0.95, from_s, to_s);
  values[5] = loop_queue_ms (loop, 1, from_s, to_s);
  values[6] = late_s (loop, config, fair_bps);
}

const LoopSet loop_set_own = {
  "own", "flows of ours alone, RTT 50 ms, queue 300 ms, starts in 10 s by seed, 60 s from 30 s on, "
      "or from 70 s if one starts late, at 30 to 40 s (t80_s: until it has 80 % of fair); least, "
      "most: share of fair of a flow (10s: in its least 10 s)",
  CASE_N (owns),
  { { "jain", 3, SET_MEAN | SET_LEAST }, { "least", 2, SET_MEAN | SET_LEAST },
    { "least_10s", 2, SET_MEAN | SET_LEAST }, { "most", 2, SET_MEAN | SET_MOST },
    { "p95_ms", 0, SET_MEAN | SET_MOST }, { "worst_ms", 0, SET_MEAN | SET_MOST },
    { "t80_s", 1, SET_MEAN | SET_MOST } },
  fill_own, measure_own,
};
