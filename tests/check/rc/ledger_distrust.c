/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the ledger refuses, and whom it believes again. */
#include "ledgerfixture.h"

/* A report is refused with this changed. */
#define REFUSE(digest, ...) do { \
    RcReport forged = report; \
    __VA_ARGS__; \
    assert_refused (forged, digest); \
  } while (0)

BEFORE_EACH
{
  setup ();
}

CLAIM (test_hold_longer_than_the_packet_was_away_is_impossible)
{
  setup_next_report (100);
  REFUSE (RC_DIGEST_IMPOSSIBLE,
      forged.hold_us = (2 * DELAY + 2 * RC_LEDGER_RTT_TOLERANCE) / RC_USEC);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

CLAIM (test_replayed_and_reordered_reports_are_old)
{
  RcReport earlier;

  setup_half_acked (100);
  earlier = report;
  receive (119, 10, now);
  believe ();
  fail_unless_equals_int (digest (), RC_DIGEST_OLD);
  assert_refused (earlier, RC_DIGEST_OLD);
  now += RC_LEDGER_RESTART_DISTANCE - 1;
  assert_refused (earlier, RC_DIGEST_OLD);
}

/* 2^30 ahead it would make each true report old for months. */
CLAIM (test_number_further_ahead_than_reports_can_be_is_impossible)
{
  setup_next_report (100);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.number += 1 << 30);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.number += 1100);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  /* The way back was interrupted. */
  send_run (120, 10);
  receive (129, 10, now);
  report.number += 600 * 50;
  now += 600 * RC_SECOND;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_if (fb.restarted);
}

/* Whatever one forged report has made the ledger believe. */
CLAIM (test_true_reports_hold_again_a_second_after_a_forged_one)
{
  RcReport honest;
  guint field;

  for (field = 0; field < 5; field++) {
    setup ();
    setup_next_report (100);
    honest = report;
    report.number += field == 0 ? 900 : 0;
    report.arrival_us_remote += field == 1 ? UINT64_C (1) << 40 : 0;
    report.received_bytes -= field == 2 ? 9 * RTP : 0;
    report.ce_pkts += field == 3 ? 10 : 0;
    report.lost_pkts -= field == 4 ? 10 : 0;
    fail_unless_equals_int (digest (), RC_DIGEST_OK);
    report = honest;
    for (guint i = 0; i < 60; i++) {
      send_run (120 + 20 * i, 20);
      receive (139 + 20 * i, 20, now);
      digest ();
    }
    fail_unless_equals_int (digest (), RC_DIGEST_OLD);
    fail_unless (ledger.last.number == report.number, "still refused after a second: %u", field);
    fail_unless_equals_int (fb.received_pkts, 20);
  }
}

CLAIM (test_packets_that_never_left_are_not_acknowledged)
{
  receive (100, 1, now);
  fail_unless_equals_int (digest (), RC_DIGEST_NEVER_SENT);
  setup ();
  setup_next_report (100);
  REFUSE (RC_DIGEST_NEVER_SENT, forged.highest_seq = 120);      /* not yet */
  REFUSE (RC_DIGEST_NEVER_SENT, forged.highest_seq = 99);       /* before the first */
  REFUSE (RC_DIGEST_NEVER_SENT, forged.highest_seq = 40000);
  REFUSE (RC_DIGEST_NEVER_SENT, forged.ssrc++);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

CLAIM (test_history_does_not_run_backwards)
{
  RcReport nothing_new;

  setup_next_report (100);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.highest_seq = 105);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.highest_seq = 105;
      forged.arrival_us_remote = ledger.last.arrival_us_remote);
  nothing_new = (RcReport) {    /* but arrived at another time */
    .ssrc = SSRC,.number = report.number,.highest_seq = ledger.last.highest_seq,
    .arrival_us_remote = ledger.last.arrival_us_remote + 1,
    .received_pkts = ledger.last.received_pkts,.received_bytes = ledger.last.received_bytes
  };
  assert_refused (nothing_new, RC_DIGEST_IMPOSSIBLE);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.arrival_us_remote = REMOTE_US);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_pkts = 9);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_bytes = 9 * RTP);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.lost_pkts -= 11);       /* taken back by 10 packets */
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.ce_pkts--);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

