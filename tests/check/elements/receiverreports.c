/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcreceiver: which feedback it chooses, and receiver reports of RFC 3550, on a test clock. */
#include "arcreceiverfixture.h"

#define CLOCK_HZ 90000
#define PACKET_TIME (10 * GST_MSECOND)

/* --- what came out --- */

typedef struct
{
  guint32 ssrc;                 /* ours */
  guint n_blocks;
  struct { guint32 ssrc, highest_seq, jitter, lsr, dlsr; guint8 fraction; gint32 lost; } block[4];
  gchar cname[64];
} Compound;

static void
read_blocks (GstRTCPPacket * packet, Compound * compound)
{
  compound->n_blocks = gst_rtcp_packet_get_rb_count (packet);
  fail_unless (compound->n_blocks <= G_N_ELEMENTS (compound->block));
  compound->ssrc = gst_rtcp_packet_rr_get_ssrc (packet);
  for (guint i = 0; i < compound->n_blocks; i++)
    gst_rtcp_packet_get_rb (packet, i, &compound->block[i].ssrc, &compound->block[i].fraction,
        &compound->block[i].lost, &compound->block[i].highest_seq, &compound->block[i].jitter,
        &compound->block[i].lsr, &compound->block[i].dlsr);
}

static void
read_cname (GstRTCPPacket * packet, Compound * compound)
{
  GstRTCPSDESType type;
  guint8 length, *text;

  fail_unless_equals_int (gst_rtcp_packet_get_type (packet), GST_RTCP_TYPE_SDES);
  fail_unless_equals_int (gst_rtcp_packet_sdes_get_item_count (packet), 1);
  fail_unless (gst_rtcp_packet_sdes_first_item (packet));
  fail_unless_equals_int (gst_rtcp_packet_sdes_get_ssrc (packet), compound->ssrc);
  fail_unless (gst_rtcp_packet_sdes_first_entry (packet));
  fail_unless (gst_rtcp_packet_sdes_get_entry (packet, &type, &length, &text));
  fail_unless_equals_int (type, GST_RTCP_SDES_CNAME);
  fail_unless (length < sizeof (compound->cname));
  memcpy (compound->cname, text, length);
}

/* An RR and an SDES, as RFC 3550 6.1 wants it. Takes the buffer. */
static Compound
read_compound (GstBuffer * buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  Compound compound = { 0 };

  fail_unless (gst_rtcp_buffer_validate (buffer));
  fail_unless (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  fail_unless (gst_rtcp_buffer_get_first_packet (&rtcp, &packet));
  fail_unless_equals_int (gst_rtcp_packet_get_type (&packet), GST_RTCP_TYPE_RR);
  read_blocks (&packet, &compound);
  fail_unless (gst_rtcp_packet_move_to_next (&packet));
  read_cname (&packet, &compound);
  fail_if (gst_rtcp_packet_move_to_next (&packet));
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
  return compound;
}

static Compound
pull_compound (Receiver * r)
{
  return read_compound (gst_harness_pull (r->reports));
}

/* --- what goes in --- */

static void
set_feedback (Receiver * r, const gchar * nick)
{
  gst_util_set_object_arg (G_OBJECT (r->media->element), "feedback", nick);
}

static void
drop_reports (Receiver * r)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (r->reports)))
    gst_buffer_unref (buffer);
}

/* Media of SSRC, a packet each PACKET_TIME. Returns the next number. */
static guint16
flow (Receiver * r, guint16 seq, GstClockTime duration)
{
  for (GstClockTime t = 0; t < duration; t += PACKET_TIME) {
    push_seq (r, seq++);
    advance (r, PACKET_TIME);
  }
  return seq;
}

/* --- the choice --- */

CLAIM_ON (test_native_sender_gets_our_own_report, METER)
{
  guint16 seq = 1;

  fail_unless_feedback_is (r, "arc");
  for (guint i = 0; i < 10; i++) {
    seq = flow (r, seq, GST_SECOND);
    push (r, info_new (SSRC, 40000));
    fail_unless_feedback_is (r, "arc");
  }
}

CLAIM_ON (test_sender_that_does_not_answer_our_own_report_gets_receiver_reports, METER)
{
  guint16 seq;

  push_seq (r, 1);
  pull_reports (r);
  seq = flow (r, 2, GST_SECOND - PACKET_TIME);
  fail_unless_feedback_is (r, "arc");
  seq = flow (r, seq, 2 * PACKET_TIME);
  fail_unless_feedback_is (r, "rr");
}

CLAIM_ON (test_sender_that_turns_out_to_be_native_gets_our_own_report_again, METER)
{
  guint16 seq = flow (r, 1, 2 * GST_SECOND);

  fail_unless_feedback_is (r, "rr");
  push (r, info_new (SSRC, 40000));
  fail_unless_feedback_is (r, "arc");
  /* and is gone when its infos are */
  flow (r, seq, 6 * GST_SECOND);
  fail_unless_feedback_is (r, "rr");
}

