/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/feedback.h>
#include <rc/sender/ecn.h>

#include "claim.h"

#define RTT (50 * RC_MSEC)

static RcEcn ecn;
static RcTime now;

BEFORE_EACH
{
  rc_ecn_init (&ecn, FALSE);
  now = RC_SECOND;
}

/* Tells of packets that left one RTT ago; returns the CE marks that may be believed. */
static guint
hear (guint received, guint capable, guint ce)
{
  RcFeedback feedback = {.sent_at = now - RTT,.received_pkts = received,.ecn_read = TRUE,
      .ecn_pkts = capable, .ce_pkts = ce };

  rc_ecn_on_feedback (&ecn, &feedback, now);
  return feedback.ce_pkts;
}

/* The same of a sender that may send ECT(1): so many came as that, so many as ECT(0). */
static guint
hear_both (guint received, guint ect1, guint ect0, guint ce)
{
  RcFeedback feedback = {.sent_at = now - RTT,.received_pkts = received,.ecn_read = TRUE,
      .ecn_pkts = ect1 + ect0 + ce, .ect1_pkts = ect1, .ce_pkts = ce };
  gboolean l4s = ecn.state == RC_ECN_ON && ecn.bits == RC_ECN_BITS_ECT_1;

  rc_ecn_on_feedback (&ecn, &feedback, now);
  fail_unless_equals_int (feedback.left_as_ect1, l4s);
  return feedback.ce_pkts;
}

/* A trial of which so many arrive. */
static void
try_both (guint ect1, guint ect0, guint ce)
{
  rc_ecn_on_sent (&ecn, RC_ECN_TRIAL_PKTS, now);
  now += RTT + RC_MSEC;
  hear_both (RC_ECN_TRIAL_PKTS, ect1, ect0, ce);
}

static void
begin_scalable (void)
{
  rc_ecn_init (&ecn, TRUE);
  hear_both (1, 0, 0, 0);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_1);
}

/* A trial of which so many arrive marked. */
static void
try (guint capable)
{
  rc_ecn_on_sent (&ecn, RC_ECN_TRIAL_PKTS, now);
  now += RTT + RC_MSEC;
  hear (RC_ECN_TRIAL_PKTS, capable, 0);
}

static void
turn_on (void)
{
  hear (1, 0, 0);
  try (RC_ECN_TRIAL_PKTS);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  now += 2 * RTT;
}

/* 20 packets every 100 ms. */
static void
run (RcTime duration, guint capable, guint ce)
{
  RcTime end = now + duration;

  while (now < end && ecn.state == RC_ECN_ON) {
    now += 100 * RC_MSEC;
    hear (20, capable, ce);
  }
}

CLAIM (test_nothing_is_marked_before_the_receiver_tells_ecn_bits)
{
  RcFeedback silent = {.received_pkts = 1000,.sent_at = now };

  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_NOT_ECT);
  rc_ecn_on_sent (&ecn, 100, now);
  rc_ecn_on_feedback (&ecn, &silent, now);
  fail_unless_equals_int (ecn.state, RC_ECN_UNKNOWN);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_NOT_ECT);
  hear (1, 0, 0);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
}

CLAIM (test_trial_is_ten_packets_and_then_waits)
{
  hear (1, 0, 0);
  rc_ecn_on_sent (&ecn, 9, now);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
  now += RC_MSEC;
  rc_ecn_on_sent (&ecn, 1, now);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_NOT_ECT);
  rc_ecn_on_sent (&ecn, 5, now + 10 * RC_MSEC); /* unmarked: no part of it */
  now += RTT; /* of the last packet of the trial: others that left with it may be on the way */
  hear (5, 5, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_TRIAL);
  now++;
  hear (10, 5, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
}

CLAIM (test_half_of_the_trial_must_arrive_marked)
{
  hear (1, 0, 0);
  try (RC_ECN_TRIAL_PKTS / 2 - 1);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_NOT_ECT);
  rc_ecn_init (&ecn, FALSE);
  hear (1, 0, 0);
  try (RC_ECN_TRIAL_PKTS / 2);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
}

