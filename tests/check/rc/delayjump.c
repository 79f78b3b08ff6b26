/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/feedback.h>
#include <rc/path/delayjump.h>

#include "claim.h"

#define TOLERANCE_S 0.0099
#define REPORT (20 * RC_MSEC)
#define RTT (120 * RC_MSEC)
#define B_BPS 3e6

static gboolean
is_one (gdouble rise_s, guint pkts, RcTime least, RcTime last)
{
  RcDelays delays = {.pkts = pkts,.least_remote = least,.last_remote = last };

  return rc_delayjump_is_one (&delays, rise_s, TOLERANCE_S);
}

CLAIM (test_jump_comes_at_once_and_a_queue_packet_by_packet)
{
  fail_unless (is_one (0.090, 6, 109 * RC_MSEC, 109 * RC_MSEC));
  fail_unless (is_one (0.090, 6, 109 * RC_MSEC, 125 * RC_MSEC));
  fail_if (is_one (0.0098, 6, 30 * RC_MSEC, 30 * RC_MSEC), "it is within the tolerance");
  fail_if (is_one (0.014, 2, 30 * RC_MSEC, 37 * RC_MSEC), "it goes on within the report");
  fail_unless (is_one (0.090, 1, 109 * RC_MSEC, 109 * RC_MSEC), "one packet has no slope");
}

/* The number of the first report that finds a route, 0: none of so many. */
static guint
found (gdouble delay_s, gdouble change_s, gdouble rate_bps, guint reports)
{
  RcDelayJump jump;

  rc_delayjump_begin (&jump, delay_s, B_BPS, 0);
  for (guint i = 1; i <= reports; i++) {
    delay_s += change_s;
    if (rc_delayjump_is_route (&jump, delay_s, TOLERANCE_S, rate_bps, RTT, i * REPORT)) {
      fail_if (jump.pending);
      return i;
    }
  }
  return 0;
}

CLAIM (test_delay_that_stays_though_we_drain_is_the_routes)
{
  /* at 0.8 of B a queue falls by two tolerances in 0.1 s, 5 reports, and 6 later it shows */
  fail_unless_equals_int (found (0.1, 0, 0.8 * B_BPS, 40), 11);
  /* at 0.95 in 0.4 s */
  fail_unless_equals_int (found (0.1, 0, 0.95 * B_BPS, 40), 26);
}

CLAIM (test_delay_that_falls_is_a_queue)
{
  fail_unless_equals_int (found (0.3, -0.004, 0.8 * B_BPS, 50), 0);
}

CLAIM (test_nothing_is_known_while_we_do_not_drain)
{
  fail_unless_equals_int (found (0.1, 0, B_BPS, 400), 0);
  fail_unless_equals_int (found (0.1, 0, 1.2 * B_BPS, 400), 0);
}

CLAIM (test_route_is_found_under_a_queue_that_drains)
{
  RcDelayJump jump;
  guint i;

  rc_delayjump_begin (&jump, 0.09, B_BPS, 0);
  fail_unless (rc_delayjump_holds (&jump));
  fail_unless_equals_float (rc_delayjump_rate_bps (&jump, TOLERANCE_S),
      B_BPS * (1 - 0.0198 / 0.25));
  fail_if (rc_delayjump_is_route (&jump, 0.102, TOLERANCE_S, 0.8 * B_BPS, RTT, REPORT));
  fail_if (rc_delayjump_holds (&jump), "it climbs");
  fail_if (rc_delayjump_is_route (&jump, 0.09, TOLERANCE_S, 0.8 * B_BPS, RTT, 2 * REPORT));
  fail_unless (rc_delayjump_holds (&jump), "it fell");
  for (i = 3; i < 40; i++)
    if (rc_delayjump_is_route (&jump, 0.09, TOLERANCE_S, 0.8 * B_BPS, RTT, i * REPORT))
      break;
  fail_unless_equals_int (i, 13);
}
