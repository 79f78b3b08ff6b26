/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ledgerfixture.h"

#include <rc/ledger/ledgers.h>

BEFORE_EACH
{
  setup ();
}

CLAIM (test_rtt_is_time_away_without_the_hold)
{
  RcTime sent_at;

  send_run (100, 3);
  sent_at = now;
  receive (102, 3, now);
  report.hold_us = 7000;
  now += 2 * DELAY + 7 * RC_MSEC;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  fail_unless_equals_int64 (fb.sent_at, sent_at);
  fail_unless_equals_int64 (fb.owd_remote, DELAY + REMOTE_US * 1000);
}

/* What follows the pacer held it up. Earlier than it was sent it cannot have left. */
CLAIM (test_a_packet_that_left_later_counts_from_then)
{
  send_run (100, 2);
  rc_ledger_on_left (&ledger, 101, now + 5 * RC_MSEC);
  rc_ledger_on_left (&ledger, 101, now - 5 * RC_MSEC);
  rc_ledger_on_left (&ledger, 102, now);
  receive (101, 2, now + 5 * RC_MSEC);
  now += 2 * DELAY + 5 * RC_MSEC;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

CLAIM (test_report_without_a_new_packet_gives_no_rtt)
{
  setup_half_acked (100);
  report.number++;
  report.hold_us = 5000;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
  fail_unless_equals_int (fb.received_pkts, 0);
}

CLAIM (test_rtt_slightly_below_zero_is_one_microsecond)
{
  send_run (100, 1);
  receive (100, 1, now);
  report.hold_us = RC_LEDGER_RTT_TOLERANCE / RC_USEC;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_USEC);
}

CLAIM (test_cumulative_counters_become_differences)
{
  setup_half_acked (100);
  fail_unless_equals_int (fb.received_pkts, 10);
  receive (118, 7, now);
  report.lost_pkts = 2;
  report.ce_pkts = 3;
  report.ecn_read = TRUE;
  report.ecn_pkts = 6;
  report.ect1_pkts = 2;
  believe ();
  fail_unless_equals_int (fb.received_pkts, 7);
  fail_unless_equals_uint64 (fb.received_bytes, 7 * NET);
  fail_unless_equals_int (fb.lost_pkts, 2);
  fail_unless_equals_int (fb.ce_pkts, 3);
  fail_unless (fb.ecn_read);
  fail_unless_equals_int (fb.ecn_pkts, 6);
  fail_unless_equals_int (fb.ect1_pkts, 2);
  fail_unless_equals_uint64 (fb.outstanding_bytes, NET);
  fail_unless_equals_uint64 (rc_ledger_outstanding_bytes (&ledger), NET);
}

CLAIM (test_lost_reports_lose_nothing)
{
  send_run (100, 5);
  receive (104, 4, now);
  report.lost_pkts = 1;
  send_run (105, 5);
  receive (109, 5, now);        /* the report before never came */
  believe ();
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

CLAIM (test_losses_taken_back_only_lower_later_losses)
{
  setup_half_acked (100);
  receive (119, 7, now);
  report.lost_pkts = 3;
  believe ();
  fail_unless_equals_int (fb.lost_pkts, 3);
  report.number++;
  report.received_pkts += 2;
  report.received_bytes += 2 * RTP;
  report.lost_pkts = 1;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.lost_pkts, 0);
  send_run (120, 10);
  receive (129, 7, now);
  report.lost_pkts = 4;
  believe ();
  fail_unless_equals_int (fb.lost_pkts, 1);
}

/* 120..122 were dropped before sending, which the receiver cannot know. */
CLAIM (test_gap_is_neither_acknowledged_nor_lost)
{
  RcReport forged;

  setup_half_acked (100);
  send_run (123, 5);
  receive (127, 15, now);
  report.lost_pkts = 3;
  now += 2 * DELAY;
  forged = report;
  forged.highest_seq = 121;
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.lost_pkts, 0);
  fail_unless_equals_int (fb.received_pkts, 15);
  fail_unless_equals_uint64 (fb.outstanding_bytes, 0);
}

/* 10 packets in order left, of which `received` came; the receiver counts so many as lost. */
static guint
lost_of_ten (guint16 from, guint received, guint counted)
{
  send_run (from, 10);
  receive (from + 9, received, now);
  report.lost_pkts += counted;
  believe ();
  return fb.lost_pkts;
}

CLAIM (test_no_gap_hides_a_loss)
{
  guint16 from = 100;
  guint i;

  /* 2 of each 10 are lost, and 1000 numbers left out before each third of them. */
  fail_unless_equals_int (lost_of_ten (from, 8, 2), 2);
  for (i = 1; i < 30; i++) {
    gboolean gap = i % 3 == 0;

    from += gap ? 1010 : 10;
    fail_unless_equals_int (lost_of_ten (from, 8, gap ? 1002 : 2), 2);
  }
}

