/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcreceiver asks for lost packets again, and tells those that come from the others. */
#include "arcreceiverfixture.h"

#include "arcreceiver/gstarcreceiver.h"
#include "arcreceiver/meter.h"
#include "rtp/rtcpwriter.h"

#include <gst/arc/arc.h>

#define RTT_US 100000
#define LATENCY_MS 200

/* Of rtpjitterbuffer. */
static void
request (Receiver * r, guint seq, guint retry, guint delay_ms)
{
  GstStructure *s = gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, seq,
      "delay", G_TYPE_UINT, delay_ms, "retry", G_TYPE_UINT, retry, "deadline", G_TYPE_UINT,
      LATENCY_MS, NULL);

  fail_unless (gst_harness_push_upstream_event (r->media,
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s)));
}

/* Past the reports of the first round trip: the next one is due in INTERVAL. */
static void
open_with_media (Receiver * r, guint n)
{
  receiver_open (r);
  g_object_set (r->media->element, "request-keyframes", FALSE, NULL);
  push (r, info_new (SSRC, RTT_US));
  for (guint i = 0; i < n; i++)
    push_seq (r, (guint16) i);
  while (gst_harness_buffers_received (r->reports) == 0)
    g_thread_yield ();
  gst_buffer_unref (gst_harness_pull (r->reports));
}

#define METER_OF_PACKETS(n) Receiver, r, open_with_media (r, n), receiver_close (r)

/* The next NACK, past reports. */
static RtcpNacks
pull_nacks (Receiver * r)
{
  gboolean found = FALSE;
  RtcpMessage message;

  while (!found) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (r->reports);

    fail_unless (buffer != NULL);
    rtcp_message_read_buffer (&message, buffer);
    found = message.nacks.n_messages > 0;
  }
  return message.nacks;
}

/* The NACK leaves that waits for others to join. */
static RtcpNacks
crank_nacks (Receiver * r)
{
  crank_at (r, gst_clock_get_time (GST_CLOCK (r->clock)) + GST_MSECOND);
  return pull_nacks (r);
}

/* What is linked in, since Meter is too: the plugin has the same types. */
BEFORE_EACH
{
  fail_unless (GST_ELEMENT_REGISTER (arcreceiver, NULL));
}

CLAIM_ON (test_requests_are_gathered_into_one_nack, METER_OF_PACKETS (10))
{
  RtcpNacks nacks;

  request (r, 5, 0, 20);
  request (r, 3, 0, 20);
  request (r, 5, 0, 20);
  nacks = crank_nacks (r);
  fail_unless_equals_int (nacks.n_messages, 1);
  fail_unless_equals_int (nacks.n_packets, 2);
  fail_unless_equals_int (nacks.packets[0].ssrc, SSRC);
  fail_unless_equals_int (nacks.packets[0].seq, 3);
  fail_unless_equals_int (nacks.packets[1].seq, 5);
  fail_unless_equals_uint64 (get_stat (r, "rtx-asked"), 2);
  fail_unless_equals_uint64 (get_stat (r, "rtx-nacks"), 1);
}

CLAIM_ON (test_compound_begins_with_a_receiver_report, METER_OF_PACKETS (10))
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  g_autoptr (GstBuffer) buffer = NULL;

  request (r, 5, 0, 20);
  crank_at (r, START + GST_MSECOND);
  buffer = gst_harness_pull (r->reports);
  fail_unless (gst_rtcp_buffer_validate (buffer));
  fail_unless (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  fail_unless (gst_rtcp_buffer_get_first_packet (&rtcp, &packet));
  fail_unless_equals_int (gst_rtcp_packet_get_type (&packet), GST_RTCP_TYPE_RR);
  gst_rtcp_buffer_unmap (&rtcp);
}

/* Without threads. */
typedef struct
{
  Meter meter;
  GstClock *clock;
  gboolean wake;
} Bench;

static void
bench_open (Bench * b)
{
  g_autoptr (GstBuffer) info = info_new (SSRC, RTT_US);
  RtcpMessage message;

  rtcp_message_read_buffer (&message, info);
  b->clock = gst_test_clock_new_with_start_time (START);
  meter_init (&b->meter);
  meter_set_clock (&b->meter, b->clock);
  b->meter.choice.wanted = GST_ARC_FEEDBACK_ARC;
  b->meter.keyframes.enabled = FALSE;
  meter_take_rtcp (&b->meter, &message, 24, GST_CLOCK_TIME_NONE, &b->wake);
}

