/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the sender learns of the delays of single packets: ledgers, receivers whose clock is 1000 s
 * ahead of ours, and the wire between them. Packet i leaves i ms after START. */

#include <rc/feedback/feedback.h>
#include <rc/ledger/ledgers.h>
#include <rc/receiver/receiver.h>

#include "claim.h"

#define START (5 * RC_SECOND)
#define AHEAD (1000 * RC_SECOND)
#define NET (1000 + RC_OVERHEAD_IPV4_BYTES)
#define ENTRIES 4096
#define INSTANCE 77

static RcLedgers *ledgers;
static RcLedgerEntry *entries[2];
static RcReceiver receivers[2];
static RcReport report;
static RcFeedback fb;

BEFORE_EACH
{
  ledgers = g_new0 (RcLedgers, 1);
  rc_ledgers_init (ledgers, RC_OVERHEAD_IPV4_BYTES);
  for (guint i = 0; i < 2; i++) {
    entries[i] = g_new0 (RcLedgerEntry, ENTRIES);
    rc_ledgers_give (ledgers, rc_numbers_of_ssrc (i), entries[i], ENTRIES, START);
    rc_receiver_init (&receivers[i], i, RC_BWFILTER_TAU);
  }
}

AFTER_EACH
{
  g_free (entries[0]);
  g_free (entries[1]);
  g_free (ledgers);
}

static RcTime
departure (guint i)
{
  return START + i * RC_MSEC;
}

static void
send (guint32 ssrc, guint16 base, guint n)
{
  for (guint i = 0; i < n; i++)
    rc_ledgers_on_sent (ledgers, rc_numbers_of_ssrc (ssrc), (guint16) (base + i), 1000,
        departure (i));
}

/* Packet i, so many ms after it left. */
static void
arrive (guint32 ssrc, guint16 base, guint i, guint delay_ms)
{
  rc_receiver_on_packet (&receivers[ssrc], (guint16) (base + i), 1000, FALSE,
      departure (i) + delay_ms * RC_MSEC + AHEAD);
}

/* Made at_ms after START, and over the wire. */
static void
make_report (guint32 ssrc, guint at_ms)
{
  guint8 bytes[RC_WIRE_MAX_BYTES];
  RcReport made;
  gsize len;

  rc_receiver_report (&receivers[ssrc], START + at_ms * RC_MSEC + AHEAD, &made);
  len = rc_wire_encode_report (&made, bytes, sizeof bytes);
  fail_unless (rc_wire_decode_report (bytes, len, &report));
}

/* It comes 10 ms later. */
static void
digest (guint at_ms)
{
  RcTime now = START + (at_ms + 10) * RC_MSEC;

  fail_unless (rc_ledgers_digest (ledgers, &report, 1, INSTANCE, now, &fb));
}

static void
assert_delays (guint pkts, RcTime mean, guint least_ms, guint last_ms, guint least,
    guint least_pkts)
{
  fail_unless_equals_int (fb.delays.pkts, pkts);
  fail_unless_equals_int64 (fb.delays.mean_remote, mean + AHEAD);
  fail_unless_equals_int64 (fb.delays.least_remote, least_ms * RC_MSEC + AHEAD);
  fail_unless_equals_int64 (fb.delays.last_remote, last_ms * RC_MSEC + AHEAD);
  fail_unless_equals_int64 (fb.delays.least_sent_at, departure (least));
  fail_unless_equals_uint64 (fb.delays.least_bytes, (guint64) least_pkts * NET);
}

/* Delays of 30, 25, 20, 40 and 35 ms; across the end of 16 bits. */
static void
five_packets (guint16 base)
{
  static const guint delay_ms[] = { 30, 25, 20, 40, 35 };

  for (guint i = 0; i < 5; i++)
    arrive (0, base, i, delay_ms[i]);
}

CLAIM (test_mean_and_least_are_those_of_the_packets)
{
  send (0, 65534, 5);
  five_packets (65534);
  make_report (0, 50);
  digest (50);
  /* The third came at 22 ms, before the first and the second (30 and 26 ms). */
  assert_delays (5, 30 * RC_MSEC, 20, 35, 2, 1);
  fail_unless_equals_int64 (fb.delays.second_remote, 25 * RC_MSEC + AHEAD);
}

CLAIM (test_second_least_of_a_single_packet_is_its_own)
{
  send (0, 100, 1);
  arrive (0, 100, 0, 30);
  make_report (0, 50);
  digest (50);
  fail_unless_equals_int64 (fb.delays.second_remote, fb.delays.least_remote);
}

