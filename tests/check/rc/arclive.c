/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What `live` adds to the paper, mechanism by mechanism; the whole is in tests/check/loop. */
#include "arcpath.h"

GST_START_TEST (test_live_starts_by_doubling_and_stops_at_the_first_queue)
{
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 500000);
  while (p.now < 3 * RC_SECOND && p.decision.rate_bps < 3000000) {
    p.bandwidth_bps = (double) p.decision.rate_bps;
    path_run (&p, 0.05);
  }
  fail_unless (p.now <= 1500 * RC_MSEC, "%g s", rc_time_to_s (p.now));
  p.bandwidth_bps = 3e6;
  path_run (&p, 0.2);
  p.queue = 60 * RC_MSEC;
  path_run (&p, 0.15);
  fail_if (p.live->starting);
  fail_unless (p.decision.rate_bps < 3000000);
}

GST_END_TEST;

GST_START_TEST (test_live_empties_a_queue_that_the_paper_holds)
{
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  path_run (&p, 0.2);
  p.bandwidth_bps = 1e6;
  p.queue = 50 * RC_MSEC;
  path_run (&p, 0.3);
  fail_unless (p.decision.rate_bps < 960000);
}

GST_END_TEST;

GST_START_TEST (test_unused_rate_does_not_grow)
{
  Path p;
  guint64 rate;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  p.live->starting = FALSE;
  path_run (&p, 1);
  rate = p.decision.rate_bps;
  p.bandwidth_bps = 8e3;
  for (int i = 0; i < 600; i++) {
    p.now += REPORT;
    path_send (&p, 50);
    path_report (&p, 0, 0);
  }
  fail_unless (p.decision.rate_bps <= rate * 1.3, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

GST_END_TEST;

/* A trickle is reported each 250 ms only: no timeout before, and when much is sent again the watch starts anew. */
GST_START_TEST (test_stretched_reports_are_no_timeout)
{
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  path_run (&p, 1);
  p.now += RC_MSEC;
  path_send (&p, 60);
  fail_unless (p.decision.next_at >= p.now + RC_SECOND);
  p.now += 900 * RC_MSEC;
  path_send (&p, 60000);
  fail_unless (p.decision.next_at >= p.now + 200 * RC_MSEC);
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless_equals_int (p.live->watch.timeouts, 0);
}

GST_END_TEST;

GST_START_TEST (test_reverse_queue_and_clock_skew_are_no_backlog)
{
  RcFeedback f = { 0 };
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  path_run (&p, 1);
  /* the reports queue: RTT up, one-way delay not */
  f.rtt = 300 * RC_MSEC;
  f.sent_at = p.now - f.rtt;
  f.owd_remote = 7777 * RC_SECOND + 50 * RC_MSEC;
  p.now += REPORT;
  rc_controller_on_feedback (&p.law, &f, p.now);
  fail_unless_equals_int64 (p.live->path.tq, 0);
  /* the receiver's clock gains: one-way delay up, RTT not */
  f.rtt = 100 * RC_MSEC;
  f.owd_remote += 40 * RC_MSEC;
  p.now += REPORT;
  rc_controller_on_feedback (&p.law, &f, p.now);
  fail_unless_equals_int64 (p.live->path.tq, 0);
}

GST_END_TEST;

GST_START_TEST (test_silence_falls_to_minimum_then_stops_then_starts_again)
{
  Path p;
  RcTime end;

  path_init (&p, RC_PROFILE_LIVE, 500000);
  path_run (&p, 3);
  fail_unless (p.decision.rate_bps > 2000000);
  for (end = p.now + 4 * RC_SECOND; p.now < end; p.now += 10 * RC_MSEC)
    path_send (&p, 1200), p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless_equals_uint64 (p.decision.rate_bps, 10000);
  fail_if (p.decision.stopped);
  p.now = end + 2 * RC_SECOND;
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless (p.decision.stopped);
  p.now += 100 * RC_SECOND;
  path_report (&p, 0, 0);
  fail_if (p.decision.stopped);
  fail_unless (p.decision.rate_bps >= 490000);
}

GST_END_TEST;

GST_START_TEST (test_limits_act_at_once)
{
  RcLimits limits = { 10000, 20000, 300000 };
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  path_run (&p, 1);
  p.decision = rc_controller_set_limits (&p.law, &limits, p.now);
  fail_unless_equals_uint64 (p.decision.rate_bps, 300000);
}

GST_END_TEST;

/* Past start-up, at 1 Mbit/s, at rest. */
static void
path_calm (Path *p)
{
  path_init (p, RC_PROFILE_LIVE, 1000000);
  path_run (p, 0.2);
  p->live->starting = FALSE;
  p->live->usual_bps = 1e6;
}

/* Nothing but the route holds packets up: what the receiver gets is what was sent a round trip ago. */
static void
path_run_unhindered (Path *p, double seconds)
{
  RcTime end = p->now + rc_time_from_s (seconds);
  double sent_bps[] = { p->bandwidth_bps, p->bandwidth_bps, (double) p->decision.rate_bps };

  while (p->now < end) {
    p->bandwidth_bps = sent_bps[0];
    path_run (p, rc_time_to_s (REPORT));
    sent_bps[0] = sent_bps[1];
    sent_bps[1] = sent_bps[2];
    sent_bps[2] = (double) p->decision.rate_bps;
  }
}

GST_START_TEST (test_queue_that_falls_by_itself_is_no_sign)
{
  Path p;
  double w_bits;

  path_calm (&p);
  w_bits = p.live->w_bits;
  for (p.queue = 80 * RC_MSEC; p.queue > 0; p.queue -= 5 * RC_MSEC)
    path_run (&p, rc_time_to_s (REPORT));
  fail_unless (p.live->w_bits >= w_bits, "a burst of somebody");
  for (p.queue = 30 * RC_MSEC; p.queue < 80 * RC_MSEC; p.queue += 5 * RC_MSEC)
    path_run (&p, rc_time_to_s (REPORT));
  fail_unless (p.live->w_bits < w_bits);
}

GST_END_TEST;

/* Bits by which the window is more after a second, from where the last reduction was. */
static double
growth_at (double known_bps)
{
  Path p;
  double w_bits;

  path_calm (&p);
  fail_unless (rc_controller_set_param (&p.law, "recover", 0));
  p.live->growth_gain = 16;
  p.live->known_bps = known_bps;
  w_bits = p.live->w_bits;
  path_run (&p, 0.5);
  return p.live->w_bits - w_bits;
}

GST_START_TEST (test_growth_begins_anew_at_the_rate_that_was_too_much)
{
  double unhindered = growth_at (0), anew = growth_at (0.9e6);

  fail_unless (anew < unhindered / 8, "%g, %g", anew, unhindered);
}

GST_END_TEST;

/* A queue that is there and gone. */
static void
path_burst (Path *p, double bandwidth_bps)
{
  p->queue = 30 * RC_MSEC;
  p->bandwidth_bps = bandwidth_bps;     /* somebody else's packets have the rest */
  for (guint i = 0; i < 3; i++, p->queue += 10 * RC_MSEC)
    path_run (p, rc_time_to_s (REPORT));
  p->queue = 0;
}

static double
rate_after_burst (double recover)
{
  Path p;

  path_calm (&p);
  fail_unless (rc_controller_set_param (&p.law, "recover", recover));
  path_burst (&p, 400e3);
  fail_unless (p.decision.rate_bps < 500000);
  path_run_unhindered (&p, 1.2);
  return (double) p.decision.rate_bps;
}

GST_START_TEST (test_recovery_does_not_wait_for_a_queue_that_is_gone)
{
  Path p;
  double w_bits;

  path_calm (&p);
  path_burst (&p, 400e3);
  w_bits = p.live->w_bits;
  path_run_unhindered (&p, 0.35);       /* less than `rest` */
  fail_unless (p.live->w_bits > w_bits);
}

GST_END_TEST;

GST_START_TEST (test_recovery_is_tried_once)
{
  Path p;

  path_calm (&p);
  path_burst (&p, 400e3);
  fail_unless (p.live->known_bps > 800e3, "%g", p.live->known_bps);
  path_run_unhindered (&p, 0.7);
  path_burst (&p, 400e3);
  path_run_unhindered (&p, 0.7);
  path_burst (&p, 400e3);
  fail_unless (p.live->known_bps < 500e3, "%g", p.live->known_bps);
}

GST_END_TEST;

GST_START_TEST (test_first_report_of_a_queue_ends_the_start)
{
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 1000000);
  path_run (&p, 0.2);
  fail_unless (p.live->starting);
  p.queue = 60 * RC_MSEC;
  path_run (&p, rc_time_to_s (REPORT));
  fail_if (p.live->starting);
}

GST_END_TEST;

GST_START_TEST (test_usual_rate_is_recovered_sooner)
{
  double with = rate_after_burst (8), without = rate_after_burst (0);

  fail_unless (with > 1.3 * without, "%g, %g", with, without);
  fail_unless (with < 1.1e6, "not beyond");
}

GST_END_TEST;

GST_START_TEST (test_growth_is_slower_by_the_root_of_the_rtt)
{
  double gains[2];

  for (guint i = 0; i < 2; i++) {
    Path p;
    double rate_bps;

    path_init (&p, RC_PROFILE_LIVE, 1000000);
    p.base = (i ? 400 : 100) * RC_MSEC;
    path_run (&p, 0.2);
    p.live->starting = FALSE;
    rate_bps = (double) p.decision.rate_bps;
    path_run (&p, 1);
    gains[i] = (double) p.decision.rate_bps - rate_bps;
  }
  fail_unless (fabs (gains[1] / gains[0] - 0.5) < 0.05, "%g, %g", gains[0], gains[1]);
}

GST_END_TEST;

/* Routes that are noticed when the delay becomes 100 ms more at `step` a report. */
static guint
routes_after (RcTime step, const gchar *off)
{
  Path p;

  path_calm (&p);
  if (off)
    fail_unless (rc_controller_set_param (&p.law, off, 0));
  while (p.queue < 100 * RC_MSEC) {
    p.queue = MIN (p.queue + step, 100 * RC_MSEC);
    path_run (&p, rc_time_to_s (REPORT));
  }
  path_run_unhindered (&p, 2);
  return p.live->routes;
}

GST_START_TEST (test_delay_that_jumps_and_stays_is_a_longer_route)
{
  fail_unless_equals_int (routes_after (100 * RC_MSEC, NULL), 1);
  fail_unless_equals_int (routes_after (100 * RC_MSEC, "route"), 0);
  fail_unless_equals_int (routes_after (5 * RC_MSEC, NULL), 0);
}

GST_END_TEST;

/* A queue that is about 120 ms deep for that share of each second. */
static gboolean
competes (double share)
{
  Path p;

  path_calm (&p);
  for (guint i = 0; i < 200; i++) {
    p.queue = i % 20 < share * 20 ? (i % 2 ? 100 : 140) * RC_MSEC : 0;
    path_run (&p, rc_time_to_s (REPORT));
    if (p.live->competing)
      return TRUE;
  }
  return FALSE;
}

GST_START_TEST (test_queue_that_is_deep_half_of_the_time_is_anothers)
{
  fail_unless (competes (1));
  fail_unless (competes (0.7), "also if it is empty now and then");
  fail_if (competes (0.25));
}

GST_END_TEST;

/* Competing for long without a loss: the window after the trial, as a share of the one before. */
static double
window_after_trial (gboolean ours)
{
  Path p;
  double before = 0;

  path_calm (&p);
  for (guint i = 0; i < 200; i++) {
    p.queue = (i % 2 ? 150 : 120) * RC_MSEC;
    path_run (&p, rc_time_to_s (REPORT));
  }
  fail_unless (p.live->competing);
  for (guint i = 0; i < 400 && p.live->probing_since == RC_TIME_NONE; i++) {
    before = p.live->w_bits;
    path_run (&p, rc_time_to_s (REPORT));
  }
  fail_if (p.live->probing_since == RC_TIME_NONE);
  fail_unless (p.live->w_bits < 0.8 * before);
  for (guint i = 0; i < 400 && p.live->probing_since != RC_TIME_NONE; i++) {
    if (ours && p.queue > 0)
      p.queue -= 15 * RC_MSEC;
    path_run (&p, rc_time_to_s (REPORT));
  }
  return p.live->w_bits / before;
}

GST_START_TEST (test_trial_gives_the_window_back_only_if_the_queue_is_anothers)
{
  double anothers = window_after_trial (FALSE), ours = window_after_trial (TRUE);

  fail_unless (anothers >= 1, "%g", anothers);
  fail_unless (ours < 0.9, "%g", ours);
}

GST_END_TEST;

GST_START_TEST (test_loss_beside_others_takes_a_fifth)
{
  Path p;

  path_calm (&p);
  for (guint i = 0; i < 200; i++) {
    p.queue = (i % 2 ? 150 : 120) * RC_MSEC;
    path_run (&p, rc_time_to_s (REPORT));
  }
  fail_unless (p.live->competing);
  p.live->cut_at = p.now - RC_SECOND;
  p.now += REPORT;
  path_report (&p, 1, 0);
  fail_unless (fabs (p.live->w_bits / (0.8 * p.live->path.delivery.bps * 0.6) - 1) < 0.01, "%g, %g", p.live->w_bits,
      p.live->path.delivery.bps);
}

GST_END_TEST;

GST_START_TEST (test_losses_of_an_outage_are_no_congestion)
{
  Path p;

  path_calm (&p);
  for (RcTime end = p.now + 3 * RC_SECOND; p.now < end; p.now += 10 * RC_MSEC) {
    path_send (&p, 200);
    p.decision = rc_controller_on_timer (&p.law, p.now);
  }
  fail_unless (p.live->watch.timeouts >= 2);
  fail_unless (p.decision.rate_bps < 100000);
  path_report (&p, 60, 0);
  fail_unless (p.live->starting);
  p.now += REPORT;
  path_report (&p, 60, 0);
  fail_unless (p.live->starting);
  path_run_unhindered (&p, 2);
  fail_unless (p.decision.rate_bps > 800000, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

GST_END_TEST;

GST_START_TEST (test_loss_among_few_packets_is_no_ratio)
{
  Path p;

  path_init (&p, RC_PROFILE_LIVE, 200000);
  path_report (&p, 1, 0);
  fail_unless (p.live->starting, "one of three is not 33 %%");
  for (guint i = 0; i < 20; i++) {
    p.now += REPORT;
    path_report (&p, 1, 0);
  }
  fail_if (p.live->starting, "a third of sixty is");
}

GST_END_TEST;

static Suite *
arclive_suite (void)
{
  Suite *s = suite_create ("arclive");
  TCase *t = tcase_create ("general");

  suite_add_tcase (s, t);
  tcase_add_test (t, test_live_starts_by_doubling_and_stops_at_the_first_queue);
  tcase_add_test (t, test_live_empties_a_queue_that_the_paper_holds);
  tcase_add_test (t, test_unused_rate_does_not_grow);
  tcase_add_test (t, test_stretched_reports_are_no_timeout);
  tcase_add_test (t, test_reverse_queue_and_clock_skew_are_no_backlog);
  tcase_add_test (t, test_silence_falls_to_minimum_then_stops_then_starts_again);
  tcase_add_test (t, test_limits_act_at_once);
  tcase_add_test (t, test_queue_that_falls_by_itself_is_no_sign);
  tcase_add_test (t, test_growth_begins_anew_at_the_rate_that_was_too_much);
  tcase_add_test (t, test_usual_rate_is_recovered_sooner);
  tcase_add_test (t, test_recovery_does_not_wait_for_a_queue_that_is_gone);
  tcase_add_test (t, test_recovery_is_tried_once);
  tcase_add_test (t, test_first_report_of_a_queue_ends_the_start);
  tcase_add_test (t, test_growth_is_slower_by_the_root_of_the_rtt);
  tcase_add_test (t, test_delay_that_jumps_and_stays_is_a_longer_route);
  tcase_add_test (t, test_queue_that_is_deep_half_of_the_time_is_anothers);
  tcase_add_test (t, test_trial_gives_the_window_back_only_if_the_queue_is_anothers);
  tcase_add_test (t, test_loss_beside_others_takes_a_fifth);
  tcase_add_test (t, test_losses_of_an_outage_are_no_congestion);
  tcase_add_test (t, test_loss_among_few_packets_is_no_ratio);
  return s;
}

GST_CHECK_MAIN (arclive);
