/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arcpath.h"

BEFORE_EACH
{
  path_init (RC_PROFILE_PAPER, 1000000);
}

/* [ARC eq. 1] */
CLAIM (test_rate_is_k_times_what_window_leaves)
{
  fail_unless (rc_controller_set_param (&p.law, "outstanding", 1));
  path_run (0.2);
  p.arc->w_bits = 3e6;
  p.arc->updated_at = p.now;
  p.queue = 60 * RC_MSEC;       /* q = B Tq = 1e6 * 0.06 */
  path_report (0, 25000);
  fail_unless (fabs (p.arc->q_bits - 60e3) < 1);
  fail_unless (fabs ((double) p.decision.rate_bps - 0.5 * (p.arc->w_bits - 60e3 - 200e3)) < 2);
  /* sent packets count at once */
  path_send (1500);
  fail_unless (fabs ((double) p.decision.rate_bps - 0.5 * (p.arc->w_bits - 60e3 - 212e3)) < 2);
}

/* [ARC eq. 1] []+ : never negative; ours never under the minimum */
CLAIM (test_rate_is_never_negative)
{
  fail_unless (rc_controller_set_param (&p.law, "outstanding", 1));
  path_run (0.2);
  path_report (0, 10000000);
  fail_unless_equals_uint64 (p.decision.rate_bps, 10000);
}

/* [ARC eq. 1] with the integral as propagation, as profile=paper has it:
 * r = (w - q) / (mRTT + 1/k) */
CLAIM (test_propagation_reading_solves_for_the_rate)
{
  path_run (0.2);
  p.arc->w_bits = 3e6;
  p.arc->updated_at = p.now;
  path_report (0, 10000000);
  fail_unless (fabs ((double) p.decision.rate_bps - p.arc->w_bits / 2.1) < 2);
}

/* [ARC eq. 2] */
CLAIM (test_loss_sets_window_to_bandwidth_times_mrtt_and_one_over_k)
{
  path_run (5);
  p.bandwidth_bps = 700e3;
  path_report (1, 0);
  fail_unless (fabs (p.arc->w_bits - 700e3 * (0.1 + 2)) < 1, "%g", p.arc->w_bits);
}

/* [ARC eq. 2] r = (w - q) / (mRTT + 1/k) = C - q / (mRTT + 1/k): with w of eq. 2 the queue falls by
 * 1/e in mRTT + 1/k = 2.1 s, to nothing in the end. alpha = 100 keeps eq. 3 out of it. */
CLAIM (test_queue_empties_after_a_loss)
{
  const double capacity_bps = 1e6, initial_s = 0.2;
  const guint tau = (guint) (2100 * RC_MSEC / REPORT);
  double queue_s = initial_s;

  path_init (RC_PROFILE_PAPER, (guint64) capacity_bps);
  fail_unless (rc_controller_set_param (&p.law, "alpha", 100));
  path_run (5);
  for (guint i = 0; i < 4 * tau; i++) {
    p.queue = rc_time_from_s (queue_s);
    p.now += REPORT;
    path_report (i == 0, 0);
    queue_s += ((double) p.decision.rate_bps / capacity_bps - 1) * rc_time_to_s (REPORT);
    queue_s = MAX (queue_s, 0);
    if (i == tau)
      fail_unless (queue_s < 0.40 * initial_s && queue_s > 0.33 * initial_s, "%g", queue_s);
  }
  fail_unless (queue_s < 0.03 * initial_s, "%g", queue_s);
}

/* [ARC 3.1.4] */
CLAIM (test_timeout_after_two_srtt_sets_window_by_eq_2)
{
  path_run (10);
  p.bandwidth_bps = 400e3;
  p.now += REPORT;
  path_report (0, 0);
  p.now += RC_MSEC;
  path_send (1500);
  path_send (1500);         /* enough to pay for a report */
  fail_unless_equals_int64 (p.decision.next_at, p.now + 2 * p.law.path.srtt);
  p.now += 2 * p.law.path.srtt - RC_MSEC;
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless (p.arc->w_bits > 400e3 * 2.2, "not yet");
  p.now += RC_MSEC;
  p.decision = rc_controller_on_timer (&p.law, p.now);
  fail_unless (fabs (p.arc->w_bits - 400e3 * 2.1) < 1);
}

/* [ARC eq. 3] one packet each alpha = 0.3 s */
CLAIM (test_window_grows_one_packet_each_alpha)
{
  double w;

  path_run (1);
  w = p.arc->w_bits;
  path_run (3);
  fail_unless (fabs (p.arc->w_bits - w - 10 * PACKET_BITS) < PACKET_BITS / 100);
}

/* [ARC 3.1.2] between the threshold and a loss w stays */
CLAIM (test_window_is_held_while_backlog_exceeds_qthresh)
{
  double w;

  path_run (1);
  p.queue = 119 * RC_MSEC;      /* 10 packets of 1500 bytes are 120 ms at 1 Mbit/s */
  path_run (0.1);
  w = p.arc->w_bits;
  path_run (1);
  fail_unless (p.arc->w_bits > w);
  p.queue = 121 * RC_MSEC;
  path_run (0.1);
  w = p.arc->w_bits;
  path_run (1);
  fail_unless (p.arc->w_bits == w);
}

