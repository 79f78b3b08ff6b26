/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keywish.h>

#include "claim.h"

#define START (10 * RC_SECOND)
#define RTT (100 * RC_MSEC)

static RcKeyWish wish;

BEFORE_EACH
{
  rc_keywish_init (&wish);
}

/* After START, with what repairs within 0.3 s. */
static RcTime
due_after (RcTime now)
{
  RcTime at = rc_keywish_due_at (&wish, RTT, 300 * RC_MSEC, now);

  return at == RC_TIME_NONE ? RC_TIME_NONE : at - START;
}

CLAIM (test_nothing_is_asked_without_a_wish)
{
  fail_unless_equals_int64 (due_after (START), RC_TIME_NONE);
  fail_if (rc_keywish_watches (&wish));
}

CLAIM (test_a_request_is_repeated_until_a_keyframe_comes)
{
  const RcTime distances[] = { 200 * RC_MSEC, 400 * RC_MSEC, 800 * RC_MSEC, RC_SECOND, RC_SECOND };
  RcTime now = START;

  rc_keywish_want (&wish);
  fail_unless_equals_int64 (due_after (now), 0);
  for (guint i = 0; i < G_N_ELEMENTS (distances); i++) {
    rc_keywish_on_asked (&wish, now);
    fail_unless_equals_int64 (due_after (now), now - START + distances[i]);
    fail_unless_equals_int (wish.number, 1);
    now += distances[i];
  }
  rc_keywish_on_keyframe (&wish);
  fail_unless_equals_int64 (due_after (now), RC_TIME_NONE);
}

CLAIM (test_the_next_wish_has_the_next_number)
{
  for (guint i = 1; i < 4; i++) {
    rc_keywish_want (&wish);
    rc_keywish_on_asked (&wish, START + i * RC_SECOND);
    fail_unless_equals_int (wish.number, i);
    rc_keywish_on_keyframe (&wish);
  }
}

CLAIM (test_wishes_keep_a_round_trip_apart)
{
  rc_keywish_want (&wish);
  rc_keywish_on_asked (&wish, START);
  rc_keywish_on_keyframe (&wish);
  rc_keywish_want (&wish);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, 400 * RC_MSEC, 0, START) - START,
      400 * RC_MSEC);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, RC_MSEC, 0, START) - START,
      RC_KEYWISH_MIN_INTERVAL);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, RC_TIME_NONE, 0, START) - START,
      RC_KEYWISH_MIN_INTERVAL);
}

/* A repetition that came before an answer can come would only cost another keyframe. */
CLAIM (test_a_longer_round_trip_delays_the_repetition)
{
  rc_keywish_want (&wish);
  rc_keywish_on_asked (&wish, START);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, 3 * RC_SECOND, 0, START) - START,
      3 * RC_SECOND + RC_KEYWISH_ANSWER_TIME);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, RC_TIME_NONE, 0, START) - START,
      300 * RC_MSEC);
}

CLAIM (test_a_loss_asks_when_the_time_of_its_repair_is_over)
{
  rc_keywish_on_lost (&wish, 7, START);
  rc_keywish_on_lost (&wish, 9, START + 100 * RC_MSEC);
  fail_unless_equals_int64 (due_after (START), 300 * RC_MSEC);
  rc_keywish_on_came (&wish, 8);
  fail_unless_equals_int64 (due_after (START), 300 * RC_MSEC);
  rc_keywish_on_came (&wish, 7);
  fail_unless_equals_int64 (due_after (START), 400 * RC_MSEC);
  rc_keywish_on_came (&wish, 9);
  fail_unless_equals_int64 (due_after (START), RC_TIME_NONE);
}

