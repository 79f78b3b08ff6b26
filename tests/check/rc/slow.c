/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The lines of the slow law, report by report. */
#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/law/controller.h>

#include "claim.h"

#define BASE (50 * RC_MSEC)
#define KBPS G_GUINT64_CONSTANT (1000)

static RcController law;
static RcDecision decision;
static RcTime now;

static void
setup (void)
{
  static const RcLimits limits = { 100 * KBPS, 500 * KBPS, 5000 * KBPS };

  rc_controller_init (&law, rc_law_find ("slow"), RC_PROFILE_LIVE);
  decision = rc_controller_start (&law, &limits, 0);
  now = 0;
}

BEFORE_EACH
{
  setup ();
}

static void
send_for (RcTime span)
{
  RcSent sent = { 1200, FALSE };

  for (RcTime end = now + span; now < end; now += 10 * RC_MSEC)
    decision = rc_controller_on_sent (&law, &sent, now);
}

/* After `span` of media: this share of what was sent arrived, and the queue. */
static gdouble
report (RcTime span, guint lost_percent, RcTime queue, guint64 arrived_bps)
{
  RcFeedback feedback = {.rtt = BASE + queue,.received_pkts = 100 - lost_percent,
    .lost_pkts = lost_percent,.bandwidth_bps = arrived_bps
  };

  send_for (span);
  decision = rc_controller_on_feedback (&law, &feedback, now);
  return (gdouble) decision.rate_bps / 1e3;
}

/* All that was allowed arrived. */
static gdouble
report_good (RcTime span)
{
  return report (span, 0, 0, decision.rate_bps);
}

CLAIM (test_the_rate_grows_by_time_and_by_no_more_than_a_step)
{
  report_good (RC_SECOND);
  fail_unless (fabs (report_good (RC_SECOND) - 600) < 1);
  fail_unless (fabs (report_good (500 * RC_MSEC) - 660) < 1);
  setup ();
  report_good (5 * RC_SECOND);
  fail_unless (fabs (report_good (5 * RC_SECOND) - 625) < 1);
}

CLAIM (test_a_source_that_sends_less_does_not_let_the_rate_grow)
{
  report_good (RC_SECOND);
  fail_unless_equals_int ((gint) report (RC_SECOND, 0, 0, 300 * KBPS), 500);
  fail_unless_equals_int ((gint) report (RC_SECOND, 0, 0, 300 * KBPS), 500);
  fail_unless_equals_int ((gint) report (RC_SECOND, 0, 0, 360 * KBPS), 540);
}

/* 100 ms of queue in reports each second: a tenth less than the capacity, and a margin. */
CLAIM (test_a_queue_sets_the_rate_below_what_arrived_so_that_it_drains)
{
  for (guint i = 0; i < 4; i++)
    report_good (RC_SECOND);
  fail_unless (fabs (report (RC_SECOND, 0, 100 * RC_MSEC, 600 * KBPS) - 510) < 6);
  fail_unless_equals_int64 (rc_controller_queueing_delay (&law), 100 * RC_MSEC);
  /* then at once near the ceiling, and slowly on */
  fail_unless (fabs (report_good (RC_SECOND) - 571) < 1);
  fail_unless (fabs (report (RC_SECOND, 0, 0, 576 * KBPS) - 576) < 1);
  fail_unless (fabs (report (RC_SECOND, 0, 0, 576 * KBPS) - 588) < 1);
}

CLAIM (test_a_longer_interval_makes_smaller_steps_near_the_ceiling)
{
  gdouble before, after;

  for (guint i = 0; i < 4; i++)
    report_good (5 * RC_SECOND);
  report (5 * RC_SECOND, 0, 100 * RC_MSEC, 900 * KBPS);
  before = report_good (5 * RC_SECOND);
  before = report_good (5 * RC_SECOND);
  after = report_good (5 * RC_SECOND);
  fail_unless (after > before && after / before - 1 <= 0.0101, "%g to %g", before, after);
}

CLAIM (test_losses_hold_the_rate_or_cut_it)
{
  for (guint i = 0; i < 3; i++)
    report_good (RC_SECOND);
  fail_unless (decision.rate_bps > 700 * KBPS);
  fail_unless (fabs (report (RC_SECOND, 5, 0, 700 * KBPS) - 720) < 1);   /* holds */
  fail_unless (fabs (report (RC_SECOND, 20, 0, 576 * KBPS) - 576) < 1);  /* what arrived */
}

/* 30 % lost and a full queue: the capacity fell in the middle of the interval. The losses that the
 * next report tells of are older than the cut. */
CLAIM (test_a_fall_of_the_capacity_cuts_once)
{
  for (guint i = 0; i < 3; i++)
    report_good (RC_SECOND);
  fail_unless (fabs (report (RC_SECOND, 30, 300 * RC_MSEC, 500 * KBPS) - 0.4 * 720) < 1);
  fail_unless (fabs (report (RC_SECOND, 20, 0, 280 * KBPS) - 0.4 * 720) < 1);
}

