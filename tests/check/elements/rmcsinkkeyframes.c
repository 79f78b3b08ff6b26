/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink and receivers that request keyframes, on loopback sockets. */
#include "rmcsinkfixture.h"

#include "rtp/rtcpwriter.h"

#include <gst/check/gstharness.h>

#define OTHER_SSRC 0x87654321
#define NEW_RECEIVER_SSRC 0xabcdef02

/* A keyframe and a frame that needs it, of both streams, have come through. */
static void
begin (Fixture * f)
{
  Datagram d;

  fixture_init (f, TRUE, "congestion-control=fixed start-bitrate=20000000");
  fixture_play (f);
  for (guint i = 0; i < 2; i++) {
    push_frame (f, i, i > 0, 1, 200);
    gst_pad_push (f->src, rtp_new (OTHER_SSRC, (guint16) i, i, i > 0, 200));
  }
  for (guint i = 0; i < 4; i++)
    fail_unless (receive_rtp (f, &d, PATIENCE));
  /* As long as the keyframe that has just left answers every request. */
  g_usleep (250 * 1000);
}

#define ASKED_SINK Fixture, f, begin (f), fixture_clear (f)

static void
request (Fixture * f, guint32 ssrc, gint fir_number)
{
  RtcpKeyframe one = { RECEIVER_SSRC, ssrc, fir_number >= 0, (guint8) MAX (fir_number, 0) };

  send_buffer (f, rtcp_new_keyframes (&one, 1));
}

CLAIM_ON (test_a_request_asks_the_encoder_of_that_stream, ASKED_SINK)
{
  request (f, OTHER_SSRC, -1);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 1);
  fail_unless_equals_int (f->keyframe_ssrc, OTHER_SSRC);
  request (f, SSRC, 7);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 2);
  fail_unless_equals_int (f->keyframe_ssrc, SSRC);
  fail_unless_equals_uint64 (stat_of (f, "keyframe-requests"), 2);
}

CLAIM_ON (test_repetitions_of_a_fir_ask_once, ASKED_SINK)
{
  for (guint i = 0; i < 3; i++) {
    request (f, SSRC, 7);
    g_usleep (250 * 1000);
  }
  wait_until (stat_of (f, "keyframe-requests-received") == 3);
  fail_unless_equals_int (g_atomic_int_get (&f->keyframe_events), 1);
  fail_unless_equals_uint64 (stat_of (f, "keyframe-requests-suppressed"), 2);
  request (f, SSRC, 8);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 2);
}

CLAIM_ON (test_requests_for_unknown_streams_are_counted, ASKED_SINK)
{
  request (f, 1, -1);
  request (f, 2, 1);
  wait_until (stat_of (f, "keyframe-requests-unknown") == 2);
  fail_unless_equals_uint64 (stat_of (f, "keyframe-requests"), 0);
}

/* Some 10000, for a second. */
CLAIM_ON (test_a_storm_asks_five_times_a_second_at_most, ASKED_SINK)
{
  gint64 from, now;
  guint most, sent = 0;

  from = g_get_monotonic_time ();
  while ((now = g_get_monotonic_time ()) < from + G_TIME_SPAN_SECOND) {
    request (f, SSRC, sent % 2 ? (gint) (sent / 2 % 256) : -1);
    sent++;
    if (sent % 10 == 0)
      g_usleep (1000);
  }
  wait_until (stat_of (f, "keyframe-requests-received") > sent / 10);
  most = (guint) ((g_get_monotonic_time () - from) / 200000) + 1;
  fail_unless (g_atomic_int_get (&f->keyframe_events) >= 1);
  fail_unless (stat_of (f, "keyframe-requests") <= most, "%u requests made %u orders, not %u",
      sent, (guint) stat_of (f, "keyframe-requests"), most);
  fail_unless (stat_of (f, "keyframe-requests-suppressed") > 0);
}

CLAIM_ON (test_malformed_requests_are_counted, ASKED_SINK)
{
  const guint8 odd_fir[] = { 0x84, 206, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78 };
  const guint8 short_pli[] = { 0x81, 206, 0, 2, 0, 0, 0, 1 };

  send_buffer (f, gst_buffer_new_memdup (odd_fir, sizeof odd_fir));
  send_buffer (f, gst_buffer_new_memdup (short_pli, sizeof short_pli));
  wait_until (stat_of (f, "rtcp-malformed") == 2);
  fail_unless_equals_uint64 (stat_of (f, "keyframe-requests"), 0);
}

CLAIM_ON (test_a_request_may_come_by_the_pad_recv_rtcp_sink, ASKED_SINK)
{
  RtcpKeyframe one = { RECEIVER_SSRC, SSRC };
  TORN_DOWN GstHarness *rtcp = gst_harness_new_with_element (f->sink, "recv_rtcp_sink", NULL);

  gst_harness_set_src_caps_str (rtcp, "application/x-rtcp");
  gst_harness_push (rtcp, rtcp_new_keyframes (&one, 1));
  wait_until (g_atomic_int_get (&f->keyframe_events) == 1);
  fixture_stop (f);
}

/* It would ask the encoder once more. */
CLAIM_ON (test_an_rtp_session_gets_what_comes_without_the_requests, ASKED_SINK)
{
  const guint8 rr[] = { 0x80, 201, 0, 1, 0xab, 0xcd, 0xef, 1 };
  RtcpKeyframe one = { RECEIVER_SSRC, SSRC };
  TORN_DOWN GstHarness *rtcp = NULL;
  g_autoptr (GstBuffer) got = NULL;

  rtcp = gst_harness_new_with_element (f->sink, NULL, "rtcp_src");
  request (f, SSRC, -1);
  send_buffer (f, gst_buffer_append (gst_buffer_new_memdup (rr, sizeof rr),
          rtcp_new_keyframes (&one, 1)));
  got = gst_harness_pull (rtcp);
  fail_unless (got && gst_buffer_memcmp (got, 0, rr, sizeof rr) == 0);
  fail_unless_equals_int (gst_buffer_get_size (got), sizeof rr);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 1);
  fixture_stop (f);
}

static void
report (Fixture * f, guint32 instance, guint32 number)
{
  RcReport one = {.ssrc = SSRC,.number = number,.highest_seq = 1,.received_pkts = 2,
    .received_bytes = 400,.arrival_us_remote = 1000000,.hold_us = 1000 * number
  };

  send_buffer (f, rtcp_new_reports (instance, &one, 1));
}

CLAIM_ON (test_the_first_report_of_a_receiver_asks_once, ASKED_SINK)
{
  g_usleep (1200 * 1000);       /* no keyframe left as it came, whatever the round trip is */
  report (f, RECEIVER_SSRC, 1);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 2);      /* both streams */
  for (guint i = 2; i < 5; i++) {
    report (f, RECEIVER_SSRC, i);
    wait_until (stat_of (f, "reports-received") == i);
  }
  fail_unless_equals_int (g_atomic_int_get (&f->keyframe_events), 2);
  g_usleep (1200 * 1000);
  report (f, NEW_RECEIVER_SSRC, 1);
  wait_until (g_atomic_int_get (&f->keyframe_events) == 4);
  fail_unless_equals_uint64 (stat_of (f, "keyframe-requests-received"), 0);
}
