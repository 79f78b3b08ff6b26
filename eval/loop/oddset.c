/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours alone on paths that change in ways of their own: routes, scans of a radio, what
 * delays the reports, capacities that jump to and fro, slow links. Seeds differ by the phase of
 * what happens. */
#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define MBPS 3
#define RTT_MS 50
#define QUEUE (300 * RC_MSEC)
#define FROM_S 10               /* the start is another set, but where it is the question */
#define LENGTH_S 70
#define STARTED_S 1
#define SPAN_S 0.5
#define LOW 0.8                 /* of the capacity */

/* Appends a step of a link's rate and delay. */
static void
step (LoopConfig *config, double at_s, uint64_t rate_bps, RcTime delay, unsigned link)
{
  LoopStep *next = config->steps;

  while (next->rate_bps)
    next++;
  *next = (LoopStep) { rc_time_from_s (at_s), rate_bps, delay, link };
}

/* The longer way for half of the time, or for `length_s` of it. */
static void
add_delays (LoopConfig *config, RcTime delay, double each_s, double length_s)
{
  uint64_t bps = config->links[0].rate_bps;

  for (double s = FROM_S + each_s * case_random (config, 0); s < LENGTH_S; s += each_s) {
    step (config, s, bps, delay, 0);
    step (config, s + length_s, bps, 0, 0);
  }
}

static void
measure_from (const Loop *loop, const LoopConfig *config, double from_s, double *values)
{
  double to_s = rc_time_to_s (config->length), longest_s;

  values[0] = case_carried (loop, from_s, to_s);
  values[1] = INFINITY;
  values[2] = 0;
  for (double s = from_s; s + SPAN_S <= to_s; s += SPAN_S) {
    double share = loop_rate_bps (loop, 0, s, s + SPAN_S)
        / loop_capacity_bps (loop, s, s + SPAN_S);

    values[1] = fmin (values[1], share);
    values[2] += share < LOW ? SPAN_S : 0;
  }
  values[3] = loop_queue_ms (loop, 0.95, from_s, to_s);
  values[4] = loop_queue_ms (loop, 1, from_s, to_s);
  values[5] = loop_above_s (loop, CASE_MAX_DELAY_MS, from_s, to_s, &longest_s);
  values[6] = 100.0 * loop_drops (loop, from_s, to_s)
      / fmax (loop_packets_sent (loop, 0, from_s, to_s), 1);
}

static void
measure_odd (const Loop *loop, const LoopConfig *config, double *values)
{
  measure_from (loop, config, FROM_S, values);
}

static void
measure_odd_start (const Loop *loop, const LoopConfig *config, double *values)
{
  measure_from (loop, config, STARTED_S, values);
}

#define ODD_COLUMNS \
  { { "use", 3, SET_MEAN | SET_LEAST }, { "least", 2, SET_MEAN | SET_LEAST }, \
    { "low_s", 1, SET_MEAN | SET_MOST }, { "p95_ms", 0, SET_MEAN | SET_MOST }, \
    { "worst_ms", 0, SET_MEAN | SET_MOST }, { "above_s", 1, SET_MEAN | SET_MOST }, \
    { "lost_percent", 1, SET_MEAN | SET_MOST } }

/* --- routes --- */

static const struct
{
  const char *name;
  double rtt_ms;
  RcTime longer;
  double each_s;                /* from one longer way to the next */
} routes[] = {
  { "RTT 30, 120, 30 ms, each 20 s", 30, 90 * RC_MSEC, 40 },
  { "RTT 30, 120, 30 ms, each 5 s", 30, 90 * RC_MSEC, 10 },
  { "RTT 50, 70, 50 ms, each 5 s", 50, 20 * RC_MSEC, 10 },
};

static void
fill_routes (unsigned index, SetCase *self)
{
  snprintf (self->name, sizeof self->name, "%s", routes[index].name);
  case_link (&self->config, MBPS * CASE_MBPS, QUEUE, LENGTH_S);
  case_media (&self->config, routes[index].rtt_ms);
  add_delays (&self->config, routes[index].longer, routes[index].each_s,
      routes[index].each_s / 2);
}

const LoopSet loop_set_routes = {
  "routes", "one flow, 3 Mbit/s, the way there is longer and shorter again, from 10 to 70 s; "
      "least: target of the least half second by capacity, low_s: time with less than 80 %",
  CASE_N (routes), ODD_COLUMNS, fill_routes, measure_odd,
};

/* --- scans --- */

static const struct
{
  const char *name;
  RcTime delay;
  double each_s;
} scans[] = {
  { "200 ms later for 0.2 s each 5 s", 200 * RC_MSEC, 5 },
  { "200 ms later for 0.2 s each 1 s", 200 * RC_MSEC, 1 },
  { "400 ms later for 0.2 s each 5 s", 400 * RC_MSEC, 5 },
};

static void
fill_scans (unsigned index, SetCase *self)
{
  snprintf (self->name, sizeof self->name, "%s", scans[index].name);
  case_link (&self->config, MBPS * CASE_MBPS, QUEUE, LENGTH_S);
  case_media (&self->config, RTT_MS);
  add_delays (&self->config, scans[index].delay, scans[index].each_s, 0.2);
}

const LoopSet loop_set_scans = {
  "scans", "the same, a radio that looks for other stations: packets come later, in order",
  CASE_N (scans), ODD_COLUMNS, fill_scans, measure_odd,
};

/* --- the way back --- */

#define BACK_BPS 64000
#define BACK_QUEUE (2 * RC_SECOND)
#define FREE_BPS (100 * CASE_MBPS)

