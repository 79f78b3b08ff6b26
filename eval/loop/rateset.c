/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "caseparts.h"
#include "cases.h"
#include "sets.h"

/* --- clean --- */

#define N_CLEAN 35              /* all but the last three */

static void
fill_clean (unsigned index, SetCase *self)
{
  snprintf (self->name, sizeof self->name, "%s", loop_cases[index].name);
  loop_case_config (loop_cases[index].name, self->config.seed, &self->config);
}

static bool
compares_flows (const LoopConfig *config)
{
  for (unsigned i = 0; i < config->n_flows; i++)
    if (config->flows[i].law)
      return false;
  return config->n_flows > 1;
}

/* Means and extremes over the spans between steps. */
static void
measure_spans (const Loop *loop, const LoopConfig *config, double *values)
{
  CaseSpan spans[CASE_MAX_SPANS];
  unsigned n = case_spans (config, spans);
  double use = 0, p95 = 0, least_use = INFINITY, most_p95 = 0;

  for (unsigned i = 0; i < n; i++) {
    double span_use = case_use (loop, config, &spans[i]);
    double span_p95 = loop_queue_ms (loop, 0.95, spans[i].from_s, spans[i].to_s);

    use += span_use / n;
    p95 += span_p95 / n;
    least_use = fmin (least_use, span_use);
    most_p95 = fmax (most_p95, span_p95);
  }
  values[0] = use;
  values[1] = least_use;
  values[2] = p95;
  values[3] = most_p95;
  values[4] = NAN;
  if (compares_flows (config))
    values[4] = loop_jain (loop, spans[n - 1].from_s, spans[n - 1].to_s);
}

const LoopSet loop_set_clean = {
  "clean", "loop-report's cases, by the spans between steps, each from 3 s on; jain: last span",
  N_CLEAN,
  { { "use", 3, SET_MEAN }, { "use_min", 3, SET_MEAN }, { "p95_ms", 1, SET_MEAN },
    { "p95_max", 1, SET_MEAN }, { "jain", 3, SET_MEAN | SET_LEAST } },
  fill_clean, measure_spans,
};

/* --- high rates --- */

typedef struct
{
  const char *name;
  unsigned n_flows;
  double first_rtt_ms, last_rtt_ms;     /* the others between them */
  double start_each_s;
  unsigned mbps, then_mbps;     /* from 20 to 40 s, if not 0 */
} HighCase;

static const HighCase high_cases[] = {
  { "ten flows, 100 Mbit/s, RTT 20-100 ms, 1 s apart", 10, 20, 100, 1, 100, 0 },
  { "ten flows, 100 Mbit/s, RTT 50 ms, 1 s apart", 10, 50, 50, 1, 100, 0 },
  { "ten flows, 100 Mbit/s, RTT 100-20 ms, 3 s apart", 10, 100, 20, 3, 100, 0 },
  { "ten flows, 100 Mbit/s, RTT 20-100 ms, together", 10, 20, 100, 0, 100, 0 },
  { "32 flows, 100 Mbit/s, RTT 20-100 ms, 1 s apart", 32, 20, 100, 1, 100, 0 },
  { "40-10-40 Mbit/s, RTT 50 ms", 1, 50, 50, 0, 40, 10 },
  { "100-20-100 Mbit/s, RTT 20 ms", 1, 20, 20, 0, 100, 20 },
  { "100-20-100 Mbit/s, RTT 50 ms", 1, 50, 50, 0, 100, 20 },
  { "100-20-100 Mbit/s, RTT 100 ms", 1, 100, 100, 0, 100, 20 },
  { "500 Mbit/s, RTT 50 ms", 1, 50, 50, 0, 500, 0 },
};

static void
fill_high (unsigned index, SetCase *self)
{
  const HighCase *c = &high_cases[index];
  double last_start_s = c->start_each_s * (c->n_flows - 1);

  snprintf (self->name, sizeof self->name, "%s", c->name);
  case_link (&self->config, c->mbps * CASE_MBPS, 300 * RC_MSEC,
      c->then_mbps ? 60 : last_start_s + 30);
  for (unsigned i = 0; i < c->n_flows; i++) {
    double share = c->n_flows > 1 ? (double) i / (c->n_flows - 1) : 0;
    double rtt_ms = c->first_rtt_ms + share * (c->last_rtt_ms - c->first_rtt_ms);
    LoopFlowConfig *flow = case_media (&self->config, rtt_ms);

    flow->start_at = rc_time_from_s (i * c->start_each_s);
  }
  if (c->then_mbps) {
    case_step (&self->config, 20, c->then_mbps * CASE_MBPS);
    case_step (&self->config, 40, c->mbps * CASE_MBPS);
  }
}

