/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/law/trial.h>

#include "claim.h"

#define REPORT (20 * RC_MSEC)
#define BEFORE_BPS 1e6
#define FLOOR_BPS 1e5
#define ROUTE (25 * RC_MSEC)

/* A queue that serves first in, first out: ours and what others send. */
typedef struct
{
  double capacity_bps, slope_bps_s;     /* it falls or rises */
  double others_bps;
  double queue_s;               /* when the trial begins */
} Path;

static double
capacity_at (const Path * path, double s)
{
  return MAX (path->capacity_bps + path->slope_bps_s * s, 1e4);
}

/* Each step of 1 ms puts what we and others send into the queue; a report each 20 ms names the
 * packet that came last. */
static RcTrialVerdict
try_on (const Path * path, double floor_bps)
{
  RcTrial trial;
  RcTrialVerdict verdict = RC_TRIAL_PENDING;
  double queued_bits = path->queue_s * path->capacity_bps, bps = 0, received_bits = 0;

  rc_trial_begin_queue (&trial, BEFORE_BPS, floor_bps, 0);
  for (RcTime now = 0; now < 5 * RC_SECOND && verdict == RC_TRIAL_PENDING; now += RC_MSEC) {
    double s = rc_time_to_s (now), c = capacity_at (path, s);
    double wait_s = queued_bits / c;

    if (now % REPORT == 0) {
      bps = rc_trial_rate_bps (&trial, now);
      if (bps <= 0)
        bps = BEFORE_BPS / 2;
      rc_trial_add_packet (&trial, now, now + ROUTE + rc_time_from_s (wait_s),
          (uint64_t) (received_bits / 8), wait_s > 0.01);
      verdict = rc_trial_queue_verdict (&trial, wait_s > 0.01);
    }
    received_bits += bps * 1e-3;
    queued_bits = MAX (0, queued_bits + (bps + path->others_bps - c) * 1e-3);
  }
  return verdict;
}

CLAIMS (test_queue_of_our_own_is_told_whatever_the_capacity_does, 4)
{
  static const Path own[] = {
    {1e6, 0, 0, 1},
    {1e6, -3e5, 0, 0.3},        /* falls on while we try: what once took 37 s */
    {1e6, -8e5, 0, 0.2},
    {1e6, 5e5, 0, 1},
  };

  fail_if (try_on (&own[__i__], FLOOR_BPS) == RC_TRIAL_SHARED);
  fail_if (try_on (&own[__i__], FLOOR_BPS) == RC_TRIAL_PENDING);
}

/* B_1 / B_2 = 1 / (2 - s) */
CLAIMS (test_queue_of_others_is_told_from_a_share_of_a_tenth_to_three_quarters, 4)
{
  static const double shares[] = { 0.1, 0.25, 0.5, 0.75 };
  double share = shares[__i__];
  Path path = { BEFORE_BPS / share, 0, BEFORE_BPS / share - BEFORE_BPS, 0.3 };

  fail_unless_equals_int (try_on (&path, FLOOR_BPS), RC_TRIAL_SHARED);
}

CLAIM (test_flow_that_has_nearly_all_is_alone)
{
  Path path = { BEFORE_BPS / 0.95, 0, BEFORE_BPS / 0.95 - BEFORE_BPS, 0.3 };

  fail_unless_equals_int (try_on (&path, FLOOR_BPS), RC_TRIAL_OURS);
}

/* From then on B is what we send, as beside others. */
CLAIM (test_queue_that_empties_in_the_low_half_was_our_own)
{
  Path path = { BEFORE_BPS, 0, 0, 0.05 };

  fail_unless_equals_int (try_on (&path, FLOOR_BPS), RC_TRIAL_EMPTY);
}