static const struct
{
  const char *name;
  double held_s, each_s;        /* 0: beside CUBIC on a slow link */
  double lost_ratio;
} ways_back[] = {
  { "64 kbit/s, queue 2 s, beside CUBIC" },
  { "reports held 0.5 s each 3 s", 0.5, 3 },
  { "reports held 0.5 s each 3 s, 30 % lost", 0.5, 3, 0.3 },
  { "reports held 1 s each 5 s", 1, 5 },
  { "reports held 1 s each 5 s, 30 % lost", 1, 5, 0.3 },
};

static void
fill_wayback (unsigned index, SetCase *self)
{
  LoopConfig *config = &self->config;
  double each_s = ways_back[index].each_s;
  LoopFlowConfig *flow;

  snprintf (self->name, sizeof self->name, "%s", ways_back[index].name);
  case_link (config, MBPS * CASE_MBPS, QUEUE, LENGTH_S);
  flow = case_media (config, RTT_MS);
  flow->back = 2;
  flow->report_loss_ratio = ways_back[index].lost_ratio;
  config->links[1].rate_bps = each_s > 0 ? FREE_BPS : BACK_BPS;
  config->links[1].queue_time = BACK_QUEUE;
  if (each_s > 0) {
    for (double s = FROM_S + each_s * case_random (config, 0); s < LENGTH_S; s += each_s) {
      step (config, s, 1, 0, 1);
      step (config, s + ways_back[index].held_s, FREE_BPS, 0, 1);
    }
  } else {
    LoopFlowConfig *tcp = case_tcp (config, LOOP_TCP_CUBIC, RTT_MS);

    tcp->path = 2;
    tcp->start_at = rc_time_from_s (FROM_S * case_random (config, 0));
  }
}

const LoopSet loop_set_wayback = {
  "wayback", "the same, reports come late: behind TCP, or held back and then together",
  CASE_N (ways_back), ODD_COLUMNS, fill_wayback, measure_odd,
};

/* --- squares --- */

#define HIGH_MBPS 4
#define LOW_MBPS 1

static const double square_s[] = { 1, 3, 10 };

static void
fill_squares (unsigned index, SetCase *self)
{
  LoopConfig *config = &self->config;
  double each_s = square_s[index];
  bool high = false;

  snprintf (self->name, sizeof self->name, "%u and %u Mbit/s, each %2g s", HIGH_MBPS, LOW_MBPS,
      each_s);
  case_link (config, HIGH_MBPS * CASE_MBPS, QUEUE, LENGTH_S);
  case_media (config, RTT_MS);
  for (double s = 5 + each_s * case_random (config, 0); s < LENGTH_S; s += each_s, high = !high)
    step (config, s, (high ? HIGH_MBPS : LOW_MBPS) * CASE_MBPS, 0, 0);
}

const LoopSet loop_set_squares = {
  "squares", "the same, the capacity jumps to and fro", CASE_N (square_s), ODD_COLUMNS,
  fill_squares, measure_odd,
};

/* --- slow links --- */

#define SLOW_LEAST_BPS 20000

static const struct
{
  unsigned kbps;
  double rtt_ms;
} slow[] = { { 60, 50 }, { 60, 200 }, { 100, 50 }, { 100, 200 }, { 250, 50 } };

static void
fill_slow (unsigned index, SetCase *self)
{
  LoopFlowConfig *flow;

  snprintf (self->name, sizeof self->name, "%3u kbit/s, RTT %3.0f ms", slow[index].kbps,
      slow[index].rtt_ms);
  case_link (&self->config, slow[index].kbps * UINT64_C (1000), RC_SECOND, LENGTH_S);
  flow = case_media (&self->config, slow[index].rtt_ms);
  flow->limits = (RcLimits) { SLOW_LEAST_BPS, 300000, 1000 * CASE_MBPS };
  flow->start_at = rc_time_from_s (case_random (&self->config, 0));
}

const LoopSet loop_set_slow = {
  "slow", "one flow that starts at 300 kbit/s, queue 1 s, from 1 s on", CASE_N (slow),
  ODD_COLUMNS, fill_slow, measure_odd_start,
};

/* --- steep --- */

static const struct
{
  const char *name;
  unsigned mbps, then_mbps;     /* then from 20 to 30 s on */
  RcTime queue;
  double loss_ratio;
  RcTime jitter_mean;
} steep[] = {
  { "10 to 1 Mbit/s, queue 3 s", 10, 1, 3 * RC_SECOND },
  { "10 to 1 Mbit/s, queue 300 ms", 10, 1, QUEUE },
  { "1 to 10 Mbit/s", 1, 10, QUEUE },
  { "2 % lost, exponential jitter 10 ms", 3, 0, QUEUE, 0.02, 10 * RC_MSEC },
};

static void
fill_steep (unsigned index, SetCase *self)
{
  LoopConfig *config = &self->config;

  snprintf (self->name, sizeof self->name, "%s", steep[index].name);
  case_link (config, steep[index].mbps * CASE_MBPS, steep[index].queue, LENGTH_S);
  config->links[0].loss_ratio = steep[index].loss_ratio;
  config->links[0].jitter_mean = steep[index].jitter_mean;
  case_media (config, RTT_MS);
  if (steep[index].then_mbps)
    step (config, 20 + 10 * case_random (config, 0), steep[index].then_mbps * CASE_MBPS, 0, 0);
}

const LoopSet loop_set_steep = {
  "steep", "one flow, RTT 50 ms: one step of the capacity by ten; loss with jitter, 3 Mbit/s; from "
      "10 to 70 s", CASE_N (steep), ODD_COLUMNS, fill_steep, measure_odd,
};
