/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/feedback/feedback.h>
#include <rc/law/controller.h>

#include "claim.h"

#define RTT (50 * RC_MSEC)

static const RcLimits limits = { 100000, 1000000, 50000000 };

typedef struct
{
  RcController c;
  RcDecision d;
  RcTime now, sent_at, reported_at;
  RcTime queue;                 /* in the RTT, soon */
  RcTime waits;                 /* now: it grows by QUEUE_GROWS a report */
  guint64 received_bytes;
} Flow;

static void
begin (Flow * flow, const char *law, RcProfile profile)
{
  memset (flow, 0, sizeof *flow);
  rc_controller_init (&flow->c, rc_law_find (law), profile);
  flow->d = rc_controller_start (&flow->c, &limits, 0);
}

#define QUEUE_GROWS (10 * RC_MSEC)

/* Sends at the rate and is reported each 20 ms, with this stamp; obeys the timer. */
static void
run (Flow * flow, RcTime span, guint64 explicit_bps)
{
  RcTime end = flow->now + span;

  for (; flow->now < end; flow->now += RC_MSEC) {
    RcSent sent = { (guint32) (flow->d.rate_bps / 8000), TRUE };

    flow->d = rc_controller_on_sent (&flow->c, &sent, flow->now);
    if (flow->d.next_at != RC_TIME_NONE && flow->now >= flow->d.next_at)
      flow->d = rc_controller_on_timer (&flow->c, flow->now);
    if (flow->now - flow->reported_at >= 20 * RC_MSEC) {
      RcTime before = RTT + flow->waits, grows = MIN (flow->queue - flow->waits, QUEUE_GROWS);
      RcFeedback feedback = {.rtt = before + grows,.owd_remote = before + grows,
          .sent_at = flow->now - RTT };

      flow->waits += grows;
      feedback.bandwidth_bps = flow->d.rate_bps;
      feedback.received_bytes = flow->d.rate_bps / 400;
      feedback.received_pkts = 10;
      feedback.explicit_rate_bps = explicit_bps;
      flow->received_bytes += feedback.received_bytes;
      feedback.delays = (RcDelays) { 10, before, before, before, feedback.rtt,
          feedback.sent_at, flow->received_bytes };
      flow->d = rc_controller_on_feedback (&flow->c, &feedback, flow->now);
      flow->reported_at = flow->now;
    }
  }
}

/* [PIQI eq. 2] */
CLAIM (test_rcp_obeys_at_once)
{
  static const char *laws[] = { "rcp", "qi-rcp" };

  for (guint i = 0; i < G_N_ELEMENTS (laws); i++) {
    Flow flow;

    begin (&flow, laws[i], RC_PROFILE_PAPER);
    run (&flow, 30 * RC_MSEC, 20000000);
    fail_unless_equals_uint64 (flow.d.rate_bps, 20000000);
    run (&flow, 30 * RC_MSEC, 3000000);
    fail_unless_equals_uint64 (flow.d.rate_bps, 3000000);
  }
}

/* [PIQI eq. 19]: with tau1 = 0.01 a step is 1/100 of the way each 10 ms: 63.4 % after one second */
CLAIM (test_piqi_approaches_on_the_clock_of_its_interval)
{
  gdouble tau2;
  Flow flow;

  begin (&flow, "piqi-rcp", RC_PROFILE_PAPER);
  fail_unless (rc_controller_get_param (&flow.c, "tau2", &tau2) && tau2 == 0.1,
      "of the paper's Linux runs");
  run (&flow, 21 * RC_MSEC, 20000000);
  fail_unless (flow.d.rate_bps < 1100000,
      "no jump at the first rate: %g", (double) flow.d.rate_bps);
  run (&flow, RC_SECOND, 20000000);
  fail_unless (fabs (flow.d.rate_bps - 1e6 - 0.634 * 19e6) < 0.02 * 19e6,
      "%g", (double) flow.d.rate_bps);
  run (&flow, 9 * RC_SECOND, 20000000);
  fail_unless (fabs (flow.d.rate_bps / 20e6 - 1) < 0.001);
  fail_unless (rc_controller_set_param (&flow.c, "tau2", 0.5));
  run (&flow, 20 * RC_MSEC, 10000000);
  fail_unless (fabs (flow.d.rate_bps / 14.9e6 - 1) < 0.02,
      "tau2 of a change at once: %g", (double) flow.d.rate_bps);
}

