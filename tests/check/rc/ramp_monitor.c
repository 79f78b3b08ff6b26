/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/sched/ramp_monitor.h>

#include "claim.h"

#define MBIT 1e6
#define TS (10 * RC_MSEC)

static const RcRampMonitorParams params = RC_RAMP_MONITOR_PARAMS_DEFAULT;
static const RcRampTarget paper_target = { 16384, 0 };

/* A queue that is served at exactly what the monitor asks for. */
typedef struct
{
  RcRampMonitor monitor;
  RcRampTarget target;
  gdouble waiting_bytes, allocation_bps, max_bps;
} Loop;

static void
loop_init (Loop * loop, RcRampTarget target, gdouble rate_bps)
{
  *loop = (Loop) {.target = target,.allocation_bps = rate_bps,.max_bps = 1e9 };
  rc_ramp_monitor_init (&loop->monitor);
  rc_ramp_monitor_preload (&loop->monitor, &params, &target, rate_bps);
  loop->waiting_bytes = loop->monitor.fill_bytes;
}

static void
loop_step (Loop * loop, gdouble bytes)
{
  RcRampReading reading = {.arrived_bytes = (guint64) bytes,.allocation_bps = loop->allocation_bps,
      .span = TS };

  loop->waiting_bytes += bytes - loop->allocation_bps / 8 * rc_time_to_s (TS);
  loop->waiting_bytes = MAX (loop->waiting_bytes, 0);
  reading.waiting_bytes = (guint64) loop->waiting_bytes;
  loop->allocation_bps =
      rc_ramp_monitor_sample (&loop->monitor, &params, &loop->target, &reading, loop->max_bps);
}

static void
loop_run (Loop * loop, gdouble rate_bps, RcTime span)
{
  for (RcTime t = 0; t < span; t += TS)
    loop_step (loop, rate_bps / 8 * rc_time_to_s (TS));
}

/* [RAMP eq. 1] */
CLAIM (test_requirement_rises_above_the_target_and_falls_below_it)
{
  RcRampReading reading = {.allocation_bps = MBIT,.arrived_bytes = 1250,.span = TS };
  RcRampMonitor monitor;

  for (gint sign = -1; sign <= 1; sign += 2) {
    rc_ramp_monitor_init (&monitor);
    rc_ramp_monitor_preload (&monitor, &params, &paper_target, MBIT);
    reading.waiting_bytes = (guint64) (16384 + sign * 4000);
    rc_ramp_monitor_sample (&monitor, &params, &paper_target, &reading, 1e9);
    fail_unless (sign * (monitor.requirement_bps - MBIT) > 0.1 * MBIT,
        "%g", monitor.requirement_bps);
  }
}

CLAIM (test_at_the_target_the_requirement_is_the_rate)
{
  Loop loop;

  loop_init (&loop, paper_target, 0.3 * MBIT);
  loop_run (&loop, 2 * MBIT, 10 * RC_SECOND);
  fail_unless (fabs (loop.monitor.requirement_bps / MBIT - 2) < 0.001);
  fail_unless (fabs (loop.waiting_bytes - 16384) < 20, "%g", loop.waiting_bytes);
}

CLAIM (test_a_target_in_time_is_the_same_delay_at_any_rate)
{
  static const gdouble rates[] = { 0.15 * MBIT, 2 * MBIT, 40 * MBIT };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    RcRampTarget target = { 0, 50 * RC_MSEC };
    Loop loop;

    loop_init (&loop, target, MBIT);
    loop_run (&loop, rates[i], 20 * RC_SECOND);
    fail_unless (fabs (loop.waiting_bytes * 8 / rates[i] / 0.050 - 1) < 0.02,
        "%g bit/s: %g s", rates[i], loop.waiting_bytes * 8 / rates[i]);
  }
}

