/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What arcreceiver measures and when it reports, on a test clock. */
#include "arcreceiverfixture.h"

/* The first packet, its report, the sender's answer to it: from here on reports are timed. */
static void
begin_session (Receiver * r)
{
  push_seq (r, 1);
  pull_reports (r);
  push (r, info_new (SSRC, 40000));
}

CLAIM_ON (test_first_packet_is_reported_at_once, METER)
{
  RtcpMessage f;

  push_seq (r, 7);
  f = pull_reports (r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].number, 1);
  fail_unless_equals_int (f.reports[0].highest_seq & 0xffff, 7);
  fail_unless_equals_int (f.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (f.reports[0].received_bytes, PACKET_BYTES);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND);
}

/* Else a sender that marks its packets takes the path for one that clears the marks. */
CLAIM_ON (test_report_has_no_counts_of_ecn_bits_that_were_not_read, METER)
{
  RtcpMessage f;

  push_seq (r, 7);
  f = pull_reports (r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_if (f.reports[0].ecn_read);
}

CLAIM_ON (test_report_comes_at_the_interval_that_the_sender_asks_for, METER)
{
  RtcpMessage f;
  guint16 seq;

  begin_session (r);
  for (seq = 2; seq <= 5; seq++) {
    advance (r, 10 * GST_MSECOND);
    push_seq (r, seq);
  }
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->reports), 0);

  crank_at (r, START + INTERVAL);
  f = pull_reports (r);
  fail_unless_equals_int (f.reports[0].number, 2);
  fail_unless_equals_int (f.reports[0].received_pkts, 5);
  fail_unless_equals_int (f.reports[0].highest_seq & 0xffff, 5);
  fail_unless_equals_int (f.reports[0].hold_us, 10000);
  fail_unless_equals_int (f.reports[0].lost_pkts, 0);
  /* 4 packets in 50 ms */
  fail_unless_equals_uint64 (f.reports[0].bandwidth_bps, 4 * PACKET_BYTES * 8 * 20);

  push_seq (r, 6);
  push_seq (r, 7);
  crank_at (r, START + 2 * INTERVAL);
  fail_unless_equals_int (pull_reports (r).reports[0].number, 3);
  fail_unless_equals_uint64 (get_stat (r, "reports-sent"), 3);
}

CLAIM_ON (test_loss_is_reported_before_the_interval_ends, METER)
{
  RtcpMessage f;
  guint16 seq;

  begin_session (r);
  advance (r, 10 * GST_MSECOND);
  push_seq (r, 2);
  for (seq = 4; seq <= 6; seq++)
    push_seq (r, seq);
  f = pull_reports (r);
  fail_unless_equals_int (f.reports[0].lost_pkts, 1);
  fail_unless_equals_int (f.reports[0].received_pkts, 5);
  fail_unless_equals_uint64 (get_stat (r, "packets-lost"), 1);
}

CLAIM_ON (test_two_ssrcs_with_news_share_one_compound, METER)
{
  RtcpMessage f;

  begin_session (r);
  advance (r, 10 * GST_MSECOND);
  push_seq (r, 2);
  push (r, packet_new (0x22222222, 500));
  f = pull_reports (r);
  fail_unless_equals_int (f.n_reports, 2);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].received_pkts, 2);
  fail_unless_equals_int (f.reports[1].ssrc, 0x22222222);
  fail_unless_equals_int (f.reports[1].highest_seq & 0xffff, 500);

  /* The first has none. */
  advance (r, 10 * GST_MSECOND);
  push (r, packet_new (0x22222222, 501));
  f = pull_reports (r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, 0x22222222);
}

/* Packets of 12 bytes ask for a report each: 16 times a loss. What came pays for one compound,
 * not for one each 5 ms. */
CLAIM_ON (test_compounds_are_no_larger_than_what_came_for_them, METER)
{
  guint i, round, reports = 0;

  for (round = 0; round < 50; round++) {
    for (i = 0; i < RTCP_MAX_REPORTS / 4; i++) {
      guint8 packet[12] = { 0x80, 96, 0, round * 8,[11] = i + round % 4 * 4 };

      push (r, bytes_new (packet, sizeof (packet)));
    }
    advance (r, 5 * GST_MSECOND);
    g_usleep (2000);
  }
  while (gst_harness_buffers_in_queue (r->reports) > 0)
    reports += pull_reports (r).n_reports;
  /* 200 packets of 40 bytes with headers, and one compound unpaid each 250 ms */
  fail_unless (reports > 0 && reports <= 80 + 2 * RTCP_MAX_REPORTS, "%u", reports);
}

