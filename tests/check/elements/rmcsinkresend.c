/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What rmcsink sends again when its receiver asks by NACKs, on a socket. */

#include "claim.h"
#include "rmcsinkfixture.h"
#include "rtp/rtcpwriter.h"

#define PACKET_BYTES 500
#define PACKETS 10
#define FIXED "congestion-control=fixed start-bitrate=10000000 rtx-time=10000000000 "

static void
play_and_receive (Fixture * f, const gchar * properties, Datagram * sent)
{
  fixture_init (f, TRUE, properties);
  fixture_play (f);
  fail_unless_equals_int (push_frame (f, 3000, FALSE, PACKETS, PACKET_BYTES), GST_FLOW_OK);
  for (guint i = 0; i < PACKETS; i++)
    fail_unless (receive_rtp (f, &sent[i], PATIENCE));
}

static void
ask (Fixture * f, guint32 ssrc, guint16 seq)
{
  const NackedPacket packet = { ssrc, seq };
  guint n_told;

  send_buffer (f, rtcp_new_nacks (RECEIVER_SSRC, &packet, 1, 100, FALSE, &n_told));
  fail_unless_equals_int (n_told, 1);
}

CLAIM (test_packet_comes_again_as_it_was)
{
  Datagram sent[PACKETS], again;
  guint64 bytes;
  AT_END (fixture_clear) Fixture f;

  play_and_receive (&f, FIXED, sent);
  bytes = stat_of (&f, "bytes-sent");
  ask (&f, SSRC, sent[3].seq);
  fail_unless (receive_rtp (&f, &again, PATIENCE));
  fail_unless_equals_int (again.size, sent[3].size);
  fail_unless (memcmp (again.data, sent[3].data, again.size) == 0);
  wait_until (stat_of (&f, "rtx-resent") == 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-asked"), 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-nacks"), 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-bytes"), PACKET_BYTES + 28);
  fail_unless_equals_uint64 (stat_of (&f, "bytes-sent"), bytes + PACKET_BYTES + 28);
}

CLAIM (test_packet_comes_again_as_rfc4588_says)
{
  Datagram sent[PACKETS], again;
  AT_END (fixture_clear) Fixture f;

  play_and_receive (&f, FIXED "rtx-payload-type-map=\"application/x-rtp-pt-map,0=(uint)97\"", sent);
  ask (&f, SSRC, sent[3].seq);
  fail_unless (receive_rtp (&f, &again, PATIENCE));
  fail_unless_equals_int (again.size, sent[3].size + 2);
  fail_unless_equals_int (again.data[1] & 0x7f, 97);
  fail_if (GST_READ_UINT32_BE (again.data + 8) == SSRC);
  fail_unless_equals_int (GST_READ_UINT16_BE (again.data + 12), sent[3].seq);
  fail_unless (memcmp (again.data + 14, sent[3].data + 12, (gsize) sent[3].size - 12) == 0);
}

CLAIM (test_nothing_comes_again_without_rtx_time)
{
  Datagram sent[PACKETS];
  AT_END (fixture_clear) Fixture f;

  play_and_receive (&f, "congestion-control=fixed rtx-time=0", sent);
  ask (&f, SSRC, sent[3].seq);
  wait_until (stat_of (&f, "rtx-asked") == 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-resent"), 0);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-never-sent"), 1);
}

/* The receiver of the run before asks the new one for packets of the old. */
CLAIM (test_restarted_sender_sends_nothing_of_the_run_before)
{
  Datagram sent[PACKETS], next;
  AT_END (fixture_clear) Fixture f;

  play_and_receive (&f, FIXED, sent);
  fixture_stop (&f);
  f.seq = 1000;
  fixture_play (&f);
  fail_unless_equals_int (push_frame (&f, 3000, FALSE, 1, PACKET_BYTES), GST_FLOW_OK);
  fail_unless (receive_rtp (&f, &next, PATIENCE));
  ask (&f, SSRC, sent[3].seq);
  wait_until (stat_of (&f, "rtx-never-sent") == 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-resent"), 0);
}

CLAIM (test_flush_forgets_what_was_sent)
{
  Datagram sent[PACKETS];
  AT_END (fixture_clear) Fixture f;

  play_and_receive (&f, FIXED, sent);
  fail_unless (gst_pad_push_event (f.src, gst_event_new_flush_start ()));
  fail_unless (gst_pad_push_event (f.src, gst_event_new_flush_stop (TRUE)));
  ask (&f, SSRC, sent[3].seq);
  wait_until (stat_of (&f, "rtx-too-old") == 1);
  fail_unless_equals_uint64 (stat_of (&f, "rtx-resent"), 0);
}