static void
bench_close (Bench * b)
{
  meter_clear (&b->meter);
  gst_object_unref (b->clock);
}

static void
bench_advance (Bench * b, GstClockTime by)
{
  gst_test_clock_advance_time (GST_TEST_CLOCK (b->clock), by);
}

/* TRUE: it is a repair. */
static gboolean
bench_take (Bench * b, guint16 seq)
{
  g_autoptr (GstBuffer) buffer = packet_new (SSRC, seq);
  MeterMedia media = { buffer, GST_CLOCK_TIME_NONE };

  meter_take_rtp (&b->meter, &media, 1);
  fail_unless (media.is_rtp);
  return media.repair;
}

static void
bench_request (Bench * b, guint seq, guint delay_ms)
{
  GstStructure *wish = gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT,
      seq, "delay", G_TYPE_UINT, delay_ms, "deadline", G_TYPE_UINT, LATENCY_MS, NULL);

  fail_unless (meter_take_event (&b->meter, wish, &b->wake));
  gst_structure_free (wish);
}

/* What leaves now; how many packets it asks for. n_reports: of ours in it. */
static guint
bench_report (Bench * b, guint * n_reports)
{
  RtcpMessage message;
  MeterReport report;

  meter_report (&b->meter, &report);
  *n_reports = 0;
  if (!report.buffer)
    return 0;
  fail_unless_equals_int (rtcp_message_read_buffer (&message, report.buffer), RTCP_VALID);
  *n_reports = message.n_reports;
  gst_buffer_unref (report.buffer);
  return message.nacks.n_packets;
}

static guint64
bench_stat (Bench * b, const gchar * field)
{
  g_autoptr (GstStructure) stats = meter_to_structure (&b->meter);
  guint64 value;

  fail_unless (gst_structure_get_uint64 (stats, field, &value), "no field %s", field);
  return value;
}

/* 10 is lost, 11 to 14 come, it is asked for. */
static void
lose_and_ask (Bench * b)
{
  guint n_reports;

  bench_open (b);
  for (guint seq = 0; seq < 15; seq++)
    if (seq != 10)
      fail_if (bench_take (b, (guint16) seq));
  bench_report (b, &n_reports);
  fail_unless_equals_uint64 (bench_stat (b, "packets-lost"), 1);
  bench_request (b, 10, 20);
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 1);
  fail_unless_equals_int (n_reports, 0);
}

#define BENCH_AFTER_A_LOSS Bench, b, lose_and_ask (b), bench_close (b)

CLAIM_ON (test_request_goes_with_a_report_that_is_due, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_advance (b, GST_SECOND / 2);
  bench_take (b, 15);
  bench_request (b, 10, 20);
  fail_unless_equals_int (bench_report (b, &n_reports), 1);
  fail_unless_equals_int (n_reports, 1);
}

CLAIM_ON (test_loss_that_is_repaired_stays_a_loss, BENCH_AFTER_A_LOSS)
{
  bench_advance (b, 100 * GST_MSECOND);
  fail_unless (bench_take (b, 10));
  fail_unless_equals_uint64 (bench_stat (b, "packets-lost"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "packets-received"), 14);
  fail_unless_equals_uint64 (bench_stat (b, "packets-reordered"), 0);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-repaired"), 1);
  fail_unless (bench_take (b, 10));    /* asked for twice, and both came */
  fail_unless_equals_uint64 (bench_stat (b, "packets-lost"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-repaired"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-repeated"), 1);
}

/* Of an rtpbin behind arcsrc, whose RTCP leaves through it. */
CLAIM (test_what_somebody_else_asked_for_is_a_repair)
{
  RtcpNacks nacks = {.n_messages = 1,.n_asked = 1,.n_packets = 1,.packets = {{SSRC, 10}} };
  AT_END (bench_close) Bench b;

  bench_open (&b);
  for (guint seq = 0; seq < 15; seq++)
    if (seq != 10)
      fail_if (bench_take (&b, (guint16) seq));
  meter_note_nacks (&b.meter, &nacks);
  bench_advance (&b, 100 * GST_MSECOND);
  fail_unless (bench_take (&b, 10));
  fail_unless_equals_uint64 (bench_stat (&b, "packets-lost"), 1);
}

