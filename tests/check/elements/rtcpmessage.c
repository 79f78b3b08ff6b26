/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rtp/rtcpwriter.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "claim.h"

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
static RtcpVerdict
parse (GstBuffer * buffer, RtcpMessage * out)
{
  gpointer data;
  gsize size;
  g_autoptr (GstBuffer) copy = NULL;
  RtcpVerdict kind;

  gst_buffer_extract_dup (buffer, 0, gst_buffer_get_size (buffer), &data, &size);
  copy = size > 0 ? gst_buffer_new_wrapped (data, size) : gst_buffer_new ();
  kind = rtcp_message_read_buffer (out, copy);
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

  return rtcp_new_reports (RECEIVER, &report, 1);
}

/* RTCP of others: a receiver report, and for bye a BYE after it. */
static GstBuffer *
foreign (gboolean bye)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (200);
  AT_END (gst_rtcp_buffer_unmap) GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, 0x99);
  gst_rtcp_packet_add_rb (&packet, 0x11, 0, 0, 5, 0, 0, 0);
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, 0x99);
  }
  return buffer;
}

/* The framing is right, the one packet in it is not. Takes the buffer. */
static void
fail_unless_skipped (GstBuffer * buffer)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (buffer, &got), RTCP_VALID);
  fail_unless_equals_int (got.n_reports + got.n_infos + got.n_keyframes + got.n_lists, 0);
  fail_unless_equals_int (got.n_blocks + got.n_sender_reports + got.n_byes, 0);
  fail_unless_equals_int (got.n_malformed, 1);
  fail_unless_equals_int (rtcp_message_unread (&got), 1);
}

CLAIM (test_one_report_comes_back_as_it_was)
{
  RcReport report = report_of (0x11);
  RtcpMessage got;

  report.explicit_rate_bps = 5000000;
  fail_unless_equals_int (parse (rtcp_new_reports (RECEIVER, &report, 1), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless_equals_int (got.n_infos, 0);
  fail_unless_equals_int (got.sender_ssrc, RECEIVER);
  fail_unless_equals_int (got.n_others + got.n_byes + got.n_malformed, 0);
  assert_same_report (&got.reports[0], &report);
}

CLAIM (test_three_reports_keep_their_order)
{
  RcReport reports[3] = { report_of (0x11), report_of (0x22), report_of (0x33) };
  RtcpMessage got;

  fail_unless_equals_int (parse (rtcp_new_reports (RECEIVER, reports, 3), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_reports, 3);
  for (guint i = 0; i < 3; i++)
    assert_same_report (&got.reports[i], &reports[i]);
}

CLAIM (test_sender_infos_come_back_as_they_were)
{
  RcSenderInfo infos[2] = { info_of (0x11), info_of (0x22) };
  RtcpMessage got;

  fail_unless_equals_int (parse (rtcp_new_infos (SENDER, infos, 2), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_infos, 2);
  fail_unless_equals_int (got.n_reports, 0);
  fail_unless_equals_int (got.sender_ssrc, SENDER);
  fail_unless_equals_int (got.infos[1].ssrc, 0x22);
  fail_unless_equals_int (got.infos[1].srtt_us, 50000);
  fail_unless_equals_int (got.infos[1].report_interval_us, 25000);
}

CLAIM (test_report_is_found_behind_foreign_rtcp)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_append (foreign (FALSE), one_report ()), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless_equals_int (got.n_others, 1);
}

CLAIM (test_farewell_is_infos_and_a_bye_about_each)
{
  const RcSenderInfo infos[] = { {.ssrc = 0x11,.cookie = 5}, {.ssrc = 0x22} };
  GstBuffer *buffer = rtcp_new_farewell (0x11, infos, 2);
  RtcpMessage got;

  fail_unless_equals_int (parse (buffer, &got), RTCP_VALID);
  fail_unless_equals_int (got.n_infos, 2);
  fail_unless_equals_uint64 (got.infos[0].cookie, 5);
  fail_unless_equals_int (got.n_byes, 2);
  fail_unless_equals_int (got.byes[1], 0x22);
}

CLAIM (test_bye_is_seen_beside_a_report)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_append (one_report (), foreign (TRUE)), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_reports, 1);
  fail_unless (got.n_others == 2 && got.n_byes == 1);
}

CLAIM (test_foreign_rtcp_is_other)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (foreign (TRUE), &got), RTCP_VALID);
  fail_unless (got.n_others == 2 && got.n_byes == 1);
  fail_unless_equals_int (got.n_reports + got.n_infos, 0);
  fail_unless_equals_int (got.n_blocks, 1);
  fail_unless (got.blocks[0].instance == 0x99 && got.blocks[0].ssrc == 0x11);
}