CLAIM (test_a_queue_that_no_cut_shortens_is_not_ours)
{
  gdouble before;

  for (guint i = 0; i < 8; i++)
    report_good (RC_SECOND);
  for (guint i = 0; i < 3; i++)
    report (RC_SECOND, 0, 100 * RC_MSEC, decision.rate_bps);
  before = (gdouble) decision.rate_bps / 1e3;
  fail_unless (report (RC_SECOND, 0, 100 * RC_MSEC, decision.rate_bps) >= before);
  fail_unless (report (RC_SECOND, 0, 100 * RC_MSEC, decision.rate_bps) > before);
  fail_unless_equals_int64 (rc_controller_queueing_delay (&law), 0);
}

/* RFC 8083 4.1: three intervals of 5 s. */
CLAIM (test_without_reports_the_rate_halves_and_media_stops_after_15_s)
{
  for (guint i = 0; i < 4; i++)
    report_good (RC_SECOND);
  send_for (2 * RC_SECOND);
  fail_unless (decision.rate_bps > 800 * KBPS);
  send_for (RC_SECOND);
  fail_unless (decision.rate_bps < 450 * KBPS);
  send_for (11500 * RC_MSEC);
  fail_if (rc_controller_is_stopped (&law));
  send_for (RC_SECOND);
  fail_unless (rc_controller_is_stopped (&law));
  report_good (0);
  fail_if (rc_controller_is_stopped (&law));
}

/* RFC 8083 4.2: reports come, media does not arrive. */
CLAIM (test_media_of_which_five_reports_in_a_row_know_nothing_stops)
{
  RcFeedback nothing = {.rtt = RC_TIME_NONE };

  report_good (RC_SECOND);
  report_good (RC_SECOND);
  for (guint i = 0; i < 5; i++) {
    fail_if (rc_controller_is_stopped (&law));
    send_for (RC_SECOND);
    decision = rc_controller_on_feedback (&law, &nothing, now);
  }
  fail_unless (rc_controller_is_stopped (&law));
  report_good (0);
  fail_if (rc_controller_is_stopped (&law));
}

/* With 8 % lost and 2 s TCP gets 21 kbit/s. */
static void
report_far (guint reports, guint lost_percent)
{
  RcFeedback feedback = {.rtt = 2 * RC_SECOND,.received_pkts = 100 - lost_percent,
    .lost_pkts = lost_percent,.bandwidth_bps = 5000 * KBPS
  };

  for (guint i = 0; i < reports && !rc_controller_is_stopped (&law); i++) {
    send_for (RC_SECOND);
    decision = rc_controller_on_feedback (&law, &feedback, now);
  }
}

/* RFC 8083 4.3 and 4.5. */
CLAIM (test_losses_far_above_tcp_cut_to_a_tenth_and_then_end_media_for_a_minute)
{
  report_far (12, 0);
  fail_unless (decision.rate_bps > 2000 * KBPS);
  report_far (2, 8);
  fail_unless (decision.rate_bps > 2000 * KBPS);
  report_far (14, 8);
  fail_unless (decision.rate_bps < 500 * KBPS);
  fail_if (rc_controller_is_stopped (&law));
  report_far (16, 8);
  fail_unless (rc_controller_is_stopped (&law));
  fail_unless (decision.next_at > now + 59 * RC_SECOND);
  decision = rc_controller_on_timer (&law, decision.next_at);
  fail_if (rc_controller_is_stopped (&law));
  fail_unless_equals_uint64 (decision.rate_bps, 100 * KBPS);
}

/* That the minute is over is no congestion. The first report after it takes the largest step. */
CLAIM (test_after_the_minute_the_rate_grows_as_far_from_congestion)
{
  static const RcLimits limits = { 10 * KBPS, 500 * KBPS, 5000 * KBPS };

  decision = rc_controller_start (&law, &limits, 0);
  report_far (12, 0);
  report_far (60, 8);
  fail_unless (rc_controller_is_stopped (&law));
  now = decision.next_at;
  decision = rc_controller_on_timer (&law, now);
  fail_unless_equals_uint64 (decision.rate_bps, 10 * KBPS);
  for (guint i = 0; i < 4; i++)
    report_good (RC_SECOND);
  fail_unless (fabs ((double) decision.rate_bps / (10e3 * 1.25 * pow (1.12, 3)) - 1) < 0.01,
      "%" G_GUINT64_FORMAT, decision.rate_bps);
}

CLAIM (test_without_a_stop_the_breaker_only_cuts)
{
  rc_controller_set_param (&law, "stop", 0);
  report_far (12, 0);
  report_far (60, 8);
  fail_if (rc_controller_is_stopped (&law));
  fail_unless_equals_uint64 (decision.rate_bps, 100 * KBPS);
}