static void
measure_high (const Loop *loop, const LoopConfig *config, double *values)
{
  double end_s = rc_time_to_s (config->length);
  CaseSpan last_10_s = { end_s - 10, end_s };

  if (config->steps[0].rate_bps) {
    measure_spans (loop, config, values);
    values[3] = NAN;
  } else {
    values[0] = values[1] = case_use (loop, config, &last_10_s);
    values[2] = loop_queue_ms (loop, 0.95, last_10_s.from_s, last_10_s.to_s);
    values[3] = config->n_flows > 1 ? loop_jain (loop, last_10_s.from_s, last_10_s.to_s) : NAN;
  }
  values[4] = loop_reached_at_s (loop, 0, 0.8 * loop_capacity_bps (loop, 0, 1), 0);
  if (config->n_flows > 1 || values[4] < 0)
    values[4] = NAN;
}

const LoopSet loop_set_high = {
  "high", "from 3 s after each step (use_min: the least phase); else the last 10 of the 30 s "
      "after the last start",
  CASE_N (high_cases),
  { { "use", 3, SET_MEAN }, { "use_min", 3, SET_MEAN | SET_LEAST }, { "p95_ms", 1, SET_MEAN },
    { "jain", 3, SET_MEAN | SET_LEAST }, { "t80_s", 1, SET_MEAN } },
  fill_high, measure_high,
};

/* --- start-up --- */

static const unsigned startup_mbps[] = { 3, 10 };
static const unsigned startup_rtt_ms[] = { 20, 50, 100 };
static const unsigned startup_lag_ms[] = { 100, 1000 };
static const unsigned startup_key[] = { 1, 5 };

#define STARTUP_LENGTH_S 20

static void
fill_startup (unsigned index, SetCase *self)
{
  unsigned key = CASE_PICK (startup_key, &index), lag = CASE_PICK (startup_lag_ms, &index);
  unsigned rtt = CASE_PICK (startup_rtt_ms, &index), mbps = startup_mbps[index];
  LoopSource *source;

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, RTT %3u ms, lag %4u ms, key x %u", mbps,
      rtt, lag, key);
  case_link (&self->config, mbps * CASE_MBPS, 300 * RC_MSEC, STARTUP_LENGTH_S);
  source = &case_media (&self->config, rtt)->source;
  source->lag = lag * RC_MSEC;
  source->keyframe_interval = key > 1 ? 2 * RC_SECOND : 0;
  source->keyframe_ratio = key;
}

/* Not reached counts as the whole run. */
static void
measure_startup (const Loop *loop, const LoopConfig *config, double *values)
{
  CaseSpan after = { STARTUP_LENGTH_S / 2.0, STARTUP_LENGTH_S };

  values[0] = loop_reached_at_s (loop, 0, 0.8 * loop_capacity_bps (loop, 0, 1), 0);
  if (values[0] < 0)
    values[0] = STARTUP_LENGTH_S;
  values[1] = loop_queue_ms (loop, 0.95, 0, 5);
  values[2] = loop_queue_ms (loop, 1, 0, 5);
  values[3] = case_use (loop, config, &after);
}

const LoopSet loop_set_startup = {
  "startup", "time to 80 % (of half a second) from 500 kbit/s; queue of the first 5 s; "
      "use from 10 to 20 s",
  CASE_N (startup_mbps) * CASE_N (startup_rtt_ms) * CASE_N (startup_lag_ms)
      * CASE_N (startup_key),
  { { "t80_s", 1, SET_MEAN | SET_MOST }, { "p95_ms", 1, SET_MEAN | SET_MOST },
    { "max_ms", 1, SET_MEAN }, { "use", 3, SET_MEAN | SET_LEAST } },
  fill_startup, measure_startup,
};
