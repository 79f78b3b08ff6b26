/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <gst/check/gstcheck.h>
#include <rc/ledger.h>
#include <rc/losshist.h>

/* The receiver here is a row of counters told by hand; its clock is 1000 s ahead of ours. */
#define SSRC 0x1234
#define INSTANCE 77
#define RTP 1000
#define NET (RTP + RC_OVERHEAD_IPV4_BYTES)
#define CAPACITY 1024
#define DELAY (30 * RC_MSEC)
#define REMOTE_US UINT64_C (1000000000)

static RcLedgerEntry entries[CAPACITY];
static RcLedger ledger;
static RcTime now;
static RcReport report;
static RcFeedback fb;

static void
setup (void)
{
  rc_ledger_init (&ledger, SSRC, RC_OVERHEAD_IPV4_BYTES, entries, CAPACITY);
  now = 5 * RC_SECOND;
  report = (RcReport) {.ssrc = SSRC };
}

/* One packet each millisecond. */
static void
send_run (guint16 from, guint n)
{
  while (n-- > 0) {
    now += RC_MSEC;
    fail_unless_equals_int (rc_ledger_on_sent (&ledger, from++, RTP, now), NET);
  }
}

/* n more packets came, the highest one left at sent_at. */
static void
receive (guint32 highest_seq, guint n, RcTime sent_at)
{
  report.number++;
  report.highest_seq = highest_seq;
  report.arrival_us_remote = (sent_at + DELAY) / RC_USEC + REMOTE_US;
  report.received_pkts += n;
  report.received_bytes += (guint64) n * RTP;
}

static RcDigest
digest_from (guint32 instance)
{
  RcLedger before = ledger;
  RcDigest result = rc_ledger_digest (&ledger, &report, instance, now, &fb);

  if (result != RC_DIGEST_OK)
    fail_unless (memcmp (&before, &ledger, sizeof ledger) == 0, "a refused report changed the ledger");
  return result;
}

static RcDigest
digest (void)
{
  return digest_from (INSTANCE);
}

/* What is not accepted must not spoil the next true report. */
static void
assert_refused (RcReport forged, RcDigest expected)
{
  RcReport true_report = report;

  report = forged;
  fail_unless_equals_int (digest (), expected);
  report = true_report;
}

/* 20 packets sent, 10 of them reported. The 10th left at now - 10 ms. */
static void
setup_half_acked (guint16 base)
{
  send_run (base, 10);
  receive (base + 9, 10, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  send_run (base + 10, 10);
}

/* The true report about the packets of setup_half_acked that are still out. */
static void
setup_next_report (guint16 base)
{
  setup_half_acked (base);
  receive (base + 19, 10, now);
  now += 2 * DELAY;
}

GST_START_TEST (test_rtt_is_time_away_without_the_hold)
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

GST_END_TEST;

GST_START_TEST (test_report_without_a_new_packet_gives_no_rtt)
{
  setup_half_acked (100);
  report.number++;
  report.hold_us = 5000;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
  fail_unless_equals_int (fb.received_pkts, 0);
}

GST_END_TEST;

GST_START_TEST (test_rtt_slightly_below_zero_is_one_microsecond)
{
  send_run (100, 1);
  receive (100, 1, now);
  report.hold_us = RC_LEDGER_RTT_TOLERANCE / RC_USEC;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, RC_USEC);
}

GST_END_TEST;

GST_START_TEST (test_hold_longer_than_the_packet_was_away_is_impossible)
{
  RcReport forged;

  setup_next_report (100);
  forged = report;
  forged.hold_us = (2 * DELAY + 2 * RC_LEDGER_RTT_TOLERANCE) / RC_USEC;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_cumulative_counters_become_differences)
{
  setup_half_acked (100);
  fail_unless_equals_int (fb.received_pkts, 10);
  receive (118, 7, now);
  report.lost_pkts = 2;
  report.ce_pkts = 3;
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 7);
  fail_unless_equals_uint64 (fb.received_bytes, 7 * NET);
  fail_unless_equals_int (fb.lost_pkts, 2);
  fail_unless_equals_int (fb.ce_pkts, 3);
  fail_unless_equals_uint64 (fb.outstanding_bytes, NET);
  fail_unless_equals_uint64 (rc_ledger_outstanding_bytes (&ledger), NET);
}

