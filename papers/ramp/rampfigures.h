/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The RAMP paper's experiments in virtual time: the same code makes the plots and is tested
 * against the figures. */
#pragma once

#include "ramplink.h"

/* --- step response (Fig. 5 and 6) --- */

#define STEP_SAMPLES 1000       /* of 10 ms */

typedef struct
{
  double requirement_bps[STEP_SAMPLES], allocation_bps[STEP_SAMPLES], fill_bytes[STEP_SAMPLES];
  unsigned n;
} StepTrace;

typedef struct
{
  double response_s;            /* 10 % to 90 % of the step */
  double settling_s;            /* until it stays within 5 % of the new value */
  double overshoot_ratio;       /* of the step's height */
  /* area B: the most that the overshoot puts into the buffer of a full link of 10 Mbit/s */
  double buffer_s;
} StepFigures;

/* A queue served at the allocation, as a fluid; the allocation takes effect `dead_samples`
 * later. loop_gain: g. */
void step_fluid (StepTrace *trace, double loop_gain, unsigned dead_samples, double from_bps,
    double to_bps);
/* The whole scheduler, with packets, on an idle link of 10 Mbit/s; rates: one value each second,
 * n of them. */
void step_packets (StepTrace *trace, World *world, WorldPacket *memory, const double *rates_bps,
    unsigned n);
/* Steps up and down, of 1 Mbit/s. */
#define FIGURE_5_SECONDS 10
extern const double figure_5_bps[FIGURE_5_SECONDS];

/* Of the step at `at_s` to the value that holds for `span_s`. */
StepFigures step_figures (const StepTrace *trace, double at_s, double span_s);

/* --- isolation (Fig. 4) --- */

typedef enum
{
  SHARING_ALONE,                /* first come, first served, no other flow: what the video needs */
  SHARING_RAMP_PAPER,           /* 16 kB, period 0.1 ms, no borrowing */
  SHARING_RAMP,                 /* 50 ms, borrowing */
  SHARING_FCFS,
} Sharing;

/* A real-rate video beside greedy UDP of 12 Mbit/s on 10 Mbit/s. */
void sharing_start (World *world, WorldPacket *memory, Sharing sharing);
