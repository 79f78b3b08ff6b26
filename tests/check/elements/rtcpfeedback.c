/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rtp/rtcpfeedback.h>
#include <rtp/rtcpreports.h>
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#define RECEIVER 0xcafe0001
#define SENDER 0xcafe0002

static RcReport
report_of (guint32 ssrc)
{
  RcReport report = {
    .ssrc = ssrc,.number = 7,.highest_seq = 0x10005,.arrival_us_remote = 1234567890123,
    .hold_us = 1500,
    .bandwidth_bps = 2500000,.received_pkts = 1000,.lost_pkts = 3,
    .ce_pkts = 1,
    .received_bytes = 1200000,
  };
  return report;
}

static RcSenderInfo
info_of (guint32 ssrc)
{
  RcSenderInfo info = {.ssrc = ssrc,.srtt_us = 50000,.report_interval_us = 25000 };
  return info;
}

static void
assert_same_report (const RcReport * a, const RcReport * b)
{
  fail_unless_equals_int (a->ssrc, b->ssrc);
  fail_unless_equals_int (a->number, b->number);
  fail_unless_equals_int (a->highest_seq, b->highest_seq);
  fail_unless_equals_uint64 (a->arrival_us_remote, b->arrival_us_remote);
  fail_unless_equals_int (a->hold_us, b->hold_us);
  fail_unless_equals_uint64 (a->bandwidth_bps, b->bandwidth_bps);
  fail_unless_equals_int (a->received_pkts, b->received_pkts);
  fail_unless_equals_int (a->lost_pkts, b->lost_pkts);
  fail_unless_equals_int (a->ce_pkts, b->ce_pkts);
  fail_unless_equals_uint64 (a->received_bytes, b->received_bytes);
  fail_unless_equals_uint64 (a->explicit_rate_bps, b->explicit_rate_bps);
}

/* Parses a copy of exact size on the heap, so that memory checkers see a read beyond it; unrefs
 * the buffer. */
static RtcpFeedbackKind
parse (GstBuffer * buffer, RtcpFeedback * out)
{
  gpointer data;
  gsize size;
  GstBuffer *copy;
  RtcpFeedbackKind kind;

  gst_buffer_extract_dup (buffer, 0, gst_buffer_get_size (buffer), &data, &size);
  copy = size > 0 ? gst_buffer_new_wrapped (data, size) : gst_buffer_new ();
  kind = rtcp_feedback_parse (copy, out);
  gst_buffer_unref (copy);
  gst_buffer_unref (buffer);
  return kind;
}

/* Changes one byte of a buffer. */
static GstBuffer *
spoil (GstBuffer * buffer, gsize offset, guint8 byte)
{
  fail_unless_equals_int (gst_buffer_fill (buffer, offset, &byte, 1), 1);
  return buffer;
}

static GstBuffer *
one_report (void)
{
  RcReport report = report_of (0x11);

  return rtcp_feedback_new_reports (RECEIVER, &report, 1);
}

/* RTCP of others: a receiver report, and for bye a BYE after it. */
static GstBuffer *
foreign (gboolean bye)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (200);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, 0x99);
  gst_rtcp_packet_add_rb (&packet, 0x11, 0, 0, 5, 0, 0, 0);
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, 0x99);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

