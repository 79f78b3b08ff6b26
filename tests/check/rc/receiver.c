/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/receiver.h>

#include "claim.h"

#define SSRC 0x1234
#define SIZE 1000
#define START (10 * RC_SECOND)

static RcReceiver receiver;
static RcTime now;
static guint16 next_seq;

static void
setup (void)
{
  rc_receiver_init (&receiver, SSRC, RC_BWFILTER_TAU);
  now = START;
  next_seq = 100;
}

BEFORE_EACH
{
  setup ();
}

static void
tell (guint32 srtt_us, guint32 interval_us)
{
  RcSenderInfo info = { SSRC, srtt_us, interval_us };

  rc_receiver_on_info (&receiver, &info, now);
}

static RcLossVerdict
arrive (void)
{
  return rc_receiver_on_packet (&receiver, next_seq++, SIZE, FALSE, now);
}

static RcTime
due_in (void)
{
  RcTime due_at = rc_receiver_due_at (&receiver, now);

  return due_at == RC_TIME_NONE ? RC_TIME_NONE : MAX (due_at - now, 0);
}

static RcReport
report (void)
{
  RcReport r;

  rc_receiver_report (&receiver, now, &r);
  return r;
}

/* Packets at a constant rate (SIZE bytes each) and a report whenever one is due. Returns how
 * many reports. */
static guint
stream (RcTime spacing, RcTime duration)
{
  RcTime end = now + duration;
  guint n = 0;

  for (; now < end; now += spacing) {
    arrive ();
    if (due_in () == 0) {
      report ();
      n++;
    }
  }
  return n;
}

CLAIM (test_nothing_is_due_before_anything_happened)
{
  fail_unless_equals_int64 (due_in (), RC_TIME_NONE);
}

CLAIM (test_probe_without_media_is_answered_by_a_hello)
{
  guint8 bytes[RC_WIRE_MAX_BYTES];
  RcReport r, decoded;

  tell (0, 50000);
  fail_unless_equals_int64 (due_in (), 0);
  r = report ();
  fail_unless_equals_int (r.ssrc, SSRC);
  fail_unless_equals_int (r.received_pkts, 0);
  fail_unless (rc_wire_decode_report (bytes, rc_wire_encode_report (&r, bytes, sizeof bytes),
          &decoded));
  fail_unless_equals_int64 (due_in (), RC_TIME_NONE);
}

CLAIM (test_probes_in_a_row_are_not_all_answered)
{
  tell (0, 50000);
  report ();
  tell (0, 50000);
  fail_unless_equals_int64 (due_in (), RC_RECEIVER_MIN_INTERVAL / 4);
}

/* [ARC 3.1.3] reports during the first round trip */
CLAIM (test_each_packet_is_reported_until_srtt_is_told)
{
  int i;

  for (i = 0; i < 10; i++) {
    arrive ();
    fail_unless_equals_int64 (due_in (), 0);
    report ();
  }
  tell (40000, 50000);
  arrive ();
  arrive ();
  fail_unless_equals_int64 (due_in (), 50 * RC_MSEC);
}

CLAIM (test_sender_that_never_tells_gets_few_reports)
{
  stream (10 * RC_MSEC, RC_RECEIVER_MAX_INTERVAL);
  fail_unless_equals_int (stream (10 * RC_MSEC, RC_SECOND), 20);
}

/* [ARC 3.1.3] reports at least every interval that the sender asks for */
CLAIM (test_reports_come_at_the_wanted_interval)
{
  tell (40000, 30000);
  stream (RC_MSEC, RC_SECOND);
  fail_unless (ABS ((gint) stream (RC_MSEC, 3 * RC_SECOND) - 100) <= 1);
}

CLAIM (test_wanted_interval_is_kept_within_bounds)
{
  tell (40000, 1);
  arrive ();
  report ();
  arrive ();
  arrive ();
  fail_unless_equals_int64 (due_in (), RC_RECEIVER_MIN_INTERVAL);
  tell (40000, G_MAXUINT32);
  fail_unless_equals_int64 (due_in (), RC_RECEIVER_MAX_INTERVAL);
}

/* 80 kbit/s of media allow 4 kbit/s of feedback: 5 reports of 800 bits a second. */
CLAIM (test_feedback_stays_below_its_share_of_the_media)
{
  tell (40000, 20000);
  stream (100 * RC_MSEC, RC_SECOND);
  fail_unless_equals_int (stream (100 * RC_MSEC, 10 * RC_SECOND), 50);
}

