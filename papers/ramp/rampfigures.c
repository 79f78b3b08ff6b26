/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rampfigures.h"

#include <math.h>

#define TS (10 * RC_MSEC)
#define LINK_BPS UINT64_C (10000000)
#define STEP_AT 10              /* sample of the fluid step */
#define STEP_PACKET_BYTES 250   /* small, so that the curve shows the loop and not the packets */
#define MAX_DEAD 100
#define FCFS_QUEUE_PKTS 100     /* of a Linux 2.0 interface */

/* --- step response --- */

const double figure_5_bps[FIGURE_5_SECONDS] = { 1e6, 2e6, 2e6, 3e6, 3e6, 2e6, 2e6, 1e6, 1e6, 1e6 };

void
step_fluid (StepTrace *trace, double loop_gain, unsigned dead_samples, double from_bps,
    double to_bps)
{
  RcRampMonitorParams params = RC_RAMP_MONITOR_PARAMS_PAPER;
  RcRampTarget target = { 16384, 0 };
  RcRampMonitor monitor;
  double pipe[MAX_DEAD], served_bps, fill;

  params.loop_gain = loop_gain;
  rc_ramp_monitor_init (&monitor);
  rc_ramp_monitor_preload (&monitor, &params, &target, from_bps);
  fill = target.bytes;
  for (unsigned i = 0; i < dead_samples; i++)
    pipe[i] = from_bps;
  for (trace->n = 0; trace->n < STEP_SAMPLES; trace->n++) {
    unsigned i = trace->n;
    double rate_bps = i < STEP_AT ? from_bps : to_bps, wanted_bps = monitor.requirement_bps;
    RcRampReading reading = { .allocation_bps = wanted_bps, .span = TS };

    served_bps = dead_samples > 0 ? pipe[i % dead_samples] : wanted_bps;
    if (dead_samples > 0)
      pipe[i % dead_samples] = wanted_bps;
    fill = fmax (fill + (rate_bps - served_bps) / 8 * rc_time_to_s (TS), 0);
    reading.arrived_bytes = (uint64_t) (rate_bps / 8 * rc_time_to_s (TS));
    reading.waiting_bytes = (uint64_t) fill;
    rc_ramp_monitor_sample (&monitor, &params, &target, &reading, 1e9);
    trace->requirement_bps[i] = rate_bps;
    trace->allocation_bps[i] = served_bps;
    trace->fill_bytes[i] = fill;
  }
}

void
step_packets (StepTrace *trace, World *world, WorldPacket *memory, const double *rates_bps,
    unsigned n)
{
  RcRampParams params = RC_RAMP_PARAMS_PAPER;
  WorldSource source = { .params = RC_RAMP_FLOW_PARAMS_PAPER, .rate_bps = rates_bps[0],
    .packet_bytes = STEP_PACKET_BYTES
  };
  WorldFlow *flow;

  source.params.flow_class = RC_RAMP_REAL_RATE;
  world_init (world, memory, &params, LINK_BPS);
  flow = world_add (world, &source);
  world_run (world, 20 * RC_SECOND);    /* has settled at the first rate */
  for (trace->n = 0; trace->n < n * 100 && trace->n < STEP_SAMPLES; trace->n++) {
    flow->source.rate_bps = rates_bps[trace->n / 100];
    world_run (world, world->now + TS);
    trace->requirement_bps[trace->n] = flow->source.rate_bps;
    trace->allocation_bps[trace->n] = flow->flow.allocation_bps;
    trace->fill_bytes[trace->n] = (double) flow->flow.waiting_bytes;
  }
}

StepFigures
step_figures (const StepTrace *trace, double at_s, double span_s)
{
  unsigned begin = (unsigned) (at_s * 100 + 0.5), end = begin + (unsigned) (span_s * 100 + 0.5);
  double from = trace->requirement_bps[begin - 1], to = trace->requirement_bps[begin],
      height = to - from;
  double most = 0, surplus_bytes = 0;
  unsigned t10 = 0, t90 = 0, settled = begin;

  for (unsigned i = begin; i < end && i < trace->n; i++) {
    double done = (trace->allocation_bps[i] - from) / height;

    if (t10 == 0 && done >= 0.1)
      t10 = i;
    if (t90 == 0 && done >= 0.9)
      t90 = i;
    most = fmax (most, done - 1);
    if (fabs (trace->allocation_bps[i] - to) > 0.05 * to)
      settled = i + 1;
    surplus_bytes += fmax (trace->allocation_bps[i] - to, 0) / 8 * rc_time_to_s (TS);
  }
  return (StepFigures) {
    (t90 - t10) * 0.01, (settled - begin) * 0.01, most, surplus_bytes * 8 / (double) LINK_BPS
  };
}

/* --- isolation --- */

static WorldSource
video (Sharing sharing)
{
  WorldSource source = { .params = RC_RAMP_FLOW_PARAMS_DEFAULT, .rate_bps = 1.5e6, .frame_interval =
      RC_SECOND / 30, .vbr_ratio = 0.3, .key_every = 60, .key_gain = 4, .packet_bytes = 1500 };

  if (sharing == SHARING_RAMP_PAPER)
    source.params = RC_RAMP_FLOW_PARAMS_PAPER;
  source.params.flow_class = RC_RAMP_REAL_RATE;
  return source;
}

void
sharing_start (World *world, WorldPacket *memory, Sharing sharing)
{
  RcRampParams paper = RC_RAMP_PARAMS_PAPER, ours = RC_RAMP_PARAMS_DEFAULT;
  WorldSource source = video (sharing);
  WorldSource greedy = {
    .params = RC_RAMP_FLOW_PARAMS_PAPER, .rate_bps = 12e6, .frame_interval = 2 * RC_MSEC,
    /* unevenly: regular packets would find every free place before the video */
    .vbr_ratio = 0.5, .packet_bytes = 1500
  };

  world_init (world, memory, sharing == SHARING_RAMP_PAPER ? &paper : &ours, LINK_BPS);
  world->fcfs = sharing == SHARING_FCFS || sharing == SHARING_ALONE;
  world->queue_limit_pkts = FCFS_QUEUE_PKTS;
  world_add (world, &source);
  if (sharing != SHARING_ALONE)
    world_add (world, &greedy);
}
