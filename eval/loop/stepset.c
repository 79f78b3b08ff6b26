/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define MAX_RATES 6
#define PHASE_S 20
#define CALM_MS 50

static const struct
{
  const char *name;
  double mbps[MAX_RATES];       /* each for PHASE_S */
} walks[] = {
  { "3-1-3 Mbit/s", { 3, 1, 3 } },
  { "2-5-1.2-2.5-0.7-4 Mbit/s", { 2, 5, 1.2, 2.5, 0.7, 4 } },
  { "4-0.5 Mbit/s", { 4, 0.5 } },
  { "40-4 Mbit/s", { 40, 4 } },
};
static const unsigned noise_ms[] = { 0, 5, 15 };

static void
fill_steps (unsigned index, SetCase *self)
{
  unsigned noise = CASE_PICK (noise_ms, &index), n = 1;
  const double *mbps = walks[index].mbps;
  LoopConfig *config = &self->config;

  for (; n < MAX_RATES && mbps[n] > 0; n++)
    case_step (config, n * PHASE_S, (uint64_t) (mbps[n] * 1e6));
  snprintf (self->name, sizeof self->name, "%s, jitter %2u ms", walks[index].name, noise);
  case_link (config, (uint64_t) (mbps[0] * 1e6), RC_SECOND, n * PHASE_S);
  config->links[0].jitter_mean = noise * RC_MSEC;
  case_media (config, 50);
}

/* Until no packet waits for CALM_MS any more, for a second. */
static double
calm_after_s (const Loop *loop, double from_s)
{
  double calm_s = from_s;

  for (double s = from_s; s + 0.1 <= from_s + PHASE_S; s += 0.1)
    if (loop_queue_ms (loop, 1, s, s + 0.1) >= CALM_MS && s - calm_s < 1)
      calm_s = s + 0.1;
  return calm_s - from_s;
}

static void
measure_steps (const Loop *loop, const LoopConfig *config, double *values)
{
  CaseSpan spans[CASE_MAX_SPANS];
  unsigned n = case_spans (config, spans), falls = 0;
  double use = 0, p95 = 0, least = INFINITY, most_ms = 0, calm_s = 0;

  for (unsigned i = 0; i < n; i++) {
    double span_use = case_use (loop, config, &spans[i]);
    double begin_s = spans[i].from_s - CASE_SETTLE_S;

    use += span_use / n;
    p95 += loop_queue_ms (loop, 0.95, spans[i].from_s, spans[i].to_s) / n;
    least = fmin (least, span_use);
    if (i == 0 || loop_capacity_bps (loop, spans[i].from_s, spans[i].to_s)
        > loop_capacity_bps (loop, spans[i - 1].from_s, spans[i - 1].to_s))
      continue;
    most_ms = fmax (most_ms, loop_queue_ms (loop, 1, begin_s, spans[i].from_s));
    calm_s += calm_after_s (loop, begin_s);
    falls++;
  }
  values[0] = use;
  values[1] = least;
  values[2] = p95;
  values[3] = most_ms;
  values[4] = calm_s / falls;
}

const LoopSet loop_set_steps = {
  "steps", "one flow, RTT 50 ms, exponential jitter, from 3 s after each step (use_min: the least "
      "phase); after falls: the longest queue, and until it is below 50 ms",
  CASE_N (walks) * CASE_N (noise_ms),
  { { "use", 3, SET_MEAN }, { "use_min", 3, SET_MEAN | SET_LEAST }, { "p95_ms", 1, SET_MEAN },
    { "peak_ms", 0, SET_MEAN | SET_MOST }, { "calm_s", 1, SET_MEAN | SET_MOST } },
  fill_steps, measure_steps,
};

/* --- frames --- */

/* x264enc with a buffer of one frame. */
#define QUICK_LAG (33 * RC_MSEC)
#define AFTER_S 4               /* what a fall costs is over */

static const double falls_mbps[][2] = { { 3, 1 }, { 8, 1 }, { 3, 2 }, { 1, 0.4 } };
static const unsigned rtts_ms[] = { 20, 50, 150 };

static void
fill_frames (unsigned index, SetCase *self)
{
  unsigned noise = case_axis (&index, 2) * 5, rtt = CASE_PICK (rtts_ms, &index);
  const double *mbps = falls_mbps[index];
  LoopConfig *config = &self->config;

  snprintf (self->name, sizeof self->name, "%g to %g Mbit/s, RTT %3u ms, jitter %u ms", mbps[0],
      mbps[1], rtt, noise);
  case_link (config, (uint64_t) (mbps[0] * 1e6), RC_SECOND, 2 * PHASE_S);
  config->links[0].jitter_mean = noise * RC_MSEC;
  /* A run has its own place of the fall between two frames and two reports. */
  case_step (config, PHASE_S + (double) (config->seed % 8) * 0.0125, (uint64_t) (mbps[1] * 1e6));
  case_media (config, rtt)->source.lag = QUICK_LAG;
}

static void
measure_frames (const Loop *loop, const LoopConfig *config, double *values)
{
  CaseSpan spans[CASE_MAX_SPANS];

  case_spans (config, spans);
  values[0] = case_use (loop, config, &spans[0]);
  values[1] = loop_frame_ms (loop, 0.95, CASE_SETTLE_S, PHASE_S);
  values[2] = loop_frame_ms (loop, 0.95, PHASE_S, PHASE_S + AFTER_S);
  values[3] = loop_frame_ms (loop, 1, PHASE_S, PHASE_S + AFTER_S);
  values[4] = loop_queue_ms (loop, 1, PHASE_S, PHASE_S + AFTER_S);
  values[5] = loop_served_bps (loop, 0, PHASE_S, PHASE_S + AFTER_S)
      / loop_capacity_bps (loop, PHASE_S, PHASE_S + AFTER_S);
  values[6] = loop_frame_ms (loop, 0.95, PHASE_S + AFTER_S, 2 * PHASE_S);
}

const LoopSet loop_set_frames = {
  "frames", "one flow, an encoder that follows within a frame; the time of frames from encoder to "
      "receiver: before a fall of the capacity, for 4 s after it (with queue and use), and then",
  CASE_N (falls_mbps) * CASE_N (rtts_ms) * 2,
  { { "use", 3, SET_MEAN }, { "p95_ms", 0, SET_MEAN }, { "fall_p95", 0, SET_MEAN | SET_MOST },
    { "fall_max", 0, SET_MEAN | SET_MOST }, { "queue_ms", 0, SET_MEAN | SET_MOST },
    { "fall_use", 3, SET_MEAN | SET_LEAST }, { "then_p95", 0, SET_MEAN | SET_MOST } },
  fill_frames, measure_frames,
};
