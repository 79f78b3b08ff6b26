/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <gst/net/net.h>
#include <gst/rtp/rtp.h>
#include <netinet/in.h>
#include <netinet/ip.h>

#include "rtp/rtcpfeedback.h"

#define SSRC 0x11111111
#define PACKET_BYTES 1200
#define PAYLOAD_BYTES (PACKET_BYTES - 12)
#define INTERVAL (50 * GST_MSECOND)
#define RTCP_CAPS "application/x-rtcp"
#define START (10 * GST_SECOND) /* so that past times exist */

typedef struct
{
  GstHarness *media, *reports;
  GstTestClock *clock;
} Receiver;

static void
receiver_open (Receiver * r)
{
  r->media = gst_harness_new_with_padnames ("arcreceiver", "sink", "src");
  gst_harness_use_testclock (r->media);
  r->clock = gst_harness_get_testclock (r->media);
  gst_test_clock_set_time (r->clock, START);
  gst_harness_set_src_caps_str (r->media, "application/x-rtp,media=video,clock-rate=90000,payload=96");
  r->reports = gst_harness_new_with_element (r->media->element, NULL, "rtcp_src");
}

static void
receiver_close (Receiver * r)
{
  gst_object_unref (r->clock);
  gst_harness_teardown (r->reports);
  gst_harness_teardown (r->media);
}

static GstBuffer *
packet_new (guint32 ssrc, guint16 seq)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD_BYTES, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static GstBuffer *
info_new (guint32 ssrc, guint32 srtt_us)
{
  RcSenderInfo info = {.ssrc = ssrc,.srtt_us = srtt_us,.report_interval_us = INTERVAL / GST_USECOND };

  return rtcp_feedback_new_infos (ssrc, &info, 1);
}

static GstBuffer *
sender_report_new (guint32 ssrc)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstBuffer *buffer = gst_rtcp_buffer_new (200);

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet);
  gst_rtcp_packet_sr_set_sender_info (&packet, ssrc, 1, 2, 3, 4);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

static GstBuffer *
bytes_new (const guint8 * bytes, gsize size)
{
  return gst_buffer_new_memdup (bytes, size);
}

static void
push (Receiver * r, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (r->media, buffer), GST_FLOW_OK);
}

static void
push_seq (Receiver * r, guint16 seq)
{
  push (r, packet_new (SSRC, seq));
}

/* Waits for the next report in real time, up to the harness's limit; virtual time does not move. */
static RtcpFeedback
pull_reports (Receiver * r)
{
  GstBuffer *buffer = gst_harness_pull (r->reports);
  RtcpFeedback feedback;

  fail_unless (buffer != NULL);
  fail_unless_equals_int (rtcp_feedback_parse (buffer, &feedback), RTCP_FEEDBACK_OURS);
  gst_buffer_unref (buffer);
  return feedback;
}

static void
advance (Receiver * r, GstClockTime by)
{
  gst_test_clock_advance_time (r->clock, by);
}

/* The thread may still be on its way to sleep: gives it time until it sleeps up to `at`, then lets that time come. */
static void
crank_at (Receiver * r, GstClockTime at)
{
  GstClockID id;
  GstClockTime pending;

  do {
    gst_test_clock_wait_for_next_pending_id (r->clock, &id);
    pending = gst_clock_id_get_time (id);
    gst_clock_id_unref (id);
    g_thread_yield ();
  } while (pending != at);
  fail_unless (gst_test_clock_crank (r->clock));
}

/* The first packet, its report, the sender's answer to it: from here on reports are timed. */
static void
begin_session (Receiver * r)
{
  push_seq (r, 1);
  pull_reports (r);
  push (r, info_new (SSRC, 40000));
}

static guint64
get_stat (Receiver * r, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (r->media->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "no field %s", name);
  gst_structure_free (stats);
  return value;
}

