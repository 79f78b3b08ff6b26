/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/pace/paceplan.h>

#include "claim.h"

#define INTERVAL (50 * RC_MSEC)
#define WAIT (1200 * RC_USEC)

static RcPacePlan plan;
static RcPaceFacts facts;
static RcTime now;

BEFORE_EACH
{
  now = 100 * RC_SECOND;
  facts = (RcPaceFacts) {.rate_bps = 100000000,.received_pkts = 15,.bound = true,.has_delays = true,
    .least_remote = -7 * RC_SECOND,.mean_remote = -7 * RC_SECOND,.srtt = 50 * RC_MSEC
  };
  rc_paceplan_init (&plan, now);
}

static void
report (void)
{
  rc_paceplan_on_sent (&plan, true);
  rc_paceplan_on_sent (&plan, true);
  now += INTERVAL;
  rc_paceplan_on_report (&plan, &facts, now);
}

static void
report_for (RcTime span)
{
  for (RcTime end = now + span; now < end;)
    report ();
}

/* Packets of a frame wait so long behind each other, in the mean. */
static void
let_wait (RcTime mean)
{
  facts.mean_remote = facts.least_remote + mean;
}

/* --- the gain --- */

CLAIM (test_on_a_path_without_queue_a_frame_leaves_within_a_slot)
{
  facts.rate_bps = 1000000;
  report_for (4 * RC_SECOND);
  fail_unless (plan.gain == 32, "%g", plan.gain);
  fail_unless (plan.cause == RC_PACE_FREE);
}

CLAIM (test_a_burst_has_64_kilobytes)
{
  facts.rate_bps = 20000000;
  report_for (4 * RC_SECOND);
  fail_unless (plan.gain > 25.5 && plan.gain < 25.7, "%g", plan.gain);
  facts.rate_bps = 400000000;
  report_for (4 * RC_SECOND);
  fail_unless (plan.gain == 8, "%g", plan.gain);
}

CLAIM (test_before_jitter_is_known_frames_leave_at_the_rate)
{
  fail_unless (plan.gain == 1 && plan.cause == RC_PACE_UNKNOWN);
  report_for (500 * RC_MSEC);
  fail_unless (plan.gain == 1);
}

CLAIM (test_while_the_law_needs_its_rate_frames_leave_at_it)
{
  facts.bound = false;
  report_for (4 * RC_SECOND);
  fail_unless (plan.gain == 1 && plan.cause == RC_PACE_RATE);
}

CLAIM (test_behind_a_queue_frames_leave_at_the_rate)
{
  report_for (4 * RC_SECOND);
  facts.queueing_delay = 10 * RC_MSEC;
  report ();
  fail_unless (plan.gain == 1 && plan.cause == RC_PACE_RATE);
}

CLAIM (test_when_the_law_begins_to_need_its_rate_frames_leave_at_it_at_once)
{
  report_for (4 * RC_SECOND);
  rc_paceplan_stop (&plan, now);
  fail_unless (plan.gain == 1 && plan.cause == RC_PACE_RATE);
}

CLAIM (test_frames_that_wait_behind_themselves_leave_slower)
{
  report_for (4 * RC_SECOND);
  let_wait (3 * WAIT);
  report_for (RC_SECOND);
  fail_unless (plan.gain < 2 && plan.cause == RC_PACE_QUEUE, "%g", plan.gain);
}

CLAIM (test_the_gain_falls_once_a_round_trip)
{
  double before;

  report_for (4 * RC_SECOND);
  facts.srtt = 10 * RC_SECOND;
  let_wait (20 * WAIT);
  report_for (RC_SECOND);
  before = plan.gain;
  report_for (RC_SECOND);
  fail_unless (plan.gain == before && before > 6, "%g, %g", before, plan.gain);
}

CLAIM (test_jitter_that_was_there_before_is_no_queue)
{
  let_wait (10 * WAIT);
  report_for (5 * RC_SECOND);
  fail_unless (plan.gain == 8, "%g", plan.gain);
}

CLAIM (test_single_packets_tell_nothing)
{
  for (int i = 0; i < 100; i++) {
    rc_paceplan_on_sent (&plan, false);
    now += INTERVAL;
    rc_paceplan_on_report (&plan, &facts, now);
  }
  fail_unless (plan.gain == 1);
}

CLAIM (test_an_l4s_path_gets_frames_at_the_rate)
{
  facts.l4s = true;
  report_for (4 * RC_SECOND);
  fail_unless (plan.gain == 1 && plan.cause == RC_PACE_L4S);
}

/* --- losses --- */

/* A policer: what leaves faster than it bears is lost, and nothing else. Returns lost packets. */
static unsigned
report_policed_for (RcTime span)
{
  unsigned lost = 0;

  for (RcTime end = now + span; now < end;) {
    facts.lost_pkts = plan.gain > 2;
    lost += facts.lost_pkts;
    report ();
  }
  return lost;
}

CLAIM (test_behind_a_policer_frames_leave_at_the_rate_for_longer_each_time)
{
  double hold, hold_later;
  unsigned lost;

  report_policed_for (60 * RC_SECOND);
  hold = plan.hold;
  report_policed_for (300 * RC_SECOND);
  hold_later = plan.hold;
  fail_unless (hold >= 20 * RC_SECOND && hold_later == 160 * RC_SECOND, "%g, %g", hold, hold_later);
  lost = report_policed_for (320 * RC_SECOND);
  fail_unless (lost < 20, "%u", lost);
}

CLAIM (test_losses_that_come_at_any_gain_change_nothing)
{
  for (int i = 0; i < 2000; i++) {
    facts.lost_pkts = i % 7 == 0;       /* 1 % */
    report ();
    fail_unless (i < 1000 || plan.gain == 8, "%d: %g", i, plan.gain);
  }
}

CLAIM (test_a_new_clock_is_no_queue)
{
  report_for (4 * RC_SECOND);
  facts.least_remote = facts.mean_remote = 3600 * RC_SECOND;
  rc_paceplan_forget_clock (&plan);
  report_for (RC_SECOND);
  fail_unless (plan.gain == 8 && plan.cause == RC_PACE_FREE, "%g", plan.gain);
}

/* --- slots --- */

CLAIM (test_a_path_that_answers_gets_slots_of_one_ms)
{
  fail_unless (plan.slot == 0);
  report ();
  fail_unless (plan.slot == RC_MSEC);
}

CLAIM (test_a_rate_that_the_user_fixed_is_paced_exactly)
{
  facts.exact = true;
  report ();
  fail_unless (plan.slot == 0);
}

CLAIM (test_an_l4s_queue_gets_single_packets)
{
  facts.l4s = true;
  report ();
  fail_unless (plan.slot == 0);
}

CLAIM (test_for_ten_seconds_after_a_loss_single_packets_leave)
{
  facts.lost_pkts = 1;
  report ();
  facts.lost_pkts = 0;
  report_for (9 * RC_SECOND);
  fail_unless (plan.slot == 0);
  report_for (2 * RC_SECOND);
  fail_unless (plan.slot == RC_MSEC);
}

CLAIM (test_each_cause_has_a_name)
{
  fail_unless_equals_string (rc_pace_cause_name (RC_PACE_FREE), "free");
  fail_unless_equals_string (rc_pace_cause_name (RC_PACE_N), "unknown");
}
