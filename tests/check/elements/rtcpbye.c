/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTCP BYE (RFC 3550 6.6): ours at the end of the media, and the receiver's. */

#include "plainreceiverfixture.h"
#include <rtp/rtcpwriter.h>

#define NEXT_SSRC 0x33333333    /* of another receiver */

static Fixture f;

/* A receiver that speaks RTCP has reported, and has heard a sender report. */
BEFORE_EACH
{
  RcReportBlock block;
  Datagram d;

  init_and_play (&f, "adapt-encoder=false");
  push_packet (&f);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  block = block_of (&d);
  send_block (&f, RECEIVER_SSRC, &block);
  push_until (&f, stat_of (&f, "receiver-reports") == 1);
}

AFTER_EACH
{
  fixture_clear (&f);
}

/* How many BYE came of our source among what waits. */
static guint
count_byes (void)
{
  RtcpMessage reports;
  guint n = 0;
  Datagram d;

  while (receive (&f, &d, 200 * RC_MSEC)) {
    g_autoptr (GstBuffer) buffer = gst_buffer_new_memdup (d.data, (gsize) d.size);

    if (d.rtcp && rtcp_message_read_buffer (&reports, buffer) == RTCP_VALID)
      for (guint i = 0; i < reports.n_byes; i++)
        n += reports.byes[i] == SSRC && reports.n_sender_reports == 1;
  }
  return n;
}

static void
send_bye (const guint32 * ssrcs, guint n)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (200);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
  gst_rtcp_packet_rr_set_ssrc (&packet, ssrcs[0]);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
  for (guint i = 0; i < n; i++)
    gst_rtcp_packet_bye_add_ssrc (&packet, ssrcs[i]);
  gst_rtcp_buffer_unmap (&rtcp);
  send_buffer (&f, buffer);
}

CLAIM (test_the_end_of_the_stream_is_told_once)
{
  gst_pad_push_event (f.src, gst_event_new_eos ());
  fail_unless_equals_int (count_byes (), 1);
  fixture_stop (&f);
  fail_unless_equals_int (count_byes (), 0);
}

CLAIM (test_a_stop_is_told)
{
  fixture_stop (&f);
  fail_unless_equals_int (count_byes (), 1);
}

/* Who never sent RTCP would take it for a broken packet of the media. */
CLAIM (test_nobody_is_told_who_speaks_no_rtcp)
{
  Datagram d;

  fixture_clear (&f);
  init_and_play (&f, "adapt-encoder=false");
  push_packet (&f);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  fixture_stop (&f);
  while (receive (&f, &d, 200 * RC_MSEC))
    fail_if (d.rtcp);
}

CLAIM (test_media_stops_when_the_receiver_leaves_until_another_reports)
{
  const guint32 leaving[] = { NEXT_SSRC, RECEIVER_SSRC };
  RcReportBlock block;
  Datagram d;

  send_bye (leaving, 2);
  push_until (&f, state_is (&f, "stopped"));
  while (receive (&f, &d, 200 * RC_MSEC));
  do                            /* a single packet asks who is there */
    push_packet (&f);
  while (!receive_rtp (&f, &d, 10 * RC_MSEC));
  block = block_of (&d);
  send_block (&f, NEXT_SSRC, &block);
  push_until (&f, state_is (&f, "running"));
}

CLAIM (test_the_bye_of_a_stranger_changes_nothing)
{
  const guint32 leaving[] = { NEXT_SSRC };
  guint8 cut_off[] = { 0x85, 203, 0, 1, 0xab, 0xcd, 0xef, 0x01 };

  send_bye (leaving, 1);
  send_buffer (&f, gst_buffer_new_memdup (cut_off, sizeof cut_off));
  wait_until (stat_of (&f, "rtcp-malformed") == 1);
  fail_unless (state_is (&f, "running"));
}
