/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Receiver reports of RTP become summaries that the ledger believes. */
#include <rc/feedback/feedback.h>
#include <rc/ledger/ledgers.h>

#include "claim.h"

#define SSRC 7
#define OTHER 8
#define RTP_BYTES 1172
#define NETWORK_BYTES 1200
#define GAP (10 * RC_MSEC)
#define FIRST 65500             /* the 16 bits wrap in each test */

static RcLedgers *ledgers;
static RcLedgerEntry *entries;
static RcTime now;
static guint n_sent;
static RcFeedback feedback;  /* of the last block */

static void
setup (void)
{
  ledgers = g_new0 (RcLedgers, 1);
  entries = g_new0 (RcLedgerEntry, 4096);
  rc_ledgers_init (ledgers, RC_OVERHEAD_IPV4_BYTES);
  rc_ledgers_give (ledgers, rc_numbers_of_ssrc (SSRC), entries, 4096, 0);
  now = 0;
  n_sent = 0;
}

BEFORE_EACH
{
  setup ();
}

static void
teardown (void)
{
  g_clear_pointer (&ledgers, g_free);
  g_clear_pointer (&entries, g_free);
}

AFTER_EACH
{
  teardown ();
}

/* A packet each GAP. */
static void
send_packets (guint n)
{
  for (guint i = 0; i < n; i++) {
    rc_ledgers_on_sent (ledgers, rc_numbers_of_ssrc (SSRC), (guint16) (FIRST + n_sent++),
        RTP_BYTES, now);
    now += GAP;
  }
}

/* As a receiver has it that counts cycles from 5: `back` of what was sent have not arrived. */
static RcReportBlock
block (guint back, gint32 lost)
{
  return (RcReportBlock) {.ssrc = SSRC,.instance = 99,.lost_pkts = lost,
    .highest_seq = 0x50000 + FIRST + n_sent - 1 - back };
}

static gboolean
digest (const RcReportBlock * b)
{
  return rc_ledgers_digest_blocks (ledgers, b, 1, now, &feedback);
}

/* `n` packets leave, then a block comes and is believed. */
static void
send_and_hear (guint n, guint back, gint32 lost)
{
  RcReportBlock b;

  send_packets (n);
  b = block (back, lost);
  fail_unless (digest (&b));
}

static void
told (guint received_pkts, guint lost_pkts)
{
  fail_unless_equals_int (feedback.received_pkts, received_pkts);
  fail_unless_equals_int (feedback.lost_pkts, lost_pkts);
}

CLAIM (test_a_block_tells_what_came_and_what_was_lost)
{
  send_and_hear (100, 4, 6);
  told (90, 6);
  fail_unless_equals_uint64 (feedback.received_bytes, 90 * NETWORK_BYTES);
  fail_unless_equals_uint64 (feedback.outstanding_bytes, 4 * NETWORK_BYTES);

  send_and_hear (100, 4, 16);
  told (90, 10);
  /* 90 packets in the second between the blocks, at the network layer */
  fail_unless (ABS ((gint64) feedback.bandwidth_bps - 90 * NETWORK_BYTES * 8) < 100);
  fail_unless_equals_uint64 (ledgers->stats.accepted, 2);
}

/* The highest packet had come, the next one had not. */
CLAIM (test_without_sender_reports_the_round_trip_is_that_of_the_next_packet)
{
  send_and_hear (50, 4, 0);
  fail_unless_equals_int64 (feedback.rtt, 4 * GAP);
}

CLAIM (test_a_sender_report_gives_the_round_trip_within_these_bounds)
{
  static const struct { RcTime true_rtt, want; } cases[] = {
    {45 * RC_MSEC, 45 * RC_MSEC},       /* between 4 and 5 GAP */
    {20 * RC_MSEC, 4 * GAP},    /* the queue has grown since the sender report */
    {90 * RC_MSEC, 5 * GAP},    /* ... and here it has drained */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RcTime sr_at, dlsr = 300 * RC_MSEC;
    RcReportBlock b;

    send_packets (50);
    sr_at = now - cases[i].true_rtt - dlsr;
    rc_ledgers_on_sr (ledgers, SSRC, 1234 + i, sr_at);
    b = block (4, 0);
    b.lsr = 1234 + i;
    b.dlsr = (guint32) (rc_time_to_s (dlsr) * 65536);
    fail_unless (digest (&b));
    fail_unless (ABS (feedback.rtt - cases[i].want) < RC_MSEC,
        "case %u: %" G_GINT64_FORMAT " ns", i, feedback.rtt);
  }
}

/* A source that pauses: nothing left after the highest packet. */
CLAIM (test_a_pause_of_the_source_is_no_round_trip)
{
  send_and_hear (50, 4, 0);
  now += 3 * RC_SECOND;
  send_and_hear (0, 0, 0);
  fail_unless_equals_int64 (feedback.rtt, 4 * GAP);
}

CLAIM (test_an_unknown_or_impossible_lsr_gives_no_round_trip)
{
  static const struct { guint32 lsr, dlsr; } cases[] = {
    {4321, 0}, {1234, G_MAXUINT32}, {1234, 65536 * 15}, {0, 100},
  };

  send_packets (50);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RcReportBlock b;

    rc_ledgers_on_sr (ledgers, SSRC, 1234, now);
    send_packets (50);
    b = block (4, 0);
    b.lsr = cases[i].lsr;
    b.dlsr = cases[i].dlsr;
    fail_unless (digest (&b));
    fail_unless_equals_int64 (feedback.rtt, 4 * GAP);
  }
}