/* docs/reference/compatibility.md: ends of different versions meet in RTCP. */
CLAIM_ON (test_native_sender_of_another_version_gets_receiver_reports, METER)
{
  guint8 version = 0x80 | (RC_WIRE_VERSION + 1);
  guint16 seq = 1;

  for (guint i = 0; i < 3; i++) {
    GstBuffer *info = info_new (SSRC, 40000);

    seq = flow (r, seq, GST_SECOND);
    gst_buffer_fill (info, 0, &version, 1);
    push (r, info);
  }
  fail_unless_feedback_is (r, "rr");
  fail_unless_equals_uint64 (get_stat (r, "rtcp-malformed"), 3);
}

CLAIM_ON (test_pause_of_the_media_makes_no_sender_foreign, METER)
{
  guint16 seq = flow (r, 1, PACKET_TIME);

  push (r, info_new (SSRC, 40000));
  advance (r, 60 * GST_SECOND);
  flow (r, seq, GST_SECOND);
  fail_unless_feedback_is (r, "arc");
}

CLAIM_ON (test_foreign_sender_is_asked_once_and_not_after_each_pause, METER)
{
  guint16 seq = flow (r, 1, 2 * GST_SECOND);

  advance (r, 60 * GST_SECOND);
  flow (r, seq, PACKET_TIME);
  fail_unless_feedback_is (r, "rr");
}

CLAIM_ON (test_new_stream_beside_others_does_not_end_their_feedback, METER)
{
  guint16 seq = flow (r, 1, 2 * GST_SECOND);

  push (r, packet_new (0x22222222, 1));
  fail_unless_feedback_is (r, "rr");
  /* Alone after a pause it may be another sender. */
  advance (r, 2 * GST_SECOND);
  push (r, packet_new (0x33333333, seq));
  fail_unless_feedback_is (r, "arc");
}

CLAIM_ON (test_property_overrides_what_is_seen, METER)
{
  set_feedback (r, "rr");
  push_seq (r, 1);
  push (r, info_new (SSRC, 40000));
  fail_unless_feedback_is (r, "rr");
  set_feedback (r, "arc");
  flow (r, 2, 10 * GST_SECOND);
  fail_unless_feedback_is (r, "arc");
}

/* --- receiver reports --- */

static void
open_with_reports (Receiver * r, gboolean avpf)
{
  receiver_open (r);
  /* They would go along. */
  g_object_set (r->media->element, "request-keyframes", FALSE, NULL);
  set_feedback (r, "rr");
  if (avpf)
    gst_harness_set_src_caps_str (r->media, "application/x-rtp,media=video,clock-rate=90000,"
        "payload=96,rtcp-fb-nack-pli=(boolean)true");
}

#define METER_WITH(avpf) Receiver, r, open_with_reports (r, avpf), receiver_close (r)

CLAIM_ON (test_first_packet_is_answered_by_a_compound_with_a_name, METER_WITH (TRUE))
{
  Compound before, c;

  push_seq (r, 7);
  before = pull_compound (r);
  fail_unless_equals_int (before.n_blocks, 1);
  fail_unless_equals_int (before.block[0].ssrc, SSRC);
  fail_unless_equals_int (before.block[0].highest_seq, 7);
  fail_unless_equals_int (before.block[0].lsr, 0);
  fail_unless_equals_int (strlen (before.cname), 16);
  push_seq (r, 8);
  crank_at (r, START + GST_SECOND);
  c = pull_compound (r);
  fail_unless_equals_int (c.ssrc, before.ssrc);
  fail_unless_equals_string (c.cname, before.cname);
}

CLAIM_ON (test_reports_of_avpf_come_ten_times_a_second, METER_WITH (TRUE))
{
  push_seq (r, 1);
  pull_compound (r);
  for (guint16 seq = 2; seq <= 4; seq++)
    push_seq (r, seq);
  crank_at (r, START + 100 * GST_MSECOND);
  fail_unless_equals_int (pull_compound (r).block[0].highest_seq, 4);
}

CLAIM_ON (test_reports_of_plain_avp_wait_for_45000_bytes_or_five_seconds, METER_WITH (FALSE))
{
  push_seq (r, 1);
  pull_compound (r);
  for (guint16 seq = 2; seq <= 2 + 45000 / (PACKET_BYTES + 28); seq++) {
    fail_unless_equals_int (gst_harness_buffers_in_queue (r->reports), 0);
    push_seq (r, seq);
  }
  pull_compound (r);
  push_seq (r, 100);
  crank_at (r, START + 5 * GST_SECOND);
  pull_compound (r);
}

