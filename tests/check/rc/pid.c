/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/sched/pid.h>

#include "claim.h"

#define NEAR(a, b) (fabs ((a) - (b)) < 1e-9)

/* [RAMP eq. 2] */
CLAIM (test_filter_weighs_the_newest_input_with_l)
{
  RcPidParams params = { 0.25, 1, 0, 0 };
  RcPid pid;

  rc_pid_init (&pid);
  fail_unless (NEAR (rc_pid_step (&pid, &params, 8, -100, 100), 2));
  fail_unless (NEAR (rc_pid_step (&pid, &params, 4, -100, 100), 0.25 * 4 + 0.75 * 2));
}

/* [RAMP eq. 3] */
CLAIM (test_output_is_the_sum_of_the_three_parts)
{
  RcPidParams params = { 1, 0.35, 0.005, 0.01 };
  RcPid pid;

  rc_pid_init (&pid);
  fail_unless (NEAR (rc_pid_step (&pid, &params, 100, -1e9, 1e9), 35 + 0.5 + 1));
  fail_unless (NEAR (rc_pid_step (&pid, &params, 60, -1e9, 1e9), 21 + 0.8 - 0.4));
}

CLAIM (test_integral_stops_at_the_limit_and_leaves_it_at_once)
{
  RcPidParams params = { 1, 0, 0.1, 0 };
  RcPid pid;
  int i;

  rc_pid_init (&pid);
  for (i = 0; i < 1000; i++)
    rc_pid_step (&pid, &params, 10, 0, 5);
  /* x87 has more digits. */
  fail_unless (params.i_gain * pid.sum <= 5 || NEAR (params.i_gain * pid.sum, 5));
  for (i = 0; i < 10; i++)
    rc_pid_step (&pid, &params, -10, 0, 5);
  fail_unless (rc_pid_step (&pid, &params, 0, 0, 5) < 0.1);
  for (i = 0; i < 1000; i++)
    rc_pid_step (&pid, &params, -10, 0, 5);
  fail_unless (rc_pid_step (&pid, &params, 10, 0, 5) > 0);
}

CLAIM (test_preloaded_output_holds_without_input)
{
  RcPidParams params = { 0.5, 0.35, 0.005, 0.01 };
  RcPid pid;

  rc_pid_preload (&pid, &params, 1234);
  fail_unless (NEAR (rc_pid_step (&pid, &params, 0, 0, 1e9), 1234));
}