GST_END_TEST;

GST_START_TEST (test_lost_reports_lose_nothing)
{
  send_run (100, 5);
  receive (104, 4, now);
  report.lost_pkts = 1;
  send_run (105, 5);
  receive (109, 5, now);        /* the report before never came */
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

GST_END_TEST;

GST_START_TEST (test_losses_taken_back_only_lower_later_losses)
{
  setup_half_acked (100);
  receive (119, 7, now);
  report.lost_pkts = 3;
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
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
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

GST_END_TEST;

GST_START_TEST (test_replayed_and_reordered_reports_are_old)
{
  RcReport earlier;

  setup_half_acked (100);
  earlier = report;
  receive (119, 10, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (digest (), RC_DIGEST_OLD);
  assert_refused (earlier, RC_DIGEST_OLD);
  now += 100 * RC_SECOND;
  assert_refused (earlier, RC_DIGEST_OLD);
}

GST_END_TEST;

GST_START_TEST (test_packets_that_never_left_are_not_acknowledged)
{
  RcReport forged;

  receive (100, 1, now);
  fail_unless_equals_int (digest (), RC_DIGEST_NEVER_SENT);
  setup ();
  setup_next_report (100);
  forged = report;
  forged.highest_seq = 120;     /* not yet */
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  forged.highest_seq = 99;      /* before the first */
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  forged.highest_seq = 40000;
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  forged = report;
  forged.ssrc++;
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_dropped_packet_is_a_gap_that_is_not_acknowledged)
{
  RcReport forged;

  setup_half_acked (100);
  send_run (123, 5);            /* 120..122 were dropped before sending */
  receive (127, 15, now);
  report.lost_pkts = 3;         /* the receiver cannot know */
  now += 2 * DELAY;
  forged = report;
  forged.highest_seq = 121;
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.lost_pkts, 3);
  fail_unless_equals_int (fb.received_pkts, 15);
  fail_unless_equals_uint64 (fb.outstanding_bytes, 0);
}

GST_END_TEST;

GST_START_TEST (test_history_does_not_run_backwards)
{
  RcReport forged;

  setup_next_report (100);
  forged = report;
  forged.highest_seq = 105;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged.arrival_us_remote = ledger.last.arrival_us_remote;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = ledger.last;         /* nothing new, but arrived at another time */
  forged.number++;
  forged.arrival_us_remote++;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.arrival_us_remote = REMOTE_US;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.received_pkts = 9;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.received_bytes = 9 * RTP;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.lost_pkts -= 11;       /* taken back by 10 packets */
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.ce_pkts--;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_more_than_was_sent_is_impossible)
{
  RcReport forged;

  setup_next_report (100);
  forged = report;
  forged.received_pkts++;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.received_bytes++;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.received_bytes = G_MAXUINT64;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.lost_pkts++;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.lost_pkts = G_MAXINT32;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.ce_pkts = 11;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.bandwidth_bps = RC_WIRE_MAX_BPS + 1;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.arrival_us_remote = RC_WIRE_MAX_ARRIVAL_US + 1;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_new_packet_that_nobody_received_is_impossible)
{
  RcReport forged;

  setup_next_report (100);
  forged = report;
  forged.received_pkts -= 10;
  forged.received_bytes -= 10 * RTP;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
}

GST_END_TEST;

GST_START_TEST (test_counters_wrap_modulo_2_32)
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
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 8);
  fail_unless_equals_int (fb.lost_pkts, 2);
  fail_unless_equals_int (fb.ce_pkts, 5);
  fail_if (fb.restarted);
}

GST_END_TEST;

GST_START_TEST (test_sequence_numbers_wrap)
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

GST_END_TEST;