/* It sees no queue, since the link has bandwidth to spare. */
CLAIM (test_need_shows_though_nothing_ever_waits)
{
  RcRampTarget target = { 0, 50 * RC_MSEC };
  RcRampMonitor monitor;
  gdouble sum_bps = 0;
  guint i;

  rc_ramp_monitor_init (&monitor);
  for (i = 0; i < 1000; i++) {
    RcRampReading reading = {.arrived_bytes = i % 4 == 0 ? 5000 : 0,.mean_arrived_bytes =
      i % 4 == 0 ? 2500 : 0,.allocation_bps = monitor.requirement_bps,
      .borrows = TRUE,.span = TS
    };

    rc_ramp_monitor_sample (&monitor, &params, &target, &reading, 1e9);
    sum_bps += i < 500 ? 0 : monitor.requirement_bps;
  }
  fail_unless (fabs (sum_bps / 500 / MBIT - 1) < 0.03, "%g", sum_bps / 500);
}

CLAIM (test_a_silent_flow_comes_back_at_its_old_rate)
{
  Loop loop;

  loop_init (&loop, paper_target, 2 * MBIT);
  loop_run (&loop, 2 * MBIT, 5 * RC_SECOND);
  loop_run (&loop, 0, 20 * RC_SECOND);
  fail_unless (loop.allocation_bps > 1.2 * MBIT, "%g", loop.allocation_bps);
  loop_run (&loop, 2 * MBIT, 150 * RC_MSEC);
  fail_unless (loop.waiting_bytes < 2 * 16384);
}

CLAIM (test_requirement_is_between_zero_and_its_maximum)
{
  Loop loop;

  loop_init (&loop, paper_target, MBIT);
  loop.max_bps = 3 * MBIT;
  for (guint i = 0; i < 500; i++) {
    loop_step (&loop, i < 250 ? 100000 : 0);
    fail_unless (loop.allocation_bps >= 0 && loop.allocation_bps <= 3 * MBIT);
  }
}

/* For ten seconds it gets half; then all that it asks for. */
CLAIM (test_integral_does_not_wind_up_in_overload)
{
  Loop loop;
  gdouble most = 0;

  loop_init (&loop, paper_target, 2 * MBIT);
  for (guint i = 0; i < 1000; i++) {
    RcRampReading reading = {.waiting_bytes = 40000,.arrived_bytes = 2500,.dropped_bytes = 1250,
        .allocation_bps = MBIT, .limited = TRUE,.span = TS };

    rc_ramp_monitor_sample (&loop.monitor, &params, &loop.target, &reading, 1e9);
  }
  loop.waiting_bytes = 16384;
  loop.allocation_bps = loop.monitor.requirement_bps;
  for (guint i = 0; i < 300; i++) {
    loop_step (&loop, 2500);
    most = MAX (most, i < 5 ? 0 : loop.allocation_bps);
  }
  fail_unless (most < 3.5 * MBIT, "%g", most);
  fail_unless (fabs (loop.allocation_bps / MBIT - 2) < 0.1, "%g", loop.allocation_bps);
}

CLAIM (test_what_is_dropped_is_not_needed)
{
  RcRampTarget target = { 0, 50 * RC_MSEC };
  RcRampMonitor monitor;

  rc_ramp_monitor_init (&monitor);
  rc_ramp_monitor_preload (&monitor, &params, &target, MBIT);
  for (guint i = 0; i < 1000; i++) {
    RcRampReading reading = {.arrived_bytes = 2500,.dropped_bytes = 1250,.mean_arrived_bytes = 1250,
      .allocation_bps = monitor.requirement_bps,.borrows = TRUE,.span = TS
    };

    rc_ramp_monitor_sample (&monitor, &params, &target, &reading, 1e9);
  }
  fail_unless (fabs (monitor.requirement_bps / MBIT - 1) < 0.03, "%g", monitor.requirement_bps);
}

CLAIM (test_a_new_flow_needs_its_arrival_rate_at_once)
{
  RcRampTarget target = { 0, 10 * RC_MSEC };
  RcRampMonitor monitor;

  rc_ramp_monitor_init (&monitor);
  for (guint i = 0; i < 20; i++) {
    RcRampReading reading = {.arrived_bytes = i % 2 == 0 ? 200 : 0,.mean_arrived_bytes =
      i % 2 == 0 ? 100 : 0,.allocation_bps = monitor.requirement_bps,
      .borrows = TRUE,.span = TS
    };

    rc_ramp_monitor_sample (&monitor, &params, &target, &reading, 1e9);
    fail_unless (monitor.requirement_bps > 79e3 && monitor.requirement_bps < 161e3,
        "sample %u: %g", i, monitor.requirement_bps);
  }
}