CLAIM_ON (test_sender_without_media_gets_an_answer, METER)
{
  RtcpMessage f;

  push (r, info_new (SSRC, 0));
  f = pull_reports (r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].received_pkts, 0);
}

static void
push_with_dts (Receiver * r, guint16 seq, GstClockTime dts)
{
  GstBuffer *buffer = packet_new (SSRC, seq);

  GST_BUFFER_DTS (buffer) = dts;
  push (r, buffer);
}

CLAIM_ON (test_credible_dts_is_the_arrival_time, METER)
{
  RtcpMessage f;

  push_with_dts (r, 1, START - 5 * GST_MSECOND);
  f = pull_reports (r);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND - 5000);
  fail_unless_equals_int (f.reports[0].hold_us, 5000);

  push_with_dts (r, 2, START + GST_MSECOND);
  f = pull_reports (r);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND);
}

CLAIM_ON (test_dts_of_long_ago_is_no_arrival_time, METER)
{
  push_with_dts (r, 1, START - 1001 * GST_MSECOND);
  fail_unless_equals_uint64 (pull_reports (r).reports[0].arrival_us_remote, START / GST_USECOND);
}

/* The byte of the IP header as the kernel hands it over. */
#define TYPE_TOS_MESSAGE (tos_message_get_type ())

G_DECLARE_FINAL_TYPE (TosMessage, tos_message, TOS, MESSAGE, GSocketControlMessage)

struct _TosMessage
{
  GSocketControlMessage parent;
  guint8 tos;
  gboolean v6;
};

G_DEFINE_TYPE (TosMessage, tos_message, G_TYPE_SOCKET_CONTROL_MESSAGE);

static gsize
tos_message_get_size (GSocketControlMessage * message)
{
  return TOS_MESSAGE (message)->v6 ? sizeof (gint) : 1;
}

static int
tos_message_get_level (GSocketControlMessage * message)
{
  return TOS_MESSAGE (message)->v6 ? IPPROTO_IPV6 : IPPROTO_IP;
}

static int
tos_message_get_msg_type (GSocketControlMessage * message)
{
  return TOS_MESSAGE (message)->v6 ? IPV6_TCLASS : IP_TOS;
}

static void
tos_message_serialize (GSocketControlMessage * message, gpointer data)
{
  gint tclass = TOS_MESSAGE (message)->tos;

  if (TOS_MESSAGE (message)->v6)
    memcpy (data, &tclass, sizeof (tclass));
  else
    *(guint8 *) data = tclass;
}

static void
tos_message_class_init (TosMessageClass * klass)
{
  GSocketControlMessageClass *message_class = G_SOCKET_CONTROL_MESSAGE_CLASS (klass);

  message_class->get_size = tos_message_get_size;
  message_class->get_level = tos_message_get_level;
  message_class->get_type = tos_message_get_msg_type;
  message_class->serialize = tos_message_serialize;
}

static void
tos_message_init (TosMessage * self)
{
}

static void
push_with_tos (Receiver * r, guint16 seq, guint8 tos, gboolean v6)
{
  GstBuffer *buffer = packet_new (SSRC, seq);
  TosMessage *message = g_object_new (TYPE_TOS_MESSAGE, NULL);

  message->tos = tos;
  message->v6 = v6;
  gst_buffer_add_net_control_message_meta (buffer, G_SOCKET_CONTROL_MESSAGE (message));
  g_object_unref (message);
  push (r, buffer);
}

CLAIM_ON (test_only_congestion_experienced_marks_are_counted, METER)
{
  guint8 ecn;

  for (ecn = 0; ecn <= 3; ecn++) {
    push_with_tos (r, 1 + ecn, 0xb8 | ecn, FALSE);
    push_with_tos (r, 5 + ecn, 0xb8 | ecn, TRUE);
  }
  fail_unless_equals_uint64 (get_stat (r, "packets-ce"), 2);
}

CLAIM_ON (test_source_without_place_passes_until_another_is_idle, METER)
{
  for (guint i = 0; i < RTCP_MAX_REPORTS; i++)
    push (r, packet_new (100 + i, 1));
  push (r, packet_new (999, 1));
  push (r, packet_new (999, 2));
  push (r, packet_new (999, 3));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->media), 1 + 3);
  fail_unless_equals_uint64 (get_stat (r, "sources-refused"), 3);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), RTCP_MAX_REPORTS);

  advance (r, 300 * GST_MSECOND);
  for (guint i = 1; i < RTCP_MAX_REPORTS; i++)
    push (r, packet_new (100 + i, 2));
  advance (r, 300 * GST_MSECOND);
  push (r, packet_new (999, 4));
  push (r, packet_new (998, 1));
  fail_unless_equals_uint64 (get_stat (r, "sources-evicted"), 1);
  fail_unless_equals_uint64 (get_stat (r, "sources-refused"), 4);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), 2 * RTCP_MAX_REPORTS);
}