CLAIM (test_padding_of_foreign_rtcp_is_fine)
{
  static const guint8 padded[] = { 0xa0, 201, 0, 2, 0, 0, 0, 0x99, 0, 0, 0, 4 };
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_new_memdup (padded, sizeof (padded)), &got),
      RTCP_VALID);
}

/* The 12 fixed bytes of an APP packet: byte 0 holds the subtype, bytes 8 to 11 the name. */
CLAIM (test_foreign_app_packet_is_other)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (spoil (one_report (), 8, 'X'), &got), RTCP_VALID);
  fail_unless_equals_int (got.n_others, 1);
}

CLAIM (test_rtp_is_not_rtcp)
{
  RtcpMessage got;
  GstBuffer *rtp = gst_rtp_buffer_new_allocate (100, 0, 0);
  guint8 stun[20] = { 0x00, 200 };

  fail_unless_equals_int (parse (spoil (rtp, 1, 0x80 | 96), &got), RTCP_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new_memdup (stun, sizeof (stun)), &got),
      RTCP_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new_memdup (stun, 1), &got), RTCP_NOT_RTCP);
  fail_unless_equals_int (parse (gst_buffer_new (), &got), RTCP_NOT_RTCP);
}

CLAIM (test_rtcp_is_second_byte_192_to_223)
{
  static const guint8 head[][2] = { {0x80, 191}, {0x80, 192}, {0x80, 223}, {0x80, 224},
      {0x40, 200} };
  static const gboolean is[] = { FALSE, TRUE, TRUE, FALSE, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (is); i++)
    fail_unless_equals_int (rtcp_is_rtcp (head[i], 2), is[i]);
  fail_if (rtcp_is_rtcp (head[1], 1));
}

CLAIM (test_other_version_of_ours_is_skipped)
{
  fail_unless_skipped (spoil (one_report (), 0, 0x80 | (RC_WIRE_VERSION + 1)));
}

/* Every length below the whole: nothing is read beyond, nothing is believed. */
CLAIM (test_truncated_report_is_malformed)
{
  for (gsize size = 2; size < 12 + RC_WIRE_REPORT_BYTES; size++) {
    GstBuffer *buffer = one_report ();
    RtcpMessage got;

    gst_buffer_set_size (buffer, size);
    fail_unless_equals_int (parse (buffer, &got), RTCP_MALFORMED);
  }
}

/* The same with a length field that agrees: the framing is valid, the content is not. */
CLAIM (test_report_of_wrong_length_is_skipped)
{
  for (guint words = 1; words < (12 + RC_WIRE_REPORT_BYTES) / 4; words++) {
    GstBuffer *buffer = spoil (one_report (), 3, words - 1);

    gst_buffer_set_size (buffer, words * 4);
    fail_unless_skipped (buffer);
  }
}

