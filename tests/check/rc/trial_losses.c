/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/law/trial.h>

#include "claim.h"

#define SLOT (1500 * RC_MSEC)    /* trials begin in odd ones */
#define START (7 * SLOT)
#define REPORT (50 * RC_MSEC)
#define REPORT_PKTS 20.0
#define REACTION_S 0.2
#define BPS 4e6

enum { HOLD = 0, OVER = 2 };

static RcTrial trial;
static RcTime now;
static gdouble used;            /* share of the rate that the source makes */

BEFORE_EACH
{
  rc_trial_init (&trial);
  now = START;
  used = 1;
}

/* x */
static gdouble
rate_bps (void)
{
  gdouble bps = rc_trial_rate_bps (&trial, now);

  return bps > 0 ? bps : trial.before_bps;
}

/* Of a radio that loses so much, before a policer that lets policed_bps through; 0: none. */
static gdouble
lost_ratio (gdouble radio, gdouble policed_bps, gdouble bps)
{
  gdouble passes = policed_bps > 0 ? MIN (1, policed_bps / bps) : 1;

  return 1 - (1 - radio) * passes;
}

static RcTrialVerdict
report (gdouble lost_pkts, gdouble pkts)
{
  return rc_trial_add_losses (&trial, lost_pkts, pkts - lost_pkts,
      used * rate_bps () * (1 - lost_pkts / pkts) * rc_time_to_s (REPORT),
      REACTION_S, now);
}

static RcTrialVerdict
run (gdouble radio, gdouble policed_bps)
{
  RcTrialVerdict verdict = RC_TRIAL_PENDING;
  RcTime begun_at = now;

  rc_trial_begin_losses (&trial, BPS, now);
  for (guint i = 0; i < 400 && verdict == RC_TRIAL_PENDING; i++, now += REPORT) {
    gdouble lost = REPORT_PKTS * lost_ratio (radio, policed_bps,
        used * rate_bps ());

    verdict = report (lost, REPORT_PKTS);
  }
  fail_unless (verdict != RC_TRIAL_PENDING);
  fail_unless_equals_int (trial.half, OVER);
  fail_unless (now - begun_at < 10 * RC_SECOND);
  return verdict;
}

CLAIM (test_losses_of_a_radio_are_the_radios)
{
  const gdouble ratios[] = { 0.03, 0.05, 0.1, 0.2, 0.3, 0.38 };

  for (guint i = 0; i < G_N_ELEMENTS (ratios); i++) {
    rc_trial_init (&trial);
    now = START;
    fail_unless_equals_int (run (ratios[i], 0), RC_TRIAL_RADIO);
    fail_unless (ABS (trial.radio_ratio - ratios[i]) < 1e-6);
    fail_unless (rate_bps () == BPS);
  }
}

CLAIM (test_losses_of_a_policer_are_ours)
{
  const gdouble passes[] = { 0.97, 0.95, 0.9, 0.8, 0.7, 0.62 };

  for (guint i = 0; i < G_N_ELEMENTS (passes); i++) {
    rc_trial_init (&trial);
    now = START;
    fail_unless_equals_int (run (0, passes[i] * BPS), RC_TRIAL_OURS);
    fail_unless (ABS (trial.passed_bps - passes[i] * BPS) < 1e-3 * BPS);
  }
}

/* Its source makes less than x. */
CLAIM (test_a_policer_lets_through_what_comes)
{
  used = 0.9;
  fail_unless_equals_int (run (0, 0.8 * BPS), RC_TRIAL_OURS);
  fail_unless (ABS (trial.passed_bps - 0.8 * BPS) < 1e-3 * BPS);
}

CLAIM (test_a_policer_behind_a_radio_is_found)
{
  fail_unless_equals_int (run (0.05, 0.8 * BPS), RC_TRIAL_OURS);
}

CLAIM (test_the_rate_stays_then_falls_by_a_quarter_at_most)
{
  gdouble least = BPS;

  rc_trial_begin_losses (&trial, BPS, now);
  for (guint i = 0; i < 100; i++, now += REPORT) {
    report (8, 20);
    least = MIN (least, rate_bps ());
    if (now - START <= rc_time_from_s (REACTION_S))
      fail_unless (least == BPS);
  }
  fail_unless (least == 0.75 * BPS);
}

CLAIM (test_losses_of_the_radio_are_known_until_there_are_more)
{
  fail_if (rc_trial_knows (&trial, 0.1));
  run (0.1, 0);
  fail_unless (rc_trial_knows (&trial, 0.05));
  fail_unless (rc_trial_knows (&trial, 0.15));
  fail_if (rc_trial_knows (&trial, 0.2));
  run (0, 0.8 * BPS);
  fail_if (rc_trial_knows (&trial, 0.1));
}

CLAIM (test_a_trial_that_contradicts_a_policer_must_do_so_twice)
{
  run (0, 0.8 * BPS);
  fail_unless_equals_int (run (0.1, 0), RC_TRIAL_RADIO);
  fail_if (rc_trial_knows (&trial, 0.1));
  fail_unless_equals_int (run (0.1, 0), RC_TRIAL_RADIO);
  fail_unless (rc_trial_knows (&trial, 0.1));
}

