/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/loss/losshist.h>

#include "claim.h"

static RcLossHist hist;

BEFORE_EACH
{
  rc_losshist_init (&hist);
}

static RcLossVerdict
feed (guint16 seq)
{
  guint32 lost_before = hist.lost_pkts, losses;
  RcLossVerdict verdict = rc_losshist_on_packet (&hist, seq, &losses);

  /* Only a late packet takes losses back. */
  fail_unless (hist.lost_pkts == lost_before + losses || verdict == RC_LOSSHIST_LATE);
  return verdict;
}

static void
feed_run (guint16 from, guint n)
{
  while (n-- > 0)
    fail_unless_equals_int (feed (from++), RC_LOSSHIST_NEW);
}

CLAIM (test_packets_in_order_are_all_received)
{
  feed_run (65000, 5000);
  fail_unless_equals_int (hist.received_pkts, 5000);
  fail_unless_equals_int (hist.lost_pkts, 0);
  fail_unless_equals_int (hist.highest_seq, 65000 + 4999);
}

/* [ARC 3.1.3] a hole is a loss: once three later packets have come. */
CLAIM (test_hole_is_lost_when_three_later_packets_came)
{
  guint32 losses;

  feed_run (10, 5);
  feed (17);
  feed (18);
  fail_unless_equals_int (hist.lost_pkts, 0);
  rc_losshist_on_packet (&hist, 19, &losses);
  fail_unless_equals_int (losses, 2);
  fail_unless_equals_int (hist.lost_pkts, 2);
}

CLAIM (test_packets_and_not_numbers_are_what_overtakes)
{
  feed (100);
  feed (110);
  feed (120);
  fail_unless_equals_int (hist.lost_pkts, 0);
  feed (130);                   /* the third after 101..109 */
  fail_unless_equals_int (hist.lost_pkts, 9);
}

CLAIM (test_reordering_within_three_is_no_loss)
{
  guint16 seq;

  feed (0);
  for (seq = 1; seq < 3000; seq += 3) {
    feed (seq + 1);
    feed (seq + 2);
    fail_unless_equals_int (feed (seq), RC_LOSSHIST_LATE);
  }
  fail_unless_equals_int (hist.lost_pkts, 0);
  fail_unless_equals_int (hist.received_pkts, 3001);
  fail_unless_equals_int (hist.reordered_pkts, 1000);
}

CLAIM (test_late_packet_takes_its_loss_back)
{
  feed_run (10, 5);
  feed (17);
  feed (18);
  feed (19);
  fail_unless_equals_int (feed (16), RC_LOSSHIST_LATE);
  fail_unless_equals_int (hist.lost_pkts, 1);
  fail_unless_equals_int (hist.received_pkts, 9);
  fail_unless_equals_int (feed (16), RC_LOSSHIST_DUPLICATE);
  fail_unless_equals_int (hist.lost_pkts, 1);
}

CLAIM (test_duplicates_change_nothing_else)
{
  feed_run (10, 5);
  fail_unless_equals_int (feed (14), RC_LOSSHIST_DUPLICATE);
  fail_unless_equals_int (feed (10), RC_LOSSHIST_DUPLICATE);
  fail_unless_equals_int (hist.received_pkts, 5);
  fail_unless_equals_int (hist.duplicate_pkts, 2);
  fail_unless_equals_int (hist.highest_seq, 14);
}

CLAIM (test_packets_before_the_first_are_received_and_never_were_lost)
{
  feed (0);
  fail_unless_equals_int (feed (65535), RC_LOSSHIST_LATE);
  feed_run (1, 10);
  fail_unless_equals_int (hist.lost_pkts, 0);
  fail_unless_equals_int (feed (65534), RC_LOSSHIST_LATE);
  fail_unless_equals_int (hist.lost_pkts, 0);
  fail_unless_equals_int (hist.received_pkts, 13);
}

CLAIM (test_holes_across_the_wrap_are_counted)
{
  feed_run (65533, 2);
  feed (2);                     /* 65535, 0 and 1 are missing */
  feed_run (3, 2);
  fail_unless_equals_int (hist.lost_pkts, 3);
  fail_unless_equals_int (hist.highest_seq, 0x10004);
}

CLAIM (test_burst_larger_than_the_window_is_lost_whole)
{
  feed_run (0, 100);
  feed (99 + RC_LOSSHIST_MAX_JUMP);
  feed_run (100 + RC_LOSSHIST_MAX_JUMP, 2);
  fail_unless_equals_int (hist.lost_pkts, RC_LOSSHIST_MAX_JUMP - 1);
}