/* GStreamer's iteration would end at the short packet, as if it were the end. */
CLAIM (test_bad_packet_among_good_ones_is_skipped)
{
  static const guint8 bad_sr[] = { 0x80, 200, 0, 1, 0, 0, 0, 0x99 };
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_append (gst_buffer_append (one_report (),
                  gst_buffer_new_memdup (bad_sr, sizeof bad_sr)), foreign (TRUE)), &got),
      RTCP_VALID);
  fail_unless (got.n_reports == 1 && got.n_blocks == 1 && got.n_byes == 1);
  fail_unless (got.n_malformed == 1 && got.n_sender_reports == 0 && got.n_others == 3);
}

CLAIM (test_info_claimed_as_report_is_skipped)
{
  RcSenderInfo info = info_of (0x11);

  fail_unless_skipped (spoil (rtcp_new_infos (SENDER, &info, 1), 11, 'R'));
}

CLAIM (test_absurd_bandwidth_is_skipped)
{
  fail_unless_skipped (spoil (one_report (), 12 + 24, 0xff));
}

CLAIM (test_report_that_padding_shortens_is_skipped)
{
  fail_unless_skipped (spoil (spoil (one_report (), 0, 0xa0 | RC_WIRE_VERSION),
          12 + RC_WIRE_REPORT_BYTES - 1, 4));
}

CLAIM (test_more_reports_than_there_is_room_for_are_counted)
{
  RcReport reports[RTCP_MAX_REPORTS];
  RtcpMessage got;
  guint i;

  for (i = 0; i < RTCP_MAX_REPORTS; i++)
    reports[i] = report_of (i);
  fail_unless_equals_int (parse (rtcp_new_reports (RECEIVER, reports, i), &got), RTCP_VALID);
  fail_unless (got.n_reports == RTCP_MAX_REPORTS && got.n_overflow == 0);
  fail_unless_equals_int (parse (gst_buffer_append (rtcp_new_reports (RECEIVER, reports, i),
              one_report ()), &got), RTCP_VALID);
  fail_unless (got.n_reports == RTCP_MAX_REPORTS && got.n_overflow == 1);
}

/* The bytes behind the first header are those of SRTCP: lengths do not add up, and there is an
 * index with its bit E at the end. */
CLAIM (test_srtcp_is_malformed_and_sealed)
{
  guint8 srtcp[8 + 20 + 4 + 10] = { 0x81, 201, 0, 1, 0, 0, 0, 0x99, 0x55, 0xaa };
  RtcpMessage got;

  srtcp[28] = 0x80;
  srtcp[31] = 7;
  fail_unless_equals_int (parse (gst_buffer_new_memdup (srtcp, sizeof srtcp), &got),
      RTCP_MALFORMED);
  fail_unless (got.sealed);
  fail_unless_equals_int (parse (gst_buffer_new_memdup (srtcp, 8), &got), RTCP_VALID);
  fail_if (got.sealed);
}

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

CLAIM (test_noise_is_survived)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint round = 0; round < 20000; round++) {
    RtcpMessage got;

    fail_unless (parse (noise_of (rand, round), &got) != RTCP_NOT_RTCP);
    fail_unless (got.n_reports <= RTCP_MAX_REPORTS
        && got.n_infos <= RTCP_MAX_REPORTS);
  }
}

/* What is read lies within the bytes: under AddressSanitizer this is a claim of its own. */
CLAIM (test_random_rtcp_is_read_within_its_bytes)
{
  static const guint8 types[] = { 200, 201, 206, 205, 204, 202, 203 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  guint read = 0, skipped = 0;

  for (guint i = 0; i < 20000; i++) {
    guint words = (guint) g_rand_int_range (rand, 1, 40);
    g_autofree guint8 *bytes = g_malloc (words * 4);
    RtcpMessage got;

    for (guint k = 0; k < words * 4; k++)
      bytes[k] = (guint8) g_rand_int (rand);
    bytes[0] = (guint8) (0x80 | (bytes[0] & 0x3f));
    bytes[1] = types[i % G_N_ELEMENTS (types)];
    GST_WRITE_UINT16_BE (bytes + 2, i % 3 ? words - 1 : (guint) g_rand_int_range (rand, 0, words));
    if (words >= 5 && i % 2)
      memcpy (bytes + 12, "REMB", 4);
    if (rtcp_message_read (&got, bytes, words * 4) == RTCP_VALID) {
      read += got.n_malformed == 0;
      skipped += got.n_malformed > 0;
      fail_unless ((got.n_blocks * 6 + got.n_bound_ssrcs + got.n_keyframes + got.n_byes)
          <= words);
    }
  }
  fail_unless (read > 1000 && skipped > 1000, "%u read, %u skipped", read, skipped);
}

/* --- lists of packets --- */

/* `n` messages of this format, each with a body of two words, behind a receiver report. */
static GstBuffer *
listing (guint8 format, guint n)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1000);
  AT_END (gst_rtcp_buffer_unmap) GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
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
  return buffer;
}