GST_START_TEST (test_first_packet_is_reported_at_once)
{
  Receiver r;
  RtcpFeedback f;

  receiver_open (&r);
  push_seq (&r, 7);
  f = pull_reports (&r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].number, 1);
  fail_unless_equals_int (f.reports[0].highest_seq & 0xffff, 7);
  fail_unless_equals_int (f.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (f.reports[0].received_bytes, PACKET_BYTES);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_report_comes_at_the_interval_that_the_sender_asks_for)
{
  Receiver r;
  RtcpFeedback f;
  guint16 seq;

  receiver_open (&r);
  begin_session (&r);
  for (seq = 2; seq <= 5; seq++) {
    advance (&r, 10 * GST_MSECOND);
    push_seq (&r, seq);
  }
  fail_unless_equals_int (gst_harness_buffers_in_queue (r.reports), 0);

  crank_at (&r, START + INTERVAL);
  f = pull_reports (&r);
  fail_unless_equals_int (f.reports[0].number, 2);
  fail_unless_equals_int (f.reports[0].received_pkts, 5);
  fail_unless_equals_int (f.reports[0].highest_seq & 0xffff, 5);
  fail_unless_equals_int (f.reports[0].hold_us, 10000);
  fail_unless_equals_int (f.reports[0].lost_pkts, 0);
  /* 4 packets in 50 ms */
  fail_unless_equals_uint64 (f.reports[0].bandwidth_raw_bps, 4 * PACKET_BYTES * 8 * 20);

  push_seq (&r, 6);
  push_seq (&r, 7);
  crank_at (&r, START + 2 * INTERVAL);
  fail_unless_equals_int (pull_reports (&r).reports[0].number, 3);
  fail_unless_equals_uint64 (get_stat (&r, "reports-sent"), 3);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_loss_is_reported_before_the_interval_ends)
{
  Receiver r;
  RtcpFeedback f;
  guint16 seq;

  receiver_open (&r);
  begin_session (&r);
  advance (&r, 10 * GST_MSECOND);
  push_seq (&r, 2);
  for (seq = 4; seq <= 6; seq++)
    push_seq (&r, seq);
  f = pull_reports (&r);
  fail_unless_equals_int (f.reports[0].lost_pkts, 1);
  fail_unless_equals_int (f.reports[0].received_pkts, 5);
  fail_unless_equals_uint64 (get_stat (&r, "packets-lost"), 1);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_two_ssrcs_with_news_share_one_compound)
{
  Receiver r;
  RtcpFeedback f;

  receiver_open (&r);
  begin_session (&r);
  advance (&r, 10 * GST_MSECOND);
  push_seq (&r, 2);
  push (&r, packet_new (0x22222222, 500));
  f = pull_reports (&r);
  fail_unless_equals_int (f.n_reports, 2);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].received_pkts, 2);
  fail_unless_equals_int (f.reports[1].ssrc, 0x22222222);
  fail_unless_equals_int (f.reports[1].highest_seq & 0xffff, 500);

  /* The first has none. */
  advance (&r, 10 * GST_MSECOND);
  push (&r, packet_new (0x22222222, 501));
  f = pull_reports (&r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, 0x22222222);
  receiver_close (&r);
}

GST_END_TEST;