GST_START_TEST (test_cycles_of_the_receiver_do_not_matter)
{
  setup_half_acked (65530);
  receive (0xabcd0000 + (guint16) (65530 + 19), 10, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

GST_END_TEST;

GST_START_TEST (test_forgotten_packet_is_acknowledged_without_rtt)
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
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
}

GST_END_TEST;

GST_START_TEST (test_move_keeps_what_was_sent)
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
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  g_free (larger);
}

GST_END_TEST;

GST_START_TEST (test_new_receiver_starts_a_new_baseline)
{
  setup_half_acked (100);
  now += RC_LEDGER_RESTART_DISTANCE;
  send_run (120, 10);
  report = (RcReport) {.ssrc = SSRC,.lost_pkts = 4 };
  receive (129, 5, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  fail_unless (fb.restarted);
  fail_unless_equals_int (fb.received_pkts, 0);
  fail_unless_equals_int (fb.lost_pkts, 0);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  send_run (130, 10);
  receive (139, 9, now);
  report.lost_pkts++;
  now += 2 * DELAY;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  fail_if (fb.restarted);
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_int (fb.lost_pkts, 1);
}

GST_END_TEST;

GST_START_TEST (test_receivers_that_take_turns_are_refused)
{
  setup_next_report (100);
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_TOO_MANY_RESTARTS);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  now += RC_LEDGER_RESTART_DISTANCE;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  now += RC_LEDGER_RESTART_DISTANCE - 1;
  fail_unless_equals_int (digest_from (INSTANCE + 2), RC_DIGEST_TOO_MANY_RESTARTS);
}

GST_END_TEST;

GST_START_TEST (test_receiver_that_contradicts_itself_is_believed_again_after_a_second)
{
  setup_next_report (100);
  report.received_pkts += 100;  /* somebody else sent to it in our name */
  report.received_bytes += 100 * RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
  now += RC_LEDGER_RESTART_DISTANCE;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless (fb.restarted);
  fail_unless_equals_int (fb.received_pkts, 0);
  send_run (120, 10);
  receive (129, 10, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 10);
}

GST_END_TEST;

/* The packet acknowledged is then forgotten, or of a numbering that has ended. */
GST_START_TEST (test_believing_again_without_a_new_packet_opens_nothing)
{
  static const guint16 next[] = { 3100, 40000 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (next); i++) {
    setup ();
    send_run (100, 3000);
    receive (3099, 3000, now);
    now += 2 * DELAY;
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    send_run (next[i], 2 * CAPACITY);
    report.number++;
    report.received_pkts += 100;
    report.received_bytes += 100 * RTP;
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    fail_unless (fb.restarted);
    report.number++;
    report.received_pkts++;
    report.received_bytes += RTP;
    fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
    receive (next[i] + 2 * CAPACITY - 1, 10, now);
    now += 2 * DELAY;
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    fail_unless_equals_int (fb.received_pkts, 11);
  }
}

GST_END_TEST;

GST_START_TEST (test_hello_is_a_sign_of_life_from_anybody)
{
  report.number = 1;
  fail_unless_equals_int (digest (), RC_DIGEST_HELLO);
  fail_if (fb.restarted);
  setup ();
  setup_half_acked (100);
  report = (RcReport) {.ssrc = SSRC,.number = 1 };
  fail_unless_equals_int (digest (), RC_DIGEST_HELLO);
  fail_if (fb.restarted);
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_HELLO);
  fail_unless (fb.restarted);
  fail_unless_equals_int64 (fb.rtt, RC_TIME_NONE);
}

GST_END_TEST;

GST_START_TEST (test_restarted_source_starts_a_new_numbering)
{
  setup_half_acked (100);
  send_run (50000, 10);
  receive (50009, 9, now);      /* the receiver takes the first for a stray */
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int64 (fb.rtt, 2 * DELAY);
  fail_unless_equals_int (fb.received_pkts, 9);
  fail_unless_equals_uint64 (fb.outstanding_bytes, 0);
  send_run (300, 10);
  receive (309, 9, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 9);
}

GST_END_TEST;

