/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/caller.h>

#include "claim.h"

#define NUMBER 7

static RcCaller caller;

BEFORE_EACH
{
  rc_caller_init (&caller, NUMBER, 0);
}

/* How many calls come until `end`, if media came at media_at. */
static guint
calls_until (RcTime media_at, RcTime now, RcTime end)
{
  guint calls = 0;
  RcTime next_at;

  while (now < end) {
    calls += rc_caller_must_call (&caller, media_at, now, &next_at);
    if (next_at == RC_TIME_NONE)
      break;
    now = next_at;
  }
  return calls;
}

static gboolean
answer (RcAnswerVerdict verdict, RcTime now)
{
  RcAnswer a = {.number = NUMBER,.cookie = verdict == RC_ANSWER_COOKIE ? 9 : 0,.verdict = verdict };

  return rc_caller_on_answer (&caller, &a, now);
}

CLAIM (test_calls_come_at_once_and_then_less_and_less_often)
{
  fail_unless_equals_int (calls_until (RC_TIME_NONE, 0, RC_SECOND), 4);
  fail_unless_equals_int (calls_until (RC_TIME_NONE, RC_SECOND, 61 * RC_SECOND), 120);
}

CLAIM (test_a_cookie_is_brought_back_at_once_but_not_as_often_as_copies_of_it_come)
{
  RcTime next_at;

  calls_until (RC_TIME_NONE, 0, RC_MSEC);
  fail_unless (answer (RC_ANSWER_COOKIE, 10 * RC_MSEC));
  fail_unless (rc_caller_must_call (&caller, RC_TIME_NONE, 10 * RC_MSEC, &next_at));
  fail_unless_equals_uint64 (caller.cookie, 9);
  fail_if (answer (RC_ANSWER_COOKIE, 11 * RC_MSEC));
  fail_if (rc_caller_must_call (&caller, RC_TIME_NONE, 11 * RC_MSEC, &next_at));
}

CLAIM (test_media_keeps_it_silent_and_its_end_makes_it_call_again)
{
  calls_until (RC_TIME_NONE, 0, RC_MSEC);
  fail_unless (answer (RC_ANSWER_ACCEPTED, RC_MSEC));
  fail_unless_equals_int (calls_until (5 * RC_SECOND, 5 * RC_SECOND,
          5 * RC_SECOND + RC_CALLER_PATIENCE), 0);
  fail_unless (calls_until (5 * RC_SECOND, 6 * RC_SECOND, 7 * RC_SECOND) >= 3);
}

CLAIM (test_a_refusal_is_final)
{
  fail_unless (answer (RC_ANSWER_REFUSED, RC_MSEC));
  fail_unless_equals_int (calls_until (RC_TIME_NONE, RC_MSEC, RC_SECOND), 0);
  fail_if (answer (RC_ANSWER_ACCEPTED, RC_SECOND));
  fail_unless_equals_int (caller.state, RC_CALLER_REFUSED);
}

CLAIM (test_who_is_told_to_call_later_calls_on)
{
  fail_if (answer (RC_ANSWER_LATER, RC_MSEC));
  fail_unless (calls_until (RC_TIME_NONE, RC_MSEC, 10 * RC_SECOND) >= 6);
  fail_unless (answer (RC_ANSWER_ACCEPTED, 10 * RC_SECOND));
}

CLAIM (test_verdicts_of_later_versions_refuse)
{
  fail_unless (answer (RC_ANSWER_STRANGER + 5, RC_MSEC));
  fail_unless_equals_int (caller.state, RC_CALLER_REFUSED);
}

CLAIM (test_an_answer_for_another_caller_has_no_effect)
{
  RcAnswer other = {.number = NUMBER + 1,.verdict = RC_ANSWER_REFUSED };

  fail_if (rc_caller_on_answer (&caller, &other, RC_MSEC));
  fail_unless_equals_int (caller.state, RC_CALLER_CALLS);
}
