/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "noiseset.h"

#include <stdio.h>

#define N(array) (sizeof (array) / sizeof *(array))
#define FROM_S 10               /* start-up is another set */
#define LENGTH_S 40

static const unsigned rate_mbps[] = { 1, 4, 10, 40 };
static const unsigned rtt_ms[] = { 20, 50, 100 };
static const unsigned jitter_ms[] = { 5, 10, 20, 30 };

static void
one_flow (LoopConfig *config, unsigned mbps, unsigned rtt)
{
  config->links[0].rate_bps = mbps * UINT64_C (1000000);
  config->links[0].queue_time = 300 * RC_MSEC;
  config->length = LENGTH_S * RC_SECOND;
  config->n_flows = 1;
  config->flows[0] = (LoopFlowConfig) {
    .limits = { 100000, 500000, 100000000 },
    .source = { .kind = LOOP_VIDEO },
    .path = 1,
    .rtt = rtt * RC_MSEC,
  };
}

static void
fill_noise (unsigned index, SetCase *self)
{
  unsigned jitter = jitter_ms[index % N (jitter_ms)];
  unsigned rtt = rtt_ms[index / N (jitter_ms) % N (rtt_ms)];
  unsigned mbps = rate_mbps[index / N (jitter_ms) / N (rtt_ms)];

  snprintf (self->name, sizeof self->name, "%2u Mbit/s, RTT %3u ms, jitter sd %2u ms", mbps, rtt, jitter);
  one_flow (&self->config, mbps, rtt);
  self->config.links[0].jitter_sd = jitter * RC_MSEC;
}

static void
measure_noise (const Loop *loop, const LoopConfig *config, double *values)
{
  double to_s = rc_time_to_s (config->length);

  values[0] = loop_served_bps (loop, -1, FROM_S, to_s) / loop_capacity_bps (loop, FROM_S, to_s);
  values[1] = loop_queue_ms (loop, 0.50, FROM_S, to_s);
  values[2] = loop_queue_ms (loop, 0.95, FROM_S, to_s);
}

const LoopSet loop_set_noise = {
  "noise", "one flow, jitter that keeps the order of packets, from 10 to 40 s",
  N (rate_mbps) * N (rtt_ms) * N (jitter_ms),
  { { "use", 3, SET_MEAN | SET_LEAST }, { "p50_ms", 1, SET_MEAN | SET_MOST }, { "p95_ms", 1, SET_MEAN | SET_MOST } },
  fill_noise, measure_noise,
};