/* Packets of 12 bytes ask for a report each: 16 times a loss. What came pays for one compound, not for one each 5 ms. */
GST_START_TEST (test_compounds_are_no_larger_than_what_came_for_them)
{
  Receiver r;
  guint i, round, reports = 0;

  receiver_open (&r);
  for (round = 0; round < 50; round++) {
    for (i = 0; i < RTCP_FEEDBACK_MAX_REPORTS / 4; i++) {
      guint8 packet[12] = { 0x80, 96, 0, round * 8,[11] = i + round % 4 * 4 };

      push (&r, bytes_new (packet, sizeof (packet)));
    }
    advance (&r, 5 * GST_MSECOND);
    g_usleep (2000);
  }
  while (gst_harness_buffers_in_queue (r.reports) > 0)
    reports += pull_reports (&r).n_reports;
  /* 200 packets of 40 bytes with headers, and one compound unpaid each 250 ms */
  fail_unless (reports > 0 && reports <= 80 + 2 * RTCP_FEEDBACK_MAX_REPORTS, "%u", reports);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_on_the_rtp_pad_is_taken_out)
{
  Receiver r;
  GstHarness *others;
  GstBuffer *sr = sender_report_new (SSRC);
  GstBuffer *out;

  receiver_open (&r);
  others = gst_harness_new_with_element (r.media->element, NULL, "sender_rtcp_src");
  push_seq (&r, 1);
  push (&r, gst_buffer_ref (sr));
  push (&r, info_new (SSRC, 40000));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r.media), 1);

  out = gst_harness_pull (others);
  fail_unless (out == sr);
  gst_buffer_unref (out);
  gst_buffer_unref (sr);
  fail_unless_equals_int (gst_harness_buffers_in_queue (others), 0);
  fail_unless_equals_uint64 (get_stat (&r, "sender-infos"), 1);
  fail_unless_equals_uint64 (get_stat (&r, "rtcp-other"), 1);
  gst_harness_teardown (others);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_separate_rtcp_is_understood)
{
  Receiver r;
  GstHarness *rtcp;
  GstStructure *stats;
  const GstStructure *source;
  const GValue *sources;
  guint64 rtt;

  receiver_open (&r);
  rtcp = gst_harness_new_with_element (r.media->element, "rtcp_sink", NULL);
  gst_harness_set_src_caps_str (rtcp, RTCP_CAPS);
  gst_harness_push (rtcp, info_new (SSRC, 40000));
  gst_harness_push (rtcp, sender_report_new (SSRC));

  g_object_get (r.media->element, "stats", &stats, NULL);
  sources = gst_structure_get_value (stats, "sources");
  fail_unless_equals_int (gst_value_array_get_size (sources), 1);
  source = gst_value_get_structure (gst_value_array_get_value (sources, 0));
  fail_unless (gst_structure_get_uint64 (source, "rtt", &rtt));
  fail_unless_equals_uint64 (rtt, 40 * GST_MSECOND);
  gst_structure_free (stats);
  gst_harness_teardown (rtcp);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_sender_without_media_gets_an_answer)
{
  Receiver r;
  RtcpFeedback f;

  receiver_open (&r);
  push (&r, info_new (SSRC, 0));
  f = pull_reports (&r);
  fail_unless_equals_int (f.n_reports, 1);
  fail_unless_equals_int (f.reports[0].ssrc, SSRC);
  fail_unless_equals_int (f.reports[0].received_pkts, 0);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_garbage_is_counted_and_does_not_pass)
{
  static const guint8 noise[] = { 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 short_rtp[] = { 0x80, 96, 0, 1 };
  static const guint8 bad_rtcp[] = { 0x81, 204, 0x40, 0, 0, 0, 0, 1, 'A', 'R', 'C', 'S' };
  Receiver r;

  receiver_open (&r);
  push (&r, bytes_new (noise, sizeof (noise)));
  push (&r, bytes_new (short_rtp, sizeof (short_rtp)));
  push (&r, bytes_new (noise, 1));
  push (&r, gst_buffer_new ());
  push (&r, bytes_new (bad_rtcp, sizeof (bad_rtcp)));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r.media), 0);
  fail_unless_equals_uint64 (get_stat (&r, "invalid-packets"), 4);
  fail_unless_equals_uint64 (get_stat (&r, "rtcp-malformed"), 1);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), 0);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_media_passes_untouched)
{
  Receiver r;
  GstBuffer *in = packet_new (SSRC, 1), *out;

  receiver_open (&r);
  GST_BUFFER_PTS (in) = GST_SECOND;
  push (&r, gst_buffer_ref (in));
  out = gst_harness_pull (r.media);
  fail_unless (out == in);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
  receiver_close (&r);
}

GST_END_TEST;

static GstPadProbeReturn
keep_list (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gst_buffer_list_unref (*(GstBufferList **) user_data);
  *(GstBufferList **) user_data = gst_buffer_list_ref (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_list_loses_only_what_is_no_media)
{
  static const guint8 noise[] = { 1, 2, 3 };
  Receiver r;
  GstBufferList *list = gst_buffer_list_new (), *seen = gst_buffer_list_new ();
  GstBuffer *media1 = packet_new (SSRC, 1), *media2 = packet_new (SSRC, 2);
  GstPad *src;

  receiver_open (&r);
  src = gst_element_get_static_pad (r.media->element, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER_LIST, keep_list, &seen, NULL);
  gst_buffer_list_add (list, gst_buffer_ref (media1));
  gst_buffer_list_add (list, sender_report_new (SSRC));
  gst_buffer_list_add (list, bytes_new (noise, sizeof (noise)));
  gst_buffer_list_add (list, gst_buffer_ref (media2));
  fail_unless_equals_int (gst_pad_push_list (r.media->srcpad, list), GST_FLOW_OK);

  fail_unless_equals_int (gst_buffer_list_length (seen), 2);
  fail_unless (gst_buffer_list_get (seen, 0) == media1);
  fail_unless (gst_buffer_list_get (seen, 1) == media2);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), 2);
  gst_buffer_list_unref (seen);
  gst_buffer_unref (media1);
  gst_buffer_unref (media2);
  gst_object_unref (src);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_list_without_media_is_swallowed)
{
  Receiver r;
  GstBufferList *list = gst_buffer_list_new ();

  receiver_open (&r);
  gst_buffer_list_add (list, sender_report_new (SSRC));
  fail_unless_equals_int (gst_pad_push_list (r.media->srcpad, list), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_in_queue (r.media), 0);
  receiver_close (&r);
}