CLAIM (test_failed_trial_is_repeated_a_minute_later)
{
  hear (1, 0, 0);
  try (0);
  now += RC_ECN_RETRY - 1;
  hear (1, 0, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
  now++;
  hear (1, 0, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_TRIAL);
  try (RC_ECN_TRIAL_PKTS);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
}

CLAIM (test_marks_that_vanish_later_turn_it_off)
{
  turn_on ();
  run (20 * RC_SECOND, 11, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  run (2 * RC_ECN_WINDOW, 9, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
}

CLAIM (test_packets_of_before_it_was_on_are_not_judged)
{
  hear (1, 0, 0);
  try (RC_ECN_TRIAL_PKTS);
  now += RTT;                   /* left when the trial was judged */
  hear (10 * RC_ECN_WINDOW_PKTS, 0, 0);
  now++;
  hear (RC_ECN_WINDOW_PKTS, RC_ECN_WINDOW_PKTS, 0);
  now += RC_ECN_WINDOW;
  hear (1, 1, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
}

CLAIM (test_marks_on_every_packet_whatever_the_rate_turn_it_off)
{
  turn_on ();
  run (RC_ECN_WINDOW - 200 * RC_MSEC, 20, 20);  /* a queue that takes some seconds to empty */
  run (20 * RC_SECOND, 20, 19);
  run (RC_ECN_WINDOW / 5, 20, 20);      /* 120 packets, but a small part of a window */
  run (RC_ECN_WINDOW, 20, 19);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  run (2 * RC_ECN_WINDOW, 20, 20);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
}

CLAIM (test_few_packets_are_not_judged)
{
  guint i;

  turn_on ();
  for (i = 1; i < RC_ECN_WINDOW_PKTS; i++) {
    now += RC_SECOND;
    hear (1, 0, 0);
  }
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  now += RC_SECOND;
  hear (1, 0, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
}

CLAIM (test_only_marks_of_capable_packets_are_believed)
{
  fail_unless_equals_int (hear (20, 0, 7), 0);  /* nothing had left with marks */
  fail_unless_equals_int (hear (20, 1, 7), 7);
  try (RC_ECN_TRIAL_PKTS);
  now += 2 * RTT;
  fail_unless_equals_int (hear (20, 20, 7), 7);
  run (2 * RC_ECN_WINDOW, 20, 20);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
  fail_unless_equals_int (hear (20, 20, 20), 0);
}

CLAIM (test_another_receiver_gets_its_own_trial)
{
  RcFeedback feedback = {.restarted = TRUE,.sent_at = now,.ecn_read = FALSE };

  turn_on ();
  rc_ecn_on_feedback (&ecn, &feedback, now);
  fail_unless_equals_int (ecn.state, RC_ECN_UNKNOWN);
  turn_on ();
  feedback.ecn_read = TRUE;
  rc_ecn_on_feedback (&ecn, &feedback, now);
  fail_unless_equals_int (ecn.state, RC_ECN_TRIAL);
}

/* [RFC 9331 4.3] */
CLAIM (test_only_a_scalable_law_sends_ect1)
{
  turn_on ();
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
  fail_unless_equals_string (rc_ecn_state_name (&ecn), "on");
  begin_scalable ();
  try_both (RC_ECN_TRIAL_PKTS / 2 - 1, 0, 1);   /* marks arrive as they left, too */
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_1);
  fail_unless_equals_string (rc_ecn_state_name (&ecn), "l4s");
  now += RC_SECOND;
  fail_unless_equals_int (hear_both (20, 13, 0, 7), 7);
}

/* A burst is answered where marks are the answer to a short queue. */
CLAIM (test_the_first_mark_on_ect1_finds_l4s)
{
  turn_on ();
  hear (20, 20, 5);
  fail_if (rc_ecn_finds_l4s (&ecn), "ECT(0)");
  begin_scalable ();
  try_both (RC_ECN_TRIAL_PKTS, 0, 0);
  now += RC_SECOND;
  hear_both (20, 20, 0, 0);
  fail_if (rc_ecn_finds_l4s (&ecn), "no mark yet");
  hear_both (20, 19, 0, 1);
  fail_unless (rc_ecn_finds_l4s (&ecn));
}

CLAIM (test_bleached_or_rewritten_ect1_falls_back_to_ect0_and_then_to_none)
{
  begin_scalable ();
  try_both (0, RC_ECN_TRIAL_PKTS, 0);   /* rewritten */
  fail_unless_equals_int (ecn.state, RC_ECN_TRIAL);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
  try_both (0, RC_ECN_TRIAL_PKTS, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);

  begin_scalable ();
  try_both (0, 0, 0);           /* bleached */
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
  try_both (0, 0, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_FAILED);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_NOT_ECT);
  now += RC_ECN_RETRY;
  hear_both (1, 0, 0, 0);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_1);
}

CLAIM (test_ect1_that_is_rewritten_later_falls_back_to_ect0)
{
  RcTime end;

  begin_scalable ();
  try_both (RC_ECN_TRIAL_PKTS, 0, 0);
  for (end = (now += 2 * RTT) + 20 * RC_SECOND; now < end; now += 100 * RC_MSEC)
    hear_both (20, 11, 0, 9);
  fail_unless_equals_int (ecn.state, RC_ECN_ON);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_1);
  for (end = now + 2 * RC_ECN_WINDOW; now < end && ecn.state == RC_ECN_ON; now += 100 * RC_MSEC)
    hear_both (20, 9, 11, 0);
  fail_unless_equals_int (ecn.state, RC_ECN_TRIAL);
  fail_unless_equals_int (rc_ecn_bits (&ecn), RC_ECN_BITS_ECT_0);
}