/* Else a sender that went silent right after the restart would never hear that somebody is there. */
GST_START_TEST (test_old_numbering_is_a_sign_of_life_after_the_source_restarted)
{
  setup_half_acked (100);
  send_run (50000, 1);
  report.number++;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* nothing new */
  receive (119, 10, now);
  fail_unless_equals_int (digest (), RC_DIGEST_HELLO);
  receive (50000, 1, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  report.number++;
  report.highest_seq = 119;
  fail_unless_equals_int (digest (), RC_DIGEST_NEVER_SENT);
}

GST_END_TEST;

GST_START_TEST (test_late_joining_receiver_may_find_earlier_packets)
{
  send_run (100, 50);
  receive (149, 1, now);        /* heard from the last one on */
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 1);
  report.number++;
  report.received_pkts += 2;    /* two before it, reordered */
  report.received_bytes += 2 * RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless_equals_int (fb.received_pkts, 2);
}

GST_END_TEST;

GST_START_TEST (test_first_report_opens_no_more_than_the_receivers_window)
{
  RcReport forged;

  send_run (100, 5000);
  receive (5099, 1, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  report.number++;
  forged = report;
  forged.lost_pkts = RC_LOSSHIST_WINDOW;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  forged = report;
  forged.received_pkts += RC_LOSSHIST_WINDOW;
  forged.received_bytes += RC_LOSSHIST_WINDOW * RTP;
  assert_refused (forged, RC_DIGEST_IMPOSSIBLE);
  report.lost_pkts = RC_LOSSHIST_WINDOW - 1;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_receiver_with_a_past_cannot_count_a_packet_twice)
{
  report.received_pkts = 1000;
  report.received_bytes = 1000 * RTP;
  send_run (100, 1);
  receive (100, 1, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  report.number++;
  report.received_pkts++;
  report.received_bytes += RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
}

GST_END_TEST;

GST_START_TEST (test_bytes_do_not_wrap)
{
  report.received_pkts = 1000;
  report.received_bytes = G_MAXUINT64 - 9 * RTP;
  send_run (100, 10);
  receive (104, 5, now);
  now += 2 * DELAY;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  receive (109, 5, now);
  fail_unless (report.received_bytes < G_MAXUINT32);
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
}

GST_END_TEST;

GST_START_TEST (test_number_too_far_back_is_not_guessed)
{
  RcReport forged;

  setup_half_acked (100);
  send_run (120, 40000);
  receive ((guint16) (119 + 40000 - 32767), 10, now);
  forged = report;
  forged.highest_seq = (guint16) (119 + 40000 - 32768);
  assert_refused (forged, RC_DIGEST_NEVER_SENT);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

GST_END_TEST;

GST_START_TEST (test_bandwidth_is_scaled_to_the_network_layer)
{
  now += RC_MSEC;
  rc_ledger_on_sent (&ledger, 1, 100, now);
  rc_ledger_on_sent (&ledger, 2, 300, now);
  report = (RcReport) {.ssrc = SSRC,.number = 1,.highest_seq = 1,.received_pkts = 1,.received_bytes = 100,
    .bandwidth_bps = 1000000,.bandwidth_raw_bps = 2000000
  };
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* of all sent so far: 456 / 400 */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1140000);
  fail_unless_equals_uint64 (fb.bandwidth_raw_bps, 2280000);
  report.number = 2, report.highest_seq = 2, report.received_pkts = 2, report.received_bytes = 400;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* of the second: 328 / 300 */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1093333);
  report.number = 3;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* nothing new: of all again */
  fail_unless_equals_uint64 (fb.bandwidth_bps, 1140000);
}

GST_END_TEST;

GST_START_TEST (test_feedback_of_two_streams_adds_up)
{
  RcFeedback a = {.rtt = 5,.owd_remote = 1,.sent_at = 100,.bandwidth_bps = 1,.received_pkts = 2,.lost_pkts = 3,
    .ce_pkts = 4,.outstanding_bytes = 5,.received_bytes = 6,.bandwidth_raw_bps = 7,.explicit_rate_bps = 50
  };
  RcFeedback b = {.rtt = 6,.owd_remote = 2,.sent_at = 200,.bandwidth_bps = 10,.received_pkts = 20,.lost_pkts = 30,
    .ce_pkts = 40,.outstanding_bytes = 50,.received_bytes = 60,.bandwidth_raw_bps = 70,.explicit_rate_bps = 40,
    .restarted = TRUE
  };
  RcFeedback none = {.rtt = RC_TIME_NONE,.sent_at = 300 }, sum = a;

  rc_feedback_add (&sum, &b);
  fail_unless (sum.rtt == 6 && sum.owd_remote == 2 && sum.sent_at == 200 && sum.restarted);
  fail_unless (sum.bandwidth_bps == 11 && sum.bandwidth_raw_bps == 77 && sum.received_bytes == 66);
  fail_unless (sum.received_pkts == 22 && sum.lost_pkts == 33 && sum.ce_pkts == 44 && sum.outstanding_bytes == 55);
  fail_unless_equals_uint64 (sum.explicit_rate_bps, 40);
  rc_feedback_add (&sum, &a);
  fail_unless_equals_int64 (sum.rtt, 6);
  rc_feedback_add (&sum, &none);
  fail_unless_equals_int64 (sum.rtt, 6);
  fail_unless_equals_uint64 (sum.explicit_rate_bps, 40);
}

GST_END_TEST;

static Suite *
ledger_suite (void)
{
  Suite *s = suite_create ("rc-ledger");
  TCase *tc = tcase_create ("ledger");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, NULL);
  tcase_add_test (tc, test_rtt_is_time_away_without_the_hold);
  tcase_add_test (tc, test_report_without_a_new_packet_gives_no_rtt);
  tcase_add_test (tc, test_rtt_slightly_below_zero_is_one_microsecond);
  tcase_add_test (tc, test_hold_longer_than_the_packet_was_away_is_impossible);
  tcase_add_test (tc, test_cumulative_counters_become_differences);
  tcase_add_test (tc, test_lost_reports_lose_nothing);
  tcase_add_test (tc, test_losses_taken_back_only_lower_later_losses);
  tcase_add_test (tc, test_replayed_and_reordered_reports_are_old);
  tcase_add_test (tc, test_packets_that_never_left_are_not_acknowledged);
  tcase_add_test (tc, test_dropped_packet_is_a_gap_that_is_not_acknowledged);
  tcase_add_test (tc, test_history_does_not_run_backwards);
  tcase_add_test (tc, test_more_than_was_sent_is_impossible);
  tcase_add_test (tc, test_new_packet_that_nobody_received_is_impossible);
  tcase_add_test (tc, test_counters_wrap_modulo_2_32);
  tcase_add_test (tc, test_sequence_numbers_wrap);
  tcase_add_test (tc, test_cycles_of_the_receiver_do_not_matter);
  tcase_add_test (tc, test_forgotten_packet_is_acknowledged_without_rtt);
  tcase_add_test (tc, test_move_keeps_what_was_sent);
  tcase_add_test (tc, test_new_receiver_starts_a_new_baseline);
  tcase_add_test (tc, test_receivers_that_take_turns_are_refused);
  tcase_add_test (tc, test_receiver_that_contradicts_itself_is_believed_again_after_a_second);
  tcase_add_test (tc, test_believing_again_without_a_new_packet_opens_nothing);
  tcase_add_test (tc, test_hello_is_a_sign_of_life_from_anybody);
  tcase_add_test (tc, test_restarted_source_starts_a_new_numbering);
  tcase_add_test (tc, test_old_numbering_is_a_sign_of_life_after_the_source_restarted);
  tcase_add_test (tc, test_late_joining_receiver_may_find_earlier_packets);
  tcase_add_test (tc, test_first_report_opens_no_more_than_the_receivers_window);
  tcase_add_test (tc, test_receiver_with_a_past_cannot_count_a_packet_twice);
  tcase_add_test (tc, test_bytes_do_not_wrap);
  tcase_add_test (tc, test_number_too_far_back_is_not_guessed);
  tcase_add_test (tc, test_bandwidth_is_scaled_to_the_network_layer);
  tcase_add_test (tc, test_feedback_of_two_streams_adds_up);
  return s;
}

GST_CHECK_MAIN (ledger);