CLAIM (test_hostile_blocks_change_nothing_and_are_counted)
{
  RcReportBlock bad;

  send_and_hear (100, 4, 6);
  send_packets (100);

  bad = block (0, 6);
  bad.highest_seq += 1;         /* never sent */
  fail_if (digest (&bad));
  fail_unless_equals_uint64 (ledgers->stats.never_sent, 1);

  bad = block (114, 6);         /* an older one */
  fail_if (digest (&bad));
  fail_unless_equals_uint64 (ledgers->stats.old, 1);

  bad = block (4, 1000);        /* more lost than sent */
  fail_if (digest (&bad));
  send_and_hear (0, 4, 6);
  fail_unless_equals_int (feedback.lost_pkts, 0);
  send_packets (10);
  bad = block (4, 6);
  bad.highest_seq += 0x70000;   /* other cycles */
  fail_if (digest (&bad));
  fail_unless_equals_uint64 (ledgers->stats.impossible, 2);

  bad = block (4, 6);
  bad.ssrc = OTHER;
  fail_if (digest (&bad));
  fail_unless_equals_uint64 (ledgers->stats.foreign, 1);
  send_and_hear (0, 4, 7);
  told (9, 1);
}

/* A replay of the last block acknowledges nothing anew. */
CLAIM (test_two_true_blocks_end_what_a_forged_one_has_done)
{
  for (guint i = 0; i < 6; i++) {
    RcReportBlock b, forged;

    teardown ();
    setup ();
    send_and_hear (100, 4, 0);
    now += RC_SECOND;
    send_packets (100);
    forged = block (0, 0);
    forged.highest_seq += i == 0 ? 0x10000 : i == 1 ? 0x40000000 : 0;
    forged.lost_pkts = i == 2 ? -0x800000 : i == 3 ? 103 : 0;
    forged.instance += i == 4;
    digest (&forged);
    for (guint k = 0; k < 3; k++) {
      send_packets (100);
      b = block (4, 0);
      digest (&b);
    }
    told (100, 0);
    send_packets (100);
    b = block (4, 10);
    digest (&b);
    told (90, 10);
  }
}

/* A receiver counts the numbers between as lost. */
CLAIM (test_numbers_that_never_left_are_not_lost)
{
  send_and_hear (100, 4, 0);
  n_sent += 450;
  send_and_hear (100, 4, 450);
  told (100, 0);
  send_and_hear (100, 4, 460);
  told (90, 10);
}

CLAIM (test_the_same_block_again_tells_nothing_new)
{
  send_and_hear (100, 4, 6);
  now += RC_SECOND;
  send_and_hear (0, 4, 6);
  fail_unless_equals_int (feedback.received_pkts + feedback.lost_pkts, 0);
}

/* Another instance, or the same with counters of its own, is believed at its second block. */
CLAIM (test_a_receiver_that_begins_anew_is_believed_soon)
{
  for (guint i = 0; i < 2; i++) {
    RcReportBlock b;

    teardown ();
    setup ();
    send_and_hear (300, 4, 20);
    for (guint k = 0; k < 3; k++) {
      send_packets (200);
      b = block (4, (gint32) k);
      b.instance += i;
      b.highest_seq -= 0x40000;
      fail_unless (digest (&b) == (k > 0), "%u: block %u", i, k);
    }
    fail_unless_equals_int (feedback.lost_pkts, 1);
    fail_unless_equals_int (feedback.received_pkts, 199);
  }
}

/* Duplicates on the way make the count of lost packets negative; late ones lower it. */
CLAIM (test_duplicates_and_late_packets_are_no_losses)
{
  send_and_hear (100, 4, 0);
  send_and_hear (100, 4, -30);
  told (100, 0);
  send_and_hear (100, 4, -20);
  told (90, 10);
}

/* Whatever blocks say: no more came than was sent, and no RTT is negative. */
CLAIM (test_false_blocks_claim_no_more_than_was_sent)
{
  GRand *rand = g_rand_new_with_seed (7);
  guint64 received_bytes = 0;
  guint believed = 0;

  for (guint i = 0; i < 20000; i++) {
    RcReportBlock b;

    send_packets ((guint) g_rand_int_range (rand, 0, 4));
    if (n_sent == 0)
      continue;
    rc_ledgers_on_sr (ledgers, SSRC, (guint32) g_rand_int_range (rand, 1, 5), now);
    b = block ((guint) g_rand_int_range (rand, 0, 8), g_rand_int_range (rand, -5, 50));
    b.instance += (guint32) g_rand_int_range (rand, 0, 100) == 0;
    b.highest_seq += g_rand_int_range (rand, 0, 10) == 0 ? g_rand_int (rand) : 0;
    b.lost_pkts = g_rand_int_range (rand, 0, 10) == 0 ? (gint32) g_rand_int (rand) : b.lost_pkts;
    b.lsr = (guint32) g_rand_int_range (rand, 0, 6);
    b.dlsr = g_rand_int (rand) >> g_rand_int_range (rand, 0, 31);
    if (!digest (&b))
      continue;
    believed++;
    if (feedback.restarted)
      received_bytes = 0;
    received_bytes += feedback.received_bytes;
    fail_unless (received_bytes <= (guint64) n_sent * NETWORK_BYTES);
    fail_unless (feedback.rtt == RC_TIME_NONE || feedback.rtt > 0);
    fail_unless (feedback.lost_pkts <= n_sent && feedback.received_pkts <= n_sent);
  }
  fail_unless (believed > 1000, "%u of 20000", believed);
  g_rand_free (rand);
}