/* At each time some packets are missing, but none for long. */
CLAIM (test_a_loss_without_hope_asks_at_once)
{
  rc_keywish_on_lost (&wish, 6, START - 10 * RC_MSEC);
  rc_keywish_on_lost (&wish, 7, START);
  rc_keywish_on_hopeless (&wish, 7, 300 * RC_MSEC, START + 50 * RC_MSEC);
  fail_unless_equals_int64 (due_after (START + 50 * RC_MSEC), 50 * RC_MSEC);
  rc_keywish_on_came (&wish, 7);
  fail_unless_equals_int64 (due_after (START + 50 * RC_MSEC), 290 * RC_MSEC);
  rc_keywish_on_hopeless (&wish, 8, 300 * RC_MSEC, START + 60 * RC_MSEC);     /* not lost so far */
  fail_unless_equals_int64 (due_after (START + 60 * RC_MSEC), 60 * RC_MSEC);
}

CLAIM (test_losses_that_are_all_repaired_ask_for_nothing)
{
  for (guint i = 0; i < 1000; i++) {
    RcTime at = START + i * 20 * RC_MSEC;

    rc_keywish_on_lost (&wish, i, at);
    if (i >= 10)
      rc_keywish_on_came (&wish, i - 10);
    fail_unless (due_after (at) + START > at);
  }
}

/* Among them one that is never repaired. */
CLAIM (test_a_loss_among_repaired_ones_asks)
{
  for (guint i = 0; i < 100; i++) {
    rc_keywish_on_lost (&wish, i, START + i * 20 * RC_MSEC);
    if (i >= 10 && i != 40 + 10)
      rc_keywish_on_came (&wish, i - 10);
  }
  fail_unless_equals_int64 (due_after (START), 40 * 20 * RC_MSEC + 300 * RC_MSEC);
}

static RcTime
unrepaired_due_after (RcTime now)
{
  return rc_keywish_due_at (&wish, RTT, 0, now) - START;
}

/* One that was asked for and came, then another. */
static void
lose_twice (void)
{
  rc_keywish_on_lost (&wish, 1, START);
  rc_keywish_on_asked (&wish, START + 300 * RC_MSEC);
  rc_keywish_on_keyframe (&wish);
  rc_keywish_on_lost (&wish, 1, START + 400 * RC_MSEC);
}

CLAIM (test_losses_that_nobody_repairs_ask_once_a_second)
{
  lose_twice ();
  fail_unless_equals_int64 (unrepaired_due_after (START + 400 * RC_MSEC), 1300 * RC_MSEC);
  rc_keywish_want (&wish);      /* what a decoder wants waits for no second */
  fail_unless_equals_int64 (unrepaired_due_after (START + 450 * RC_MSEC), 450 * RC_MSEC);
}

CLAIM (test_each_loss_that_repair_missed_asks)
{
  lose_twice ();
  fail_unless_equals_int64 (due_after (START + 400 * RC_MSEC), 700 * RC_MSEC);
}

/* The keyframe that the start asked for is damaged: the picture is not there yet. */
CLAIM (test_a_loss_in_the_first_keyframe_asks_again_at_once)
{
  rc_keywish_want (&wish);
  rc_keywish_on_asked (&wish, START);
  rc_keywish_on_keyframe (&wish);
  rc_keywish_on_lost (&wish, 1, START + 200 * RC_MSEC);
  fail_unless_equals_int64 (rc_keywish_due_at (&wish, RTT, 0, START + 200 * RC_MSEC) - START,
      200 * RC_MSEC);
}

CLAIM (test_a_keyframe_ends_all_wishes)
{
  rc_keywish_want (&wish);
  for (guint seq = 0; seq < 100; seq++)
    rc_keywish_on_lost (&wish, seq, START);
  rc_keywish_on_keyframe (&wish);
  fail_unless_equals_int64 (due_after (START), RC_TIME_NONE);
  rc_keywish_on_came (&wish, 5);        /* which nobody misses any more */
  fail_unless_equals_int64 (due_after (START), RC_TIME_NONE);
}

CLAIM (test_who_recognises_no_keyframe_asks_once)
{
  wish.blind = true;
  rc_keywish_want (&wish);
  rc_keywish_on_asked (&wish, START);
  fail_unless_equals_int64 (due_after (START + RC_SECOND), RC_TIME_NONE);
  rc_keywish_want (&wish);
  rc_keywish_on_asked (&wish, START + RC_SECOND);
  fail_unless_equals_int (wish.number, 2);
}