GST_START_TEST (test_one_report_comes_back_as_it_was)
{
  RcReport report = report_of (0x11);
  RtcpFeedback got;

  report.explicit_rate_bps = 5000000;
  fail_unless_equals_int (parse (rtcp_feedback_new_reports (RECEIVER, &report, 1), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless_equals_int (got.n_infos, 0);
  fail_unless_equals_int (got.sender_ssrc, RECEIVER);
  fail_if (got.others || got.bye);
  assert_same_report (&got.reports[0], &report);
}

GST_END_TEST;

GST_START_TEST (test_three_reports_keep_their_order)
{
  RcReport reports[3] = { report_of (0x11), report_of (0x22), report_of (0x33) };
  RtcpFeedback got;
  guint i;

  fail_unless_equals_int (parse (rtcp_feedback_new_reports (RECEIVER, reports, 3), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_reports, 3);
  for (i = 0; i < 3; i++)
    assert_same_report (&got.reports[i], &reports[i]);
}

GST_END_TEST;

GST_START_TEST (test_sender_infos_come_back_as_they_were)
{
  RcSenderInfo infos[2] = { info_of (0x11), info_of (0x22) };
  RtcpFeedback got;

  fail_unless_equals_int (parse (rtcp_feedback_new_infos (SENDER, infos, 2), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_infos, 2);
  fail_unless_equals_int (got.n_reports, 0);
  fail_unless_equals_int (got.sender_ssrc, SENDER);
  fail_unless_equals_int (got.infos[1].ssrc, 0x22);
  fail_unless_equals_int (got.infos[1].srtt_us, 50000);
  fail_unless_equals_int (got.infos[1].report_interval_us, 25000);
}

GST_END_TEST;

GST_START_TEST (test_report_is_found_behind_foreign_rtcp)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (gst_buffer_append (foreign (FALSE), one_report ()), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless (got.others);
  fail_if (got.bye);
}

GST_END_TEST;

GST_START_TEST (test_farewell_is_infos_and_a_bye_about_each)
{
  const RcSenderInfo infos[] = { {.ssrc = 0x11,.cookie = 5}, {.ssrc = 0x22} };
  GstBuffer *buffer = rtcp_feedback_new_farewell (0x11, infos, 2);
  RtcpReports reports;
  RtcpFeedback got;

  fail_unless_equals_int (rtcp_feedback_parse (buffer, &got), RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_infos, 2);
  fail_unless_equals_uint64 (got.infos[0].cookie, 5);
  fail_unless (got.bye);
  fail_unless (rtcp_reports_parse (buffer, &reports));
  fail_unless_equals_int (reports.n_byes, 2);
  fail_unless_equals_int (reports.byes[1], 0x22);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_bye_is_seen_beside_a_report)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (gst_buffer_append (one_report (), foreign (TRUE)), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless (got.others && got.bye);
}

GST_END_TEST;

GST_START_TEST (test_foreign_rtcp_is_other)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (foreign (TRUE), &got), RTCP_FEEDBACK_OTHER);
  fail_unless (got.others && got.bye);
  fail_unless_equals_int (got.n_reports + got.n_infos, 0);
}

GST_END_TEST;

GST_START_TEST (test_padding_of_foreign_rtcp_is_fine)
{
  static const guint8 padded[] = { 0xa0, 201, 0, 2, 0, 0, 0, 0x99, 0, 0, 0, 4 };
  RtcpFeedback got;

  fail_unless_equals_int (parse (gst_buffer_new_memdup (padded, sizeof (padded)), &got),
      RTCP_FEEDBACK_OTHER);
}

GST_END_TEST;

/* The 12 fixed bytes of an APP packet: byte 0 holds the subtype, bytes 8 to 11 the name. */
GST_START_TEST (test_foreign_app_packet_is_other)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (spoil (one_report (), 8, 'X'), &got), RTCP_FEEDBACK_OTHER);
  fail_unless (got.others);
}

GST_END_TEST;

GST_START_TEST (test_rtp_is_not_rtcp)
{
  RtcpFeedback got;
  GstBuffer *rtp = gst_rtp_buffer_new_allocate (100, 0, 0);
  guint8 stun[20] = { 0x00, 200 };

  fail_unless_equals_int (parse (spoil (rtp, 1, 0x80 | 96), &got), RTCP_FEEDBACK_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new_memdup (stun, sizeof (stun)), &got),
      RTCP_FEEDBACK_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new_memdup (stun, 1), &got), RTCP_FEEDBACK_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new (), &got), RTCP_FEEDBACK_NOT_RTCP);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_is_second_byte_192_to_223)
{
  static const guint8 head[][2] = { {0x80, 191}, {0x80, 192}, {0x80, 223}, {0x80, 224},
      {0x40, 200} };
  static const gboolean is[] = { FALSE, TRUE, TRUE, FALSE, FALSE };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (is); i++)
    fail_unless_equals_int (rtcp_feedback_is_rtcp (head[i], 2), is[i]);
  fail_if (rtcp_feedback_is_rtcp (head[1], 1));
}

GST_END_TEST;

GST_START_TEST (test_other_version_of_ours_is_malformed)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (spoil (one_report (), 0, 0x80 | (RC_WIRE_VERSION + 1)), &got),
      RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

/* Every length below the whole: nothing is read beyond, nothing is believed. */
GST_START_TEST (test_truncated_report_is_malformed)
{
  gsize size;

  for (size = 2; size < 12 + RC_WIRE_REPORT_BYTES; size++) {
    GstBuffer *buffer = one_report ();
    RtcpFeedback got;

    gst_buffer_set_size (buffer, size);
    fail_unless_equals_int (parse (buffer, &got), RTCP_FEEDBACK_MALFORMED);
  }
}

GST_END_TEST;

/* The same with a length field that agrees: the framing is valid, the content is not. */
GST_START_TEST (test_report_of_wrong_length_is_malformed)
{
  guint words;

  for (words = 1; words < (12 + RC_WIRE_REPORT_BYTES) / 4; words++) {
    GstBuffer *buffer = spoil (one_report (), 3, words - 1);
    RtcpFeedback got;

    gst_buffer_set_size (buffer, words * 4);
    fail_unless_equals_int (parse (buffer, &got), RTCP_FEEDBACK_MALFORMED);
  }
}

