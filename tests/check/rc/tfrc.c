/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <tcpequation.h>
#include <tfrc.h>

#include "claim.h"

#include <rc/feedback/feedback.h>

#define PACKET 1500
#define RTT (100 * RC_MSEC)

static const RcLimits limits = { 10000, 500000, 100000000 };

typedef struct
{
  RcController c;
  RcDecision d;
  RcTime now;
} Flow;

static Flow flow;

static double told;             /* loss event ratio */

static void
begin (RcProfile profile)
{
  memset (&flow, 0, sizeof flow);
  rc_controller_init (&flow.c, &tfrc_law, profile);
  tfrc_listen (&flow.c, &told);
  flow.d = rc_controller_start (&flow.c, &limits, 0);
}

BEFORE_EACH
{
  begin (RC_PROFILE_LIVE);
}

/* Sends for `span` at `share` of the rate, of which everything arrives but no more than
 * receive_bps, then a report. */
static void
round_trip (RcTime span, double share, double receive_bps, double p, guint32 lost)
{
  double bytes = flow.d.rate_bps * rc_time_to_s (span) / 8 * share,
      most = receive_bps * rc_time_to_s (span) / 8;
  RcSent sent = { PACKET, TRUE };
  guint n = (guint) (bytes / PACKET);
  RcFeedback feedback = {.lost_pkts = lost,.rtt = RTT };

  told = p;
  for (guint i = 0; i < n; i++)
    rc_controller_on_sent (&flow.c, &sent, flow.now + span * i / n);
  flow.now += span;
  feedback.sent_at = flow.now - RTT;
  feedback.received_bytes = (guint64) MIN (bytes, most);
  feedback.received_pkts = (guint32) (feedback.received_bytes / PACKET) + 1;
  flow.d = rc_controller_on_feedback (&flow.c, &feedback, flow.now);
}

/* [RFC 5348 4.3] */
CLAIM (test_slow_start_doubles_once_a_round_trip)
{
  double last;

  round_trip (RTT, 1, 1e9, 0, 0);
  for (guint i = 0; i < 5; i++) {
    last = flow.d.rate_bps;
    round_trip (RTT, 1, 1e9, 0, 0);
    fail_unless (fabs (flow.d.rate_bps / last - 2) < 0.1,
        "%g after %g", (double) flow.d.rate_bps, last);
    last = flow.d.rate_bps;
    round_trip (RTT / 3, 1, 1e9, 0, 0);
    fail_unless (flow.d.rate_bps == last, "only once");
    flow.now += RTT / 3;
    round_trip (RTT / 3, 1, 1e9, 0, 0);
  }
}