/* The receiver takes so long a jump for a source that restarted. */
CLAIM (test_gap_that_the_receiver_does_not_count_hides_no_loss)
{
  lost_of_ten (100, 10, 0);
  fail_unless_equals_int (lost_of_ten (110 + RC_LOSSHIST_MAX_JUMP, 10, 0), 0);
  fail_unless_equals_int (lost_of_ten (120 + RC_LOSSHIST_MAX_JUMP, 6, 4), 4);
  fail_unless_equals_int (lost_of_ten (40000, 10, 0), 0);
  fail_unless_equals_int (lost_of_ten (40010, 6, 4), 4);
}

/* What is late is no loss after a gap either: the receiver waits for three packets. */
CLAIM (test_packets_are_as_late_as_before_after_a_gap)
{
  lost_of_ten (100, 10, 0);
  fail_unless_equals_int (lost_of_ten (400, 10, 290), 0);
  fail_unless_equals_int (lost_of_ten (410, 8, 0), 0);
  fail_unless_equals_int (lost_of_ten (420, 12, 0), 0);
  fail_unless_equals_int (lost_of_ten (430, 9, 1), 1);
  fail_unless_equals_int (lost_of_ten (440, 8, 0), 0);  /* nor after a loss */
  fail_unless_equals_int (lost_of_ten (450, 12, 0), 0);
}

CLAIM (test_gaps_count_neither_for_a_receiver_with_a_past)
{
  report.received_pkts = 5000;
  report.received_bytes = 5000 * RTP;
  report.lost_pkts = 5;
  lost_of_ten (100, 10, 0);
  fail_unless_equals_int (lost_of_ten (400, 10, 290), 0);
  fail_unless_equals_int (lost_of_ten (410, 9, 1), 1);
  now += RC_LEDGER_RESTART_DISTANCE;
  report = (RcReport) {.ssrc = SSRC };
  send_run (420, 10);
  receive (429, 10, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  send_run (800, 10);
  receive (809, 9, now);
  report.lost_pkts += 371;
  now += 2 * DELAY;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

CLAIM (test_gap_before_the_first_report_is_no_loss)
{
  send_run (100, 5);
  send_run (150, 5);
  receive (154, 9, now);
  report.lost_pkts = 46;
  believe ();
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

CLAIM (test_counters_wrap_modulo_2_32)
{
  /* A receiver with a past: it counted an earlier run of this SSRC. */
  report.received_pkts = report.lost_pkts = report.ce_pkts = G_MAXUINT32 - 2;
  report.received_bytes = (guint64) 1 << 40;
  report.number = G_MAXUINT32 - 1;
  setup_half_acked (100);
  fail_unless_equals_int (fb.received_pkts, 0);
  receive (119, 8, now);
  report.lost_pkts += 2;
  report.ce_pkts += 5;
  believe ();
  fail_unless_equals_int (fb.received_pkts, 8);
  fail_unless_equals_int (fb.lost_pkts, 2);
  fail_unless_equals_int (fb.ce_pkts, 5);
  fail_if (fb.restarted);
}

CLAIM (test_sequence_numbers_wrap)
{
  guint64 outstanding;
  guint i;

  send_run (65500, 10);
  for (i = 0; i < 300; i++) {
    guint16 seq = 65510 + i * 1000;

    send_run (seq, 1000);
    receive ((guint16) (seq + 999), i ? 1000 : 1010, now);
    now += 2 * DELAY;
    outstanding = rc_ledger_outstanding_bytes (&ledger);
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    fail_unless_equals_uint64 (outstanding, (i ? 1000 : 1010) * NET);
    fail_unless_equals_uint64 (fb.outstanding_bytes, 0);
    fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  }
}

CLAIM (test_cycles_of_the_receiver_do_not_matter)
{
  setup_half_acked (65530);
  receive (0xabcd0000 + (guint16) (65530 + 19), 10, now);
  believe ();
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

CLAIM (test_forgotten_packet_is_acknowledged_without_rtt)
{
  RcTime sent_at;

  setup_half_acked (100);
  sent_at = now;
  send_run (120, 2 * CAPACITY);
  receive (119, 10, sent_at);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
  fail_unless_equals_int64 (fb.sent_at, RC_TIME_NONE);
  fail_unless_equals_int (fb.received_pkts, 10);
  receive (119 + 2 * CAPACITY, 2 * CAPACITY, now);
  believe ();
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

CLAIM (test_move_keeps_what_was_sent)
{
  RcLedgerEntry *larger = g_new0 (RcLedgerEntry, 4 * CAPACITY);

  setup_half_acked (65000);
  send_run (65020, 2 * CAPACITY);
  rc_ledger_move (&ledger, larger, 4 * CAPACITY);
  memset (entries, 0xff, sizeof entries);
  receive ((guint16) (65019 + CAPACITY + 1), 5, now - (CAPACITY - 1) * RC_MSEC);
  now += DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, DELAY + (CAPACITY - 1) * RC_MSEC);
  send_run ((guint16) (65020 + 2 * CAPACITY), 2 * CAPACITY);
  receive ((guint16) (65019 + 4 * CAPACITY), 5, now);
  believe ();
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  g_free (larger);
}

CLAIM (test_restarted_source_starts_a_new_numbering)
{
  setup_half_acked (100);
  send_run (50000, 10);
  receive (50009, 9, now);      /* the receiver takes the first for a stray */
  believe ();
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_uint64 (fb.outstanding_bytes, 0);
  send_run (300, 10);
  receive (309, 9, now);
  believe ();
  fail_unless_equals_int (fb.received_pkts, 9);
}

CLAIM (test_late_joining_receiver_may_find_earlier_packets)
{
  send_run (100, 50);
  receive (149, 1, now);        /* heard from the last one on */
  believe ();
  fail_unless_equals_int (fb.received_pkts, 1);
  report.number++;
  report.received_pkts += 2;    /* two before it, reordered */
  report.received_bytes += 2 * RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 2);
}

CLAIM (test_bandwidth_is_scaled_to_the_network_layer)
{
  now += RC_MSEC;
  rc_ledger_on_sent (&ledger, 1, 100, now);
  rc_ledger_on_sent (&ledger, 2, 300, now);
  report = (RcReport) {.ssrc = SSRC,.number = 1,.highest_seq = 1,.received_pkts = 1,
      .received_bytes = 100, .bandwidth_bps = 1000000 };
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* of all sent so far: 456 / 400 */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1140000);
  report.number = 2, report.highest_seq = 2, report.received_pkts = 2, report.received_bytes = 400;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* of the second: 328 / 300 */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1093333);
  report.number = 3;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* nothing new: of all again */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1140000);
}