static gboolean
is_due (gdouble loss_ratio, RcTime utc)
{
  return rc_trial_is_due (&trial, loss_ratio, REPORT_PKTS * RC_SECOND / REPORT, utc);
}

/* The first of the next 100 s at which a share of so many losses is tried, or RC_TIME_NONE. */
static RcTime
next_trial (gdouble loss_ratio)
{
  for (RcTime wait = 0; wait < 100 * RC_SECOND; wait += REPORT)
    if (is_due (loss_ratio, now + wait))
      return wait;
  return RC_TIME_NONE;
}

CLAIM (test_the_next_trial_waits_unless_more_is_lost)
{
  fail_unless (is_due (0.1, now));
  fail_if (is_due (0.01, now));
  run (0.1, 0);
  fail_if (is_due (0.12, now));
  fail_unless (is_due (0.2, now));
  fail_unless (next_trial (0.12) < 12 * RC_SECOND);
  for (guint i = 0; i < 3; i++)
    run (0.1, 0);
  now += 98 * RC_SECOND - now % (96 * RC_SECOND);
  fail_unless (next_trial (0.12) > 40 * RC_SECOND && next_trial (0.12) < 48 * RC_SECOND);
  run (0, 0.8 * BPS);
  fail_unless (is_due (0.12, now));
}

/* Of 2 % of 100 packets a second a slot has three losses: such trials held x for two thirds of the
 * time, and found nothing. */
CLAIM (test_a_trial_that_would_count_few_losses_is_not_begun)
{
  fail_if (rc_trial_is_due (&trial, 0.025, 100, now));
  fail_unless (rc_trial_is_due (&trial, 0.025, 200, now));
  fail_unless (rc_trial_is_due (&trial, 0.05, 100, now));
}

/* Whenever they began to count, and whatever they have found before. */
CLAIM (test_all_flows_lower_their_rates_at_once)
{
  for (guint pause = 0; pause < 4; pause++)
    for (guint begin = 0; begin < 60; begin++) {
      rc_trial_init (&trial);
      now = START;
      for (guint i = 0; i < pause; i++)
        run (0.1, 0);
      now = 96 * RC_SECOND + begin * REPORT;
      now += next_trial (0.12);
      rc_trial_begin_losses (&trial, BPS, now);
      while (trial.half == HOLD) {
        now += REPORT;
        report (2, 20);
      }
      fail_unless (now / SLOT % (2 << (pause > 0 ? pause + 1 : 0)) == 0, "%u %u", pause, begin);
      fail_unless (now % SLOT < REPORT);
    }
}

CLAIM (test_the_rate_rests_at_what_a_policer_lets_through)
{
  fail_if (rc_trial_rests (&trial, now));
  run (0, 0.8 * BPS);
  fail_unless (rc_trial_rests (&trial, now + 5 * RC_SECOND));
  fail_if (rc_trial_rests (&trial, now + 6 * RC_SECOND));
  run (0.1, 0);
  fail_if (rc_trial_rests (&trial, now));
}

CLAIM (test_growth_is_slow_near_what_a_policer_lets_through)
{
  fail_if (rc_trial_is_near (&trial, BPS, 0.1));
  run (0, 0.8 * BPS);
  fail_unless (rc_trial_is_near (&trial, 0.9 * BPS, 0));
  fail_if (rc_trial_is_near (&trial, BPS, 0));
  fail_unless (rc_trial_is_near (&trial, BPS, 0.1));
  run (0.1, 0);
  fail_if (rc_trial_is_near (&trial, BPS, 0.1));
}

/* A tenth is lost of what is sent at x_0, and lower_pkts of 1000 at x_1; events are large. */
static RcTrialVerdict
verdict_of (gdouble lower_pkts)
{
  RcTrialVerdict verdict = RC_TRIAL_PENDING;

  rc_trial_begin_losses (&trial, BPS, now);
  for (; verdict == RC_TRIAL_PENDING; now += REPORT)
    verdict = report (trial.half == HOLD ? 100 : lower_pkts, 1000);
  return verdict;
}

CLAIM (test_a_change_within_chance_is_the_radios)
{
  fail_unless_equals_int (verdict_of (95), RC_TRIAL_RADIO);
}

/* Less by 38 %, where a policer takes all of it, and chance 41 %. */
CLAIM (test_a_change_that_may_be_either_is_asked_again)
{
  fail_unless_equals_int (verdict_of (62), RC_TRIAL_UNKNOWN);
  fail_if (rc_trial_knows (&trial, 0.05));
  fail_unless_equals_int (trial.level, 1);
  fail_unless (rate_bps () == BPS);
}

CLAIM (test_losses_that_have_gone_need_no_trial)
{
  rc_trial_begin_losses (&trial, BPS, now);
  for (guint i = 0; i < 100; i++, now += REPORT)
    fail_unless_equals_int (report (0, 20), RC_TRIAL_PENDING);
  fail_unless_equals_int (trial.half, OVER);
  fail_unless (rate_bps () == BPS);
}