CLAIM (test_trickle_is_reported_at_the_stretched_interval)
{
  tell (40000, 20000);
  arrive ();
  report ();
  arrive ();
  fail_unless_equals_int64 (due_in (), RC_RECEIVER_STRETCHED_INTERVAL);
  tell (40000, 400000);
  fail_unless_equals_int64 (due_in (), 400 * RC_MSEC);
}

/* [ARC 3.1.3] a report at each loss, and the number of lost packets in it */
CLAIM (test_loss_is_reported_at_once)
{
  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  report ();
  now += RC_RECEIVER_MIN_INTERVAL / 2;
  next_seq += 2;
  arrive ();
  arrive ();
  fail_unless (due_in () > 0);
  arrive ();
  fail_unless_equals_int64 (due_in (), 0);
  fail_unless_equals_int (report ().lost_pkts, 2);
  fail_unless (due_in () > 0);
}

CLAIM (test_loss_reports_keep_a_distance)
{
  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  report ();
  next_seq++;
  arrive ();
  arrive ();
  arrive ();
  fail_unless_equals_int64 (due_in (), RC_RECEIVER_MIN_INTERVAL / 4);
}

/* [ARC 3.1.3] B(k) */
CLAIM (test_bandwidth_of_a_constant_stream_is_its_rate)
{
  const gdouble bps = SIZE * 8e3;
  RcReport r;

  tell (40000, 50000);
  stream (RC_MSEC, 2 * RC_SECOND);
  r = report ();
  fail_unless (ABS ((gdouble) r.bandwidth_bps - bps) < 0.02 * bps, "%" G_GUINT64_FORMAT,
      r.bandwidth_bps);
}

CLAIM (test_packets_back_to_back_are_no_bandwidth_sample)
{
  int i;

  for (i = 0; i < 20; i++) {
    arrive ();
    fail_unless_equals_uint64 (report ().bandwidth_bps, 0);
    now += 10 * RC_USEC;
  }
}

CLAIM (test_pause_does_not_count_as_low_bandwidth)
{
  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  now += 60 * RC_SECOND;
  stream (RC_MSEC, 200 * RC_MSEC);
  fail_unless (report ().bandwidth_bps > 7600000);
}

CLAIM (test_reports_pause_one_report_after_the_media)
{
  RcTime last;

  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  last = receiver.stats.last_arrived_at;
  while (due_in () != RC_TIME_NONE) {
    now += due_in ();
    fail_unless (now - last < RC_RECEIVER_MAX_INTERVAL + 50 * RC_MSEC);
    report ();
  }
  fail_unless (now - last >= RC_RECEIVER_MAX_INTERVAL);
  now += 10 * RC_SECOND;
  fail_unless_equals_int64 (due_in (), RC_TIME_NONE);
  arrive ();
  fail_unless_equals_int64 (due_in (), 0);
}

CLAIM (test_probe_while_media_pauses_is_answered)
{
  RcReport before, after;

  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  before = report ();
  now += 10 * RC_SECOND;
  report ();
  fail_unless_equals_int64 (due_in (), RC_TIME_NONE);
  now += RC_SECOND;
  tell (40000, 50000);
  fail_unless_equals_int64 (due_in (), 0);
  after = report ();
  fail_unless_equals_int (after.received_pkts, before.received_pkts);
  fail_unless_equals_int (after.number, before.number + 2);
}

CLAIM (test_report_tells_arrival_and_hold_of_the_highest_packet)
{
  RcReport r;

  arrive ();
  now += 3 * RC_MSEC;
  next_seq++;
  arrive ();
  now += 2 * RC_MSEC;
  rc_receiver_on_packet (&receiver, 101, SIZE, FALSE, now);     /* late */
  now += 4 * RC_MSEC;
  r = report ();
  fail_unless_equals_int (r.highest_seq, 102);
  fail_unless_equals_uint64 (r.arrival_us_remote, (START + 3 * RC_MSEC) / RC_USEC);
  fail_unless_equals_int (r.hold_us, 6000);
}

CLAIM (test_counters_count_each_packet_once)
{
  RcReport r;

  rc_receiver_on_packet (&receiver, 1, 100, TRUE, now);
  rc_receiver_on_packet (&receiver, 1, 100, TRUE, now);
  rc_receiver_on_packet (&receiver, 30000, 100, TRUE, now);
  rc_receiver_on_packet (&receiver, 2, 50, FALSE, now);
  r = report ();
  fail_unless_equals_int (r.received_pkts, 2);
  fail_unless_equals_int (r.ce_pkts, 1);
  fail_unless_equals_uint64 (r.received_bytes, 150);
  fail_if (r.ecn_read);
}

