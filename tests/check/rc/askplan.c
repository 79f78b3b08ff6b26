/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/askplan.h>

#include "claim.h"

#define SSRC 0x1111
#define START (100 * RC_SECOND)
#define LATENCY (300 * RC_MSEC)

static RcAskPlan plan;
static RcAskTimes times;

BEFORE_EACH
{
  rc_askplan_init (&plan);
  times = (RcAskTimes) {.answer = 110 * RC_MSEC,.latest_answer = 140 * RC_MSEC,
    .rtt = 100 * RC_MSEC };
}

static void
miss (guint32 seq)
{
  rc_askplan_on_missing (&plan, SSRC, seq, START, START + LATENCY);
}

/* How many are asked for at that time. */
static guint
asked_at (RcTime after)
{
  RcMissingPacket packet;
  guint n = 0;

  for (; rc_askplan_take_due (&plan, &times, START + after, &packet); n++)
    fail_unless_equals_int (packet.ssrc, SSRC);
  return n;
}

static guint
hopeless_at (RcTime after)
{
  RcMissingPacket packet;
  guint n = 0;

  while (rc_askplan_take_hopeless (&plan, &times, START + after, &packet))
    n++;
  return n;
}

static RcTime
due_after (void)
{
  RcTime at = rc_askplan_due_at (&plan, &times);

  return at == RC_TIME_NONE ? RC_TIME_NONE : at - START;
}

CLAIM (test_what_is_missing_is_asked_for_at_once_and_once)
{
  fail_unless_equals_int64 (due_after (), RC_TIME_NONE);
  miss (7);
  miss (8);
  miss (7);
  fail_unless_equals_int64 (due_after (), 0);
  fail_unless_equals_int (asked_at (0), 2);
  fail_unless_equals_int (asked_at (0), 0);
}

CLAIM (test_it_is_asked_for_again_when_the_answer_is_overdue)
{
  miss (7);
  asked_at (0);
  fail_unless_equals_int64 (due_after (), times.answer);
  fail_unless_equals_int (asked_at (times.answer - 1), 0);
  fail_unless_equals_int (asked_at (times.answer), 1);
  fail_unless_equals_int (hopeless_at (times.answer), 0);
}

/* What is left behind the latest answer is shared out among the tries. */
CLAIM (test_a_request_waits_for_the_latest_answer_where_that_costs_no_try)
{
  times = (RcAskTimes) {.answer = 54 * RC_MSEC,.latest_answer = 66 * RC_MSEC,.rtt = 52 * RC_MSEC };
  miss (7);
  asked_at (0);
  fail_unless_equals_int64 (due_after (), (LATENCY - times.latest_answer) / 4);
  times.latest_answer = 100 * RC_MSEC;
  fail_unless_equals_int64 (due_after (), times.answer);
  times = (RcAskTimes) {.answer = 20 * RC_MSEC,.latest_answer = 64 * RC_MSEC,.rtt = 20 * RC_MSEC };
  fail_unless_equals_int64 (due_after (), 59 * RC_MSEC);        /* 4 of 14 are enough */
  fail_unless_equals_int64 (rc_askplan_patience (&plan, SSRC, 7, &times), 59 * RC_MSEC);
  fail_unless_equals_int64 (rc_askplan_patience (&plan, SSRC, 8, &times), times.answer);
}

CLAIM (test_what_has_come_is_asked_for_no_more)
{
  miss (7);
  miss (8);
  asked_at (0);
  rc_askplan_on_came (&plan, SSRC, 7);
  rc_askplan_on_came (&plan, SSRC + 1, 8);
  rc_askplan_on_came (&plan, SSRC, 9);
  fail_unless_equals_int (asked_at (times.answer), 1);
  rc_askplan_on_came (&plan, SSRC, 8);
  fail_unless_equals_int64 (due_after (), RC_TIME_NONE);
}

CLAIM (test_a_request_of_somebody_else_counts)
{
  miss (7);
  rc_askplan_on_asked (&plan, SSRC, 7, START + 20 * RC_MSEC);
  fail_unless_equals_int (asked_at (20 * RC_MSEC), 0);
  fail_unless_equals_int64 (due_after (), 20 * RC_MSEC + times.answer);
}

/* At 110 and 220 ms; the answer of a request at 330 would come after 300. */
CLAIM (test_what_cannot_come_in_time_is_not_asked_for_but_hopeless)
{
  miss (7);
  asked_at (0);
  fail_unless_equals_int (asked_at (110 * RC_MSEC), 1);
  fail_unless_equals_int (asked_at (220 * RC_MSEC), 0);
  fail_unless_equals_int (hopeless_at (249 * RC_MSEC), 0);
  fail_unless_equals_int64 (due_after (), 250 * RC_MSEC);
  fail_unless_equals_int (hopeless_at (250 * RC_MSEC), 1);
  fail_unless_equals_int64 (due_after (), RC_TIME_NONE);
}

/* The answer of the first request was lost, and that of the second would be overdue at 320 ms. */
CLAIM (test_what_comes_too_late_is_hopeless_before_it_is_overdue)
{
  miss (7);
  rc_askplan_on_asked (&plan, SSRC, 7, START + LATENCY - times.latest_answer + 20 * RC_MSEC);
  fail_unless_equals_int (hopeless_at (LATENCY - 1), 0);
  fail_unless_equals_int64 (due_after (), LATENCY);
  fail_unless_equals_int (hopeless_at (LATENCY), 1);
}

CLAIM (test_a_gap_that_shows_too_late_is_hopeless_at_once)
{
  miss (7);
  fail_unless_equals_int (hopeless_at (LATENCY - times.rtt), 0);
  fail_unless_equals_int (asked_at (LATENCY - times.rtt + 1), 0);
  fail_unless_equals_int (hopeless_at (LATENCY - times.rtt + 1), 1);
}

CLAIM (test_too_many_are_left_to_others)
{
  for (guint32 seq = 0; seq < 2 * RC_ASKPLAN_MAX; seq++)
    miss (seq);
  fail_unless_equals_int (asked_at (0), RC_ASKPLAN_MAX);
  fail_unless_equals_int (hopeless_at (LATENCY), RC_ASKPLAN_MAX);
}
