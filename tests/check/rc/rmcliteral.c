/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loop of the RMC paper as printed: papers/rmc/rmcliteral.c. */

#include <math.h>

#include "claim.h"
#include "rmcliteral.h"

#define MTU 1500

/* Sends all that may go at `now`; returns the number of packets. */
static guint
sample (RmcLiteral * loop, RcTime now)
{
  guint n = 0;

  for (; rmc_literal_due_at (loop, MTU, now) <= now; n++)
    rmc_literal_on_sent (loop, MTU);
  return n;
}

/* [RMC eq. 10] 12 Mbit/s for 10 ms are ten packets */
CLAIM (test_a_sample_sends_kr_times_what_is_missing)
{
  RmcLiteral loop;

  rmc_literal_init (&loop, 1, RC_MSEC, 12000000, 0);
  fail_unless_equals_int (sample (&loop, 0), 0);
  fail_unless_equals_int (sample (&loop, 10 * RC_MSEC), 10);
  rmc_literal_init (&loop, 0.5, RC_MSEC, 12000000, 0);
  fail_unless_equals_int (sample (&loop, 10 * RC_MSEC), 5);
  fail_unless_equals_int (sample (&loop, 20 * RC_MSEC), 7);     /* 15 missing */
}

/* [RMC alg. 2] Each stall is repaid at once, whatever its length. */
CLAIM (test_a_stall_is_repaid_in_one_burst)
{
  RmcLiteral loop;

  rmc_literal_init (&loop, 1, RC_MSEC, 12000000, 0);
  fail_unless_equals_int (sample (&loop, RC_SECOND), 1000);
}

/* [RMC alg. 2] sleep (T_s) begins when the burst has gone */
CLAIM (test_it_sleeps_for_ts_after_a_sample)
{
  RmcLiteral loop;

  rmc_literal_init (&loop, 1, 5 * RC_MSEC, 12000000, 0);
  fail_unless_equals_int64 (rmc_literal_due_at (&loop, MTU, 0), 5 * RC_MSEC);
  fail_unless_equals_int64 (rmc_literal_due_at (&loop, MTU, 5 * RC_MSEC), 5 * RC_MSEC);
  rmc_literal_on_sent (&loop, MTU);
  for (guint i = 0; i < 4; i++)
    rmc_literal_on_sent (&loop, MTU);
  fail_unless_equals_int64 (rmc_literal_due_at (&loop, MTU, 7 * RC_MSEC), 12 * RC_MSEC);
}

/* [RMC eq. 8] backward Euler: a new rate counts for the interval that just passed */
CLAIM (test_a_new_rate_counts_from_the_last_sample)
{
  RmcLiteral loop;

  rmc_literal_init (&loop, 1, RC_MSEC, 12000000, 0);
  sample (&loop, 0);
  loop.rate_bps = 120000000;
  fail_unless_equals_int (sample (&loop, 10 * RC_MSEC), 100);
}

/* The paper's claim, < 0.06 %, where a third of the wake-ups is late by 30 ms. */
CLAIM (test_late_wakeups_do_not_change_the_rate)
{
  RcTime now = 0;
  guint64 sent = 0;
  RmcLiteral loop;

  rmc_literal_init (&loop, 1, RC_MSEC, 500000000, 0);
  for (guint i = 0; now < 60 * RC_SECOND; i++) {
    sent += sample (&loop, now);
    now = loop.wake_at + (i % 3 == 0 ? 30 * RC_MSEC : 0);
  }
  fail_unless (fabs ((double) sent * MTU * 8 / rc_time_to_s (loop.sampled_at) / 500e6 - 1) < 6e-4);
}