/* [ARC 3.1.1] Tq = RTT - mRTT */
CLAIM (test_queue_is_bandwidth_times_rtt_over_its_minimum)
{
  path_init (RC_PROFILE_PAPER, 2000000);
  path_run (1);
  p.queue = 30 * RC_MSEC;
  path_report (0, 0);
  fail_unless_equals_int64 (p.law.path.tq, 30 * RC_MSEC);
  fail_unless (fabs (p.arc->q_bits - 60e3) < 1);
}

CLAIM (test_one_reduction_an_srtt)
{
  double w;

  path_run (5);
  path_report (1, 0);
  p.bandwidth_bps = 100e3;
  p.now += 20 * RC_MSEC;
  w = p.arc->w_bits;
  path_report (1, 0);
  fail_unless (p.arc->w_bits == w);
}

static guint32
next_random (void)
{
  static guint32 seed = 7;

  seed = seed * 1664525u + 1013904223u;
  return seed >> 4;
}

/* Delays as a lying receiver could tell them. */
static void
random_delays (RcFeedback *f, guint64 bytes)
{
  RcTime owd = next_random () % 100 == 0 ? f->owd_remote : 7777 * RC_SECOND;

  owd += next_random () % (300 * RC_MSEC);
  f->delays = (RcDelays) { next_random () % 300, owd + next_random () % RC_SECOND, owd,
    owd + RC_MSEC, owd + next_random () % RC_SECOND, f->sent_at, bytes };
}

#define STANDING_STEPS 600      /* 15 s: a drain comes */

/* A queue that stays whatever we leave, as another flow's does. Then RTTs that are lies. */
static void
standing_queue (RcFeedback *f, guint step, guint64 bytes)
{
  RcTime owd = 7777 * RC_SECOND + MIN (step, 20) * 10 * RC_MSEC + next_random () % (20 * RC_MSEC);

  f->rtt = step < STANDING_STEPS ? owd - 7777 * RC_SECOND : (RcTime) (next_random () % 41) - 20;
  f->sent_at = p.now - f->rtt;
  f->owd_remote = owd;
  f->received_pkts = 10;
  f->lost_pkts = next_random () % 20 == 0;
  f->delays = (RcDelays) { 10, owd, owd, owd, owd, p.now - 50 * RC_MSEC, bytes };
}

/* Random reports, times and losses: the rate stays a number within the limits, next_at is not in
 * the past. */
#define EACH_STATE ((1 << RC_ARCLIVE_N_STATES) - 1)

CLAIM (test_no_feedback_makes_nonsense)
{
  for (int profile = 0; profile < 2; profile++) {
    guint64 bytes = 0;
    guint states = 0;

    path_init ((RcProfile) profile, 1000000);
    for (guint i = 0; i < 200000; i++) {
      RcFeedback f = {.policy = RC_REPORT_POLICY_PATIENT };
      guint step = i % 1000;
      enum { RANDOM, STANDING, SILENT } kind = i / 1000 % 3;

      p.now += kind == STANDING ? (step < STANDING_STEPS ? 25 * RC_MSEC : 100 * RC_USEC)
          : next_random () % (next_random () % 50 == 0 ? 3 * RC_SECOND : 30 * RC_MSEC);
      f.rtt = next_random () % 5 == 0 ? RC_TIME_NONE : 1 + next_random () % (2 * RC_SECOND);
      f.sent_at = p.now - f.rtt;
      f.owd_remote = (RcTime) next_random () * next_random ();
      f.bandwidth_bps = (guint64) next_random () * (next_random () % 4000);
      f.received_bytes = next_random () % 3 ? next_random () : 0;
      f.received_pkts = next_random () % 1000;
      f.lost_pkts = next_random () % 4 ? 0 : next_random ();
      f.outstanding_bytes = next_random () * (guint64) (next_random () % 100);
      bytes += kind == STANDING ? p.decision.rate_bps / 320 : next_random () % 100000;
      if (kind == STANDING)
        standing_queue (&f, step, bytes);
      else
        random_delays (&f, bytes);
      if (kind == STANDING)
        path_send ((guint32) (p.decision.rate_bps / 320));
      else if (next_random () % 3)
        path_send (next_random () % 65536);
      p.decision = kind == STANDING || (kind == RANDOM && next_random () % 3)
          ? rc_controller_on_feedback (&p.law, &f, p.now) : rc_controller_on_timer (&p.law, p.now);
      fail_unless (p.decision.rate_bps >= 10000 && p.decision.rate_bps <= 100000000);
      fail_unless (isfinite (profile ? p.arc->w_bits : path_x_bps ()));
      states |= profile ? EACH_STATE : 1 << path_state ();
      fail_unless (p.decision.report_interval > 0);
    }
    fail_unless_equals_int (states, EACH_STATE);
  }
}

CLAIM (test_every_parameter_is_settable_within_its_range_only)
{
  for (int profile = 0; profile < 2; profile++) {
    RcController law;
    RcParam param;

    rc_controller_init (&law, rc_law_find ("arc"), (RcProfile) profile);
    for (guint i = 0; rc_law_param (law.law, i, &param); i++) {
      double value;

      fail_unless (rc_controller_get_param (&law, param.name, &value));
      fail_unless (value >= param.min && value <= param.max, "default of %s", param.name);
      fail_unless (rc_controller_set_param (&law, param.name, param.max));
      fail_if (rc_controller_set_param (&law, param.name, param.max * 1.01 + 1));
      fail_if (rc_controller_set_param (&law, param.name, NAN));
      fail_unless (rc_controller_get_param (&law, param.name, &value) && value == param.max);
    }
    fail_if (rc_controller_set_param (&law, "no-such", 1));
  }
}
