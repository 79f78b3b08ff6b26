/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What `live` adds to the paper, mechanism by mechanism; the whole is in tests/check/loop. */
#include "arcpath.h"

BEFORE_EACH
{
  path_init (RC_PROFILE_LIVE, 1000000);
}

CLAIM (test_live_starts_by_doubling_and_stops_at_the_first_queue)
{
  path_init (RC_PROFILE_LIVE, 500000);
  while (p.now < 3 * RC_SECOND && p.decision.rate_bps < 3000000) {
    p.bandwidth_bps = (double) p.decision.rate_bps;
    path_run (0.05);
  }
  fail_unless (p.now <= 1500 * RC_MSEC, "%g s", rc_time_to_s (p.now));
  p.bandwidth_bps = 3e6;
  path_run (0.2);
  p.queue = 60 * RC_MSEC;
  path_run (0.15);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
  fail_unless (p.decision.rate_bps < 3000000);
}

CLAIM (test_live_empties_a_queue_that_the_paper_holds)
{
  path_run (0.2);
  p.bandwidth_bps = 1e6;
  p.queue = 50 * RC_MSEC;
  path_run (0.3);
  fail_unless (p.decision.rate_bps < 960000);
}

CLAIM (test_unused_rate_does_not_grow)
{
  guint64 rate;

  path_leave_start ();
  path_run (1);
  rate = p.decision.rate_bps;
  p.bandwidth_bps = 8e3;
  for (int i = 0; i < 600; i++) {
    p.now += REPORT;
    path_send (50);
    path_report (0, 0);
  }
  fail_unless (p.decision.rate_bps <= rate * 1.3, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

/* Of an encoder that makes more than the rate most is dropped, and little leaves: it is not the
 * source that leaves the rate unused. */
CLAIM (test_the_rate_grows_though_most_of_what_comes_is_dropped)
{
  guint64 rate;

  path_leave_start ();
  path_run (1);
  rate = p.decision.rate_bps;
  for (int i = 0; i < 200; i++) {
    RcSent sent = { 500, TRUE, .dropped_bytes = rate / 8 / 20 };

    p.now += REPORT;
    p.bandwidth_bps = 8e4;
    p.decision = rc_controller_on_sent (&p.law, &sent, p.now);
    path_report (0, 0);
  }
  fail_unless (p.decision.rate_bps > rate * 1.3, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

/* A trickle is reported each 250 ms only: no timeout before, and when much is sent again the
 * watch starts anew. */
CLAIM (test_stretched_reports_are_no_timeout)
{
  path_run (1);
  p.now += RC_MSEC;
  path_send (60);
  fail_unless (p.decision.next_at >= p.now + RC_SECOND);
  p.now += 900 * RC_MSEC;
  path_send (60000);
  fail_unless (p.decision.next_at >= p.now + 200 * RC_MSEC);
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless_equals_int (path_fact ("timeouts"), 0);
}

CLAIM (test_silence_halves_the_rate_then_stops_it_until_a_report)
{
  RcTime end;

  path_init (RC_PROFILE_LIVE, 500000);
  path_run (3);
  fail_unless (p.decision.rate_bps > 2000000);
  for (end = p.now + 4 * RC_SECOND; p.now < end; p.now += 10 * RC_MSEC)
    path_send (1200), p.decision = rc_controller_on_timer (&p.law, p.now);
  /* B, and its half after the second, third and fourth timeout: at .6, 1.4 and 3 s */
  fail_unless_equals_uint64 (p.decision.rate_bps, 500000 / 8);
  fail_if (rc_controller_is_stopped (&p.law));
  p.now = end + 2 * RC_SECOND;
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless (rc_controller_is_stopped (&p.law));
  p.now += 100 * RC_SECOND;
  path_report (0, 0);
  fail_if (rc_controller_is_stopped (&p.law));
  fail_unless (p.decision.rate_bps >= 490000);
}

CLAIM (test_limits_act_at_once)
{
  RcLimits limits = { 10000, 20000, 300000 };

  path_run (1);
  p.decision = rc_controller_set_limits (&p.law, &limits, p.now);
  fail_unless_equals_uint64 (p.decision.rate_bps, 300000);
}

/* Past start-up, at 1 Mbit/s, at rest. */
static void
path_calm (void)
{
  path_init (RC_PROFILE_LIVE, 1000000);
  path_leave_start ();
}

/* Nothing but the route holds packets up: what the receiver gets is what was sent a round trip
 * ago. */
static void
path_run_unhindered (double seconds)
{
  RcTime end = p.now + rc_time_from_s (seconds);
  double sent_bps[] = { p.bandwidth_bps, p.bandwidth_bps, (double) p.decision.rate_bps };

  while (p.now < end) {
    p.bandwidth_bps = sent_bps[0];
    path_run (rc_time_to_s (REPORT));
    sent_bps[0] = sent_bps[1];
    sent_bps[1] = sent_bps[2];
    sent_bps[2] = (double) p.decision.rate_bps;
  }
}

CLAIM (test_queue_that_falls_by_itself_is_no_sign)
{
  double x_bps;

  path_calm ();
  x_bps = path_x_bps ();
  for (p.queue = 80 * RC_MSEC; p.queue > 0; p.queue -= 5 * RC_MSEC)
    path_run (rc_time_to_s (REPORT));
  fail_unless (path_x_bps () >= x_bps, "a burst of somebody");
  for (p.queue = 30 * RC_MSEC; p.queue < 80 * RC_MSEC; p.queue += 5 * RC_MSEC)
    path_run (rc_time_to_s (REPORT));
  fail_unless (path_x_bps () < x_bps);
}

/* By how much x is more after half a second of quiet. */
static double
growth_in_quiet (void)
{
  double x_bps = path_x_bps ();

  path_run (0.5);
  return path_x_bps () - x_bps;
}

CLAIM (test_growth_begins_anew_at_the_rate_that_was_too_much)
{
  double unhindered, anew;

  path_calm ();
  path_run (3);
  unhindered = growth_in_quiet ();
  p.bandwidth_bps = path_x_bps ();
  path_leave_start ();
  anew = growth_in_quiet ();
  /* not a quarter, since a link that carries three times as much has varied */
  fail_unless (anew > 0 && anew < unhindered / 2, "%g, %g", anew, unhindered);
}

/* The same growth after cuts that found 1 Mbit/s each second, or by turns 1 and `ratio` Mbit/s. */
static double
growth_after (double ratio, double *sigma)
{
  path_calm ();
  for (guint i = 0; i < 40; i++) {
    p.bandwidth_bps = i % 2 ? 1e6 : ratio * 1e6;
    path_run (0.95);
    p.mark_share = 1;
    path_run (rc_time_to_s (REPORT));
    p.mark_share = 0;
  }
  *sigma = path_fact ("volatility");
  for (guint i = 0; i < 100 && path_fact ("known-capacity") > 0; i++)
    path_run (rc_time_to_s (REPORT));
  return growth_in_quiet () / path_x_bps ();
}

CLAIM (test_link_that_varied_is_followed_sooner)
{
  double sigma, steady = growth_after (1, &sigma), varied, little;

  fail_unless (sigma < 0.01, "%g", sigma);
  varied = growth_after (2, &sigma);
  fail_unless (fabs (sigma - log (2)) < 0.1, "%g", sigma);
  fail_unless (varied > 2.5 * steady, "%g, %g", varied, steady);
  /* Shares of others vary so much. */
  little = growth_after (1.08, &sigma);
  fail_unless (fabs (little - steady) < 0.1 * steady, "%g, %g", little, steady);
}

/* What leaves a queue is capacity: after a fall to 1 Mbit/s, 1.5 Mbit/s come out of it. */
CLAIM (test_rate_that_leaves_a_queue_is_capacity)
{
  path_calm ();
  p.queue = 30 * RC_MSEC;
  path_run (0.2);
  p.bandwidth_bps = 1.5e6;
  path_run (0.3);
  fail_unless (fabs (path_fact ("known-capacity") - 1.5e6) < 0.1e6, "%g",
      path_fact ("known-capacity"));
}

/* The first reports after a fall have a B of before and after it. In a deep queue x follows B
 * without waiting for the effect of the first cut. */
CLAIM (test_after_a_fall_x_follows_b_at_once)
{
  path_calm ();
  p.bandwidth_bps = 0.6e6;
  for (guint i = 0; i < 10; i++) {
    p.queue += 30 * RC_MSEC;
    if (i == 7)
      p.bandwidth_bps = 0.1e6;
    path_run (rc_time_to_s (REPORT));
  }
  fail_unless (path_fact ("bandwidth") < 0.5e6);
  fail_unless_equals_float (path_x_bps (), 0.97 * path_fact ("bandwidth"));
}

#define QUICK_REPORT (20 * RC_MSEC)

/* Reports each 20 ms: what arrives, and how much the queue grows from one to the next. */
static void
path_run_quickly (guint reports, double bps, RcTime growth)
{
  for (guint i = 0; i < reports; i++) {
    p.now += QUICK_REPORT;
    p.queue += growth;
    p.bandwidth_bps = bps * rc_time_to_s (QUICK_REPORT) / rc_time_to_s (REPORT);
    path_send ((guint32) (p.decision.rate_bps * rc_time_to_s (QUICK_REPORT) / 8));
    path_report (0, 0);
  }
}

static void
path_fall (RcTime noise, guint reports, RcTime growth)
{
  path_init (RC_PROFILE_LIVE, 8000000);
  path_leave_start ();
  path_run_quickly (50, 8e6, 0);
  for (guint i = 0; i < 50 && noise > 0; i++) {
    p.queue = i % 3 ? noise : 0;
    path_run_quickly (1, 8e6, 0);
  }
  p.queue = 0;
  path_run_quickly (1, 8e6, 0);
  path_run_quickly (reports, 4e6, growth);
}

/* 40 ms after a fall to a half, B over 100 ms is 6.4 Mbit/s. Since the first sign it is 4, and
 * what waits is drained in 0.2 s. */
CLAIM (test_after_a_fall_b_is_of_the_time_since_the_first_sign)
{
  double b_bps, d_s;

  path_fall (0, 2, 10 * RC_MSEC);
  b_bps = path_fact ("bandwidth");
  d_s = path_fact ("backlog") / b_bps;
  fail_unless_equals_float (b_bps, 4e6);
  fail_unless_equals_float (path_x_bps (), 0.97 * 4e6);
  fail_unless (p.decision.fell);
  fail_unless (fabs ((double) p.decision.rate_bps - (path_x_bps () - 4e6 * d_s / 0.3)) < 1e4,
      "%g", (double) p.decision.rate_bps);
  for (guint i = 0; i < 24; i++)
    path_run_quickly (1, 4e6, 0);
  fail_unless (p.decision.fell);
  path_run_quickly (3, 4e6, 0);
  fail_if (p.decision.fell);
}

CLAIM (test_without_a_queue_a_fall_is_over)
{
  path_fall (0, 2, 10 * RC_MSEC);
  p.queue = 0;
  path_run_quickly (1, 4e6, 0);
  fail_if (p.decision.fell);
}

/* What waited in a stall comes late, and then at once. */
CLAIM (test_after_a_stall_nothing_is_cut_unless_the_queue_grows)
{
  double x_bps;

  path_init (RC_PROFILE_LIVE, 8000000);
  path_leave_start ();
  path_run_quickly (50, 8e6, 0);
  x_bps = path_x_bps ();
  p.jumps = TRUE;
  path_run_quickly (1, 2e6, 40 * RC_MSEC);
  path_run_quickly (12, 7.7e6, 0);
  fail_unless_equals_float (path_x_bps (), x_bps);
  path_run_quickly (14, 4e6, RC_MSEC);
  fail_unless (path_x_bps () < 0.9 * x_bps);
}

/* A B of few packets says little where delays scatter. */
CLAIM (test_noise_is_no_fall)
{
  path_fall (8 * RC_MSEC, 4, 20 * RC_MSEC);
  fail_unless (path_fact ("delay-noise") > 0.0005);
  fail_unless (path_fact ("bandwidth") > 4.5e6, "%g", path_fact ("bandwidth"));
  fail_if (p.decision.fell);
}

CLAIM (test_known_capacity_is_recovered_in_a_second)
{
  path_calm ();
  p.queue = 30 * RC_MSEC;
  path_run (0.2);
  p.bandwidth_bps = 2e6;
  path_run (0.3);
  fail_unless (path_x_bps () < 1.2e6, "%g", path_x_bps ());
  p.queue = 0;
  path_run (1);
  fail_unless (path_x_bps () > 1.7e6 && path_x_bps () < 2.05e6, "%g", path_x_bps ());
}

CLAIM (test_first_report_of_a_queue_ends_the_start)
{
  path_run (0.2);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_START);
  p.queue = 20 * RC_MSEC;
  path_run (rc_time_to_s (REPORT));
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
}

CLAIM (test_growth_is_slower_by_the_root_of_the_rtt)
{
  double gains[2];

  for (guint i = 0; i < 2; i++) {
    double rate_bps;

    path_init (RC_PROFILE_LIVE, 1000000);
    p.base = (i ? 400 : 100) * RC_MSEC;
    path_leave_start ();
    rate_bps = (double) p.decision.rate_bps;
    path_run (0.1);
    gains[i] = (double) p.decision.rate_bps - rate_bps;
  }
  fail_unless (fabs (gains[1] / gains[0] - 0.5) < 0.1, "%g, %g", gains[0], gains[1]);
}

/* Routes that are noticed when the delay becomes 100 ms more at `step` a report. */
static guint
routes_after (RcTime step)
{
  path_calm ();
  p.jumps = step == 100 * RC_MSEC;
  while (p.queue < 100 * RC_MSEC) {
    p.queue = MIN (p.queue + step, 100 * RC_MSEC);
    path_run (rc_time_to_s (REPORT));
  }
  path_run_unhindered (2);
  return (guint) path_fact ("route-changes");
}

CLAIM (test_delay_that_jumps_and_stays_is_a_longer_route)
{
  fail_unless_equals_int (routes_after (100 * RC_MSEC), 1);
  fail_unless_equals_int (routes_after (5 * RC_MSEC), 0);
}

/* One report beside others, whose queue is `queue` deep whatever we leave: we get what we sent a
 * round trip ago. */
static void
path_share (RcTime queue)
{
  guint back = (guint) ((100 * RC_MSEC + queue) / REPORT) - 1;

  p.queue = queue;
  p.sent_bps[p.n_sent++ % G_N_ELEMENTS (p.sent_bps)] = (double) p.decision.rate_bps;
  if (p.n_sent > back)
    p.bandwidth_bps = p.sent_bps[(p.n_sent - 1 - back) % G_N_ELEMENTS (p.sent_bps)];
  path_run (rc_time_to_s (REPORT));
}

/* So long until the law is in a state beside others whose queue grows up to `queue`, or -1. */
static double
state_comes_after (RcArcLiveState state, RcTime queue)
{
  RcTime from = p.now;

  for (guint i = 0; i < 200; i++) {
    path_share (MIN (queue, i * 20 * RC_MSEC) + (i % 4) * 10 * RC_MSEC);
    if (path_state () == state)
      return rc_time_to_s (p.now - from);
  }
  return -1;
}

static double
competes_after (RcTime queue)
{
  return state_comes_after (RC_ARCLIVE_COMPETE, queue);
}

CLAIM (test_queue_that_stays_while_we_give_way_is_anothers)
{
  double deep, shallow;

  path_calm ();
  deep = competes_after (200 * RC_MSEC);
  fail_unless (deep > 0.5 && deep < 9, "two trials, %g s", deep);
  path_calm ();
  shallow = competes_after (20 * RC_MSEC);
  fail_unless (shallow < 0, "several of us keep as much: %g s", shallow);
  path_calm ();
  fail_unless (rc_controller_set_param (&p.law, "compete", 0));
  fail_unless (competes_after (200 * RC_MSEC) < 0);
}

/* It falls as fast as what we leave to it lets an own queue of 200 ms fall. */
CLAIM (test_queue_that_drains_as_we_give_way_is_our_own)
{
  double queue_s = 0.2;

  path_calm ();
  for (p.queue = 0; p.queue < 200 * RC_MSEC; p.queue += 20 * RC_MSEC)
    path_run (rc_time_to_s (REPORT));
  while (queue_s > 0.016) {
    p.queue = rc_time_from_s (queue_s);
    path_run (rc_time_to_s (REPORT));
    fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
    queue_s -= (1 - p.decision.rate_bps / 1e6) * rc_time_to_s (REPORT);
  }
}

static void
path_compete (void)
{
  path_calm ();
  fail_unless (competes_after (200 * RC_MSEC) > 0);
}

/* [ARC eq. 2] with the factor of RFC 9438 4.6: others leave as much room. */
CLAIM (test_loss_beside_others_takes_three_tenths)
{
  path_compete ();
  for (guint i = 0; i < 50; i++)        /* from the floor */
    path_share (200 * RC_MSEC);
  p.now += REPORT;
  path_report (1, 0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_COMPETE);
  fail_unless (fabs (path_x_bps () / (0.7 * path_fact ("bandwidth")) - 1) < 0.01, "%g",
      path_x_bps ());
  fail_unless_equals_uint64 (p.decision.rate_bps, (guint64) (path_x_bps () + 0.5));
}

CLAIM (test_queue_that_is_empty_ends_the_competition)
{
  path_compete ();
  p.queue = 0;
  path_run (0.7);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
}

/* Beyond max_delay half of B is tried. Our own queue keeps B, beside others it follows. One
 * trial may be spoiled, so it takes two to leave. */
static RcArcLiveState
state_after_yield (gboolean ours)
{
  path_compete ();
  for (guint i = 0; i < 50; i++)
    path_share (200 * RC_MSEC);
  path_share (410 * RC_MSEC);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_YIELD);
  p.bandwidth_bps = path_fact ("bandwidth");
  fail_unless (fabs ((double) p.decision.rate_bps / (0.5 * p.bandwidth_bps) - 1) < 0.01,
      "%" G_GUINT64_FORMAT, p.decision.rate_bps);
  for (guint i = 0; i < 400 && path_state () == RC_ARCLIVE_YIELD; i++) {
    if (ours)
      path_run (rc_time_to_s (REPORT));
    else
      path_share (200 * RC_MSEC);
  }
  return path_state ();
}

CLAIM (test_yielding_shows_whose_queue_it_is)
{
  fail_unless_equals_int (state_after_yield (TRUE), RC_ARCLIVE_AVOID);
  fail_unless_equals_int (state_after_yield (FALSE), RC_ARCLIVE_COMPETE);
}

/* Until the next multiple of 15 s. */
static void
path_drain (void)
{
  path_compete ();
  p.law.path.epoch = 5 * RC_SECOND;
  for (guint i = 0; i < 400 && path_state () == RC_ARCLIVE_COMPETE; i++)
    path_share (200 * RC_MSEC);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_DRAIN);
  fail_unless ((p.now + 5 * RC_SECOND) % (15 * RC_SECOND) <= REPORT,
      "all flows of ours begin at once: %g s", rc_time_to_s (p.now));
  fail_unless (fabs ((double) p.decision.rate_bps / (0.8 * path_fact ("bandwidth")) - 1)
      < 0.01, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

CLAIM (test_queue_that_goes_while_all_of_us_give_way_is_ours)
{
  double queue_s = 0.2;

  path_drain ();
  for (guint i = 0; i < 40; i++, queue_s -= 0.1 * rc_time_to_s (REPORT)) {
    path_share (rc_time_from_s (fmax (queue_s, 0)));
    if (queue_s > 0.04)
      fail_unless_equals_int (path_state (), RC_ARCLIVE_DRAIN);
  }
  for (guint i = 0; i < 25; i++)
    path_share (0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
}

CLAIM (test_queue_that_stays_while_all_of_us_give_way_is_anothers)
{
  double before_bps;

  path_drain ();
  before_bps = path_fact ("bandwidth");
  for (guint i = 0; i < 20 && path_state () == RC_ARCLIVE_DRAIN; i++)
    path_share (200 * RC_MSEC);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_COMPETE);
  fail_unless (path_x_bps () > 0.9 * before_bps, "%g, %g", path_x_bps (), before_bps);
}

/* COMPETE may be wrong. Beyond max_delay each doubling of the queue is tried anew, at once. */
CLAIM (test_queue_beyond_max_delay_is_joined_only_after_another_trial)
{
  static const double most_s[] = { 0.4, 2 };

  for (guint i = 0; i < 2; i++) {
    path_compete ();
    fail_unless (rc_controller_set_param (&p.law, "max_delay", most_s[i]));
    for (guint k = 0; k < 8; k++)
      path_share (450 * RC_MSEC);
    fail_unless_equals_int (path_state (), i == 0 ? RC_ARCLIVE_YIELD : RC_ARCLIVE_COMPETE);
  }
}

/* One trial alone may have met those of our own flows. */
CLAIM (test_competition_begins_after_a_second_trial)
{
  guint trials = 0;
  RcArcLiveState before = RC_ARCLIVE_AVOID;

  path_calm ();
  for (guint i = 0; i < 400 && path_state () != RC_ARCLIVE_COMPETE; i++) {
    path_share (MIN (200, i * 20) * RC_MSEC);
    trials += path_state () == RC_ARCLIVE_YIELD && before == RC_ARCLIVE_AVOID;
    before = path_state ();
  }
  fail_unless_equals_int (path_state (), RC_ARCLIVE_COMPETE);
  fail_unless_equals_int (trials, 2);
}

/* The rate before a fall is no rate to return to. */
CLAIM (test_competition_begins_at_twice_what_is_delivered_at_most)
{
  double before_bps;

  path_calm ();
  for (guint i = 0; i < 16; i++)
    path_share (MIN (200, i * 20) * RC_MSEC);
  for (guint i = 0; i < 200 && path_state () == RC_ARCLIVE_AVOID; i++) {
    p.bandwidth_bps = 1e5;
    path_run (rc_time_to_s (REPORT));
  }
  fail_unless_equals_int (path_state (), RC_ARCLIVE_YIELD);
  before_bps = path_fact ("bandwidth");
  for (guint i = 0; i < 200 && path_state () != RC_ARCLIVE_COMPETE; i++) {
    if (path_state () == RC_ARCLIVE_AVOID)      /* until the second trial */
      before_bps = path_fact ("bandwidth");
    path_share (200 * RC_MSEC);
  }
  fail_unless_equals_int (path_state (), RC_ARCLIVE_COMPETE);
  fail_unless (path_x_bps () <= 2.1 * before_bps, "%g, %g", path_x_bps (), before_bps);
}

/* Nothing is heard for 3 s. */
static void
path_outage (void)
{
  path_calm ();
  for (RcTime end = p.now + 3 * RC_SECOND; p.now < end; p.now += 10 * RC_MSEC) {
    path_send (200);
    p.decision = rc_controller_on_timer (&p.law, p.now);
  }
  fail_unless (path_fact ("timeouts") >= 2);
  fail_unless (p.decision.rate_bps <= 250000, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

CLAIM (test_losses_of_an_outage_are_no_congestion)
{
  path_outage ();
  path_report (60, 0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_START);
  p.now += REPORT;
  path_report (60, 0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_START);
  path_run_unhindered (2);
  fail_unless (p.decision.rate_bps > 800000, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

CLAIM (test_packets_that_waited_in_an_outage_are_no_congestion)
{
  RcTime srtt;

  path_outage ();
  srtt = p.law.path.srtt;
  p.queue = 3 * RC_SECOND;
  path_report (0, 0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_START);
  fail_unless_equals_uint64 (p.law.path.srtt, srtt);
  p.queue = 0;
  path_run_unhindered (2);
  fail_unless (p.decision.rate_bps > 800000, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

/* They took longer on the way back, for one timeout or three, and tell of packets that came all the
 * time. */
CLAIMS (test_reports_that_are_late_are_no_outage, 2)
{
  RcTime late = __i__ ? 1500 * RC_MSEC : 400 * RC_MSEC;
  double x_bps;

  path_calm ();
  path_run (3);
  x_bps = path_x_bps ();
  for (RcTime end = p.now + late; p.now < end; p.now += 10 * RC_MSEC) {
    path_send (1000);
    p.decision = rc_controller_on_timer (&p.law, p.now);
  }
  fail_unless_equals_int (path_fact ("timeouts"), __i__ ? 3 : 1);
  fail_unless (path_x_bps () < x_bps);
  p.base = late + 50 * RC_MSEC;
  path_report (0, 0);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
  fail_unless (path_x_bps () >= x_bps, "%g, not %g", path_x_bps (), x_bps);
}

/* What was known of others before an outage is known no more: the next competition begins as the
 * first did. */
CLAIM (test_competition_after_an_outage_begins_anew)
{
  path_compete ();
  for (RcTime end = p.now + 3 * RC_SECOND; p.now < end; p.now += 10 * RC_MSEC) {
    path_send (200);
    p.decision = rc_controller_on_timer (&p.law, p.now);
  }
  fail_unless_equals_int (path_state (), RC_ARCLIVE_OUTAGE);
  p.law.path.epoch += 20 * RC_SECOND;
  p.queue = 0;
  path_run (2);
  path_leave_start ();
  path_run (1);
  fail_unless (competes_after (200 * RC_MSEC) > 0);
  path_share (200 * RC_MSEC);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_COMPETE);
}

CLAIM (test_loss_among_few_packets_is_no_ratio)
{
  path_init (RC_PROFILE_LIVE, 200000);
  path_report (3, 0);
  fail_unless (path_state () == RC_ARCLIVE_START, "most of five is no ratio");
  for (guint i = 0; i < 20; i++) {
    p.now += REPORT;
    path_report (3, 0);
  }
  fail_unless (path_state () == RC_ARCLIVE_AVOID, "most of a hundred is");
}

/* What a policer does not let through is lost, and no queue shows. */
static void
run_policed (gdouble policed_bps, gdouble seconds)
{
  for (RcTime end = p.now + rc_time_from_s (seconds); p.now < end;) {
    gdouble bytes = p.decision.rate_bps * rc_time_to_s (REPORT) / 8;

    p.now += REPORT;
    p.bandwidth_bps = MIN ((gdouble) p.decision.rate_bps, policed_bps);
    path_send ((guint32) bytes);
    path_report ((guint32) ((bytes - p.bandwidth_bps * rc_time_to_s (REPORT) / 8) / 1200), 0);
  }
}

CLAIM (test_start_that_a_policer_stops_ends_at_its_rate)
{
  path_init (RC_PROFILE_LIVE, 500000);
  for (guint i = 0; i < 100 && p.decision.rate_bps < 2000000; i++)
    run_policed (2e6, 0.1);
  run_policed (2e6, 8);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
  fail_unless (p.decision.rate_bps > 1900000 && p.decision.rate_bps <= 2000000,
      "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

/* Its rate no longer doubles, and without a trial a third would be lost for ever. */
CLAIM (test_start_at_the_limit_asks_whose_losses_are)
{
  RcLimits limits = { 10000, 500000, 3000000 };

  path_init (RC_PROFILE_LIVE, 500000);
  p.decision = rc_controller_set_limits (&p.law, &limits, p.now);
  run_policed (2e6, 20);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_AVOID);
  fail_unless (p.decision.rate_bps <= 2100000, "%" G_GUINT64_FORMAT, p.decision.rate_bps);
}

/* Of four slots one begins with a trial: behind a route that got longer d never falls below theta,
 * and no drain would end. */
CLAIM (test_each_fourth_drain_is_a_trial)
{
  path_compete ();
  p.law.path.epoch = 60 * RC_SECOND;
  path_share (200 * RC_MSEC);
  fail_unless_equals_int (path_state (), RC_ARCLIVE_YIELD);
}
