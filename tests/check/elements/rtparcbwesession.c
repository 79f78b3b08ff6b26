/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rtparcbwe before a stock rtpsession, which gets the receiver's RTCP: RFC 8888, receiver
 * reports, and one after the other. The test is network and receiver. */

#include "quiet.h"
#include "rtparcbwefixture.h"
#include "readstat.h"
#include <rc/feedback/ccfb.h>

G_GNUC_BEGIN_IGNORE_DEPRECATIONS       /* GValueArray, which rtpsession uses */
#define DELAY_US 20000          /* from a packet to the report about it */
#define RECEIVER_SSRC 0x42
#define RTCP_HEADER_BYTES 8
#define MAX_LIST 64

typedef struct
{
  Bwe bwe;
  GstElement *session;
  GstHarness *out, *rtcp;
  guint16 number;               /* transport-wide, of the next packet */
} Call;

static Call call;

static void
link_session (void)
{
  GstPad *from = gst_element_get_static_pad (call.bwe.h->element, "src");
  GstPad *to;

  call.session = gst_element_factory_make ("rtpsession", NULL);
  to = gst_element_request_pad_simple (call.session, "send_rtp_sink");
  fail_unless_equals_int (gst_pad_link (from, to), GST_PAD_LINK_OK);
  gst_object_unref (from);
  gst_object_unref (to);
  call.out = gst_harness_new_with_element (call.session, NULL, "send_rtp_src");
  call.rtcp = gst_harness_new_with_element (call.session, "recv_rtcp_sink", NULL);
  gst_harness_set_src_caps_str (call.rtcp, "application/x-rtcp");
}

static void
unlink_session (void)
{
  GstPad *from = gst_element_get_static_pad (call.bwe.h->element, "src");
  GstPad *to = gst_pad_get_peer (from);

  gst_pad_unlink (from, to);
  gst_object_unref (from);
  gst_object_unref (to);
  gst_harness_teardown (call.rtcp);
  gst_harness_teardown (call.out);
  gst_clear_object (&call.session);
}

static void
setup (const gchar * properties)
{
  g_autofree gchar *line = g_strdup_printf ("rtparcbwe %s", properties);
  GstElement *element = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_NONE, NULL);

  call = (Call) {.bwe = {gst_harness_new_with_element (element, "sink", NULL)} };
  gst_object_unref (element);
  gst_harness_set_live (call.bwe.h, TRUE);
  gst_harness_use_systemclock (call.bwe.h);
  link_session ();
  gst_harness_set_src_caps_str (call.bwe.h, RTP_CAPS);
}

static void
teardown (void)
{
  gst_element_set_state (call.bwe.h->element, GST_STATE_NULL);
  unlink_session ();
  gst_harness_teardown (call.bwe.h);
}

/* --- what the receiver says --- */

/* Takes the bytes behind the header. */
static void
push_rtcp (guint8 format, guint8 type, const guint8 * body, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, RTCP_HEADER_BYTES + size, NULL);
  guint8 header[RTCP_HEADER_BYTES] = { (guint8) (0x80 | format), type };

  GST_WRITE_UINT16_BE (header + 2, (RTCP_HEADER_BYTES + size) / 4 - 1);
  GST_WRITE_UINT32_BE (header + 4, RECEIVER_SSRC);
  gst_buffer_fill (buffer, 0, header, sizeof header);
  gst_buffer_fill (buffer, RTCP_HEADER_BYTES, body, size);
  gst_harness_push (call.rtcp, buffer);
}

/* Sends so many packets, and lists those that arrived: all, or without each lost-th. */
static guint
send_packets (guint n, guint lost, RcArrival * arrivals)
{
  guint n_arrivals = 0;

  for (guint i = 0; i < n; i++) {
    guint16 seq = call.bwe.seq;

    gst_harness_push (call.bwe.h, bwe_packet (&call.bwe));
    gst_buffer_unref (gst_harness_pull (call.out));
    if (lost == 0 || i % lost != 1)
      arrivals[n_arrivals++] = (RcArrival) {.number = seq,
        .arrived_at_remote = monotonic_ns () + DELAY_US * 1000 };
  }
  g_usleep (DELAY_US);
  return n_arrivals;
}

static void
tell_by_rfc8888 (guint n, guint lost)
{
  RcArrival arrivals[MAX_LIST];
  RcArrivals list = {.space = {RC_NUMBERS_RTP, SSRC},.arrivals = arrivals };
  guint8 body[4 * MAX_LIST];
  guint n_told;

  list.n_arrivals = send_packets (n, lost, arrivals);
  push_rtcp (RC_CCFB_FMT, GST_RTCP_TYPE_RTPFB, body, rc_ccfb_encode (&list, 1,
          monotonic_ns () + DELAY_US * 1000, body, sizeof body, &n_told));
  fail_unless_equals_int (n_told, list.n_arrivals);
}

