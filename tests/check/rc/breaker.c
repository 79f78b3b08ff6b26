/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rules of RFC 8083, report by report. */
#include <rc/feedback/feedback.h>
#include <rc/path/breaker.h>

#include "claim.h"

#define BYTES 1200

static RcBreaker breaker;
static RcTime now;

static void
setup (void)
{
  rc_breaker_init (&breaker);
  now = 0;
}

BEFORE_EACH
{
  setup ();
}

/* At this rate for this long, then a report: this share was lost, after this round trip. */
static RcBreakerVerdict
report (RcTime span, gdouble bps, guint lost_percent, RcTime rtt)
{
  RcFeedback feedback = {.rtt = rtt,.received_pkts = 100 - lost_percent,.lost_pkts = lost_percent };

  for (gdouble bytes = bps / 8 * rc_time_to_s (span); bytes >= BYTES; bytes -= BYTES)
    rc_breaker_on_sent (&breaker, BYTES, 1);
  now += span;
  return rc_breaker_on_report (&breaker, &feedback, (guint64) bps, now);
}

/* Number of the first report that opens it, from 1; 0: none of 60. */
static guint
opens_at (RcBreakerVerdict verdict, RcTime span, gdouble bps, guint lost_percent, RcTime rtt)
{
  for (guint i = 1; i <= 60; i++)
    if (report (span, bps, lost_percent, rtt) == verdict)
      return i;
  return 0;
}

static RcBreakerVerdict
report_nothing (RcTime span, guint packets, RcTime rtt)
{
  RcFeedback feedback = {.rtt = rtt };

  for (guint i = 0; i < packets; i++)
    rc_breaker_on_sent (&breaker, BYTES, 1);
  now += span;
  return rc_breaker_on_report (&breaker, &feedback, G_MAXUINT64, now);
}

static guint
barren_reports (RcTime span, guint packets, RcTime rtt)
{
  for (guint i = 1; i <= 60; i++)
    if (report_nothing (span, packets, rtt) == RC_BREAKER_NOTHING_ARRIVES)
      return i;
  return 0;
}

/* --- 4.2 media timeout --- */

static void
report_twice (RcTime rtt)
{
  for (guint i = 0; i < 2; i++)
    report (RC_SECOND, 1e6, 0, rtt);
}

static const struct
{
  RcTime rtt;
  guint packets;                /* sent for each report */
  guint reports;                /* that open it; 0: none */
} barren[] = {
  {50 * RC_MSEC, 10, 5},
  {2 * RC_SECOND, 10, 10},      /* a round trip longer than the interval asks for more reports */
  {50 * RC_MSEC, 0, 0},         /* a source that pauses opens nothing */
};

CLAIMS (test_five_reports_without_a_new_packet_open_it, G_N_ELEMENTS (barren))
{
  report_twice (barren[__i__].rtt);
  fail_unless_equals_int (barren_reports (RC_SECOND, barren[__i__].packets, barren[__i__].rtt),
      barren[__i__].reports);
}

CLAIM (test_a_new_packet_begins_the_count_again)
{
  report_twice (50 * RC_MSEC);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (report_nothing (RC_SECOND, 10, RC_TIME_NONE), RC_BREAKER_CLOSED);
  report (RC_SECOND, 1e6, 0, 50 * RC_MSEC);
  fail_unless_equals_int (barren_reports (RC_SECOND, 10, RC_TIME_NONE), 5);
}

/* --- 4.3 congestion --- */

/* 10 X at p = 10 %, Tr = 250 ms and s = 1200 bytes is 1.49 Mbit/s. */
CLAIM (test_it_opens_above_ten_times_the_rate_of_tcp)
{
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 1.40e6, 10, 250 * RC_MSEC), 0);
  setup ();
  fail_unless (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 1.55e6, 10, 250 * RC_MSEC) > 0);
}

CLAIM (test_it_takes_the_reports_over_15_s)
{
  report (RC_SECOND, 5e6, 20, 250 * RC_MSEC);
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, 250 * RC_MSEC), 15);
  setup ();
  report (5 * RC_SECOND, 5e6, 20, 250 * RC_MSEC);
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, 5 * RC_SECOND, 5e6, 20, 250 * RC_MSEC), 3);
}

CLAIM (test_reports_many_times_a_second_open_it_as_late)
{
  guint i;

  for (i = 0; i < 1000; i++)
    if (report (20 * RC_MSEC, 5e6, 20, 250 * RC_MSEC) == RC_BREAKER_REDUCE)
      break;
  fail_unless (i >= 740 && i <= 800, "%u", i);
}

CLAIM (test_the_loss_is_a_mean_weighted_by_time)
{
  report (RC_SECOND, 1e6, 0, 250 * RC_MSEC);
  report (RC_SECOND, 3e6, 60, 250 * RC_MSEC);   /* 4 % of 15 s: 10 X is 2.35 Mbit/s */
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 2e6, 0, 250 * RC_MSEC), 0);
}

CLAIM (test_marks_count_as_losses)
{
  RcFeedback marked = {.rtt = 250 * RC_MSEC,.received_pkts = 100,.ce_pkts = 20 };
  RcBreakerVerdict verdict = RC_BREAKER_CLOSED;

  for (guint i = 0; i < 17 && verdict == RC_BREAKER_CLOSED; i++) {
    for (guint k = 0; k < 500; k++)
      rc_breaker_on_sent (&breaker, BYTES, 1);
    now += RC_SECOND;
    verdict = rc_breaker_on_report (&breaker, &marked, G_MAXUINT64, now);
  }
  fail_unless_equals_int (verdict, RC_BREAKER_REDUCE);
}

CLAIM (test_a_law_that_has_gone_down_keeps_it_closed)
{
  RcFeedback lost = {.rtt = 250 * RC_MSEC,.received_pkts = 80,.lost_pkts = 20 };

  for (guint i = 0; i < 15; i++)
    report (RC_SECOND, 5e6, 20, 250 * RC_MSEC);
  now += RC_SECOND;
  for (guint i = 0; i < 500; i++)
    rc_breaker_on_sent (&breaker, BYTES, 1);
  fail_unless_equals_int (rc_breaker_on_report (&breaker, &lost, 500000, now), RC_BREAKER_CLOSED);
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, 250 * RC_MSEC), 1);
}

/* 4.5 */
CLAIM (test_it_reduces_first_and_ceases_if_the_next_span_is_no_better)
{
  report (RC_SECOND, 5e6, 20, 250 * RC_MSEC);
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, 250 * RC_MSEC), 15);
  fail_unless_equals_int (opens_at (RC_BREAKER_CEASE, RC_SECOND, 5e6, 20, 250 * RC_MSEC), 15);
}

CLAIM (test_a_good_span_forgets_that_it_reduced)
{
  report (RC_SECOND, 5e6, 20, 250 * RC_MSEC);
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, 250 * RC_MSEC), 15);
  for (guint i = 0; i < 16; i++)
    report (RC_SECOND, 5e5, 0, 250 * RC_MSEC);
  fail_unless (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, 250 * RC_MSEC) > 0);
}

CLAIM (test_without_a_round_trip_time_it_stays_closed)
{
  fail_unless_equals_int (opens_at (RC_BREAKER_REDUCE, RC_SECOND, 5e6, 20, RC_TIME_NONE), 0);
}