CLAIM (test_lists_are_found_in_a_compound)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (listing (RC_CCFB_FMT, 2), &got), RTCP_VALID);
  fail_unless (got.n_lists == 2 && got.n_others == 3);
  fail_unless_equals_int (got.lists[1].fmt, RC_CCFB_FMT);
  fail_unless_equals_int (got.lists[1].sender_ssrc, 0x99);
  /* A receiver report of two words, a message of five; what follows the sender's SSRC. */
  fail_unless_equals_int (got.lists[1].offset, 8 + 20 + 8);
  fail_unless_equals_int (got.lists[1].size, 12);
  fail_unless_equals_int (parse (listing (RC_TWCC_FMT, 1), &got), RTCP_VALID);
  fail_unless_equals_int (got.lists[0].fmt, RC_TWCC_FMT);
  /* What follows both SSRCs. */
  fail_unless_equals_int (got.lists[0].offset, 8 + 12);
  fail_unless_equals_int (got.lists[0].size, 8);
  fail_unless_equals_int (parse (listing (GST_RTCP_RTPFB_TYPE_NACK, 1), &got),
      RTCP_VALID);
  fail_unless_equals_int (got.n_lists, 0);
}

/* libwebrtc pads TWCC so. */
CLAIM (test_padding_is_no_part_of_a_list)
{
  for (guint n = 0; n < 256; n++) {
    GstBuffer *buffer = spoil (listing (RC_TWCC_FMT, 1), 8, 0x80 | 0x20 | RC_TWCC_FMT);
    RtcpMessage got;
    RtcpVerdict kind = parse (spoil (buffer, gst_buffer_get_size (buffer) - 1, (guint8) n),
        &got);

    fail_unless_equals_int (kind, RTCP_VALID);
    if (n >= 1 && n <= 8)
      fail_unless (got.n_lists == 1 && got.lists[0].size == 8 - n, "%u", n);
    else
      fail_unless (got.n_lists == 0 && got.n_malformed == 1, "%u", n);
  }
}

CLAIM (test_more_lists_than_there_is_room_for_are_counted)
{
  RtcpMessage got;

  fail_unless_equals_int (parse (listing (RC_CCFB_FMT, RTCP_MAX_LISTS), &got), RTCP_VALID);
  fail_unless (got.n_lists == RTCP_MAX_LISTS && got.n_overflow == 0);
  fail_unless_equals_int (parse (listing (RC_CCFB_FMT, RTCP_MAX_LISTS + 1), &got), RTCP_VALID);
  fail_unless (got.n_lists == RTCP_MAX_LISTS && got.n_overflow == 1);
}

/* A length that ends before the list would begin. */
CLAIM (test_list_without_room_for_its_ssrcs_is_skipped)
{
  static const guint8 bytes[] = { 0x80 | RC_TWCC_FMT, 205, 0, 1, 0, 0, 0, 0x99 };

  fail_unless_skipped (gst_buffer_new_memdup (bytes, sizeof bytes));
}

/* --- RTP's own --- */

