/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A queue is told from delay noise. */
#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/path/queueing.h>

#include "claim.h"

#define RECEIVER_CLOCK (7777 * RC_SECOND)
#define REPORT (25 * RC_MSEC)
#define PACKET_S 0.002

typedef struct
{
  RcQueueing queueing;
  RcTime now, owd, back;        /* without queue and jitter */
  guint32 random;
} Fixture;

static void
fixture_init (Fixture *self)
{
  *self = (Fixture) {.owd = 30 * RC_MSEC,.back = 20 * RC_MSEC,.random = 1 };
  rc_queueing_init (&self->queueing);
}

static double
uniform (Fixture *self)
{
  self->random = self->random * 1664525 + 1013904223;
  return (self->random >> 8) / 16777216.0;
}

/* One report of ten packets, each with a queue and up to `jitter` of delay. The first `n_early`
 * seem to be `early` faster. */
static void
fixture_report_early (Fixture *self, RcTime queue, RcTime jitter, gboolean hold, guint n_early,
    RcTime early)
{
  RcFeedback f = { 0 };
  RcTime sum = 0;

  self->now += REPORT;
  f.delays.least_remote = f.delays.second_remote = G_MAXINT64;
  for (guint i = 0; i < 10; i++) {
    RcTime owd = RECEIVER_CLOCK + self->owd + queue + (RcTime) ((double) jitter * uniform (self))
        - (i < n_early ? early : 0);

    f.delays.second_remote = MIN (f.delays.second_remote, MAX (owd, f.delays.least_remote));
    f.delays.least_remote = MIN (f.delays.least_remote, owd);
    f.delays.last_remote = owd;
    sum += owd - RECEIVER_CLOCK;
  }
  f.delays.pkts = 10;
  f.delays.mean_remote = RECEIVER_CLOCK + sum / 10;
  f.owd_remote = f.delays.last_remote;
  f.rtt = f.owd_remote - RECEIVER_CLOCK + self->back;
  rc_queueing_add (&self->queueing, &f, PACKET_S, hold, self->now);
}

static void
fixture_report (Fixture *self, RcTime queue, RcTime jitter, gboolean hold)
{
  fixture_report_early (self, queue, jitter, hold, 0, 0);
}

static Fixture f;

BEFORE_EACH
{
  fixture_init (&f);
}

static void
fixture_run (Fixture *self, double seconds, RcTime queue, RcTime jitter)
{
  for (RcTime end = self->now + rc_time_from_s (seconds); self->now < end;)
    fixture_report (self, queue, jitter, FALSE);
}

/* [ARC 3.1.1] Tq = RTT - mRTT */
CLAIM (test_queue_is_the_delay_over_its_least)
{
  fail_unless (rc_queueing_base_rtt (&f.queueing) == RC_TIME_NONE);
  fixture_run (&f, 1, 0, 0);
  fixture_report (&f, 15 * RC_MSEC, 0, FALSE);
  fail_unless (fabs (f.queueing.delay_s - 0.015) < 1e-9, "%g", f.queueing.delay_s);
  fail_unless (f.queueing.before_s == 0);
  fail_unless_equals_int64 (rc_queueing_base_rtt (&f.queueing), 50 * RC_MSEC);
}

CLAIM (test_jitter_is_noise_and_no_queue)
{
  double most_s = 0;

  fixture_run (&f, 3, 0, 40 * RC_MSEC);
  fail_unless (f.queueing.noise_s > 0.010 && f.queueing.noise_s < 0.020,
      "mean less least: %g", f.queueing.noise_s);
  for (guint i = 0; i < 200; i++) {
    fixture_report (&f, 0, 40 * RC_MSEC, FALSE);
    most_s = MAX (most_s, f.queueing.delay_s);
  }
  fail_unless (most_s < 0.005, "%g", most_s);
}

CLAIM (test_queue_shows_through_jitter)
{
  fixture_run (&f, 3, 0, 40 * RC_MSEC);
  fixture_run (&f, 0.5, 50 * RC_MSEC, 40 * RC_MSEC);
  fail_unless (fabs (f.queueing.delay_s - 0.050) < 0.003, "%g", f.queueing.delay_s);
}