static void
tell_by_twcc (guint n)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (call.bwe.h->element, "src");
  GValueArray *told = told_new ();
  RcArrival arrivals[MAX_LIST];

  send_packets (n, 0, arrivals);
  for (guint i = 0; i < n; i++) {
    GstClockTime at = (GstClockTime) arrivals[i].arrived_at_remote;

    told_add (told, call.number++, at - DELAY_US * 1000, at);
  }
  gst_pad_send_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, gst_structure_new
          ("RTPTWCCPackets", "packets", g_value_array_get_type (), told, NULL)));
  g_value_array_free (told);
}

/* As a retransmission, under an SSRC of its own. */
static void
send_again (void)
{
  GstBuffer *buffer = bwe_packet (&call.bwe);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  call.bwe.seq--;
  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, SSRC + 1);
  gst_rtp_buffer_unmap (&rtp);
  gst_harness_push (call.bwe.h, buffer);
  gst_buffer_unref (gst_harness_pull (call.out));
}

/* The last block is about what was sent again. */
static void
tell_by_report (guint n)
{
  RcArrival arrivals[MAX_LIST];
  guint8 body[48] = { 0 };

  send_packets (n, 0, arrivals);
  send_again ();
  GST_WRITE_UINT32_BE (body, SSRC);
  GST_WRITE_UINT32_BE (body + 8, (guint32) (guint16) (call.bwe.seq - 1));
  GST_WRITE_UINT32_BE (body + 24, SSRC + 1);
  push_rtcp (2, GST_RTCP_TYPE_RR, body, sizeof body);
}

static gboolean
stat_is (const gchar * name, const gchar * value)
{
  return stat_reads (call.bwe.h->element, name, value);
}

CLAIM_TIMEOUT_S (120)

TIMED_CLAIM (test_rfc8888_raises_the_rate)
{
  setup ("estimated-bitrate=1000000");
  for (guint i = 0; i < 100 && bwe_stat (&call.bwe, "rate") < 2000000; i++)
    tell_by_rfc8888 (10, 0);
  fail_unless (bwe_stat (&call.bwe, "rate") >= 2000000, "%" G_GUINT64_FORMAT " bit/s",
      bwe_stat (&call.bwe, "rate"));
  fail_unless (stat_is ("feedback-format", "ccfb"));
  fail_unless (bwe_stat (&call.bwe, "feedback-messages") > 0);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "packets-lost"), 0);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "reports-never-sent"), 0);
  teardown ();
}

CLAIM (test_rfc8888_tells_of_losses)
{
  setup ("estimated-bitrate=5000000");
  tell_by_rfc8888 (50, 10);
  tell_by_rfc8888 (10, 0);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "packets-lost"), 5);
  teardown ();
}

CLAIM (test_rfc8888_is_preferred_to_twcc)
{
  setup ("estimated-bitrate=5000000");
  tell_by_twcc (10);
  fail_unless (stat_is ("feedback-format", "twcc"));
  tell_by_rfc8888 (10, 0);
  tell_by_twcc (10);
  fail_unless (stat_is ("feedback-format", "ccfb"));
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "reports-ignored"), 1);
  teardown ();
}

CLAIM (test_malformed_rfc8888_is_refused_and_other_feedback_is_none_of_ours)
{
  static const guint8 cut_off[] = { 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 9, 0x80, 1, 0x80, 1 };
  static const guint8 nack[] = { 0x12, 0x34, 0x56, 0x78, 0, 1, 0, 0 };

  setup ("estimated-bitrate=5000000");
  tell_by_rfc8888 (10, 0);
  push_rtcp (RC_CCFB_FMT, GST_RTCP_TYPE_RTPFB, cut_off, sizeof cut_off);
  push_rtcp (RC_CCFB_FMT, GST_RTCP_TYPE_RTPFB, cut_off, 4);
  push_rtcp (1, GST_RTCP_TYPE_RTPFB, nack, sizeof nack);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "feedback-rejected"), 1);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "feedback-messages"), 1);
  teardown ();
}

/* As after a renegotiation that built the session anew. */
CLAIM (test_another_session_is_heard_too)
{
  setup ("estimated-bitrate=5000000");
  tell_by_rfc8888 (10, 0);
  unlink_session ();
  link_session ();
  tell_by_rfc8888 (10, 0);
  fail_unless_equals_uint64 (bwe_stat (&call.bwe, "feedback-messages"), 2);
  teardown ();
}

