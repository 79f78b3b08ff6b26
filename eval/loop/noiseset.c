/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <stdio.h>

#include "caseparts.h"
#include "sets.h"

#define FROM_S 10               /* start-up is another set */
#define LENGTH_S 40
#define QUEUE_MS 300

static const unsigned rtt_ms[] = { 20, 50, 100 };

static void
one_flow (LoopConfig *config, unsigned mbps, unsigned rtt)
{
  case_link (config, mbps * CASE_MBPS, QUEUE_MS * RC_MSEC, LENGTH_S);
  case_media (config, rtt);
}

static void
measure_noise (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = case_carried (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.50, FROM_S, to_s);
  values[2] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
}

#define NOISE_COLUMNS \
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p50_ms", 1, SET_MEAN | SET_MOST }, \
    { "p95_ms", 1, SET_MEAN | SET_MOST } }

/* --- jitter --- */

static const unsigned jitter_mbps[] = { 1, 4, 10, 40 };
static const unsigned jitter_ms[] = { 5, 10, 20, 30 };

static void
fill_noise (unsigned index, SetCase *self)
{
  unsigned jitter = CASE_PICK (jitter_ms, &index), rtt = CASE_PICK (rtt_ms, &index);
  unsigned mbps = jitter_mbps[index];

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, RTT %3u ms, jitter sd %2u ms", mbps, rtt,
      jitter);
  one_flow (&self->config, mbps, rtt);
  self->config.links[0].jitter_sd = jitter * RC_MSEC;
}

const LoopSet loop_set_noise = {
  "noise", "one flow, half-normal jitter that keeps the order of packets, from 10 to 40 s",
  CASE_N (jitter_mbps) * CASE_N (rtt_ms) * CASE_N (jitter_ms), NOISE_COLUMNS,
  fill_noise, measure_noise,
};

/* --- other jitter --- */

static const struct
{
  const char *name;
  bool exponential, overtakes;
} other_kinds[] = {
  { "exponential, in order", true, false },
  { "exponential, overtaking", true, true },
  { "half-normal, overtaking", false, true },
};
static const unsigned other_ms[] = { 5, 10, 20 };

static void
fill_reorder (unsigned index, SetCase *self)
{
  unsigned ms = CASE_PICK (other_ms, &index), mbps = CASE_PICK (jitter_mbps, &index);
  LinkParams *link = &self->config.links[0];

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, RTT 50 ms, %2u ms %s", mbps, ms,
      other_kinds[index].name);
  one_flow (&self->config, mbps, 50);
  *(other_kinds[index].exponential ? &link->jitter_mean : &link->jitter_sd) = ms * RC_MSEC;
  link->overtakes = other_kinds[index].overtakes;
}

const LoopSet loop_set_reorder = {
  "reorder", "the same, exponential jitter (by its mean), jitter that lets packets overtake",
  CASE_N (other_kinds) * CASE_N (jitter_mbps) * CASE_N (other_ms), NOISE_COLUMNS,
  fill_reorder, measure_noise,
};

/* --- stalls --- */

static const unsigned stall_mbps[] = { 1, 4, 10 };
static const struct
{
  unsigned length_ms, mean_ms;
} stalls[] = { { 30, 200 }, { 60, 500 }, { 100, 1000 } };

static void
stall_link (LinkParams *link, unsigned mbps, unsigned stall)
{
  link->stall_length = stalls[stall].length_ms * RC_MSEC;
  link->stall_mean = stalls[stall].mean_ms * RC_MSEC;
  link->queue_time = 0;
  link->queue_bytes = mbps * CASE_MBPS / 8 * QUEUE_MS / 1000;
}

static void
fill_stalls (unsigned index, SetCase *self)
{
  unsigned stall = case_axis (&index, CASE_N (stalls)), rtt = CASE_PICK (rtt_ms, &index);
  unsigned mbps = stall_mbps[index];

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, RTT %3u ms, stalls %3u ms each %4u ms",
      mbps, rtt, stalls[stall].length_ms, stalls[stall].mean_ms);
  one_flow (&self->config, mbps, rtt);
  stall_link (&self->config.links[0], mbps, stall);
}

const LoopSet loop_set_stalls = {
  "stalls", "one flow, a link that stops now and then; use of what it could carry, from 10 to 40 s",
  CASE_N (stall_mbps) * CASE_N (rtt_ms) * CASE_N (stalls), NOISE_COLUMNS,
  fill_stalls, measure_noise,
};

/* --- hosts --- */

#define PAUSED_MBPS 10
#define PAUSED_RTT_MS 50
#define PAUSED_JITTER (10 * RC_MSEC)
#define PAUSED_STALL 1

static const char *const paused_links[] = { "steady", "jitter 10 ms, overtaking", "stalls 60/500" };
static const struct
{
  unsigned length_ms, mean_ms;
} pauses[] = { { 0, 1 }, { 10, 50 }, { 60, 400 }, { 200, 1000 } };

static void
fill_pauses (unsigned index, SetCase *self)
{
  unsigned pause = case_axis (&index, CASE_N (pauses));
  LinkParams *link = &self->config.links[0];
  LoopFlowConfig *flow = &self->config.flows[0];

  snprintf (self->name, sizeof self->name, "%-24s, pauses %3u ms each %4u ms", paused_links[index],
      pauses[pause].length_ms, pauses[pause].mean_ms);
  one_flow (&self->config, PAUSED_MBPS, PAUSED_RTT_MS);
  if (index == 1) {
    link->jitter_mean = PAUSED_JITTER;
    link->overtakes = true;
  } else if (index == 2) {
    stall_link (link, PAUSED_MBPS, PAUSED_STALL);
  }
  flow->pause_length = pauses[pause].length_ms * RC_MSEC;
  flow->pause_mean = pauses[pause].mean_ms * RC_MSEC;
}

const LoopSet loop_set_pauses = {
  "pauses", "one flow, 10 Mbit/s, RTT 50 ms; sender and receiver stand still, each at its times",
  CASE_N (paused_links) * CASE_N (pauses), NOISE_COLUMNS,
  fill_pauses, measure_noise,
};