/* Or a join fills the queue until all have come down. */
CLAIM (test_live_piqi_comes_down_with_the_rate)
{
  Flow flow;

  begin (&flow, "piqi-rcp", RC_PROFILE_LIVE);
  run (&flow, 10 * RC_SECOND, 20000000);
  run (&flow, 25 * RC_MSEC, 10000000);
  fail_unless (flow.d.rate_bps < 11500000, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_without_stamps_it_is_arc)
{
  Flow flow, arc;

  begin (&flow, "piqi-rcp", RC_PROFILE_LIVE);
  begin (&arc, "arc", RC_PROFILE_LIVE);
  for (guint i = 0; i < 200; i++) {
    run (&flow, 20 * RC_MSEC, 0);
    run (&arc, 20 * RC_MSEC, 0);
    fail_unless_equals_uint64 (flow.d.rate_bps, arc.d.rate_bps);
  }
  fail_unless (flow.d.rate_bps > 10 * limits.start_bps);
}

CLAIM (test_smaller_of_explicit_and_arc_rate_holds)
{
  Flow flow;

  begin (&flow, "rcp", RC_PROFILE_LIVE);
  run (&flow, 5 * RC_SECOND, 8000000);
  fail_unless (fabs (flow.d.rate_bps / 8e6 - 1) < 0.01, "%g", (double) flow.d.rate_bps);
  flow.queue = 100 * RC_MSEC;   /* somewhere else on the path */
  run (&flow, RC_SECOND, 8000000);
  fail_unless (flow.d.rate_bps < 7800000, "%g", (double) flow.d.rate_bps);
  flow.queue = 30 * RC_MSEC;    /* under the guard */
  run (&flow, 20 * RC_SECOND, 8000000);
  fail_unless (fabs (flow.d.rate_bps / 8e6 - 1) < 0.01, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_new_limits_hold_with_and_without_stamps)
{
  const RcLimits narrow = { 100000, 1000000, 2000000 };
  const guint64 stamps[] = { 0, 8000000 };

  for (guint i = 0; i < G_N_ELEMENTS (stamps); i++) {
    Flow flow;

    begin (&flow, "rcp", RC_PROFILE_LIVE);
    run (&flow, 5 * RC_SECOND, stamps[i]);
    fail_unless (flow.d.rate_bps > 7800000);
    flow.d = rc_controller_set_limits (&flow.c, &narrow, flow.now);
    run (&flow, RC_SECOND, stamps[i]);
    fail_unless_equals_uint64 (flow.d.rate_bps, 2000000);
    flow.d = rc_controller_set_limits (&flow.c, &limits, flow.now);
    run (&flow, 5 * RC_SECOND, stamps[i]);
    fail_unless (flow.d.rate_bps > 7800000, "%g", (double) flow.d.rate_bps);
  }
}

CLAIM (test_arc_gives_way_soon_after_a_short_queue_elsewhere)
{
  Flow flow;

  begin (&flow, "piqi-rcp", RC_PROFILE_LIVE);
  run (&flow, 300 * RC_MSEC, 20000000);
  flow.queue = 200 * RC_MSEC;
  run (&flow, 100 * RC_MSEC, 20000000);
  flow.queue = 0;
  fail_unless (flow.d.rate_bps < 5000000);
  run (&flow, 8 * RC_SECOND, 20000000);
  fail_unless (flow.d.rate_bps > 19000000, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_false_rates_stay_within_the_limits)
{
  static const guint64 lies[] = { 1, G_MAXUINT64, 99999, 50000001 };
  Flow flow;

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++) {
    begin (&flow, i % 2 ? "piqi-rcp" : "rcp", RC_PROFILE_PAPER);
    run (&flow, 20 * RC_SECOND, lies[i]);
    fail_unless_equals_uint64 (flow.d.rate_bps,
        lies[i] < limits.min_bps ? limits.min_bps : limits.max_bps);
  }
}

CLAIM (test_absurd_rate_counts_as_the_largest_one)
{
  Flow absurd, largest;

  begin (&absurd, "piqi-rcp", RC_PROFILE_PAPER);
  begin (&largest, "piqi-rcp", RC_PROFILE_PAPER);
  for (guint i = 0; i < 50; i++) {
    run (&absurd, 20 * RC_MSEC, G_MAXUINT64);
    run (&largest, 20 * RC_MSEC, limits.max_bps);
    fail_unless_equals_uint64 (absurd.d.rate_bps, largest.d.rate_bps);
  }
}

CLAIM (test_it_wakes_to_approach_without_reports)
{
  Flow flow;
  guint64 before;

  begin (&flow, "piqi-rcp", RC_PROFILE_PAPER);
  run (&flow, 100 * RC_MSEC, 20000000);
  before = flow.d.rate_bps;
  for (guint i = 0; i < 20; i++) {
    fail_unless (flow.d.next_at <= flow.now + 10 * RC_MSEC);
    flow.now = flow.d.next_at;
    flow.d = rc_controller_on_timer (&flow.c, flow.now);
  }
  fail_unless (flow.d.rate_bps > before + 2000000, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_parameters_that_could_not_be_stable_are_lowered)
{
  RcController c;
  double tau2;

  rc_controller_init (&c, rc_law_find ("piqi-rcp"), RC_PROFILE_LIVE);
  fail_unless (rc_controller_set_param (&c, "tau1", 0.99) && rc_controller_set_param (&c,
          "tau2", 0.99));
  rc_controller_start (&c, &limits, 0);
  fail_unless (rc_controller_get_param (&c, "tau2", &tau2) && 0.99 + 2 * tau2 < 2);
  rc_controller_init (&c, rc_law_find ("rcp"), RC_PROFILE_LIVE);
  fail_if (rc_controller_set_param (&c, "tau1", 0.5), "rcp has none");
}

CLAIM (test_reports_are_asked_for_more_often_while_a_rate_holds)
{
  Flow flow;

  begin (&flow, "rcp", RC_PROFILE_LIVE);
  fail_unless (rc_controller_set_param (&flow.c, "report_max", 0.03));
  flow.d = rc_controller_start (&flow.c, &limits, 0);
  flow.waits = flow.queue = 350 * RC_MSEC;      /* a long way */
  run (&flow, 100 * RC_MSEC, 0);
  fail_unless (flow.d.report_interval > 30 * RC_MSEC);
  run (&flow, 100 * RC_MSEC, 5000000);
  fail_unless_equals_int64 (flow.d.report_interval, 30 * RC_MSEC);
}

/* An absurd rate lets it climb no faster than ARC does without one. */
CLAIM (test_false_rate_lifts_no_faster_than_arc)
{
  Flow flow, arc;

  begin (&flow, "rcp", RC_PROFILE_LIVE);
  begin (&arc, "arc", RC_PROFILE_LIVE);
  for (guint i = 0; i < 100; i++) {
    run (&flow, 20 * RC_MSEC, G_MAXUINT64);
    run (&arc, 20 * RC_MSEC, 0);
    fail_unless (flow.d.rate_bps <= arc.d.rate_bps);
  }
}

CLAIM (test_arc_goes_on_from_the_rate_that_held)
{
  Flow flow;

  begin (&flow, "rcp", RC_PROFILE_LIVE);
  run (&flow, 5 * RC_SECOND, 40000000);
  fail_unless (fabs (flow.d.rate_bps / 40e6 - 1) < 0.01, "%g", (double) flow.d.rate_bps);
  run (&flow, 2 * RC_SECOND, 5000000);
  run (&flow, 900 * RC_MSEC, 0);
  fail_unless (fabs (flow.d.rate_bps / 5e6 - 1) < 0.01, "held: %g", (double) flow.d.rate_bps);
  run (&flow, 150 * RC_MSEC, 0);
  fail_unless (flow.d.rate_bps < 8000000,
      "no jump to what was seconds ago: %g", (double) flow.d.rate_bps);
  run (&flow, 5 * RC_SECOND, 0);
  fail_unless (flow.d.rate_bps > 8000000, "%g", (double) flow.d.rate_bps);
}

/* While a relay guides, ARC grows faster and tolerates a queue elsewhere up to the guard. */
CLAIM (test_arc_without_its_relay_gives_way_to_a_queue_as_arc_does)
{
  Flow flow;

  begin (&flow, "rcp", RC_PROFILE_LIVE);
  run (&flow, 5 * RC_SECOND, 8000000);
  run (&flow, 1100 * RC_MSEC, 0);
  flow.queue = 40 * RC_MSEC;    /* under the guard */
  run (&flow, RC_SECOND, 0);
  fail_unless (flow.d.rate_bps < 8000000, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_source_that_paused_begins_anew)
{
  Flow flow;

  begin (&flow, "piqi-rcp", RC_PROFILE_PAPER);
  run (&flow, 10 * RC_SECOND, 20000000);
  flow.now += 500 * RC_MSEC;
  run (&flow, 10 * RC_MSEC, 20000000);
  fail_unless (flow.d.rate_bps > 19000000, "a short pause is none");
  flow.now += 1500 * RC_MSEC;
  run (&flow, 15 * RC_MSEC, 20000000);
  fail_unless (flow.d.rate_bps < 2000000, "%g", (double) flow.d.rate_bps);
}

CLAIM (test_silence_stops_it_though_a_rate_held)
{
  RcSent sent = { 1200, TRUE };
  Flow flow;

  memset (&flow, 0, sizeof flow);
  rc_controller_init (&flow.c, rc_law_find ("piqi-rcp"), RC_PROFILE_LIVE);
  fail_unless (rc_controller_set_param (&flow.c, "stop", 3));
  flow.d = rc_controller_start (&flow.c, &limits, 0);
  run (&flow, 2 * RC_SECOND, 20000000);
  for (guint i = 0; i < 320; i++) {
    flow.now += 10 * RC_MSEC;
    flow.d = rc_controller_on_timer (&flow.c, flow.now);
    if (!rc_controller_is_stopped (&flow.c))
      flow.d = rc_controller_on_sent (&flow.c, &sent, flow.now);
    fail_unless (flow.d.next_at == RC_TIME_NONE || flow.d.next_at > flow.now);
  }
  fail_unless (rc_controller_is_stopped (&flow.c));
}
