/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sources that end and begin within one session, lists of packets, number spaces. */

#include <rc/feedback/feedback.h>
#include <rc/ledger/ledgers.h>

#include "claim.h"

#define RTP_BYTES 1000

#define ENTRIES 64

static RcLedgers *set;
static RcLedgerEntry *entries;
static RcSenderInfo infos[RC_LEDGERS_MAX];

BEFORE_EACH
{
  set = g_new0 (RcLedgers, 1);
  entries = g_new0 (RcLedgerEntry, ENTRIES * 64);
  rc_ledgers_init (set, RC_OVERHEAD_IPV4_BYTES);
}

AFTER_EACH
{
  g_free (set);
  g_free (entries);
}

/* The memory is given as it is wanted, each piece once. These packets are few or far apart. */
static gboolean
sent_in (RcNumberSpace space, guint16 number, RcTime now)
{
  static guint given;
  guint32 wanted = rc_ledgers_wants (set, space, now);

  if (set->n_slots == 0)
    given = 0;
  if (wanted > 0) {
    fail_unless_equals_int (wanted, ENTRIES);
    rc_ledgers_give (set, space, entries + ENTRIES * given++, ENTRIES, now);
  }
  return rc_ledgers_on_sent (set, space, number, RTP_BYTES, now);
}

static gboolean
sent (guint32 ssrc, guint16 seq, RcTime now)
{
  return sent_in (rc_numbers_of_ssrc (ssrc), seq, now);
}

static guint
n_infos (void)
{
  return rc_ledgers_fill_infos (set, 50 * RC_MSEC, 20 * RC_MSEC, infos);
}

CLAIM (test_an_ssrc_that_ended_gets_no_more_infos)
{
  RcTime now;
  guint16 seq = 0;

  sent (1, 0, 0);
  sent (2, 0, 0);
  for (now = 0; now <= RC_SECOND; now += 100 * RC_MSEC)
    sent (3, seq++, now);
  fail_unless_equals_int (n_infos (), 3);
  for (; now <= 3 * RC_SECOND; now += 100 * RC_MSEC)
    sent (3, seq++, now);
  fail_unless_equals_int (n_infos (), 1);
  fail_unless_equals_int (infos[0].ssrc, 3);

  fail_if (sent (1, 1, now), "it is known still");
  fail_unless_equals_int (n_infos (), 2);
}

/* While media is stopped for silence nobody sends, and yet they all must be asked for. */
CLAIM (test_all_that_paused_together_get_infos)
{
  sent (1, 0, 0);
  sent (2, 0, RC_SECOND);
  fail_unless_equals_int (n_infos (), 2);
}

CLAIM (test_an_ssrc_that_ended_gives_its_place_to_a_new_one)
{
  guint32 ssrc;
  guint16 seq = 0;
  RcTime now;

  for (ssrc = 1; ssrc <= RC_LEDGERS_MAX; ssrc++)
    fail_unless (sent (ssrc, 0, 0));
  for (now = RC_SECOND; now <= 3 * RC_SECOND; now += 100 * RC_MSEC)
    sent (ssrc, seq++, now);
  fail_unless (set->stats.untracked_pkts <= 11,
      "%d of 21 packets", (gint) set->stats.untracked_pkts);
  fail_unless_equals_int (n_infos (), 1);
  fail_unless_equals_int (infos[0].ssrc, ssrc);
}

typedef struct
{
  RcReport reports[2];
  guint n_reports;
} Reports;

/* About `pkts` packets of that source, received at 1 Mbit/s. */
static void
add_report (Reports * feedback, guint32 ssrc, guint32 number, guint32 pkts)
{
  feedback->reports[feedback->n_reports++] = (RcReport) {
    .ssrc = ssrc,.number = number,.highest_seq = pkts - 1,.arrival_us_remote = 1000 * number,
    .bandwidth_bps = 1000000,.received_pkts = pkts,
    .received_bytes = (guint64) pkts * RTP_BYTES
  };
}

static void
check_bandwidth (const Reports * feedback, RcTime now, guint sources)
{
  const double expected_bps = 1e6 * (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES) / RTP_BYTES;
  RcFeedback out;

  fail_unless (rc_ledgers_digest (set, feedback->reports, feedback->n_reports, 99, now, &out));
  fail_unless (ABS ((double) out.bandwidth_bps - sources * expected_bps) <= sources,
      "%" G_GUINT64_FORMAT, (guint64) out.bandwidth_bps);
}

