/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PLI and FIR as bytes. */
#include "rtp/keyframertcp.h"
#include "rtp/rtcpfeedback.h"

#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#define FROM 0xabcdef01
#define SSRC 0x12345678

/* Reads n bytes. */
static gint
read_bytes (const guint8 * bytes, gsize n, KeyframeRtcp * out)
{
  GstBuffer *buffer = gst_buffer_new_memdup (bytes, n);
  gint count = keyframe_rtcp_read (buffer, out);

  gst_buffer_unref (buffer);
  return count;
}

GST_START_TEST (test_what_is_written_is_read_again)
{
  const KeyframeRtcp said[] = { {FROM, SSRC, FALSE, 0}, {FROM, SSRC + 1, TRUE, 200},
  {FROM, SSRC + 2, FALSE, 0}
  };
  KeyframeRtcp heard[KEYFRAME_RTCP_MAX];
  GstBuffer *buffer = keyframe_rtcp_new (said, G_N_ELEMENTS (said));
  RtcpFeedback feedback;

  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 20 + 12);
  fail_unless_equals_int (rtcp_feedback_parse (buffer, &feedback), RTCP_FEEDBACK_OTHER);
  fail_unless_equals_int (keyframe_rtcp_read (buffer, heard), 3);
  for (guint i = 0; i < G_N_ELEMENTS (said); i++) {
    fail_unless_equals_int (heard[i].from, said[i].from);
    fail_unless_equals_int (heard[i].ssrc, said[i].ssrc);
    fail_unless_equals_int (heard[i].fir, said[i].fir);
    fail_unless_equals_int (heard[i].number, said[i].number);
  }
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (test_one_fir_may_name_many_streams)
{
  const guint8 fir[] = { 0x84, 206, 0, 6, 0xab, 0xcd, 0xef, 1, 0, 0, 0, 0, 0, 0, 0, 1, 9, 0, 0, 0,
    0, 0, 0, 2, 10, 0, 0, 0
  };
  KeyframeRtcp heard[KEYFRAME_RTCP_MAX];

  fail_unless_equals_int (read_bytes (fir, sizeof fir, heard), 2);
  fail_unless (heard[0].ssrc == 1 && heard[0].number == 9 && heard[0].from == FROM);
  fail_unless (heard[1].ssrc == 2 && heard[1].number == 10 && heard[1].fir);
}

GST_END_TEST;

GST_START_TEST (test_false_lengths_are_refused)
{
  const guint8 empty_fir[] = { 0x84, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0 };
  const guint8 odd_fir[] = { 0x84, 206, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1 };
  const guint8 long_pli[] = { 0x81, 206, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1 };
  KeyframeRtcp heard[KEYFRAME_RTCP_MAX];
  GByteArray *many = g_byte_array_new ();
  guint8 pli[] = { 0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2 };

  fail_unless_equals_int (read_bytes (empty_fir, sizeof empty_fir, heard), -1);
  fail_unless_equals_int (read_bytes (odd_fir, sizeof odd_fir, heard), -1);
  fail_unless_equals_int (read_bytes (long_pli, sizeof long_pli, heard), -1);
  for (guint i = 0; i < KEYFRAME_RTCP_MAX; i++)
    g_byte_array_append (many, pli, sizeof pli);
  fail_unless_equals_int (read_bytes (many->data, many->len, heard), KEYFRAME_RTCP_MAX);
  g_byte_array_append (many, pli, sizeof pli);
  fail_unless_equals_int (read_bytes (many->data, many->len, heard), -1);
  g_byte_array_unref (many);
}

GST_END_TEST;

/* What it cannot name is no request; rtcp_feedback_parse() counts what is cut off. */
GST_START_TEST (test_a_packet_that_is_cut_off_is_malformed)
{
  const guint8 pli[] = { 0x81, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2 };

  for (gsize n = 4; n < sizeof pli; n++) {
    GstBuffer *buffer = gst_buffer_new_memdup (pli, n);
    RtcpFeedback feedback;

    fail_unless_equals_int (rtcp_feedback_parse (buffer, &feedback), RTCP_FEEDBACK_MALFORMED);
    gst_buffer_unref (buffer);
  }
}

GST_END_TEST;

GST_START_TEST (test_the_rest_of_a_compound_stays)
{
  RcReport report = {.ssrc = SSRC,.number = 1 };
  const KeyframeRtcp requests[] = { {FROM, SSRC, FALSE, 0}, {FROM, SSRC, TRUE, 1} };
  GstBuffer *alone = keyframe_rtcp_new (requests, 2);
  GstBuffer *both = gst_buffer_append (keyframe_rtcp_new (requests, 2),
      rtcp_feedback_new_reports (FROM, &report, 1));
  GstBuffer *rest = keyframe_rtcp_without (both);
  RtcpFeedback feedback;
  KeyframeRtcp heard[KEYFRAME_RTCP_MAX];

  fail_unless (keyframe_rtcp_without (alone) == NULL);
  fail_unless_equals_int (rtcp_feedback_parse (rest, &feedback), RTCP_FEEDBACK_OURS);
  fail_unless_equals_int (keyframe_rtcp_read (rest, heard), 0);
  fail_unless_equals_int (keyframe_rtcp_read (both, heard), 2);
  gst_buffer_unref (rest);
  gst_buffer_unref (both);
  gst_buffer_unref (alone);
}

GST_END_TEST;

/* What is read lies within the bytes: under AddressSanitizer this is a claim of its own. */
GST_START_TEST (test_random_requests_are_read_within_their_bytes)
{
  GRand *rand = g_rand_new_with_seed (1);
  guint read = 0, refused = 0;

  for (guint i = 0; i < 20000; i++) {
    guint words = (guint) g_rand_int_range (rand, 3, 40);
    guint8 *bytes = g_malloc (words * 4);
    GstBuffer *buffer = gst_buffer_new_wrapped (bytes, words * 4), *rest;
    KeyframeRtcp heard[KEYFRAME_RTCP_MAX];
    gint n;

    for (guint k = 0; k < words * 4; k++)
      bytes[k] = (guint8) g_rand_int (rand);
    bytes[0] = i % 2 ? 0x81 : 0x84;
    bytes[1] = 206;
    GST_WRITE_UINT16_BE (bytes + 2, i % 3 ? words - 1 : i % 2 ? 2 : 4);
    n = keyframe_rtcp_read (buffer, heard);
    read += n > 0;
    refused += n < 0;
    fail_unless (n <= KEYFRAME_RTCP_MAX && n * 8 <= (gint) words * 4);
    rest = keyframe_rtcp_without (buffer);
    fail_unless (!rest || gst_buffer_get_size (rest) + (n > 0 ? 12 : 0) <= words * 4);
    gst_clear_buffer (&rest);
    gst_buffer_unref (buffer);
  }
  fail_unless (read > 1000 && refused > 1000, "%u read, %u refused", read, refused);
  g_rand_free (rand);
}

GST_END_TEST;

static Suite *
keyframertcp_suite (void)
{
  Suite *s = suite_create ("keyframertcp");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_what_is_written_is_read_again);
  tcase_add_test (tc, test_one_fir_may_name_many_streams);
  tcase_add_test (tc, test_false_lengths_are_refused);
  tcase_add_test (tc, test_a_packet_that_is_cut_off_is_malformed);
  tcase_add_test (tc, test_the_rest_of_a_compound_stays);
  tcase_add_test (tc, test_random_requests_are_read_within_their_bytes);
  return s;
}

GST_CHECK_MAIN (keyframertcp);