CLAIM (test_more_than_was_sent_is_impossible)
{
  setup_next_report (100);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_pkts++);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_bytes++);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_bytes = G_MAXUINT64);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.lost_pkts++);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.lost_pkts = G_MAXINT32);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.ce_pkts = 11);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.ecn_read = TRUE; forged.ecn_pkts = 11);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.ect1_pkts = 11);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.bandwidth_bps = RC_WIRE_MAX_BPS + 1);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.arrival_us_remote = RC_WIRE_MAX_ARRIVAL_US + 1);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

CLAIM (test_new_packet_that_nobody_received_is_impossible)
{
  setup_next_report (100);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_pkts -= 10; forged.received_bytes -= 10 * RTP);
}

CLAIM (test_new_receiver_starts_a_new_baseline)
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

CLAIM (test_receivers_that_take_turns_are_refused)
{
  setup_next_report (100);
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_TOO_MANY_RESTARTS);
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  now += RC_LEDGER_RESTART_DISTANCE;
  fail_unless_equals_int (digest_from (INSTANCE + 1), RC_DIGEST_OK);
  now += RC_LEDGER_RESTART_DISTANCE - 1;
  fail_unless_equals_int (digest_from (INSTANCE + 2), RC_DIGEST_TOO_MANY_RESTARTS);
}

CLAIM (test_receiver_that_contradicts_itself_is_believed_again_after_a_second)
{
  setup_next_report (100);
  report.received_pkts += 100;  /* somebody else sent to it in our name */
  report.received_bytes += 100 * RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
  now += RC_LEDGER_RESTART_DISTANCE;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
  fail_unless (fb.restarted);
  fail_unless_equals_int (fb.received_pkts, 0);
  send_and_believe (120, 10);
  fail_unless_equals_int (fb.received_pkts, 10);
}

/* The packet acknowledged is then forgotten, or of a numbering that has ended. */
CLAIM (test_believing_again_without_a_new_packet_opens_nothing)
{
  static const guint16 next[] = { 3100, 40000 };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (next); i++) {
    setup ();
    send_and_believe (100, 3000);
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
    believe ();
    fail_unless_equals_int (fb.received_pkts, 11);
  }
}

CLAIM (test_hello_is_a_sign_of_life_from_anybody)
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

/* Else a sender that went silent right after the restart would never hear that somebody is
 * there. */
CLAIM (test_old_numbering_is_a_sign_of_life_after_the_source_restarted)
{
  setup_half_acked (100);
  send_run (50000, 1);
  report.number++;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);     /* nothing new */
  receive (119, 10, now);
  fail_unless_equals_int (digest (), RC_DIGEST_HELLO);
  receive (50000, 1, now);
  believe ();
  report.number++;
  report.highest_seq = 119;
  fail_unless_equals_int (digest (), RC_DIGEST_NEVER_SENT);
}

CLAIM (test_first_report_opens_no_more_than_the_receivers_window)
{
  send_run (100, 5000);
  receive (5099, 1, now);
  believe ();
  report.number++;
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.lost_pkts = RC_LOSSHIST_WINDOW);
  REFUSE (RC_DIGEST_IMPOSSIBLE, forged.received_pkts += RC_LOSSHIST_WINDOW;
      forged.received_bytes += RC_LOSSHIST_WINDOW * RTP);
  report.lost_pkts = RC_LOSSHIST_WINDOW - 1;
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}

CLAIM (test_receiver_with_a_past_cannot_count_a_packet_twice)
{
  report.received_pkts = 1000;
  report.received_bytes = 1000 * RTP;
  send_and_believe (100, 1);
  report.number++;
  report.received_pkts++;
  report.received_bytes += RTP;
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
}

CLAIM (test_bytes_do_not_wrap)
{
  report.received_pkts = 1000;
  report.received_bytes = G_MAXUINT64 - 9 * RTP;
  send_run (100, 10);
  receive (104, 5, now);
  believe ();
  receive (109, 5, now);
  fail_unless (report.received_bytes < G_MAXUINT32);
  fail_unless_equals_int (digest (), RC_DIGEST_IMPOSSIBLE);
}

CLAIM (test_number_too_far_back_is_not_guessed)
{
  setup_half_acked (100);
  send_run (120, 40000);
  receive ((guint16) (119 + 40000 - 32767), 10, now);
  REFUSE (RC_DIGEST_NEVER_SENT, forged.highest_seq = (guint16) (119 + 40000 - 32768));
  fail_unless_equals_int (digest (), RC_DIGEST_OK);
}