CLAIM_ON (test_packet_that_comes_too_early_for_a_repair_was_late, BENCH_AFTER_A_LOSS)
{
  bench_advance (b, 40 * GST_MSECOND); /* less than half of the round trip */
  fail_if (bench_take (b, 10));
  fail_unless_equals_uint64 (bench_stat (b, "packets-lost"), 0);
  fail_unless_equals_uint64 (bench_stat (b, "packets-reordered"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-repaired"), 0);
}

CLAIM_ON (test_packet_that_was_wanted_before_it_left_is_not_asked_for, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_request (b, 15, 20);   /* rtx-next-seqnum: it is only late */
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-ahead"), 1);
  bench_advance (b, 200 * GST_MSECOND);
  fail_if (bench_take (b, 15));
  fail_unless_equals_uint64 (bench_stat (b, "packets-received"), 15);
}

/* By a stream of its own, which counts as any other. */
CLAIM_ON (test_repair_by_rfc4588_is_known, BENCH_AFTER_A_LOSS)
{
  GstBuffer *buffer;
  MeterMedia media;

  bench_advance (b, 100 * GST_MSECOND);
  for (guint16 osn = 9; osn < 12; osn++) {
    buffer = packet_new (SSRC + 1, (guint16) (500 + osn));
    gst_buffer_memset (buffer, 1, 97, 1);
    gst_buffer_memset (buffer, 12, 0, 1);
    gst_buffer_memset (buffer, 13, (guint8) osn, 1);
    media = (MeterMedia) { buffer, GST_CLOCK_TIME_NONE };
    meter_take_rtp (&b->meter, &media, 1);
    fail_if (media.repair);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (bench_stat (b, "rtx-repaired"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "packets-lost"), 1);
  fail_unless_equals_uint64 (bench_stat (b, "packets-received"), 14 + 3);
}

CLAIM_ON (test_packet_is_not_asked_for_again_before_an_answer_can_come, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_advance (b, 40 * GST_MSECOND);
  bench_request (b, 10, 60);   /* rtpjitterbuffer, as long as it has seen no answer */
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-early"), 1);
  bench_advance (b, 60 * GST_MSECOND);
  bench_request (b, 10, 90);
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 1);
}

CLAIM_ON (test_requests_that_come_too_late_are_not_passed_on, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_request (b, 3, LATENCY_MS - RTT_US / 1000 + 1);
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  fail_unless_equals_uint64 (bench_stat (b, "rtx-late"), 1);
}

/* As soon as a higher number comes. */
CLAIM_ON (test_once_a_jitter_buffer_has_asked_a_gap_is_asked_for_at_once, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_advance (b, 10 * GST_MSECOND);
  bench_take (b, 18);
  fail_unless_equals_int (bench_report (b, &n_reports), 3);
  bench_advance (b, 10 * GST_MSECOND);
  bench_take (b, 19);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  bench_request (b, 16, 20);   /* the jitter buffer, later */
  bench_advance (b, GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  bench_advance (b, 90 * GST_MSECOND);
  fail_unless (bench_take (b, 15));
  bench_advance (b, 20 * GST_MSECOND);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);   /* too late for a second request */
}

CLAIM_ON (test_where_packets_overtake_three_must_have_come, BENCH_AFTER_A_LOSS)
{
  guint n_reports;

  bench_take (b, 16);
  fail_unless_equals_int (bench_report (b, &n_reports), 1);
  bench_take (b, 15);          /* it was only late */
  bench_take (b, 18);
  bench_take (b, 19);
  fail_unless_equals_int (bench_report (b, &n_reports), 0);
  bench_take (b, 20);
  fail_unless_equals_int (bench_report (b, &n_reports), 1);
}

/* An answer takes 100 ms, at most 150; the jitter buffer waits for LATENCY_MS. */
CLAIM_ON (test_a_loss_without_hope_asks_for_a_keyframe_before_the_latency_is_over,
    BENCH_AFTER_A_LOSS)
{
  guint64 before = bench_stat (b, "keyframe-requests");
  guint n_reports;

  b->meter.keyframes.enabled = TRUE;
  for (guint ms = 0; ms < LATENCY_MS - 20; ms += 5) {
    bench_advance (b, 5 * GST_MSECOND);
    bench_take (b, (guint16) (16 + ms / 5));    /* without 15 */
    if (ms == 100)
      fail_unless (bench_take (b, 10));
    bench_report (b, &n_reports);
    if (ms < 150)
      fail_unless_equals_uint64 (bench_stat (b, "keyframe-requests"), before);
  }
  fail_unless_equals_uint64 (bench_stat (b, "keyframe-requests"), before + 1);
}

CLAIM_ON (test_a_repair_is_marked_for_the_jitter_buffer, METER_OF_PACKETS (10))
{
  GstBuffer *buffer = NULL, *next;

  for (guint seq = 11; seq < 15; seq++)
    push_seq (r, (guint16) seq);
  request (r, 10, 0, 20);
  crank_nacks (r);
  advance (r, 100 * GST_MSECOND);
  push_seq (r, 10);
  while ((next = gst_harness_try_pull (r->media))) {
    fail_if (buffer && GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION));
    gst_clear_buffer (&buffer);
    buffer = next;
  }
  fail_unless (GST_BUFFER_FLAG_IS_SET (buffer, GST_RTP_BUFFER_FLAG_RETRANSMISSION));
  gst_buffer_unref (buffer);
}

/* One of the thousand numbers before 100. */
static guint16
before (guint i)
{
  return (guint16) (100 - 1000 + i);
}

CLAIM_ON (test_storm_of_requests_is_bounded_by_what_comes, METER_OF_PACKETS (100))
{
  for (guint seq = 0; seq < 1000; seq++)
    request (r, before (seq), 0, 20);
  fail_unless_equals_int (crank_nacks (r).n_packets, 64 + 50);
  for (guint seq = 0; seq < 1000; seq++)
    request (r, before (seq), 0, 20);
  push_seq (r, 100);
  push_seq (r, 101);
  request (r, before (500), 0, 20);
  fail_unless_equals_int (crank_nacks (r).n_packets, 1);
  fail_unless_equals_uint64 (get_stat (r, "rtx-asked"), 64 + 50 + 1);
  fail_unless_equals_uint64 (get_stat (r, "rtx-early"), 64 + 50);
  fail_unless_equals_uint64 (get_stat (r, "rtx-limited"), 2 * (1000 - 64 - 50));
}

CLAIM (test_request_goes_on_where_nobody_takes_reports)
{
  TORN_DOWN GstHarness *h = gst_harness_new ("arcreceiver");
  gboolean is_request = FALSE;
  GstEvent *event = gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new ("GstRTPRetransmissionRequest", "seqnum", G_TYPE_UINT, 5, NULL));

  gst_harness_set_src_caps_str (h, "application/x-rtp,clock-rate=90000,payload=96");
  gst_harness_push_upstream_event (h, event);
  while (!is_request) {
    event = gst_harness_pull_upstream_event (h);
    is_request = GST_EVENT_TYPE (event) == GST_EVENT_CUSTOM_UPSTREAM;
    gst_event_unref (event);
  }
}