CLAIM (test_sender_report_comes_back_as_it_was)
{
  const RtcpSenderReport said = { 0x11, G_GUINT64_CONSTANT (0x123456789abcdef0), 7, 8, 9 };
  RtcpMessage got;

  fail_unless_equals_int (parse (rtcp_new_sender_report (&said, "name", TRUE), &got), RTCP_VALID);
  fail_unless (got.n_sender_reports == 1 && got.n_byes == 1 && got.n_others == 3);
  fail_unless_equals_int (got.sender_reports[0].ssrc, said.ssrc);
  fail_unless_equals_uint64 (got.sender_reports[0].ntp, said.ntp);
  fail_unless_equals_int (got.sender_reports[0].rtp, said.rtp);
  fail_unless_equals_int (got.sender_reports[0].packets, said.packets);
  fail_unless_equals_int (got.sender_reports[0].octets, said.octets);
  fail_unless_equals_int (rtcp_lsr_of_ntp (said.ntp), 0x56789abc);
}

/* 24 bits with a sign. */
CLAIM (test_loss_of_a_block_may_be_negative)
{
  RtcpMessage got;

  for (gint lost = -3; lost <= 3; lost++) {
    GstBuffer *buffer = foreign (FALSE);
    guint8 bytes[3];

    GST_WRITE_UINT24_BE (bytes, (guint) lost & 0xffffff);
    gst_buffer_fill (buffer, 8 + 5, bytes, 3);
    fail_unless_equals_int (parse (buffer, &got), RTCP_VALID);
    fail_unless_equals_int (got.blocks[0].lost_pkts, lost);
    fail_unless_equals_int (got.blocks[0].highest_seq, 5);
  }
}

static const guint64 bounds[] = { 1, 300000, 0x3ffff, 0x40000, 50000000, 4294967295 };

/* As far as 18 bits hold it. */
CLAIMS (test_bound_comes_back, G_N_ELEMENTS (bounds))
{
  const guint32 ssrcs[] = { 0x11223344, 0x55667788 };
  RtcpMessage got;

  fail_unless_equals_int (parse (rtcp_new_bound (RECEIVER, bounds[__i__], ssrcs, 2), &got),
      RTCP_VALID);
  fail_unless (got.bound_bps <= bounds[__i__] && got.bound_bps > .99999 * bounds[__i__]);
  fail_unless_equals_int (got.n_bound_ssrcs, 2);
  fail_unless_equals_int (got.bound_ssrcs[1], ssrcs[1]);
}

CLAIM (test_remb_comes_with_its_streams)
{
  static const guint8 remb[] = { 0x8f, 206, 0, 6, 1, 2, 3, 4, 0, 0, 0, 0, 'R', 'E', 'M', 'B', 2,
    2 << 2 | 1, 0x24, 0xf8, 0, 0, 0, 0x11, 0, 0, 0, 0x22
  };
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_new_memdup (remb, sizeof remb), &got), RTCP_VALID);
  fail_unless_equals_uint64 (got.bound_bps, 75000 << 2);
  fail_unless (got.n_bound_ssrcs == 2 && got.bound_ssrcs[1] == 0x22);
}

CLAIM (test_keyframe_requests_come_back_as_they_were)
{
  const RtcpKeyframe said[] = { {RECEIVER, 0x11, FALSE, 0}, {RECEIVER, 0x22, TRUE, 200},
  {RECEIVER, 0x33, FALSE, 0}
  };
  GstBuffer *buffer = rtcp_new_keyframes (said, G_N_ELEMENTS (said));
  RtcpMessage got;

  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 20 + 12);
  fail_unless_equals_int (parse (buffer, &got), RTCP_VALID);
  fail_unless_equals_int (got.n_keyframes, 3);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    fail_unless_equals_int (got.keyframes[i].from, said[i].from);
    fail_unless_equals_int (got.keyframes[i].ssrc, said[i].ssrc);
    fail_unless_equals_int (got.keyframes[i].fir, said[i].fir);
    fail_unless_equals_int (got.keyframes[i].number, said[i].number);
  }
}