GST_END_TEST;

GST_START_TEST (test_short_packet_behind_a_good_one_is_malformed)
{
  GstBuffer *tail = spoil (one_report (), 3, 1);
  RtcpFeedback got;

  gst_buffer_set_size (tail, 8);
  fail_unless_equals_int (parse (gst_buffer_append (one_report (), tail), &got),
      RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

GST_START_TEST (test_info_claimed_as_report_is_malformed)
{
  RcSenderInfo info = info_of (0x11);
  RtcpFeedback got;

  fail_unless_equals_int (parse (spoil (rtcp_feedback_new_infos (SENDER, &info, 1), 11, 'R'), &got),
      RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

GST_START_TEST (test_absurd_bandwidth_is_malformed)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (spoil (one_report (), 12 + 24, 0xff), &got),
      RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

GST_START_TEST (test_padded_report_is_malformed)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (spoil (spoil (one_report (), 0, 0xa0 | RC_WIRE_VERSION),
              12 + RC_WIRE_REPORT_BYTES - 1, 4), &got), RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

GST_START_TEST (test_more_reports_than_fit_are_malformed)
{
  RcReport reports[RTCP_FEEDBACK_MAX_REPORTS];
  RtcpFeedback got;
  guint i;

  for (i = 0; i < RTCP_FEEDBACK_MAX_REPORTS; i++)
    reports[i] = report_of (i);
  fail_unless_equals_int (parse (rtcp_feedback_new_reports (RECEIVER, reports, i), &got),
      RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (got.n_reports, RTCP_FEEDBACK_MAX_REPORTS);
  fail_unless_equals_int (parse (gst_buffer_append (rtcp_feedback_new_reports (RECEIVER, reports,
                  i), one_report ()), &got), RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

/* A report with a few bytes replaced, or nothing but noise, behind a valid first word. The seed
 * makes it the same every time. */
static GstBuffer *
noise_of (GRand * rand, guint round)
{
  GstBuffer *buffer = round % 2 ? one_report () : gst_buffer_new_memdup ((guint8[160]) { 0 },
      4 * g_rand_int_range (rand, 1, 40));
  gsize size = gst_buffer_get_size (buffer);
  guint n = round % 2 ? 4 : size, i;

  for (i = 0; i < n; i++)
    spoil (buffer, g_rand_int_range (rand, 0, size), g_rand_int (rand));
  return spoil (spoil (buffer, 0, 0x80 | g_rand_int_range (rand, 0, 32)), 1, 204);
}

GST_START_TEST (test_noise_is_survived)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint round;

  for (round = 0; round < 20000; round++) {
    RtcpFeedback got;

    fail_unless (parse (noise_of (rand, round), &got) != RTCP_FEEDBACK_NOT_RTCP);
    fail_unless (got.n_reports <= RTCP_FEEDBACK_MAX_REPORTS
        && got.n_infos <= RTCP_FEEDBACK_MAX_REPORTS);
  }
  g_rand_free (rand);
}

GST_END_TEST;

/* --- lists of packets --- */

/* `n` messages of this format, each with a body of two words, behind a receiver report. */
static GstBuffer *
listing (guint8 format, guint n)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1000);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, 0x99);
  while (n-- > 0) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RTPFB, &packet);
    gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) format);
    gst_rtcp_packet_fb_set_sender_ssrc (&packet, 0x99);
    gst_rtcp_packet_fb_set_media_ssrc (&packet, 0x11);
    gst_rtcp_packet_fb_set_fci_length (&packet, 2);
    memset (gst_rtcp_packet_fb_get_fci (&packet), 3, 8);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

GST_START_TEST (test_lists_are_found_in_a_compound)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (listing (RC_CCFB_FORMAT, 2), &got), RTCP_FEEDBACK_OTHER);
  fail_unless (got.n_lists == 2 && got.others);
  fail_unless_equals_int (got.lists[1].format, RC_CCFB_FORMAT);
  fail_unless_equals_int (got.lists[1].sender_ssrc, 0x99);
  /* A receiver report of two words, a message of five; what follows the sender's SSRC. */
  fail_unless_equals_int (got.lists[1].offset, 8 + 20 + 8);
  fail_unless_equals_int (got.lists[1].size, 12);
  fail_unless_equals_int (parse (listing (RC_TWCC_FORMAT, 1), &got), RTCP_FEEDBACK_OTHER);
  fail_unless_equals_int (got.lists[0].format, RC_TWCC_FORMAT);
  /* What follows both SSRCs. */
  fail_unless_equals_int (got.lists[0].offset, 8 + 12);
  fail_unless_equals_int (got.lists[0].size, 8);
  fail_unless_equals_int (parse (listing (GST_RTCP_RTPFB_TYPE_NACK, 1), &got),
      RTCP_FEEDBACK_OTHER);
  fail_unless_equals_int (got.n_lists, 0);
}

