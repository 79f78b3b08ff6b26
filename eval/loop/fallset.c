/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fallset.h"

#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "opportunitylist.h"

#define N(array) (sizeof (array) / sizeof *(array))
#define LENGTH_S 60
#define FROM_S 5
#define FALL_AT_S 10

static const struct
{
  double from_mbps, to_mbps;
} ends[] = { { 15, 1.5 }, { 8, 0.8 }, { 40, 4 } };

static const double within_s[] = { 2, 4, 6, 8, 12 };

static const unsigned rtt_ms[] = { 50, 100 };

static const struct
{
  RcTime time;                  /* at the mean rate of the run; 0: no limit */
  const char *name;
} queues[] = { { 0, "no limit" }, { 2 * RC_SECOND, "2 s" }, { 300 * RC_MSEC, "300 ms" } };

/* By the same factor in each second of the fall. */
static double
capacity_bps (double at_s, double from_mbps, double to_mbps, double fall_s)
{
  double fallen = fmin (fmax ((at_s - FALL_AT_S) / fall_s, 0), 1);

  return 1e6 * from_mbps * pow (to_mbps / from_mbps, fallen);
}

static void
fill_fall (unsigned index, SetCase *self)
{
  unsigned queue = index % N (queues), rtt = index / N (queues) % N (rtt_ms);
  double fall_s = within_s[index / N (queues) / N (rtt_ms) % N (within_s)];
  unsigned end = index / N (queues) / N (rtt_ms) / N (within_s);
  double from_mbps = ends[end].from_mbps, to_mbps = ends[end].to_mbps;
  OpportunityList list = { 0 };

  snprintf (self->name, sizeof self->name, "%2.0f to %.1f in %2.0f s, RTT %3u, queue %s",
      from_mbps, to_mbps, fall_s, rtt_ms[rtt], queues[queue].name);
  for (unsigned ms = 0; ms < LENGTH_S * 1000; ms++)
    opportunitylist_add_ms (&list, capacity_bps (ms / 1e3, from_mbps, to_mbps, fall_s));
  self->opportunities = list.at;
  case_link (&self->config, 0, queues[queue].time, LENGTH_S);
  self->config.links[0].opportunities = list.at;
  self->config.links[0].n_opportunities = list.n;
  case_media (&self->config, rtt_ms[rtt]);
}

static void
measure_fall (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = loop_served_bps (loop, -1, FROM_S, to_s) / loop_capacity_bps (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
  values[2] = loop_queue_ms (loop, 1, FROM_S, to_s);
  values[3] = loop_above_s (loop, CASE_MAX_DELAY_MS, FROM_S, to_s, &values[4]);
  values[5] = (double) loop_drops (loop, FROM_S, to_s) / loop_packets_sent (loop, 0, FROM_S, to_s);
}

const LoopSet loop_set_falls = {
  "falls", "one flow, the capacity falls by ten from 10 s on (Mbit/s, RTT in ms), from 5 to 60 s; "
      "above_s, longest_s: delay above 400 ms",
  N (ends) * N (within_s) * N (rtt_ms) * N (queues),
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p95_ms", 0, SET_MEAN | SET_MOST },
    { "worst_ms", 0, SET_MEAN | SET_MOST }, { "above_s", 1, SET_MEAN | SET_MOST },
    { "longest_s", 1, SET_MEAN | SET_MOST }, { "lost", 3, SET_MEAN | SET_MOST } },
  fill_fall, measure_fall,
};