CLAIM (test_one_fir_may_name_many_streams)
{
  const guint8 fir[] = { 0x84, 206, 0, 6, 0xab, 0xcd, 0xef, 1, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0,
    0, 0, 0, 2, 10, 0, 0, 0
  };
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_new_memdup (fir, sizeof fir), &got), RTCP_VALID);
  fail_unless (got.n_keyframes == 2 && got.keyframes[0].from == 0xabcdef01);
  fail_unless (got.keyframes[0].ssrc == 1 && got.keyframes[0].number == 9);
  fail_unless (got.keyframes[1].ssrc == 2 && got.keyframes[1].number == 10
      && got.keyframes[1].fir);
}

CLAIM (test_keyframe_requests_of_false_length_are_skipped)
{
  const guint8 empty_fir[] = { 0x84, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0 };
  const guint8 odd_fir[] = { 0x84, 206, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1 };
  const guint8 long_pli[] = { 0x81, 206, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1 };
  const guint8 short_pli[] = { 0x81, 206, 0, 1, 0, 0, 0, 1 };

  fail_unless_skipped (gst_buffer_new_memdup (empty_fir, sizeof empty_fir));
  fail_unless_skipped (gst_buffer_new_memdup (odd_fir, sizeof odd_fir));
  fail_unless_skipped (gst_buffer_new_memdup (long_pli, sizeof long_pli));
  fail_unless_skipped (gst_buffer_new_memdup (short_pli, sizeof short_pli));
}

CLAIM (test_more_keyframe_requests_than_there_is_room_for_are_counted)
{
  RtcpKeyframe requests[RTCP_MAX_KEYFRAMES] = { {RECEIVER, 0x11, FALSE, 0} };
  RtcpMessage got;

  fail_unless_equals_int (parse (gst_buffer_append (rtcp_new_keyframes (requests,
                  RTCP_MAX_KEYFRAMES), rtcp_new_keyframes (requests, 2)), &got), RTCP_VALID);
  fail_unless (got.n_keyframes == RTCP_MAX_KEYFRAMES && got.n_overflow == 2);
}

CLAIM (test_rest_of_a_compound_stays_without_its_keyframe_requests)
{
  const RtcpKeyframe requests[] = { {RECEIVER, 0x11, FALSE, 0}, {RECEIVER, 0x11, TRUE, 1} };
  GstBuffer *buffer = gst_buffer_append (rtcp_new_keyframes (requests, 2), one_report ());
  RtcpMessage got;
  GstBuffer *rest;
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  fail_unless (rtcp_without_keyframes (map.data, 12 + 20) == NULL);
  rest = rtcp_without_keyframes (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  fail_unless_equals_int (parse (buffer, &got), RTCP_VALID);
  fail_unless (got.n_reports == 1 && got.n_keyframes == 2);
  fail_unless_equals_int (parse (rest, &got), RTCP_VALID);
  fail_unless (got.n_reports == 1 && got.n_keyframes == 0);
}

CLAIM (test_nacks_are_found_and_counted)
{
  NackedPacket asked[1500];
  RtcpMessage got;
  guint n_told;

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++)
    asked[i] = (NackedPacket) { i < 600 ? 0x11 : 0x22, (guint16) (i * 3) };
  fail_unless_equals_int (parse (rtcp_new_nacks (RECEIVER, asked, 1500, 8000, FALSE, &n_told),
          &got), RTCP_VALID);
  fail_unless_equals_int (n_told, 1500);
  fail_unless (got.nacks.n_messages == 2 && got.nacks.n_asked == 1500);
  fail_unless_equals_int (got.nacks.n_packets, RTCP_MAX_NACKED);
  fail_unless (got.nacks.packets[599].ssrc == 0x11 && got.nacks.packets[600].ssrc == 0x22);
  fail_unless_skipped (gst_buffer_new_memdup ((guint8[12]) { 0x81, 205, 0, 2 }, 12));
}
