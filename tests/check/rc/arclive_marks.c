/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How live ARC answers to the marks of an L4S queue; beside other flows: tests/check/loop. */
#include "arcpath.h"

BEFORE_EACH
{
  path_init (RC_PROFILE_LIVE, 1000000);
}

#define START_BPS 20000000
#define RTT_S 0.1

/* Past start-up, at rest, packets leave as ECT(1). */
static void
path_l4s (void)
{
  path_init (RC_PROFILE_LIVE, START_BPS);
  path_leave_start ();
  p.ect1 = TRUE;
}

/* Until a round of marked packets has been told. */
static void
path_run_round (double share)
{
  double before = path_fact ("mark-share");

  p.mark_share = share;
  for (int i = 0; i < 10 && path_fact ("mark-share") == before; i++)
    path_run (rc_time_to_s (REPORT));
}

CLAIM (test_marks_of_a_round_take_half_of_their_share)
{
  double x_bps, alpha, ratio;

  path_l4s ();
  path_run_round (0);
  x_bps = path_x_bps ();
  path_run_round (0.2);
  alpha = path_fact ("mark-share");
  fail_unless (fabs (alpha - 0.2) < 0.01, "%g", alpha);
  /* [RFC 8257 eq. 2] */
  ratio = path_x_bps () / x_bps;
  fail_unless (fabs (ratio / (1 - alpha / 2) - 1) < 0.01, "%g", ratio);
  x_bps = path_x_bps ();
  path_run_round (0.6);
  /* [RFC 8257 eq. 1] with g = 1/16 */
  alpha += (0.6 - alpha) / 16;
  fail_unless (fabs (path_fact ("mark-share") - alpha) < 0.01);
  ratio = path_x_bps () / x_bps;
  fail_unless (fabs (ratio / (1 - alpha / 2) - 1) < 0.02, "%g", ratio);
}

/* 1500 bytes more in each round trip: 12 kbit / (0.1 s)^2. */
CLAIM (test_rate_grows_by_a_packet_each_round_trip_squared)
{
  double x_bps;

  path_l4s ();
  path_run_round (0.2);
  p.mark_share = 0;
  x_bps = path_x_bps ();
  path_run (0.5);
  fail_unless (fabs ((path_x_bps () - x_bps) / (0.5 * PACKET_BITS / (RTT_S * RTT_S)) - 1) < 0.1,
      "%g", path_x_bps () - x_bps);
}

static double
x_after_mark (gboolean ect1, RcTime queue, double *alpha)
{
  path_l4s ();
  while (path_x_bps () < 2.0 * START_BPS)
    path_run (rc_time_to_s (REPORT));
  p.ect1 = ect1;
  p.queue = queue;
  p.mark_share = 0.02;
  path_run (3 * rc_time_to_s (REPORT));
  *alpha = path_fact ("mark-share");
  return path_x_bps ();
}

/* CoDel marks from 5 ms on, an L4S queue all packets from 1.2 ms on [RFC 9331 4.3]. */
CLAIM (test_marks_at_a_longer_queue_or_of_ect0_are_classic)
{
  double alpha, cut_bps = 0.97 * START_BPS;

  fail_unless (x_after_mark (TRUE, 2 * RC_MSEC, &alpha) > 1.9 * START_BPS);
  fail_unless (alpha > 0);
  fail_unless (fabs (x_after_mark (TRUE, 5 * RC_MSEC, &alpha) / cut_bps - 1) < 0.01);
  fail_unless (alpha < 0);
  fail_unless (fabs (x_after_mark (FALSE, 0, &alpha) / cut_bps - 1) < 0.01);
  fail_unless (alpha < 0);
}

/* Another path: its queue grows without marks. */
CLAIM (test_queue_without_marks_ends_the_growth_of_l4s)
{
  path_l4s ();
  path_run_round (0.2);
  fail_unless (path_fact ("mark-share") > 0);
  p.mark_share = 0;
  p.queue = 30 * RC_MSEC;
  path_run (0.3);
  fail_unless (path_fact ("mark-share") < 0);
}