CLAIM (test_only_packets_since_the_report_before_count)
{
  send (0, 100, 8);
  five_packets (100);
  make_report (0, 50);
  digest (50);
  arrive (0, 100, 5, 50);
  arrive (0, 100, 7, 52);
  arrive (0, 100, 6, 60);       /* late */
  arrive (0, 100, 2, 70);       /* twice */
  make_report (0, 80);
  digest (80);
  assert_delays (3, 54 * RC_MSEC, 50, 52, 5, 6);
}

/* Its packets are counted, and lost as samples. */
CLAIM (test_lost_report_takes_its_list_along)
{
  send (0, 100, 8);
  five_packets (100);
  make_report (0, 50);
  arrive (0, 100, 5, 55);
  arrive (0, 100, 6, 54);
  arrive (0, 100, 7, 56);
  make_report (0, 80);
  digest (80);
  fail_unless_equals_int (fb.received_pkts, 8);
  assert_delays (3, 55 * RC_MSEC, 54, 56, 6, 7);
}

/* The last packet is a sample though it is not on the stride; an entry stands for two packets. */
CLAIM (test_doubled_stride_samples_every_second_packet)
{
  send (0, 100, 300);
  for (guint i = 0; i < 300; i++)
    arrive (0, 100, i, i == 198 ? 10 : 30);
  make_report (0, 400);
  fail_unless_equals_int (report.arrivals.stride_log2, 1);
  digest (400);
  /* 198 came at 208 ms, with 178. After it came 180, 182 ... 298 but itself: 59 entries for 118
   * packets; 120 is true. */
  assert_delays (151, 30 * RC_MSEC - 20 * RC_MSEC / 151, 10, 30, 198, 182);
}

CLAIM (test_receiver_without_lists_tells_of_one_packet)
{
  send (0, 100, 5);
  five_packets (100);
  make_report (0, 50);
  report.arrivals.n = 0;
  digest (50);
  assert_delays (1, 35 * RC_MSEC, 35, 35, 4, 5);
  make_report (0, 60);
  digest (60);
  fail_unless_equals_int (fb.delays.pkts, 0);
}

/* Source 1's packets leave and arrive between those of source 0, which have the least delay. */
CLAIM (test_sources_of_one_path_have_one_least_delay)
{
  RcReport both[2];

  send (0, 100, 5);
  send (1, 7000, 3);
  five_packets (100);
  arrive (1, 7000, 0, 21);
  arrive (1, 7000, 1, 22);
  arrive (1, 7000, 2, 50);
  make_report (1, 60);
  both[0] = report;
  make_report (0, 60);
  both[1] = report;
  fail_unless (rc_ledgers_digest (ledgers, both, 2, INSTANCE, START + 70 * RC_MSEC, &fb));
  /* By 22 ms one packet of either source had come. */
  assert_delays (8, (150 + 93) * RC_MSEC / 8, 20, 35, 2, 2);
  /* The bytes of a source without news still count. */
  send (0, 105, 1);
  rc_receiver_on_packet (&receivers[0], 105, 1000, FALSE, START + 90 * RC_MSEC + AHEAD);
  make_report (0, 100);
  digest (100);
  fail_unless_equals_uint64 (fb.delays.least_bytes, 9 * NET);
}

/* Two sources whose receiver claims clocks that are a century apart: nothing overflows. */
CLAIM (test_clocks_of_two_sources_that_are_far_apart_have_a_mean_between_them)
{
  RcReport both[2];

  for (guint i = 0; i < 2; i++) {
    send (i, 100, 5);
    for (guint k = 0; k < 5; k++)
      arrive (i, 100, k, 20);
    make_report (i, 60);
    both[i] = report;
  }
  both[1].arrival_us_remote = RC_WIRE_MAX_ARRIVAL_US;
  fail_unless (rc_ledgers_digest (ledgers, both, 2, INSTANCE, START + 70 * RC_MSEC, &fb));
  fail_unless_equals_int (fb.delays.pkts, 10);
  fail_unless_equals_int64 (fb.delays.least_remote, 20 * RC_MSEC + AHEAD);
  fail_unless (fb.delays.mean_remote > INT64_MAX / 5);
}

static RcArrival
arrival_of (guint i, guint delay_ms)
{
  return (RcArrival) {
  (guint16) (65534 + i), RC_ECN_BITS_NOT_ECT, departure (i) + delay_ms * RC_MSEC + AHEAD};
}

CLAIM (test_lists_of_other_formats_give_the_same)
{
  const RcArrival arrivals[] = {
    arrival_of (0, 30), arrival_of (1, 25), arrival_of (2, 20), arrival_of (3, 40),
    arrival_of (4, 35)
  };
  RcArrivals message = {
    rc_numbers_of_ssrc (0), arrivals, 5, START + 50 * RC_MSEC + AHEAD, INSTANCE, FALSE,
    RC_REPORT_POLICY_PATIENT, 0
  };

  send (0, 65534, 5);
  fail_unless (rc_ledgers_digest_arrivals (ledgers, &message, 1,
          START + 60 * RC_MSEC, &fb));
  assert_delays (5, 30 * RC_MSEC, 20, 35, 2, 1);
}

