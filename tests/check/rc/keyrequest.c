/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keyrequest.h>

#include "claim.h"

#define START (10 * RC_SECOND)
#define RTT (100 * RC_MSEC)

static RcKeyRequest keys;

BEFORE_EACH
{
  rc_keyrequest_init (&keys);
}

static gboolean
take (gboolean needed, RcTime now)
{
  RcTime at = rc_keyrequest_due_at (&keys, needed, 0, now);

  if (at == RC_TIME_NONE || at > now)
    return FALSE;
  rc_keyrequest_on_ordered (&keys, now);
  return TRUE;
}

CLAIM (test_the_first_request_is_passed_on_at_once)
{
  fail_if (take (FALSE, START));
  fail_unless (rc_keyrequest_on_pli (&keys, RTT, START));
  fail_unless (take (FALSE, START));
  fail_if (take (FALSE, START + RC_SECOND));
}

CLAIM (test_what_is_asked_within_a_round_trip_is_answered_already)
{
  rc_keyrequest_on_pli (&keys, RTT, START);
  take (FALSE, START);
  fail_if (rc_keyrequest_on_pli (&keys, RTT, START + 99 * RC_MSEC));
  rc_keyrequest_on_keyframe (&keys, START + 50 * RC_MSEC);
  fail_if (rc_keyrequest_on_pli (&keys, RTT, START + 149 * RC_MSEC));
  fail_if (take (FALSE, START + RC_SECOND));
  fail_unless (rc_keyrequest_on_pli (&keys, RTT, START + 150 * RC_MSEC));
}

CLAIM (test_a_later_request_is_kept_until_its_time)
{
  rc_keyrequest_on_pli (&keys, RTT, START);
  fail_unless (take (FALSE, START));
  rc_keyrequest_on_keyframe (&keys, START + 30 * RC_MSEC);
  fail_unless (rc_keyrequest_on_pli (&keys, RTT, START + 130 * RC_MSEC));
  fail_if (rc_keyrequest_on_pli (&keys, RTT, START + 140 * RC_MSEC));
  fail_if (take (FALSE, START + 199 * RC_MSEC));
  fail_unless_equals_int64 (rc_keyrequest_due_at (&keys, FALSE, 0, START), START + 200 * RC_MSEC);
  fail_unless (take (FALSE, START + 200 * RC_MSEC));
}

/* Its head left before the viewer listened. */
CLAIM (test_a_keyframe_that_nobody_requested_delays_no_order)
{
  rc_keyrequest_on_keyframe (&keys, START);
  fail_unless (rc_keyrequest_on_pli (&keys, RTT, START + 101 * RC_MSEC));
  fail_unless (take (FALSE, START + 101 * RC_MSEC));
}

CLAIM (test_a_keyframe_answers_what_waits)
{
  rc_keyrequest_on_pli (&keys, RTT, START);
  fail_unless (take (FALSE, START));
  fail_unless (rc_keyrequest_on_pli (&keys, RTT, START + 150 * RC_MSEC));
  rc_keyrequest_on_keyframe (&keys, START + 160 * RC_MSEC);
  fail_if (take (FALSE, START + RC_SECOND));
}

/* 10000 a second for ten seconds, of a sender whose encoder obeys after 33 ms. */
CLAIM (test_a_storm_makes_five_keyframes_a_second_at_most)
{
  RcTime keyframe_at = RC_TIME_NONE;
  guint orders = 0, heard = 0;

  for (RcTime now = START; now < START + 10 * RC_SECOND; now += 100 * RC_USEC) {
    heard += rc_keyrequest_on_pli (&keys, 5 * RC_MSEC, now);
    if (take (FALSE, now)) {
      orders++;
      keyframe_at = now + 33 * RC_MSEC;
    }
    if (keyframe_at != RC_TIME_NONE && now >= keyframe_at) {
      rc_keyrequest_on_keyframe (&keys, now);
      keyframe_at = RC_TIME_NONE;
    }
  }
  fail_unless (orders >= 40 && orders <= 50, "%u orders", orders);
  fail_unless (heard <= 3 * orders, "%u of 100000 heard", heard);
}

CLAIM (test_an_absurd_round_trip_silences_nobody)
{
  rc_keyrequest_on_keyframe (&keys, START);
  fail_if (rc_keyrequest_on_pli (&keys, 3600 * RC_SECOND, START + 999 * RC_MSEC));
  fail_unless (rc_keyrequest_on_pli (&keys, 3600 * RC_SECOND, START + RC_SECOND));
}

CLAIM (test_fir_of_the_same_number_is_the_same_request)
{
  fail_unless (rc_keyrequest_on_fir (&keys, 1, 7, RTT, START));
  fail_unless (take (FALSE, START));
  fail_if (rc_keyrequest_on_fir (&keys, 1, 7, RTT, START + RC_SECOND));
  fail_if (take (FALSE, START + RC_SECOND));
  fail_unless (rc_keyrequest_on_fir (&keys, 1, 8, RTT, START + RC_SECOND));
  fail_unless (take (FALSE, START + RC_SECOND));
  fail_unless (rc_keyrequest_on_fir (&keys, 2, 8, RTT, START + 2 * RC_SECOND));
}

CLAIM (test_a_newcomer_gets_a_keyframe_unless_one_left_as_it_came)
{
  fail_unless (rc_keyrequest_on_newcomer (&keys, RTT, START));
  fail_unless (take (FALSE, START));
  rc_keyrequest_on_keyframe (&keys, START);
  fail_if (rc_keyrequest_on_newcomer (&keys, RTT, START + 299 * RC_MSEC));
  fail_unless (rc_keyrequest_on_newcomer (&keys, RTT, START + 300 * RC_MSEC));
}

CLAIM (test_a_need_is_told_each_second_until_a_keyframe_comes)
{
  fail_unless (take (TRUE, START));
  fail_if (take (TRUE, START + 999 * RC_MSEC));
  fail_unless (take (TRUE, START + RC_SECOND));
  /* It came, and does not fit either. */
  rc_keyrequest_on_keyframe (&keys, START + 1100 * RC_MSEC);
  fail_unless (take (TRUE, START + 1101 * RC_MSEC));
}

CLAIM (test_where_a_keyframe_takes_long_to_leave_requests_wait_for_twice_as_long)
{
  rc_keyrequest_on_pli (&keys, RTT, START);
  rc_keyrequest_on_ordered (&keys, START);
  rc_keyrequest_on_pli (&keys, RTT, START + 150 * RC_MSEC);
  fail_unless_equals_int64 (rc_keyrequest_due_at (&keys, FALSE, 100 * RC_MSEC, START),
      START + 200 * RC_MSEC);
  fail_unless_equals_int64 (rc_keyrequest_due_at (&keys, FALSE, 300 * RC_MSEC, START),
      START + 600 * RC_MSEC);
  fail_unless_equals_int64 (rc_keyrequest_due_at (&keys, FALSE, 3 * RC_SECOND, START),
      START + RC_SECOND);
}