CLAIM (test_feedback_of_two_streams_adds_up)
{
  RcFeedback a = {.rtt = 5,.owd_remote = 1,.sent_at = 100,.bandwidth_bps = 1,.received_pkts = 2,
      .lost_pkts = 3, .ce_pkts = 4,.ecn_pkts = 8,.ect1_pkts = 5,.outstanding_bytes = 5,
      .received_bytes = 6,.explicit_rate_bps = 50 };
  RcFeedback b = {.rtt = 6,.owd_remote = 2,.sent_at = 200,.bandwidth_bps = 10,
      .received_pkts = 20,.lost_pkts = 30, .ce_pkts = 40,.ecn_read = TRUE,.ecn_pkts = 80,
      .ect1_pkts = 50,.outstanding_bytes = 50,.received_bytes = 60,
      .explicit_rate_bps = 40,.restarted = TRUE };
  RcFeedback none = {.rtt = RC_TIME_NONE,.sent_at = 300 }, sum = a;

  rc_feedback_add (&sum, &b);
  fail_unless (sum.rtt == 6 && sum.owd_remote == 2 && sum.sent_at == 200 && sum.restarted);
  fail_unless (sum.bandwidth_bps == 11 && sum.received_bytes == 66);
  fail_unless (sum.received_pkts == 22 && sum.lost_pkts == 33 && sum.ce_pkts == 44
      && sum.outstanding_bytes == 55);
  fail_unless (sum.ecn_read && sum.ecn_pkts == 88 && sum.ect1_pkts == 55);
  fail_unless_equals_uint64 (sum.explicit_rate_bps, 40);
  rc_feedback_add (&sum, &a);
  fail_unless_equals_int64 (sum.rtt, 6);
  rc_feedback_add (&sum, &none);
  fail_unless_equals_int64 (sum.rtt, 6);
  fail_unless_equals_uint64 (sum.explicit_rate_bps, 40);
}

/* The field ends at 71.6 minutes; and the two clocks need not agree on how long an hour is. */
CLAIM (test_a_long_hold_gives_no_rtt)
{
  static const struct { RcTime away; guint64 hold_us; gboolean sample; } rows[] = {
    {74 * 60 * RC_SECOND, UINT32_MAX, FALSE},
    {3600 * RC_SECOND, G_GUINT64_CONSTANT (3600180000), FALSE},
    {3600 * RC_SECOND, G_GUINT64_CONSTANT (3599820000), FALSE},
    {5 * RC_SECOND, 4940000, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    setup ();
    send_run (100, 10);
    receive (109, 10, now);
    now += rows[i].away;
    report.hold_us = (guint32) rows[i].hold_us;
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    fail_unless (fb.rtt == (rows[i].sample ? 60 * RC_MSEC : RC_TIME_NONE),
        "row %u: an RTT of %g s", i, rc_time_to_s (fb.rtt));
    fail_unless_equals_int (fb.received_pkts, 10);
  }
}

CLAIM (test_a_hold_that_does_not_fit_is_still_at_least_what_it_says)
{
  setup ();
  send_run (100, 10);
  receive (109, 10, now);
  now += 70 * 60 * RC_SECOND;
  report.hold_us = UINT32_MAX;
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
}
