/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Streams that end and begin within one session. */

#include <gst/check/gstcheck.h>
#include <rmcsink/ledgerset.h>

#define RTP_BYTES 1000

static LedgerSet *set;
static RcSenderInfo infos[RTCP_FEEDBACK_MAX_REPORTS];

static void
setup (void)
{
  set = ledger_set_new (RC_OVERHEAD_IPV4_BYTES);
}

static void
teardown (void)
{
  ledger_set_free (set);
}

static guint
n_infos (void)
{
  return ledger_set_fill_infos (set, 50 * RC_MSEC, 20 * RC_MSEC, infos);
}

static guint64
n_untracked (void)
{
  LedgerSetStats stats;

  ledger_set_get_stats (set, &stats);
  return stats.untracked_packets;
}

GST_START_TEST (test_an_ssrc_that_ended_gets_no_more_infos)
{
  RcTime now;
  guint16 seq = 0;

  ledger_set_on_sent (set, 1, 0, RTP_BYTES, 0);
  ledger_set_on_sent (set, 2, 0, RTP_BYTES, 0);
  for (now = 0; now <= RC_SECOND; now += 100 * RC_MSEC)
    ledger_set_on_sent (set, 3, seq++, RTP_BYTES, now);
  fail_unless_equals_int (n_infos (), 3);
  for (; now <= 3 * RC_SECOND; now += 100 * RC_MSEC)
    ledger_set_on_sent (set, 3, seq++, RTP_BYTES, now);
  fail_unless_equals_int (n_infos (), 1);
  fail_unless_equals_int (infos[0].ssrc, 3);

  fail_if (ledger_set_on_sent (set, 1, 1, RTP_BYTES, now), "it is known still");
  fail_unless_equals_int (n_infos (), 2);
}

GST_END_TEST;

/* While media is stopped for silence nobody sends, and yet they all must be asked for. */
GST_START_TEST (test_all_that_paused_together_get_infos)
{
  ledger_set_on_sent (set, 1, 0, RTP_BYTES, 0);
  ledger_set_on_sent (set, 2, 0, RTP_BYTES, RC_SECOND);
  fail_unless_equals_int (n_infos (), 2);
}

GST_END_TEST;

GST_START_TEST (test_an_ssrc_that_ended_gives_its_place_to_a_new_one)
{
  guint32 ssrc;
  guint16 seq = 0;
  RcTime now;

  for (ssrc = 1; ssrc <= RTCP_FEEDBACK_MAX_REPORTS; ssrc++)
    fail_unless (ledger_set_on_sent (set, ssrc, 0, RTP_BYTES, 0));
  for (now = RC_SECOND; now <= 3 * RC_SECOND; now += 100 * RC_MSEC)
    ledger_set_on_sent (set, ssrc, seq++, RTP_BYTES, now);
  fail_unless (n_untracked () <= 11, "%d of 21 packets", (gint) n_untracked ());
  fail_unless_equals_int (n_infos (), 1);
  fail_unless_equals_int (infos[0].ssrc, ssrc);
}

GST_END_TEST;

/* About `pkts` packets of that source, received at 1 Mbit/s. */
static void
add_report (RtcpFeedback * feedback, guint32 ssrc, guint32 number, guint32 pkts)
{
  feedback->reports[feedback->n_reports++] = (RcReport) {
    .ssrc = ssrc,.number = number,.highest_seq = pkts - 1,.arrival_us_remote = 1000 * number,
    .bandwidth_bps = 1000000,.bandwidth_raw_bps = 1000000,.received_pkts = pkts,
    .received_bytes = (guint64) pkts * RTP_BYTES
  };
}

static void
check_bandwidth (const RtcpFeedback * feedback, RcTime now, guint sources)
{
  const double expected_bps = 1e6 * (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES) / RTP_BYTES;
  RcFeedback out;

  fail_unless (ledger_set_digest (set, feedback, now, &out));
  fail_unless (ABS ((double) out.bandwidth_bps - sources * expected_bps) <= sources, "%" G_GUINT64_FORMAT,
      (guint64) out.bandwidth_bps);
}

GST_START_TEST (test_a_source_without_news_still_uses_its_bandwidth)
{
  RtcpFeedback both = { 0 }, one = { 0 }, later = { 0 };
  RcTime now = RC_SECOND;
  guint16 seq;

  for (seq = 0; seq < 4; seq++) {
    ledger_set_on_sent (set, 1, seq, RTP_BYTES, now);
    ledger_set_on_sent (set, 2, seq, RTP_BYTES, now);
  }
  add_report (&both, 1, 1, 2);
  add_report (&both, 2, 1, 2);
  check_bandwidth (&both, now + 50 * RC_MSEC, 2);
  add_report (&one, 1, 2, 3);
  check_bandwidth (&one, now + 100 * RC_MSEC, 2);
  /* by then its reports have ended, too */
  add_report (&later, 1, 3, 4);
  check_bandwidth (&later, now + 2 * RC_SECOND, 1);
}

GST_END_TEST;

static Suite *
ledgerset_suite (void)
{
  Suite *s = suite_create ("ledgerset");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_test (tc, test_an_ssrc_that_ended_gets_no_more_infos);
  tcase_add_test (tc, test_all_that_paused_together_get_infos);
  tcase_add_test (tc, test_an_ssrc_that_ended_gives_its_place_to_a_new_one);
  tcase_add_test (tc, test_a_source_without_news_still_uses_its_bandwidth);
  return s;
}

GST_CHECK_MAIN (ledgerset);