CLAIM (test_capable_packets_are_counted_once_where_ecn_bits_can_be_read)
{
  static const struct
  {
    guint16 seq;
    RcEcnBits bits;
    guint pkts, ect1_pkts;      /* so far */
  } packets[] = {
    { 1, RC_ECN_BITS_NOT_ECT, 0, 0 }, { 2, RC_ECN_BITS_ECT_1, 1, 1 },
    { 2, RC_ECN_BITS_ECT_1, 1, 1 }, { 30000, RC_ECN_BITS_ECT_1, 1, 1 },
    { 3, RC_ECN_BITS_NOT_ECT, 1, 1 }, { 4, RC_ECN_BITS_ECT_0, 2, 1 },
    { 5, RC_ECN_BITS_CE, 3, 1 }, { 6, RC_ECN_BITS_ECT_1, 4, 2 }
  };
  RcReport r;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (packets); i++) {
    rc_receiver_on_packet (&receiver, packets[i].seq, 100, FALSE, now);
    rc_receiver_on_ecn (&receiver, packets[i].bits);
    r = report ();
    fail_unless (r.ecn_read);
    fail_unless_equals_int (r.ecn_pkts, packets[i].pkts);
    fail_unless_equals_int (r.ect1_pkts, packets[i].ect1_pkts);
  }
}

/* [RFC 5348 6.2] */
CLAIM (test_first_congestion_mark_in_a_round_trip_is_reported_at_once)
{
  tell (200000, 500000);
  stream (10 * RC_MSEC, RC_SECOND);
  report ();
  now += 10 * RC_MSEC;
  rc_receiver_on_packet (&receiver, next_seq++, SIZE, TRUE, now);
  fail_unless_equals_int64 (due_in (), 0);
  report ();
  now += 10 * RC_MSEC;
  rc_receiver_on_packet (&receiver, next_seq++, SIZE, TRUE, now);
  fail_unless (due_in () > 100 * RC_MSEC, "the same congestion");
}

CLAIM (test_clock_set_back_does_not_stop_reports)
{
  tell (40000, 50000);
  stream (RC_MSEC, RC_SECOND);
  now -= 5 * RC_SECOND;
  arrive ();
  fail_unless_equals_int64 (due_in (), 0);
  report ();
  arrive ();
  arrive ();
  fail_unless_equals_int64 (due_in (), 50 * RC_MSEC);
}

/* An absurd stamp must not make the sender refuse the report. */
CLAIM (test_stamp_of_the_last_packet_is_reported_and_bounded)
{
  static const struct { guint64 stamp, told; } rows[] = {
    {5000000, 5000000}, {G_MAXUINT64, RC_WIRE_MAX_BPS}, {0, 0},
  };
  RcReport report;

  rc_receiver_init (&receiver, 1, RC_BWFILTER_TAU);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    rc_receiver_on_packet (&receiver, (guint16) i, 1000, FALSE, i * 100 * RC_MSEC);
    rc_receiver_on_stamp (&receiver, rows[i].stamp);
    rc_receiver_report (&receiver, (i * 100 + 50) * RC_MSEC, &report);
    fail_unless_equals_uint64 (report.explicit_rate_bps, rows[i].told);
  }
}

/* The figures of ARCHITECTURE.md, section 6: packets of 1200 bytes, a report each 50 ms. */
CLAIM (test_reports_with_their_lists_cost_less_than_five_percent)
{
  static const struct
  {
    double mbps, least_percent, most_percent;
  } rows[] = { {0.3, 4, 5}, {1, 1.5, 1.8}, {10, 0.3, 0.4}, {100, 0.08, 0.12}, {500, 0.01, 0.02} };
  const guint overhead = RC_OVERHEAD_IPV4_BYTES, rtp_bytes = 1200;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    double percent, media_bytes = 0, report_bytes = 0;
    RcTime end = START + 20 * RC_SECOND;

    setup ();
    tell (40000, 50000);
    for (; now < end; now += rc_time_of_bytes (rtp_bytes + overhead, rows[i].mbps * 1e6)) {
      if (due_in () == 0) {
        guint8 bytes[RC_WIRE_MAX_BYTES];
        RcReport r = report ();

        report_bytes += rc_wire_encode_report (&r, bytes, sizeof bytes) + 12 + overhead;
      }
      rc_receiver_on_packet (&receiver, next_seq++, rtp_bytes, FALSE, now);
      media_bytes += rtp_bytes + overhead;
    }
    percent = 100 * report_bytes / media_bytes;
    fail_unless (percent >= rows[i].least_percent && percent <= rows[i].most_percent,
        "%g Mbit/s: %.3f %%", rows[i].mbps, percent);
  }
}