/* --- false lists --- */

static void
five_and_one (void)
{
  send (0, 100, 5);
  /* 105 and 106 are gaps */
  rc_ledgers_on_sent (ledgers, rc_numbers_of_ssrc (0), 107, 1000, departure (5));
  five_packets (100);
  rc_receiver_on_packet (&receivers[0], 107, 1000, FALSE, departure (5) + 30 * RC_MSEC + AHEAD);
  make_report (0, 50);
  fail_unless_equals_int (report.arrivals.n, 8);
}

CLAIM (test_packet_told_to_have_come_before_it_left_is_refused)
{
  five_and_one ();
  report.arrivals.ages[0] = 32 * 60;    /* it left 60 ms before the report came */
  report.arrivals.ages[1] = 32 * 61;    /* 59 ms, and the clocks are not that bad */
  digest (50);
  fail_unless_equals_uint64 (ledgers->stats.false_arrivals, 1);
  fail_unless_equals_int (fb.delays.pkts, 5);
  fail_unless_equals_int64 (fb.delays.least_remote, AHEAD - 10 * RC_MSEC);
}

CLAIM (test_packet_that_never_left_is_refused)
{
  five_and_one ();
  report.arrivals.ages[5] = 32;
  report.arrivals.ages[0] = RC_ARRIVALAGE_EARLIER;
  digest (50);
  fail_unless_equals_uint64 (ledgers->stats.false_arrivals, 1);
  fail_unless_equals_int (fb.delays.pkts, 5);
}

CLAIM (test_list_beyond_the_highest_packet_is_refused)
{
  five_and_one ();
  report.arrivals.ages[5] = report.arrivals.ages[6] = RC_ARRIVALAGE_NONE;
  report.arrivals.first++;
  digest (50);
  fail_unless_equals_uint64 (ledgers->stats.false_arrivals, 6);
  assert_delays (1, 30 * RC_MSEC, 30, 30, 5, 6);
}

/* Random lists: no figure leaves the bounds that the departures set. */
CLAIM (test_false_lists_cannot_make_absurd_delays)
{
  RcArrivalAges *list = &report.arrivals;

  g_random_set_seed (3);
  send (0, 100, 500);
  arrive (0, 100, 0, 30);
  make_report (0, 31);
  digest (31);
  for (guint i = 1; i < 500; i++) {
    /* 60 ms after the report, so no delay is less than -60 ms. */
    RcTime now = departure (i) + 100 * RC_MSEC, least = AHEAD - 63 * RC_MSEC;

    arrive (0, 100, i, 30);
    make_report (0, i + 40);
    list->first = (guint16) g_random_int ();
    list->stride_log2 = (guint8) g_random_int_range (0, 9);
    list->n = (guint16) g_random_int_range (1, 257);
    if (i % 2)
      list->first = (guint16) (100 + i - ((list->n - 1) << list->stride_log2));
    for (guint k = 0; k < list->n; k++)
      list->ages[k] = (guint16) g_random_int ();
    fail_unless (rc_ledgers_digest (ledgers, &report, 1, INSTANCE, now, &fb));
    fail_unless (fb.delays.pkts >= 1 && fb.delays.pkts <= 257);
    fail_unless (fb.delays.least_remote <= fb.delays.mean_remote);
    fail_unless (fb.delays.least_remote <= fb.delays.last_remote);
    fail_unless (fb.delays.least_remote <= fb.delays.second_remote);
    fail_unless (fb.delays.least_remote >= least && fb.delays.mean_remote <= AHEAD + RC_SECOND);
    fail_unless (fb.delays.least_bytes >= i * NET && fb.delays.least_bytes <= (i + 1) * NET);
    fail_unless (fb.delays.least_sent_at >= START && fb.delays.least_sent_at <= now);
  }
  fail_unless (ledgers->stats.false_arrivals > 1000);
}

/* Its size went with the one before it, but it did leave. */
CLAIM (test_oldest_packet_that_is_remembered_is_not_refused)
{
  rc_ledgers_init (ledgers, RC_OVERHEAD_IPV4_BYTES);
  rc_ledgers_give (ledgers, rc_numbers_of_ssrc (0), entries[0], 16, START);
  send (0, 100, 20);
  for (guint i = 2; i < 20; i++)
    arrive (0, 100, i, 10);
  make_report (0, 40);
  digest (50);
  fail_unless_equals_int (report.arrivals.n, 18);
  fail_unless_equals_uint64 (ledgers->stats.false_arrivals, 0);
  fail_unless_equals_int (fb.delays.pkts, 15);
}