/* There is no lower rate to try: the second half is twice the first. */
CLAIM (test_at_the_floor_the_rate_is_raised_instead)
{
  Path alone = { BEFORE_BPS, 0, 0, 0.5 }, beside = { 5e6, 0, 4e6, 0.5 };
  RcTrial trial;

  fail_unless_equals_int (try_on (&alone, BEFORE_BPS), RC_TRIAL_OURS);
  fail_unless_equals_int (try_on (&beside, BEFORE_BPS), RC_TRIAL_SHARED);
  rc_trial_begin_queue (&trial, BEFORE_BPS, BEFORE_BPS, 0);
  fail_unless_equals_float (rc_trial_rate_bps (&trial, 0), BEFORE_BPS);
  fail_unless_equals_float (rc_trial_rate_bps (&trial, trial.length), 2 * BEFORE_BPS);
}

CLAIM (test_halves_are_short_but_hold_enough_packets)
{
  RcTrial trial;

  rc_trial_begin_queue (&trial, 1e7, FLOOR_BPS, 0);
  fail_unless_equals_int64 (trial.length, 150 * RC_MSEC);
  rc_trial_begin_queue (&trial, 1e5, 0, 0);
  fail_unless_equals_int64 (trial.length, rc_time_from_s (4 * 1200 * 8 / 5e4));
}

/* Of fewer packets no rate can be told: four in a second are tried, then eight. */
CLAIM (test_rate_of_few_packets_is_raised_to_what_shows)
{
  RcTrial trial;

  rc_trial_begin_queue (&trial, 3e3, 188, 0);
  fail_unless_equals_int64 (trial.length, RC_SECOND);
  fail_unless_equals_float (rc_trial_rate_bps (&trial, 0), RC_TRIAL_LEAST_BPS);
  fail_unless_equals_float (rc_trial_rate_bps (&trial, RC_SECOND),
      2 * RC_TRIAL_LEAST_BPS);
}

CLAIM (test_nothing_delivered_is_no_rate_to_divide_by)
{
  RcTrial trial;

  rc_trial_begin_queue (&trial, 0, 0, 0);
  fail_unless (trial.low_bps > 0 && trial.length > 0 && trial.length < 60 * RC_SECOND);
}

/* Counters that fall back, times that stand still: whatever a report says. */
CLAIM (test_false_reports_give_a_verdict)
{
  RcTrial trial;

  rc_trial_begin_queue (&trial, BEFORE_BPS, FLOOR_BPS, 0);
  for (RcTime now = 0; now < RC_SECOND; now += REPORT) {
    rc_trial_rate_bps (&trial, now);
    rc_trial_add_packet (&trial, now, 7 * RC_SECOND, (uint64_t) (RC_SECOND - now), TRUE);
  }
  fail_unless_equals_int (rc_trial_queue_verdict (&trial, TRUE), RC_TRIAL_OURS);
}

/* 0.8 B; d is looked at each 250 ms, and counts once the round trip of 50 ms has passed. */
CLAIM (test_drain_ends_when_the_queue_stays)
{
  const gdouble slopes[] = { 0.2, 0.05, 0, -0.1 };      /* s each second */

  for (guint i = 0; i < G_N_ELEMENTS (slopes); i++) {
    RcTrialVerdict verdict = RC_TRIAL_PENDING;
    RcTrial trial;
    RcTime now;

    rc_trial_begin_drain (&trial, BEFORE_BPS, 1, 0);
    fail_unless_equals_float (rc_trial_rate_bps (&trial, 0), 0.8 * BEFORE_BPS);
    for (now = 0; now < 3 * RC_SECOND && verdict == RC_TRIAL_PENDING; now += REPORT) {
      gdouble delay_s = 1 - slopes[i] * rc_time_to_s (now);

      verdict = rc_trial_add_delay (&trial, delay_s, delay_s > 0.5, 0.05, now);
    }
    fail_unless_equals_int (verdict, slopes[i] <= 0 ? RC_TRIAL_SHARED : RC_TRIAL_PENDING);
    fail_unless (verdict == RC_TRIAL_PENDING || now < 300 * RC_MSEC);
    fail_unless_equals_float (rc_trial_rate_bps (&trial, now), 0.8 * BEFORE_BPS);
  }
}