GST_END_TEST;

static void
push_with_dts (Receiver * r, guint16 seq, GstClockTime dts)
{
  GstBuffer *buffer = packet_new (SSRC, seq);

  GST_BUFFER_DTS (buffer) = dts;
  push (r, buffer);
}

GST_START_TEST (test_credible_dts_is_the_arrival_time)
{
  Receiver r;
  RtcpFeedback f;

  receiver_open (&r);
  push_with_dts (&r, 1, START - 5 * GST_MSECOND);
  f = pull_reports (&r);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND - 5000);
  fail_unless_equals_int (f.reports[0].hold_us, 5000);

  push_with_dts (&r, 2, START + GST_MSECOND);
  f = pull_reports (&r);
  fail_unless_equals_uint64 (f.reports[0].arrival_us_remote, START / GST_USECOND);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_dts_of_long_ago_is_no_arrival_time)
{
  Receiver r;

  receiver_open (&r);
  push_with_dts (&r, 1, START - 1001 * GST_MSECOND);
  fail_unless_equals_uint64 (pull_reports (&r).reports[0].arrival_us_remote, START / GST_USECOND);
  receiver_close (&r);
}

GST_END_TEST;

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

GST_START_TEST (test_only_congestion_experienced_marks_are_counted)
{
  Receiver r;
  guint8 ecn;

  receiver_open (&r);
  for (ecn = 0; ecn <= 3; ecn++) {
    push_with_tos (&r, 1 + ecn, 0xb8 | ecn, FALSE);
    push_with_tos (&r, 5 + ecn, 0xb8 | ecn, TRUE);
  }
  fail_unless_equals_uint64 (get_stat (&r, "packets-ce"), 2);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_source_without_place_passes_until_another_is_idle)
{
  Receiver r;
  guint i;

  receiver_open (&r);
  for (i = 0; i < RTCP_FEEDBACK_MAX_REPORTS; i++)
    push (&r, packet_new (100 + i, 1));
  push (&r, packet_new (999, 1));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r.media), RTCP_FEEDBACK_MAX_REPORTS + 1);
  fail_unless_equals_uint64 (get_stat (&r, "sources-refused"), 1);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), RTCP_FEEDBACK_MAX_REPORTS);

  advance (&r, 300 * GST_MSECOND);
  for (i = 1; i < RTCP_FEEDBACK_MAX_REPORTS; i++)
    push (&r, packet_new (100 + i, 2));
  advance (&r, 300 * GST_MSECOND);
  push (&r, packet_new (999, 2));
  push (&r, packet_new (998, 1));
  fail_unless_equals_uint64 (get_stat (&r, "sources-evicted"), 1);
  fail_unless_equals_uint64 (get_stat (&r, "sources-refused"), 2);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), 2 * RTCP_FEEDBACK_MAX_REPORTS);
  receiver_close (&r);
}

GST_END_TEST;

/* A sender goes on to tell of sources that ended. */
GST_START_TEST (test_infos_do_not_keep_the_place_of_a_source_that_ended)
{
  Receiver r;
  guint i;

  receiver_open (&r);
  for (i = 0; i < RTCP_FEEDBACK_MAX_REPORTS; i++)
    push (&r, packet_new (100 + i, 1));
  advance (&r, 490 * GST_MSECOND);
  for (i = 0; i < RTCP_FEEDBACK_MAX_REPORTS; i++)
    push (&r, info_new (100 + i, 40000));
  advance (&r, 20 * GST_MSECOND);
  push (&r, packet_new (999, 1));
  fail_unless_equals_uint64 (get_stat (&r, "sources-refused"), 0);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), RTCP_FEEDBACK_MAX_REPORTS + 1);
  receiver_close (&r);
}

GST_END_TEST;

