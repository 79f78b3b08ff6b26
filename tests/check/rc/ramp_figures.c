/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The paper's figures as numbers: docs/ramp-figures.md. */
#include "claim.h"
#include "rampfigures.h"

#include <math.h>

#define MBIT 1e6
#define PAPER_GAIN 0.12         /* with PAPER_DEAD_SAMPLES: what reproduces Fig. 6 */
#define PAPER_DEAD_SAMPLES 15

static World worlds[2];
static WorldPacket memory[2][WORLD_FLOWS * WORLD_PACKETS];
static StepTrace trace;

/* [RAMP fig. 6] response 150 ms, settling 1 s, overshoot 65 %, less than 50 ms of device buffer */
CLAIM (test_fig6_paper_figures_need_a_dead_time)
{
  StepFigures f;

  step_fluid (&trace, PAPER_GAIN, PAPER_DEAD_SAMPLES, MBIT, 2 * MBIT);
  f = step_figures (&trace, 0.1, 9);
  fail_unless (fabs (f.response_s - 0.15) < 0.03, "response %g s", f.response_s);
  fail_unless (fabs (f.settling_s - 1.0) < 0.2, "settling %g s", f.settling_s);
  fail_unless (f.overshoot_ratio > 0.5 && f.overshoot_ratio < 0.8,
      "overshoot %g", f.overshoot_ratio);
  fail_unless (f.buffer_s > 0 && f.buffer_s < 0.050, "buffer %g s", f.buffer_s);
}

CLAIM (test_fig6_without_dead_time_there_is_little_overshoot)
{
  RcRampMonitorParams params = RC_RAMP_MONITOR_PARAMS_DEFAULT;
  static const gdouble heights[] = { 1.2, 2, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (heights); i++) {
    StepFigures f;

    step_fluid (&trace, params.loop_gain, 0, MBIT, heights[i] * MBIT);
    f = step_figures (&trace, 0.1, 9);
    fail_unless (f.response_s <= 0.2 && f.response_s > 0.05, "response %g s", f.response_s);
    fail_unless (f.settling_s <= 1.0, "settling %g s", f.settling_s);
    fail_unless (f.overshoot_ratio <= 0.15 && f.overshoot_ratio > 0,
        "overshoot %g", f.overshoot_ratio);
  }
}

/* [RAMP fig. 5] with packets and the dispatcher: every step up and down is followed as in the
 * fluid */
CLAIM (test_fig5_allocation_follows_every_step)
{
  static const gdouble steps[] = { 1, 3, 5, 7 };

  step_packets (&trace, &worlds[0], memory[0], figure_5_bps, FIGURE_5_SECONDS);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++) {
    StepFigures f = step_figures (&trace, steps[i], 2);

    fail_unless (f.response_s <= 0.2, "step at %g s: response %g s", steps[i], f.response_s);
    fail_unless (f.settling_s <= 1.2, "step at %g s: settling %g s", steps[i], f.settling_s);
    fail_unless (f.overshoot_ratio <= 0.2,
        "step at %g s: overshoot %g", steps[i], f.overshoot_ratio);
  }
}

/* Accumulated allocation minus what the video has when it is alone, over what it has. */
static gdouble
error_after_a_minute (Sharing sharing)
{
  sharing_start (&worlds[0], memory[0], SHARING_ALONE);
  sharing_start (&worlds[1], memory[1], sharing);
  world_run (&worlds[0], 60 * RC_SECOND);
  world_run (&worlds[1], 60 * RC_SECOND);
  return ((gdouble) worlds[1].flows[0].sent_bytes - (gdouble) worlds[0].flows[0].sent_bytes) /
      (gdouble) worlds[0].flows[0].sent_bytes;
}

/* [RAMP fig. 4] */
CLAIM (test_fig4_error_stays_near_zero_with_ramp_and_departs_with_fcfs)
{
  fail_unless (fabs (error_after_a_minute (SHARING_RAMP_PAPER)) < 0.01);
  fail_unless ((gdouble) worlds[1].flows[1].sent_bytes * 8 / 60 > 8.3 * MBIT);
  fail_unless (fabs (error_after_a_minute (SHARING_RAMP)) < 0.001);
  fail_unless ((gdouble) worlds[1].flows[1].sent_bytes * 8 / 60 > 8.3 * MBIT);
  fail_unless (error_after_a_minute (SHARING_FCFS) < -0.10);
}