/* 20 packets are asked for after so long. */
static void
expect_told (Receiver * r, guint delay_ms)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  guint64 needed, there;
  GstMessage *message;

  gst_element_set_bus (r->media->element, bus);
  for (guint seq = 0; seq < 20; seq++)
    request (r, seq, 0, delay_ms);
  while (!(message = gst_bus_timed_pop_filtered (bus, 20 * GST_MSECOND, GST_MESSAGE_ELEMENT)))
    gst_test_clock_crank (r->clock);
  fail_unless_equals_uint64 (get_stat (r, "latency"), LATENCY_MS * GST_MSECOND);
  fail_unless (message && gst_message_has_name (message, GST_ARC_RECEIVER_LATENCY));
  fail_unless (gst_structure_get (gst_message_get_structure (message), "needed", G_TYPE_UINT64,
          &needed, "latency", G_TYPE_UINT64, &there, NULL));
  fail_unless_equals_uint64 (there, LATENCY_MS * GST_MSECOND);
  fail_unless_equals_uint64 (needed, get_stat (r, "repair-latency"));
  fail_unless (needed > there);
  gst_message_unref (message);
  gst_element_set_bus (r->media->element, NULL);
}

CLAIM_ON (test_path_that_needs_more_latency_is_told, METER_OF_PACKETS (100))
{
  expect_told (r, 95);          /* and a round trip of 100 ms: no more than there is */
}

CLAIM_ON (test_latency_below_a_round_trip_is_told, METER_OF_PACKETS (100))
{
  expect_told (r, LATENCY_MS);
  fail_unless_equals_uint64 (get_stat (r, "rtx-asked"), 0);
}