static GstEventType
pull_event_type (GstHarness * h)
{
  GstEvent *event = gst_harness_pull_event (h);
  GstEventType type = GST_EVENT_TYPE (event);

  gst_event_unref (event);
  return type;
}

GST_START_TEST (test_reports_begin_a_stream_of_their_own)
{
  Receiver r;

  receiver_open (&r);
  push_seq (&r, 1);
  pull_reports (&r);
  fail_unless_equals_int (pull_event_type (r.reports), GST_EVENT_STREAM_START);
  fail_unless_equals_int (pull_event_type (r.reports), GST_EVENT_CAPS);
  fail_unless_equals_int (pull_event_type (r.reports), GST_EVENT_SEGMENT);
  fail_unless_equals_int (gst_harness_events_in_queue (r.reports), 0);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_eos_reaches_all_source_pads)
{
  Receiver r;
  GstEventType type;

  receiver_open (&r);
  gst_harness_push_event (r.media, gst_event_new_eos ());
  do {
    type = pull_event_type (r.media);
  } while (type != GST_EVENT_EOS);
  do {
    type = pull_event_type (r.reports);
  } while (type != GST_EVENT_EOS);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_reports_go_on_after_eos_and_flush)
{
  Receiver r;
  GstSegment segment;

  receiver_open (&r);
  push_seq (&r, 1);
  pull_reports (&r);
  gst_harness_push_event (r.media, gst_event_new_eos ());
  gst_harness_push_event (r.media, gst_event_new_flush_start ());
  gst_harness_push_event (r.media, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (r.media, gst_event_new_segment (&segment));
  advance (&r, 10 * GST_MSECOND);
  push_seq (&r, 2);
  fail_unless_equals_int (pull_reports (&r).reports[0].received_pkts, 2);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_caps_do_not_go_on)
{
  Receiver r;
  GstCaps *caps;

  receiver_open (&r);
  push_seq (&r, 1);
  caps = gst_caps_from_string (RTCP_CAPS);
  fail_unless (gst_harness_push_event (r.media, gst_event_new_caps (caps)));
  gst_caps_unref (caps);
  caps = gst_pad_get_current_caps (r.media->sinkpad);
  fail_unless (caps != NULL);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtp"));
  gst_caps_unref (caps);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_restart_is_a_new_receiver_that_counts_from_zero)
{
  Receiver r;
  RtcpFeedback before, after;

  receiver_open (&r);
  push_seq (&r, 1);
  before = pull_reports (&r);
  fail_unless_equals_int (gst_element_set_state (r.media->element, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (r.media->element, GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  gst_harness_set_src_caps_str (r.media, "application/x-rtp");
  push_seq (&r, 100);
  after = pull_reports (&r);
  fail_unless (before.sender_ssrc != after.sender_ssrc);
  fail_unless_equals_int (after.reports[0].number, 1);
  fail_unless_equals_int (after.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), 1);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_new_clock_makes_a_new_receiver_that_keeps_its_totals)
{
  Receiver r;
  RtcpFeedback before, after;
  GstClock *clock = gst_test_clock_new_with_start_time (3 * GST_SECOND);

  receiver_open (&r);
  push_seq (&r, 1);
  before = pull_reports (&r);
  gst_element_set_clock (r.media->element, clock);
  push_seq (&r, 2);
  after = pull_reports (&r);
  fail_unless (before.sender_ssrc != after.sender_ssrc);
  fail_unless_equals_int (after.reports[0].received_pkts, 1);
  fail_unless_equals_uint64 (after.reports[0].arrival_us_remote, 3000000);
  fail_unless_equals_uint64 (get_stat (&r, "packets-received"), 2);
  gst_object_unref (clock);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_measures_without_a_report_pad)
{
  GstHarness *h = gst_harness_new_with_padnames ("arcreceiver", "sink", "src");
  GstStructure *stats;
  guint64 received, reports;

  gst_harness_set_src_caps_str (h, "application/x-rtp");
  fail_unless_equals_int (gst_harness_push (h, packet_new (SSRC, 1)), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_push (h, packet_new (SSRC, 1)), GST_FLOW_OK);
  g_object_get (h->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "packets-duplicate", G_TYPE_UINT64, &received, "reports-sent", G_TYPE_UINT64,
          &reports, NULL));
  fail_unless_equals_uint64 (received, 1);
  fail_unless_equals_uint64 (reports, 0);
  gst_structure_free (stats);
  gst_harness_teardown (h);
}

GST_END_TEST;

GST_START_TEST (test_each_request_pad_exists_once_and_can_return)
{
  static const gchar *const names[] = { "rtcp_src", "rtcp_sink", "sender_rtcp_src" };
  GstElement *element = gst_element_factory_make ("arcreceiver", NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++) {
    GstPad *pad = gst_element_request_pad_simple (element, names[i]);

    fail_unless (pad != NULL);
    ASSERT_CRITICAL (fail_unless (gst_element_request_pad_simple (element, names[i]) == NULL));
    gst_element_release_request_pad (element, pad);
    gst_object_unref (pad);
    pad = gst_element_request_pad_simple (element, names[i]);
    fail_unless (pad != NULL);
    gst_object_unref (pad);
  }
  gst_object_unref (element);
}

GST_END_TEST;

/* A report that is stuck downstream must not keep the element from stopping. */
typedef struct
{
  GMutex lock;
  GCond blocked;
  gboolean is_blocked;
} Block;

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Block *b = user_data;

  g_mutex_lock (&b->lock);
  b->is_blocked = TRUE;
  g_cond_signal (&b->blocked);
  g_mutex_unlock (&b->lock);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_stops_while_a_report_is_blocked_downstream)
{
  Receiver r;
  Block b = { 0 };
  GstPad *pad;

  g_mutex_init (&b.lock);
  g_cond_init (&b.blocked);
  receiver_open (&r);
  pad = gst_element_get_static_pad (r.media->element, "rtcp_src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, &b, NULL);
  push_seq (&r, 1);
  g_mutex_lock (&b.lock);
  while (!b.is_blocked)
    g_cond_wait (&b.blocked, &b.lock);
  g_mutex_unlock (&b.lock);
  fail_unless_equals_int (gst_element_set_state (r.media->element, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pad);
  receiver_close (&r);
  g_cond_clear (&b.blocked);
  g_mutex_clear (&b.lock);
}

GST_END_TEST;

static Suite *
arcreceiver_suite (void)
{
  Suite *suite = suite_create ("arcreceiver");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (suite, tc);
  tcase_add_test (tc, test_first_packet_is_reported_at_once);
  tcase_add_test (tc, test_report_comes_at_the_interval_that_the_sender_asks_for);
  tcase_add_test (tc, test_loss_is_reported_before_the_interval_ends);
  tcase_add_test (tc, test_two_ssrcs_with_news_share_one_compound);
  tcase_add_test (tc, test_compounds_are_no_larger_than_what_came_for_them);
  tcase_add_test (tc, test_rtcp_on_the_rtp_pad_is_taken_out);
  tcase_add_test (tc, test_separate_rtcp_is_understood);
  tcase_add_test (tc, test_sender_without_media_gets_an_answer);
  tcase_add_test (tc, test_garbage_is_counted_and_does_not_pass);
  tcase_add_test (tc, test_media_passes_untouched);
  tcase_add_test (tc, test_list_loses_only_what_is_no_media);
  tcase_add_test (tc, test_list_without_media_is_swallowed);
  tcase_add_test (tc, test_credible_dts_is_the_arrival_time);
  tcase_add_test (tc, test_dts_of_long_ago_is_no_arrival_time);
  tcase_add_test (tc, test_only_congestion_experienced_marks_are_counted);
  tcase_add_test (tc, test_source_without_place_passes_until_another_is_idle);
  tcase_add_test (tc, test_infos_do_not_keep_the_place_of_a_source_that_ended);
  tcase_add_test (tc, test_reports_begin_a_stream_of_their_own);
  tcase_add_test (tc, test_eos_reaches_all_source_pads);
  tcase_add_test (tc, test_reports_go_on_after_eos_and_flush);
  tcase_add_test (tc, test_rtcp_caps_do_not_go_on);
  tcase_add_test (tc, test_restart_is_a_new_receiver_that_counts_from_zero);
  tcase_add_test (tc, test_new_clock_makes_a_new_receiver_that_keeps_its_totals);
  tcase_add_test (tc, test_measures_without_a_report_pad);
  tcase_add_test (tc, test_each_request_pad_exists_once_and_can_return);
  tcase_add_test (tc, test_stops_while_a_report_is_blocked_downstream);
  return suite;
}

GST_CHECK_MAIN (arcreceiver);