CLAIM (test_a_source_without_news_still_uses_its_bandwidth)
{
  Reports both = { 0 }, one = { 0 }, later = { 0 };
  RcTime now = RC_SECOND;
  guint16 seq;

  for (seq = 0; seq < 4; seq++) {
    sent (1, seq, now);
    sent (2, seq, now);
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

/* Five packets left in this space; the first three and the fifth came, 10 ms apart, and were
 * told 5 ms later. */
static gboolean
list_four_of_five (RcNumberSpace space, RcFeedback * out)
{
  RcArrival arrivals[4];
  RcArrivals message = { space, arrivals, 4, 10 * RC_SECOND + 45 * RC_MSEC, 77,
      TRUE, {0, 100 * RC_MSEC}, 0 };

  for (guint16 i = 0; i < 5; i++)
    sent_in (space, 65534 + i, RC_SECOND + i * 10 * RC_MSEC);
  for (guint i = 0; i < 4; i++) {
    static const guint8 bits[] = { RC_ECN_BITS_ECT_0, RC_ECN_BITS_CE, RC_ECN_BITS_ECT_1, 0,
        RC_ECN_BITS_ECT_0 };
    guint16 n = i < 3 ? i : 4;

    arrivals[i] = (RcArrival) { (guint16) (65534 + n), bits[n],
        10 * RC_SECOND + n * 10 * RC_MSEC };
  }
  return rc_ledgers_digest_arrivals (set, &message, 1, RC_SECOND + 100 * RC_MSEC, out);
}

CLAIM (test_list_of_packets_says_what_a_summary_says)
{
  RcFeedback out;

  fail_unless (list_four_of_five (rc_numbers_of_ssrc (1), &out));
  /* The fifth left 60 ms ago and was told 5 ms after it came. */
  fail_unless_equals_int64 (out.rtt, 55 * RC_MSEC);
  fail_unless_equals_int64 (out.owd_remote, 9 * RC_SECOND);
  fail_unless_equals_int (out.received_pkts, 4);
  fail_unless_equals_int (out.received_bytes, 4 * (RTP_BYTES + RC_OVERHEAD_IPV4_BYTES));
  fail_unless_equals_int (out.ce_pkts, 1);
  fail_unless_equals_int (out.ecn_pkts, 4);
  fail_unless_equals_int (out.ect1_pkts, 1);
  fail_unless (out.ecn_read);
  fail_unless_equals_int (out.outstanding_bytes, 0);
  fail_unless_equals_int (out.policy.paying_bytes, 0);
}

/* The same numbers in two spaces are different packets. */
CLAIM (test_transport_wide_numbers_are_a_space_of_their_own)
{
  RcNumberSpace transport = { RC_NUMBERS_TRANSPORT, 0 };
  RcFeedback out;

  sent (1, 7, RC_SECOND);
  fail_unless (list_four_of_five (transport, &out));
  fail_unless_equals_int (out.received_pkts, 4);
  fail_unless_equals_int (n_infos (), 1);
  fail_unless_equals_int (infos[0].ssrc, 1);
}

CLAIM (test_list_of_packets_that_never_left_is_refused)
{
  RcArrival arrival = { 3000, RC_ECN_BITS_NOT_ECT, 10 * RC_SECOND };
  RcArrivals message = { rc_numbers_of_ssrc (1), &arrival, 1, RC_TIME_NONE, 77, FALSE, {0, 0}, 0 };
  RcFeedback out;

  sent (1, 7, RC_SECOND);
  fail_if (rc_ledgers_digest_arrivals (set, &message, 1, 2 * RC_SECOND, &out));
  fail_unless_equals_int (set->stats.never_sent, 1);
  message.space.ssrc = 2;
  fail_if (rc_ledgers_digest_arrivals (set, &message, 1, 2 * RC_SECOND, &out));
  fail_unless_equals_int (set->stats.foreign, 1);
}

CLAIM (test_memory_is_wanted_before_what_is_on_its_way_overwrites_itself)
{
  RcNumberSpace space = rc_numbers_of_ssrc (1);
  guint16 seq;

  for (seq = 0; seq <= ENTRIES / 2; seq++)
    sent (1, seq, RC_SECOND);
  fail_unless_equals_int (rc_ledgers_wants (set, space, RC_SECOND), 2 * ENTRIES);
  fail_unless (rc_ledgers_give (set, space, entries + 8 * ENTRIES, 2 * ENTRIES, RC_SECOND)
      == entries);
  fail_unless_equals_int (rc_ledgers_wants (set, space, RC_SECOND), 0);
  fail_unless (rc_ledgers_take_back (set) == entries + 8 * ENTRIES);
  fail_unless (rc_ledgers_take_back (set) == NULL);
}

/* By a packet each `apart`, of which each is reported on at once: what memory is wanted in all. */
static guint
memory_of (RcTime apart)
{
  RcNumberSpace space = rc_numbers_of_ssrc (1);
  RcLedgerEntry *given = NULL;
  guint capacity = 0, wanted;

  rc_ledgers_init (set, RC_OVERHEAD_IPV4_BYTES);
  for (guint i = 0; i < 4000; i++) {
    RcTime now = RC_SECOND + (RcTime) i * apart;

    if ((wanted = rc_ledgers_wants (set, space, now)) > 0) {
      RcLedgerEntry *more = g_new0 (RcLedgerEntry, wanted);

      fail_unless (rc_ledgers_give (set, space, more, wanted, now) == given);
      g_free (given);
      given = more;
      capacity = wanted;
    }
    rc_ledgers_on_sent (set, space, (guint16) i, RTP_BYTES, now);
    set->slots[0].ledger.heard = true;
    set->slots[0].ledger.acked_seq = set->slots[0].ledger.next_seq - 1;
  }
  rc_ledgers_take_back (set);
  g_free (given);
  return capacity;
}

CLAIM (test_memory_is_of_a_second_but_at_most_1024_packets)
{
  fail_unless_equals_int (memory_of (20 * RC_MSEC), 64);
  fail_unless_equals_int (memory_of (3 * RC_MSEC), 512);
  fail_unless_equals_int (memory_of (RC_MSEC), 1024);
  fail_unless_equals_int (memory_of (RC_MSEC / 10), 1024);
}