CLAIM_ON (test_block_has_loss_and_jitter, METER_WITH (TRUE))
{
  Compound c;

  push (r, timed_packet_new (96, SSRC, 65533, 0));
  pull_compound (r);
  for (guint i = 1; i <= 8; i++) {
    advance (r, 5 * GST_MSECOND + i % 2 * 2 * GST_MSECOND);
    if (i != 3)
      push (r, timed_packet_new (96, SSRC, (guint16) (65533 + i), i * CLOCK_HZ * 6 / 1000));
  }
  crank_at (r, START + 100 * GST_MSECOND);
  c = pull_compound (r);
  fail_unless_equals_int (c.block[0].highest_seq, 65536 + 5);
  fail_unless_equals_int (c.block[0].lost, 1);
  fail_unless_equals_int (c.block[0].fraction, 256 / 8);
  /* |D| is 1 ms, 90 units: its mean over seven packets with gain 1/16 */
  fail_unless (c.block[0].jitter >= 20 && c.block[0].jitter <= 60, "%u", c.block[0].jitter);
}

CLAIM_ON (test_sender_report_is_answered_and_passed_on, METER_WITH (TRUE))
{
  TORN_DOWN GstHarness *others = NULL;
  Compound c;

  others = gst_harness_new_with_element (r->media->element, NULL, "sender_rtcp_src");
  push_seq (r, 1);
  pull_compound (r);
  advance (r, 40 * GST_MSECOND);
  push (r, sender_report_new (SSRC, G_GUINT64_CONSTANT (0x1122334455667788)));
  gst_buffer_unref (gst_harness_pull (others));
  /* What came pays for the report. */
  push_seq (r, 2);
  push_seq (r, 3);
  crank_at (r, START + 100 * GST_MSECOND);
  c = pull_compound (r);
  fail_unless_equals_int (c.block[0].lsr, 0x33445566);
  fail_unless_equals_int (c.block[0].dlsr, 65536 * 60 / 1000);
  fail_unless_equals_uint64 (get_stat (r, "sender-reports"), 1);
}

CLAIM_ON (test_each_source_has_a_block_while_it_is_heard, METER_WITH (TRUE))
{
  Compound c;

  push_seq (r, 1);
  pull_compound (r);
  push_seq (r, 2);
  push (r, packet_new (0x22222222, 500));
  push (r, packet_new (0x22222222, 501));
  crank_at (r, START + 100 * GST_MSECOND);
  c = pull_compound (r);
  fail_unless_equals_int (c.n_blocks, 2);
  fail_unless_equals_int (c.block[1].ssrc, 0x22222222);
  fail_unless_equals_int (c.block[1].highest_seq, 501);
  for (guint16 seq = 502; seq < 506; seq++)
    push (r, packet_new (0x22222222, seq));
  crank_at (r, START + 200 * GST_MSECOND);
  c = pull_compound (r);
  fail_unless_equals_int (c.n_blocks, 1);
  fail_unless_equals_int (c.block[0].ssrc, 0x22222222);
}

/* One packet of a compound that cannot be read, or padding, does not take the others with it. */
CLAIM_ON (test_sender_report_counts_beside_what_cannot_be_read, METER_WITH (TRUE))
{
  static const guint8 bad_rr[] = { 0x81, 201, 0, 1, 1, 2, 3, 4 };
  static const guint8 padded[] = { 0xa0, 201, 0, 2, 0, 0, 0, 0x99, 0, 0, 0, 4 };

  push_seq (r, 1);
  pull_compound (r);
  push (r, gst_buffer_append (bytes_new (bad_rr, sizeof bad_rr), sender_report_new (SSRC,
              G_GUINT64_CONSTANT (0x123456789abcdef0))));
  fail_unless_equals_uint64 (get_stat (r, "sender-reports"), 1);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-malformed"), 1);
  push (r, gst_buffer_append (sender_report_new (SSRC, 1), bytes_new (padded, sizeof padded)));
  fail_unless_equals_uint64 (get_stat (r, "sender-reports"), 2);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-malformed"), 1);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-other"), 2);
}

CLAIM_ON (test_hostile_sender_reports_make_no_source_and_no_report, METER_WITH (TRUE))
{
  GstBuffer *truncated = sender_report_new (SSRC, 1);
  guint8 bytes[28];

  push (r, sender_report_new (0x22222222, 1));
  fail_unless_equals_uint64 (get_stat (r, "sender-reports"), 1);
  gst_buffer_extract (truncated, 0, bytes, sizeof bytes);
  bytes[3] = 3;                 /* words, and so many are there */
  gst_buffer_unref (truncated);
  push (r, bytes_new (bytes, 16));
  push (r, bytes_new (bytes, 15));
  fail_unless_equals_uint64 (get_stat (r, "sender-reports"), 1);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-malformed"), 2);
  drop_reports (r);
  push_seq (r, 1);
  fail_unless_equals_int (pull_compound (r).n_blocks, 1);
}