CLAIM (test_hole_that_leaves_the_window_is_lost)
{
  feed_run (0, 1);
  fail_unless_equals_int (feed (RC_LOSSHIST_WINDOW + 1), RC_LOSSHIST_NEW);
  fail_unless_equals_int (hist.lost_pkts, 1);   /* 1 left; 2.. may still come */
  fail_unless_equals_int (feed (2), RC_LOSSHIST_LATE);
  fail_unless_equals_int (feed (1), RC_LOSSHIST_STRAY);
}

/* RFC 3550 A.1 */
CLAIM (test_one_far_packet_is_a_stray)
{
  feed_run (1000, 10);
  fail_unless_equals_int (feed (1009 + RC_LOSSHIST_MAX_JUMP + 1), RC_LOSSHIST_STRAY);
  fail_unless_equals_int (feed (1010), RC_LOSSHIST_NEW);
  /* In sequence with the stray, but not right after it. */
  fail_unless_equals_int (feed (1009 + RC_LOSSHIST_MAX_JUMP + 2), RC_LOSSHIST_STRAY);
  fail_unless_equals_int (hist.stray_pkts, 2);
  fail_unless_equals_int (hist.received_pkts, 11);
  fail_unless_equals_int (hist.lost_pkts, 0);
}

/* RFC 3550 A.1 */
CLAIM (test_two_far_packets_in_sequence_restart_without_loss)
{
  guint32 highest;

  feed_run (40000, 10);
  highest = hist.highest_seq;
  fail_unless_equals_int (feed (200), RC_LOSSHIST_STRAY);
  fail_unless_equals_int (feed (201), RC_LOSSHIST_RESTARTED);
  fail_unless (hist.highest_seq > highest);
  feed_run (202, 10);
  fail_unless_equals_int (hist.lost_pkts, 0);
  fail_unless_equals_int (hist.received_pkts, 21);
  fail_unless_equals_int (hist.highest_seq & 0xffff, 211);
}

/* Also one that ended with the first number before it had sent as many as are remembered. */
CLAIM (test_sender_that_begins_anew_within_the_window_is_followed)
{
  feed_run (0, 900);
  rc_losshist_on_pause (&hist);
  fail_unless_equals_int (feed (0), RC_LOSSHIST_DUPLICATE);
  fail_unless_equals_int (feed (1), RC_LOSSHIST_DUPLICATE);
  fail_unless_equals_int (feed (2), RC_LOSSHIST_RESTARTED);
  fail_unless_equals_int (feed (3), RC_LOSSHIST_NEW);
  fail_unless_equals_int (hist.highest_seq & 0xffff, 3);
  fail_unless_equals_int (hist.lost_pkts, 0);
}

CLAIM (test_copies_begin_nothing)
{
  feed_run (0, 900);
  for (guint16 seq = 800; seq < 900; seq++)     /* no pause */
    fail_unless_equals_int (feed (seq), RC_LOSSHIST_DUPLICATE);
  rc_losshist_on_pause (&hist);
  for (guint16 seq = 800; seq < 900; seq += 2)  /* not in sequence */
    fail_unless_equals_int (feed (seq), RC_LOSSHIST_DUPLICATE);
  feed (900);
  for (guint16 seq = 800; seq < 900; seq++)     /* what is new came since */
    fail_unless_equals_int (feed (seq), RC_LOSSHIST_DUPLICATE);
}

/* Against a model that remembers everything: random loss, reordering by up to 40, duplicates,
 * over several wraps. */
CLAIM (test_random_network_is_counted_as_by_a_model)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint n = 200000, i, received = 1, duplicates = 0;
  guint8 *seen = g_new0 (guint8, n);

  seen[0] = 1;
  feed (0);
  for (i = 1; i < n; i++) {
    guint pick = i > 40 ? i - g_rand_int_range (rand, 0, 40) : i;

    if (g_rand_int_range (rand, 0, 10) == 0)
      continue;
    feed ((guint16) pick);
    if (seen[pick])
      duplicates++;
    else
      received++;
    seen[pick] = 1;
  }
  feed_run ((guint16) n, 3);
  fail_unless_equals_int (hist.received_pkts, received + 3);
  fail_unless_equals_int (hist.duplicate_pkts, duplicates);
  fail_unless_equals_int (hist.lost_pkts, n - received);
  fail_unless_equals_int (hist.highest_seq, n + 2);
  g_free (seen);
  g_rand_free (rand);
}