/* Before any other feedback they would begin the slow law for nothing. */
CLAIM (test_early_receiver_reports_do_not_count)
{
  setup ("estimated-bitrate=5000000");
  tell_by_report (10);
  fail_unless (stat_is ("feedback-format", "none"));
  teardown ();
}

/* An answer may switch the feedback off and on again in the middle of a call. */
TIMED_CLAIM (test_receiver_reports_count_while_better_feedback_pauses)
{
  RcTime begun;
  guint64 before;

  setup ("estimated-bitrate=1000000");
  for (guint i = 0; i < 10; i++)
    tell_by_twcc (10);
  before = bwe_stat (&call.bwe, "rate");
  tell_by_report (10);
  fail_unless (stat_is ("feedback-format", "twcc"));
  for (begun = monotonic_ns (); !stat_is ("feedback-format", "rr")
      && monotonic_ns () - begun < PATIENCE_US * RC_USEC;)
    tell_by_report (5);
  fail_unless (stat_is ("feedback-format", "rr"));
  fail_unless (stat_is ("congestion-control", "slow"));
  fail_unless (bwe_stat (&call.bwe, "rate") >= before * 9 / 20, "from %" G_GUINT64_FORMAT " to %"
      G_GUINT64_FORMAT, before, bwe_stat (&call.bwe, "rate"));
  tell_by_twcc (10);
  fail_unless (stat_is ("feedback-format", "twcc"));
  fail_unless (stat_is ("congestion-control", "arc"));
  teardown ();
}

static void
link_to_funnel (GstElement * from, GstElement * funnel)
{
  g_autoptr (GstPad) src = gst_element_get_static_pad (from, "src");
  g_autoptr (GstPad) sink = gst_element_request_pad_simple (funnel, "sink_%u");

  fail_unless_equals_int (gst_pad_link (src, sink), GST_PAD_LINK_OK);
}

/* Puts an rtpfunnel before the session, and behind both. */
static GstElement *
join_by_funnel (GstElement * other)
{
  g_autoptr (GstPad) src = gst_element_get_static_pad (call.bwe.h->element, "src");
  g_autoptr (GstPad) sink = gst_pad_get_peer (src), out = NULL;
  GstElement *funnel = gst_element_factory_make ("rtpfunnel", NULL);

  gst_pad_unlink (src, sink);
  out = gst_element_get_static_pad (funnel, "src");
  fail_unless_equals_int (gst_pad_link (out, sink), GST_PAD_LINK_OK);
  gst_element_set_state (funnel, GST_STATE_PLAYING);
  link_to_funnel (call.bwe.h->element, funnel);
  link_to_funnel (other, funnel);
  return funnel;
}

/* TWCC counts the packets of both in one row. */
CLAIM (test_two_side_by_side_go_by_receiver_reports)
{
  g_autoptr (GstElement) other = gst_element_factory_make ("rtparcbwe", NULL), funnel = NULL;
  GstHarness *in = gst_harness_new_with_element (other, "sink", NULL);

  setup ("estimated-bitrate=1000000");
  funnel = join_by_funnel (other);
  gst_harness_set_live (in, TRUE);
  gst_harness_set_src_caps_str (in, RTP_CAPS);
  tell_by_twcc (10);
  fail_unless (stat_is ("feedback-format", "twcc"));
  gst_harness_push (in, bwe_packet (&call.bwe));
  gst_buffer_unref (gst_harness_pull (call.out));
  for (RcTime begun = monotonic_ns (); !stat_is ("feedback-format", "rr")
      && monotonic_ns () - begun < PATIENCE_US * RC_USEC;) {
    tell_by_twcc (5);
    tell_by_report (5);
  }
  fail_unless (stat_is ("feedback-format", "rr"));

  gst_element_set_state (other, GST_STATE_NULL);
  gst_harness_teardown (in);
  tell_by_twcc (10);
  fail_unless (stat_is ("feedback-format", "twcc"));
  gst_element_set_state (call.bwe.h->element, GST_STATE_NULL);
  gst_element_set_state (funnel, GST_STATE_NULL);
  gst_element_unlink (call.bwe.h->element, funnel);
  gst_element_unlink (funnel, call.session);
  gst_harness_teardown (call.rtcp);
  gst_harness_teardown (call.out);
  gst_clear_object (&call.session);
  gst_harness_teardown (call.bwe.h);
}

G_GNUC_END_IGNORE_DEPRECATIONS