/* A sender goes on to tell of sources that ended. */
CLAIM_ON (test_infos_do_not_keep_the_place_of_a_source_that_ended, METER)
{
  for (guint i = 0; i < RTCP_MAX_REPORTS; i++)
    push (r, packet_new (100 + i, 1));
  advance (r, 490 * GST_MSECOND);
  for (guint i = 0; i < RTCP_MAX_REPORTS; i++)
    push (r, info_new (100 + i, 40000));
  advance (r, 20 * GST_MSECOND);
  push (r, packet_new (999, 1));
  fail_unless_equals_uint64 (get_stat (r, "sources-refused"), 0);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), RTCP_MAX_REPORTS + 1);
}

CLAIM_ON (test_restart_is_a_new_receiver_that_counts_from_zero, METER)
{
  RtcpMessage before, after;

  push_seq (r, 1);
  before = pull_reports (r);
  fail_unless_equals_int (gst_element_set_state (r->media->element, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (r->media->element, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps_str (r->media, "application/x-rtp");
  push_seq (r, 100);
  after = pull_reports (r);
  fail_unless (before.sender_ssrc != after.sender_ssrc);
  fail_unless_equals_int (after.reports[0].number, 1);
  fail_unless_equals_int (after.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), 1);
}

CLAIM_ON (test_new_clock_makes_a_new_receiver_that_keeps_its_totals, METER)
{
  RtcpMessage before, after;
  g_autoptr (GstClock) clock = gst_test_clock_new_with_start_time (3 * GST_SECOND);

  push_seq (r, 1);
  before = pull_reports (r);
  gst_element_set_clock (r->media->element, clock);
  push_seq (r, 2);
  after = pull_reports (r);
  fail_unless (before.sender_ssrc != after.sender_ssrc);
  fail_unless_equals_int (after.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (after.reports[0].arrival_us_remote, 3000000);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), 2);
}

/* Of the whole pipeline, which says how long a repair may take where no jitter buffer does. */
CLAIM_ON (test_latency_of_the_pipeline_is_heard_and_passed_on, METER)
{
  gboolean passed = FALSE;

  push_seq (r, 1);
  gst_harness_push_upstream_event (r->media, gst_event_new_latency (123 * GST_MSECOND));
  fail_unless_equals_uint64 (get_stat (r, "latency"), 123 * GST_MSECOND);
  while (!passed) {
    g_autoptr (GstEvent) event = gst_harness_pull_upstream_event (r->media);

    passed = GST_EVENT_TYPE (event) == GST_EVENT_LATENCY;
  }
}

CLAIM (test_measures_without_a_report_pad)
{
  TORN_DOWN GstHarness *h = gst_harness_new_with_padnames ("arcreceiver", "sink", "src");
  g_autoptr (GstStructure) stats = NULL;
  guint64 received, reports;

  gst_harness_set_src_caps_str (h, "application/x-rtp");
  fail_unless_equals_int (gst_harness_push (h, packet_new (SSRC, 1)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (h, packet_new (SSRC, 1)), GST_FLOW_OK);
  g_object_get (h->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "packets-duplicate", G_TYPE_UINT64, &received,
          "reports-sent", G_TYPE_UINT64, &reports, NULL));
  fail_unless_equals_uint64 (received, 1);
  fail_unless_equals_uint64 (reports, 0);
}

#define FRAME (40 * GST_MSECOND)

/* Gives the thread that reports time to sleep anew. */
static void
report_what_is_due (Receiver * r)
{
  GstClockTime pending;
  GstClockID id;

  g_usleep (500);
  if (!gst_test_clock_peek_next_pending_id (r->clock, &id))
    return;
  pending = gst_clock_id_get_time (id);
  gst_clock_id_unref (id);
  if (pending <= gst_clock_get_time (GST_CLOCK (r->clock))) {
    id = gst_test_clock_process_next_clock_id (r->clock);
    g_clear_pointer (&id, gst_clock_id_unref);
  }
}

/* A packet a frame; each tenth frame comes `late` later. Returns how many warnings were posted. */
static guint
play_with_jitter (Receiver * r, guint seconds, GstClockTime late)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstClockTime begun = gst_clock_get_time (GST_CLOCK (r->clock));
  GstMessage *message;
  guint n = 0;

  gst_element_set_bus (r->media->element, bus);
  gst_harness_push_upstream_event (r->media, gst_event_new_latency (20 * GST_MSECOND));
  for (guint i = 0; i < seconds * GST_SECOND / FRAME; i++) {
    GstBuffer *buffer = packet_new (SSRC, (guint16) i);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
    gst_rtp_buffer_set_timestamp (&rtp, 90 * i * (guint) GST_TIME_AS_MSECONDS (FRAME));
    gst_rtp_buffer_unmap (&rtp);
    gst_test_clock_set_time (r->clock, begun + i * FRAME + (i % 10 == 0 ? late : 0));
    push (r, buffer);
    report_what_is_due (r);
  }
  while ((message = gst_bus_timed_pop_filtered (bus, 200 * GST_MSECOND, GST_MESSAGE_WARNING))) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_warning (message, &error, NULL);
    fail_unless (strstr (error->message, "too late for a latency of 20 ms"), "%s", error->message);
    gst_message_unref (message);
    n++;
  }
  gst_element_set_bus (r->media->element, NULL);
  return n;
}