/* It climbs 80 ms in 1 s and is drained as fast. */
CLAIM (test_queue_of_ones_own_is_no_noise)
{
  fixture_run (&f, 1, 0, 0);
  for (guint i = 0; i < 200; i++) {
    fixture_report (&f, ABS ((gint) (i % 80) - 40) * 2 * RC_MSEC, 0, FALSE);
    fail_unless (f.queueing.noise_s < 0.006, "%g", f.queueing.noise_s);
  }
}

CLAIM (test_queue_on_the_way_back_and_drift_of_the_clock_are_no_queue)
{
  fixture_run (&f, 1, 0, 0);
  f.back += 200 * RC_MSEC;
  fixture_report (&f, 0, 0, FALSE);
  fail_unless (f.queueing.delay_s == 0, "reports queue: %g", f.queueing.delay_s);
  f.back -= 240 * RC_MSEC;
  f.owd += 40 * RC_MSEC;
  fixture_report (&f, 0, 0, FALSE);
  fail_unless (f.queueing.delay_s == 0, "the receiver's clock gains: %g", f.queueing.delay_s);
}

CLAIM (test_early_packet_is_no_base_until_a_second_confirms_it)
{
  fixture_run (&f, 1, 0, 0);
  fixture_report_early (&f, 0, 0, FALSE, 1, 4 * RC_MSEC);
  fixture_report (&f, 0, 0, FALSE);
  fail_unless (f.queueing.delay_s == 0, "one packet: %g", f.queueing.delay_s);
  fixture_report_early (&f, 0, 0, FALSE, 2, 4 * RC_MSEC);
  fixture_report (&f, 0, 0, FALSE);
  fail_unless (fabs (f.queueing.delay_s - 0.004) < 1e-9, "two packets: %g", f.queueing.delay_s);
}

CLAIM (test_base_follows_a_higher_least_delay_by_no_more_than_the_noise)
{
  fixture_run (&f, 1, 0, 0);
  f.owd += 100 * RC_MSEC;
  fixture_run (&f, 8, 0, 40 * RC_MSEC);
  fail_unless (f.queueing.delay_s > 0.075 && f.queueing.delay_s < 0.095, "%g", f.queueing.delay_s);
}

CLAIM (test_least_delay_is_forgotten_after_half_a_minute_unless_held)
{
  for (guint hold = 0; hold < 2; hold++) {
    fixture_init (&f);
    fixture_run (&f, 1, 0, 0);
    for (guint i = 0; i < 1600; i++)
      fixture_report (&f, 80 * RC_MSEC, 0, hold);
    fail_unless (fabs (f.queueing.delay_s - (hold ? 0.080 : 0)) < 1e-9, "%g", f.queueing.delay_s);
  }
}

CLAIM (test_stall_leaves_a_gap_and_a_queue_does_not)
{
  fixture_run (&f, 1, 0, 0);
  fixture_report (&f, 20 * RC_MSEC, 0, FALSE);
  fail_if (f.queueing.gap);
  fixture_report (&f, 80 * RC_MSEC, 0, FALSE);
  fail_unless (f.queueing.gap);
  fixture_report (&f, 80 * RC_MSEC, 0, FALSE);
  fail_if (f.queueing.gap, "it stays");
}

CLAIM (test_new_route_has_no_queue_and_its_noise)
{
  fixture_run (&f, 3, 0, 40 * RC_MSEC);
  f.owd += 100 * RC_MSEC;
  fixture_run (&f, 0.5, 0, 40 * RC_MSEC);
  fail_unless (f.queueing.delay_s > 0.080);
  rc_queueing_take_route (&f.queueing, f.now);
  fixture_run (&f, 0.5, 0, 40 * RC_MSEC);
  fail_unless (f.queueing.delay_s < 0.005, "%g", f.queueing.delay_s);
  fail_unless (f.queueing.noise_s > 0.008, "%g", f.queueing.noise_s);
}

CLAIM (test_other_receiver_has_another_clock)
{
  fixture_run (&f, 1, 0, 0);
  rc_queueing_forget_clock (&f.queueing);
  f.owd += 5 * RC_SECOND;
  f.back -= 5 * RC_SECOND;
  fixture_report (&f, 0, 0, FALSE);
  fail_unless (f.queueing.delay_s == 0);
}