GST_END_TEST;

/* libwebrtc pads TWCC so. */
GST_START_TEST (test_padding_is_no_part_of_a_list)
{
  for (guint n = 0; n < 256; n++) {
    GstBuffer *buffer = spoil (listing (RC_TWCC_FORMAT, 1), 8, 0x80 | 0x20 | RC_TWCC_FORMAT);
    RtcpFeedback got;
    RtcpFeedbackKind kind = parse (spoil (buffer, gst_buffer_get_size (buffer) - 1, (guint8) n),
        &got);

    if (n >= 1 && n <= 8) {
      fail_unless (kind == RTCP_FEEDBACK_OTHER && got.lists[0].size == 8 - n, "%u: %d", n, kind);
    } else {
      fail_unless_equals_int (kind, RTCP_FEEDBACK_MALFORMED);
    }
  }
}

GST_END_TEST;

GST_START_TEST (test_more_lists_than_there_is_room_for_are_refused)
{
  RtcpFeedback got;

  fail_unless_equals_int (parse (listing (RC_CCFB_FORMAT, RTCP_FEEDBACK_MAX_LISTS), &got),
      RTCP_FEEDBACK_OTHER);
  fail_unless_equals_int (got.n_lists, RTCP_FEEDBACK_MAX_LISTS);
  fail_unless_equals_int (parse (listing (RC_CCFB_FORMAT, RTCP_FEEDBACK_MAX_LISTS + 1), &got),
      RTCP_FEEDBACK_MALFORMED);
}

GST_END_TEST;

/* A length that ends before the list would begin. */
GST_START_TEST (test_list_without_room_for_its_ssrcs_is_refused)
{
  static const guint8 bytes[] = { 0x80 | RC_TWCC_FORMAT, 205, 0, 1, 0, 0, 0, 0x99 };
  RtcpFeedback got;

  fail_if (parse (gst_buffer_new_memdup (bytes, sizeof bytes), &got) == RTCP_FEEDBACK_OTHER
      && got.n_lists > 0);
}

GST_END_TEST;

static Suite *
rtcpfeedback_suite (void)
{
  Suite *s = suite_create ("rtcpfeedback");
  TCase *good = tcase_create ("good"), *bad = tcase_create ("bad");

  suite_add_tcase (s, good);
  tcase_add_test (good, test_one_report_comes_back_as_it_was);
  tcase_add_test (good, test_three_reports_keep_their_order);
  tcase_add_test (good, test_sender_infos_come_back_as_they_were);
  tcase_add_test (good, test_report_is_found_behind_foreign_rtcp);
  tcase_add_test (good, test_farewell_is_infos_and_a_bye_about_each);
  tcase_add_test (good, test_bye_is_seen_beside_a_report);
  tcase_add_test (good, test_foreign_rtcp_is_other);
  tcase_add_test (good, test_padding_of_foreign_rtcp_is_fine);
  tcase_add_test (good, test_foreign_app_packet_is_other);
  tcase_add_test (good, test_rtp_is_not_rtcp);
  tcase_add_test (good, test_rtcp_is_second_byte_192_to_223);
  suite_add_tcase (s, bad);
  tcase_add_test (bad, test_other_version_of_ours_is_malformed);
  tcase_add_test (bad, test_truncated_report_is_malformed);
  tcase_add_test (bad, test_report_of_wrong_length_is_malformed);
  tcase_add_test (bad, test_short_packet_behind_a_good_one_is_malformed);
  tcase_add_test (bad, test_info_claimed_as_report_is_malformed);
  tcase_add_test (bad, test_absurd_bandwidth_is_malformed);
  tcase_add_test (bad, test_padded_report_is_malformed);
  tcase_add_test (bad, test_more_reports_than_fit_are_malformed);
  tcase_add_test (bad, test_noise_is_survived);
  tcase_add_test (good, test_lists_are_found_in_a_compound);
  tcase_add_test (good, test_padding_is_no_part_of_a_list);
  tcase_add_test (bad, test_more_lists_than_there_is_room_for_are_refused);
  tcase_add_test (bad, test_list_without_room_for_its_ssrcs_is_refused);
  return s;
}

GST_CHECK_MAIN (rtcpfeedback);