CLAIM_ON (test_frames_that_come_too_late_for_the_latency_are_one_warning, METER)
{
  fail_unless_equals_int (play_with_jitter (r, 12, 35 * GST_MSECOND), 1);
}

CLAIM_ON (test_frames_that_come_in_time_are_no_warning, METER)
{
  fail_unless_equals_int (play_with_jitter (r, 12, 10 * GST_MSECOND), 0);
}

/* --- numbers that are false --- */

static void
fail_unless_media_is (Receiver * r, const guint16 * seqs, guint n)
{
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->media), n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstBuffer) buffer = gst_harness_pull (r->media);
    AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);
    fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), seqs[i]);
  }
}

static guint
count_caps (Receiver * r)
{
  GstEvent *event;
  guint n = 0;

  while ((event = gst_harness_try_pull_event (r->media))) {
    n += GST_EVENT_TYPE (event) == GST_EVENT_CAPS;
    gst_event_unref (event);
  }
  return n;
}

CLAIM_ON (test_a_number_far_ahead_goes_on_only_with_another_near_it, METER)
{
  static const guint16 before[] = { 1, 2, 3 }, after[] = { 901, 902, 903 };

  count_caps (r);
  push_seq (r, 1);
  push_seq (r, 2);
  push_seq (r, 500);
  push_seq (r, 30000);
  push_seq (r, 3);
  fail_unless_media_is (r, before, G_N_ELEMENTS (before));
  fail_unless_equals_int (count_caps (r), 0);
  push_seq (r, 901);
  push_seq (r, 902);
  push_seq (r, 903);
  fail_unless_media_is (r, after, G_N_ELEMENTS (after));
  fail_unless_equals_int (count_caps (r), 1);
  fail_unless_equals_uint64 (get_stat (r, "packets-doubted"), 2);
}

CLAIM_ON (test_in_a_list_packets_keep_their_order, METER)
{
  static const guint16 seqs[] = { 1, 700, 701 };
  GstBufferList *list = gst_buffer_list_new ();
  g_autoptr (GstPad) pad = gst_element_get_static_pad (r->media->element, "sink");

  push_seq (r, 1);
  gst_buffer_list_insert (list, -1, packet_new (SSRC, 300));
  gst_buffer_list_insert (list, -1, packet_new (SSRC, 700));
  gst_buffer_list_insert (list, -1, packet_new (SSRC, 701));
  fail_unless_equals_int (gst_pad_chain_list (pad, list), GST_FLOW_OK);
  fail_unless_media_is (r, seqs, G_N_ELEMENTS (seqs));
}

CLAIM_ON (test_in_the_midst_of_media_single_packets_of_other_ssrcs_do_not_go_on, METER)
{
  static const guint16 seqs[] = { 1, 7, 8 };

  push_seq (r, 1);
  for (guint i = 0; i < 100; i++)
    push (r, packet_new (SSRC + 1 + i, (guint16) (1000 * i)));
  push (r, packet_new (SSRC + 1000, 7));
  push (r, packet_new (SSRC + 1000, 8));
  fail_unless_media_is (r, seqs, G_N_ELEMENTS (seqs));
}