/* [RFC 5348 4.2]: at 100 ms and 1500 bytes the initial window is 4380 bytes, 350 kbit/s */
CLAIM (test_first_report_allows_the_initial_window)
{
  static const RcLimits slow = { 10000, 20000, 100000000 };

  rc_controller_start (&flow.c, &slow, 0);
  flow.d.rate_bps = 20000;
  round_trip (RC_SECOND, 1, 1e9, 0, 0);
  fail_unless (fabs (flow.d.rate_bps / 350400.0 - 1) < 0.01, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_slow_start_is_bound_by_twice_the_receive_rate)
{
  for (guint i = 0; i < 20; i++)
    round_trip (RTT, 1, 1e6, 0, 0);
  fail_unless (flow.d.rate_bps <= 2.05e6 && flow.d.rate_bps >= 1.9e6,
      "%g", (double) flow.d.rate_bps);
}

/* [RFC 5348 3.1, 4.3] */
CLAIM (test_after_a_loss_the_rate_is_the_equations)
{
  for (guint i = 0; i < 8; i++)
    round_trip (RTT, 1, 1e9, 0, 0);
  for (guint i = 0; i < 8; i++)
    round_trip (RTT, 1, 1e9, 0.01, i == 0);
  fail_unless (fabs (flow.d.rate_bps / tcp_equation_bps (PACKET * 8, 0.1, 0.01) - 1) < 0.02,
      "%g", (double) flow.d.rate_bps);
}

/* [RFC 5348 4.3]: a source that uses less than its rate gets no more than twice what it used,
 * and 0.85 of that after a loss. */
CLAIM (test_data_limited_source_is_held_near_what_it_sends)
{
  double used;

  for (guint i = 0; i < 4; i++)
    round_trip (RTT, 1, 1e9, 0, 0);
  used = flow.d.rate_bps * 0.3;
  for (guint i = 0; i < 10; i++)
    round_trip (RTT, used / flow.d.rate_bps, 1e9, 0.0001, 0);
  fail_unless (flow.d.rate_bps <= 2 * 2.2 * used / 0.6,
      "%g with %g used", (double) flow.d.rate_bps, used);
  round_trip (RTT, used / flow.d.rate_bps, 1e9, 0.0002, 1);
  fail_unless (fabs (flow.d.rate_bps / (0.85 * used) - 1) < 0.03,
      "%g with %g used", (double) flow.d.rate_bps, used);
}

/* [RFC 5348 4.4]: 4 R, or 2 s / X */
CLAIM (test_no_feedback_timer_halves_the_rate)
{
  RcSent sent = { PACKET, TRUE };
  RcTime at;
  guint64 last;

  begin (RC_PROFILE_PAPER);
  for (guint i = 0; i < 6; i++)
    round_trip (RTT, 1, 1e9, 0, 0);
  for (guint i = 0; i < 3; i++) {
    flow.d = rc_controller_on_sent (&flow.c, &sent, flow.now);
    at = flow.d.next_at;
    fail_unless_equals_int64 (at, flow.now + 4 * RTT);
    last = flow.d.rate_bps;
    flow.d = rc_controller_on_timer (&flow.c, at - 1);
    fail_unless_equals_uint64 (flow.d.rate_bps, last);
    flow.d = rc_controller_on_timer (&flow.c, at);
    fail_unless (fabs (flow.d.rate_bps / (last / 2.0) - 1) < 0.01);
    flow.now = at;
  }
}

/* [RFC 5348 4.4]: with a loss behind, to half of the equation's rate, or to what was received if
 * that is less */
CLAIM (test_no_feedback_timer_halves_the_equations_rate)
{
  static const struct { double receive_bps, expected_bps; } rows[] = {
    {1e9, 1347986.8 / 2},
    {0.4e6, 0.4e6},
  };
  RcSent sent = { PACKET, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    begin (RC_PROFILE_LIVE);
    for (guint k = 0; k < 10; k++)
      round_trip (RTT, 1, rows[i].receive_bps, k < 5 ? 0 : 0.01, 0);
    flow.d = rc_controller_on_sent (&flow.c, &sent, flow.now);
    flow.d = rc_controller_on_timer (&flow.c, flow.d.next_at);
    fail_unless (fabs (flow.d.rate_bps / rows[i].expected_bps - 1) < 0.03,
        "%u: %g", i, (double) flow.d.rate_bps);
  }
}

/* [RFC 5348 4.4]: who sends nothing loses no rate below the initial one */
CLAIM (test_idle_source_keeps_the_initial_rate)
{
  begin (RC_PROFILE_PAPER);
  for (guint i = 0; i < 8; i++)
    round_trip (RTT, 1, 1e9, 0, 0);
  for (guint i = 0; i < 100; i++)
    flow.d = rc_controller_on_timer (&flow.c, flow.d.next_at);
  fail_if (rc_controller_is_stopped (&flow.c));
  fail_unless (flow.d.rate_bps >= 4380 * 8 / 0.1 - 1, "%g", (double) flow.d.rate_bps);
  fail_unless (flow.d.rate_bps < 2 * 4380 * 8 / 0.1);
}

CLAIM (test_self_clocking_follows_the_receive_rate_after_a_loss)
{
  for (guint i = 0; i < 2; i++) {
    begin (i == 0 ? RC_PROFILE_PAPER : RC_PROFILE_LIVE);
    for (guint k = 0; k < 8; k++)
      round_trip (RTT, 1, 2e6, 0, 0);
    round_trip (RTT, 1, 1e6, 1e-6, 1);
    if (i == 0)
      fail_unless (fabs (flow.d.rate_bps / 1e6 - 1) < 0.05, "%g", (double) flow.d.rate_bps);
    else
      fail_unless (flow.d.rate_bps > 1.9e6, "%g", (double) flow.d.rate_bps);
  }
}

/* [RFC 5348 4.5]: R_sqmean = 0.95 sqrt (0.1) + 0.05 sqrt (0.225), over sqrt (0.225) is 0.6833 */
CLAIM (test_longer_round_trip_lowers_the_rate_at_once)
{
  RcFeedback late = {.rtt = 225 * RC_MSEC,.received_pkts = 1,.received_bytes = PACKET };
  guint64 before;

  begin (RC_PROFILE_PAPER);
  round_trip (RTT, 1, 1e9, 0, 0);
  round_trip (RTT, 1, 1e9, 0, 0);
  before = flow.d.rate_bps;
  flow.now += RC_MSEC;
  late.sent_at = flow.now - late.rtt;
  flow.d = rc_controller_on_feedback (&flow.c, &late, flow.now);
  fail_unless (fabs (flow.d.rate_bps / (0.6833 * before) - 1) < 0.001,
      "%g", flow.d.rate_bps / (double) before);
}

CLAIM (test_no_report_makes_the_rate_leave_its_limits)
{
  guint32 seed = 1;

  begin (RC_PROFILE_PAPER);
  for (guint i = 0; i < 20000; i++) {
    double p;

    seed = seed * 1664525 + 1013904223;
    p = (seed >> 8) % 3 == 0 ? 0 : pow (2, -((seed >> 16) % 33));
    round_trip (1 + (seed >> 12) % RTT, (seed >> 20) % 3 / 2.0, (seed >> 4) % 100000000,
        p, (seed >> 24) % 2);
    fail_unless (flow.d.rate_bps >= limits.min_bps && flow.d.rate_bps <= limits.max_bps);
  }
}
