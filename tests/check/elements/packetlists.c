/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcreceiver: feedback that lists packets (RFC 8888, transport-wide), on a test clock. The lists
 * are read by the sender's codecs. */
#include "arcreceiverfixture.h"

#include "arcreceiver/packetlists.h"
#include "bustext.h"

#include <rc/feedback/ccfb.h>
#include <rc/feedback/twcc.h>

#define TWCC_ID 3
#define OTHER_SSRC 0x22222222
#define CAPS "application/x-rtp,media=video,clock-rate=90000,payload=96"
#define TWCC_CAPS CAPS ",extmap-3=" RC_TWCC_URI
#define CCFB_CAPS CAPS ",rtcp-fb-ack-ccfb=(boolean)true"
#define RSIZE_CAPS CCFB_CAPS ",a-rtcp-rsize=(string)\"\""

/* --- what came out --- */

typedef struct
{
  gboolean compound;            /* begins with RR and SDES */
  guint32 ssrc, media_ssrc;
  guint type;                   /* FMT; 0: nothing is listed */
  guint8 count;                 /* of TWCC */
  RcArrivalLists lists;
  RcArrival arrivals[2048];
} Message;

static Message message;
static RcWireClock wire_clock;

static void
read_list (GstRTCPPacket * packet)
{
  guint8 bytes[2048];
  gsize size = gst_rtcp_packet_fb_get_fci_length (packet) * 4;

  fail_unless_equals_int (gst_rtcp_packet_get_type (packet), GST_RTCP_TYPE_RTPFB);
  message.type = gst_rtcp_packet_fb_get_type (packet);
  message.ssrc = gst_rtcp_packet_fb_get_sender_ssrc (packet);
  message.media_ssrc = gst_rtcp_packet_fb_get_media_ssrc (packet);
  GST_WRITE_UINT32_BE (bytes, message.media_ssrc);
  memcpy (bytes + 4, gst_rtcp_packet_fb_get_fci (packet), size);
  message.lists.arrivals = message.arrivals;
  message.lists.max_arrivals = G_N_ELEMENTS (message.arrivals);
  if (message.type == RC_CCFB_FMT) {
    fail_unless (rc_ccfb_decode (bytes, size + 4, message.ssrc, &wire_clock, &message.lists));
  } else {
    fail_unless_equals_int (message.type, RC_TWCC_FMT);
    message.count = bytes[4 + 7];
    fail_unless (rc_twcc_decode (bytes + 4, size, message.ssrc, &wire_clock, &message.lists));
  }
}

/* Takes the buffer. */
static void
read_message (GstBuffer * buffer)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean more;

  memset (&message, 0, sizeof message);
  fail_unless (buffer != NULL);
  fail_unless (gst_buffer_get_size (buffer) <= SOURCE_TABLE_COMPOUND_BYTES);
  fail_unless (gst_rtcp_buffer_validate_reduced (buffer));
  fail_unless (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet);
  if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_RR) {
    message.compound = TRUE;
    fail_unless (gst_rtcp_packet_move_to_next (&packet));
    fail_unless_equals_int (gst_rtcp_packet_get_type (&packet), GST_RTCP_TYPE_SDES);
    more = gst_rtcp_packet_move_to_next (&packet);
  }
  if (more)
    read_list (&packet);
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
}

static void
pull_message (Receiver * r)
{
  read_message (gst_harness_pull (r->reports));
}

/* A list of these numbers, ms after START. */
static void
fail_unless_list (guint i, guint n, const guint16 * numbers, const guint * ms)
{
  const RcArrivals *list = &message.lists.lists[i];

  fail_unless (i < message.lists.n_lists);
  fail_unless_equals_int (list->n_arrivals, n);
  for (guint k = 0; k < n; k++) {
    RcTime since = list->arrivals[k].arrived_at_remote - list->arrivals[0].arrived_at_remote;

    fail_unless_equals_int (list->arrivals[k].number, numbers[k]);
    fail_unless (ABS (since - (RcTime) (ms[k] - ms[0]) * RC_MSEC) <= RC_MSEC);
  }
}

/* --- what goes in --- */

static void
open_with (Receiver * r, const gchar * feedback, const gchar * caps)
{
  memset (&wire_clock, 0, sizeof wire_clock);
  receiver_open (r);
  /* Their reports would leave earlier, to go along. */
  g_object_set (r->media->element, "request-keyframes", FALSE, NULL);
  gst_util_set_object_arg (G_OBJECT (r->media->element), "feedback", feedback);
  gst_harness_set_src_caps_str (r->media, caps);
}

#define METER_OF(feedback, caps) Receiver, r, open_with (r, feedback, caps), receiver_close (r)

static GstBuffer *
numbered_new (guint32 ssrc, guint16 seq, guint16 number)
{
  GstBuffer *buffer = packet_new (ssrc, seq);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 bytes[2] = { number >> 8, number & 0xff };

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  fail_unless (gst_rtp_buffer_add_extension_onebyte_header (&rtp, TWCC_ID, bytes, sizeof bytes));
  return buffer;
}

static void
push_range (Receiver * r, guint16 first, guint n)
{
  for (guint i = 0; i < n; i++)
    push_seq (r, (guint16) (first + i));
}

/* --- RFC 8888 --- */

CLAIM_ON (test_ccfb_lists_each_stream_in_one_compound, METER_OF ("ccfb", CAPS))
{
  push_seq (r, 10);
  pull_message (r);
  fail_unless (message.compound);
  fail_unless_equals_int (message.type, RC_CCFB_FMT);
  fail_unless_equals_int (message.media_ssrc, SSRC);
  push_seq (r, 11);
  advance (r, 10 * GST_MSECOND);
  push_seq (r, 13);
  push (r, packet_new (OTHER_SSRC, 500));
  crank_at (r, START + 25 * GST_MSECOND);
  pull_message (r);
  fail_unless (message.compound);
  fail_unless_equals_int (message.lists.n_lists, 2);
  fail_unless_equals_int (message.lists.lists[0].n_arrivals
      + message.lists.lists[1].n_arrivals, 3);
  for (guint i = 0; i < 2; i++) {
    if (message.lists.lists[i].space.ssrc == SSRC)
      fail_unless_list (i, 2, (guint16[]) { 11, 13 }, (guint[]) { 0, 10 });
    else
      fail_unless_list (i, 1, (guint16[]) { 500 }, (guint[]) { 10 });
  }
}

CLAIM_ON (test_lists_come_each_25_ms_while_media_pays_for_them, METER_OF ("ccfb", CAPS))
{
  push_seq (r, 1);
  pull_message (r);
  push_range (r, 2, 4);
  crank_at (r, START + 25 * GST_MSECOND);
  pull_message (r);
  fail_unless_equals_int (message.lists.lists[0].n_arrivals, 4);
  push_range (r, 6, 1);
  crank_at (r, START + (25 + 250) * GST_MSECOND);
  pull_message (r);
  fail_unless_equals_int (message.lists.lists[0].n_arrivals, 1);
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->reports), 0);
}

CLAIM_ON (test_full_record_is_told_at_once_and_in_several_messages, METER_OF ("ccfb", CAPS))
{
  guint told = 0;

  push_seq (r, 1);
  pull_message (r);
  push_range (r, 2, RC_ARRIVALRECORD_NUMBERS / 2);
  for (guint i = 0; i < 2 && told < RC_ARRIVALRECORD_NUMBERS / 2; i++) {
    if (i > 0)
      crank_at (r, START + 25 * GST_MSECOND);
    pull_message (r);
    fail_unless_equals_int (message.lists.lists[0].arrivals[0].number, 2 + told);
    told += message.lists.lists[0].n_arrivals;
    push_range (r, (guint16) (2 + RC_ARRIVALRECORD_NUMBERS / 2 + 2 * i), 2);
  }
  fail_unless (told >= RC_ARRIVALRECORD_NUMBERS / 2, "%u", told);
  fail_unless_equals_uint64 (get_stat (r, "arrivals-unreported"), 0);
}

CLAIM_ON (test_reduced_size_leaves_the_report_out_between_two_seconds,
    METER_OF ("ccfb", RSIZE_CAPS))
{
  guint compounds = 0;

  push_seq (r, 1);
  pull_message (r);
  fail_unless (message.compound);
  for (guint i = 1; i <= 2 * GST_SECOND / (25 * GST_MSECOND); i++) {
    push_range (r, (guint16) (4 * i), 4);
    crank_at (r, START + i * 25 * GST_MSECOND);
    pull_message (r);
    fail_unless_equals_int (message.type, RC_CCFB_FMT);
    compounds += message.compound;
  }
  fail_unless_equals_int (compounds, 2);
}

CLAIM_ON (test_restarted_stream_is_listed_from_its_new_numbers, METER_OF ("ccfb", CAPS))
{
  push_range (r, 65534, 1);
  pull_message (r);
  push_range (r, 65535, 3);
  push_range (r, 30000, 2);    /* the first counts as a stray */
  crank_at (r, START + 25 * GST_MSECOND);
  pull_message (r);
  fail_unless_equals_int (message.lists.n_lists, 1);
  fail_unless_list (0, 1, (guint16[]) { 30001 }, (guint[]) { 0 });
  fail_unless_equals_uint64 (get_stat (r, "arrivals-unreported"), 3);
}

/* --- transport-wide --- */

CLAIM_ON (test_twcc_lists_the_packets_of_all_streams_by_their_common_number,
    METER_OF ("twcc", TWCC_CAPS))
{
  push (r, numbered_new (SSRC, 7, 65533));
  pull_message (r);
  fail_unless_equals_int (message.type, RC_TWCC_FMT);
  fail_unless_equals_int (message.media_ssrc, SSRC);
  fail_unless_equals_int (message.count, 0);
  push (r, numbered_new (OTHER_SSRC, 500, 65534));
  advance (r, 5 * GST_MSECOND);
  push (r, numbered_new (SSRC, 8, 1));
  push (r, packet_new (SSRC, 9));      /* without number */
  crank_at (r, START + 25 * GST_MSECOND);
  pull_message (r);
  fail_unless (message.compound);
  fail_unless_equals_int (message.count, 1);
  fail_unless_equals_int (message.lists.n_lists, 1);
  fail_unless_equals_int (message.lists.lists[0].n_missing_before, 0);
  fail_unless_list (0, 2, (guint16[]) { 65534, 1 }, (guint[]) { 0, 5 });
}

CLAIM_ON (test_each_twcc_message_begins_where_the_last_ended, METER_OF ("twcc", TWCC_CAPS))
{
  push (r, numbered_new (SSRC, 1, 1));
  pull_message (r);
  push (r, numbered_new (SSRC, 4, 4));
  crank_at (r, START + 250 * GST_MSECOND);
  pull_message (r);
  fail_unless_list (0, 1, (guint16[]) { 4 }, (guint[]) { 0 });
  fail_unless_equals_int (message.lists.lists[0].n_missing_before, 2);
}

static void
fail_unless_warns (const gchar * feedback, const gchar * caps)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  AT_END (receiver_close) Receiver r;

  open_with (&r, feedback, caps);
  gst_element_set_bus (r.media->element, bus);
  push_seq (&r, 1);
  pull_message (&r);
  fail_unless (message.compound);
  fail_unless_equals_int (message.type, 0);
  bus_says (bus, 30 * GST_SECOND, GST_MESSAGE_WARNING, RC_TWCC_URI);
  gst_element_set_bus (r.media->element, NULL);
}

CLAIM (test_twcc_without_numbers_warns_and_is_receiver_reports)
{
  fail_unless_warns ("twcc", CAPS);
  fail_unless_warns ("twcc", TWCC_CAPS);
}

/* Where the header extension is cut off or of another size, there is no number. */
CLAIM_ON (test_hostile_header_extensions_have_no_number, METER_OF ("twcc", TWCC_CAPS))
{
  static const guint8 long_one[] = { 0x90, 96, 0, 2, 0, 0, 0, 0, 0x11, 0x11, 0x11, 0x11, 0xbe, 0xde,
    0, 1, 0x32, 1, 2, 3 };
  static const guint8 cut_off[] = { 0x90, 96, 0, 3, 0, 0, 0, 0, 0x11, 0x11, 0x11, 0x11, 0xbe, 0xde,
    0, 1, 0, 0, 0, 0x31 };
  static const guint8 none[] = { 0x90, 96, 0, 4, 0, 0, 0, 0, 0x11, 0x11, 0x11, 0x11, 0xbe, 0xde,
    0, 9, 0x31, 1, 2, 3 };

  push (r, bytes_new (long_one, sizeof long_one));
  push (r, bytes_new (cut_off, sizeof cut_off));
  push (r, bytes_new (none, sizeof none));
  pull_message (r);
  fail_unless_equals_int (message.type, 0);
  push (r, numbered_new (SSRC, 5, 77));
  crank_at (r, START + 250 * GST_MSECOND);
  pull_message (r);
  fail_unless_list (0, 1, (guint16[]) { 77 }, (guint[]) { 0 });
}

/* --- the choice --- */

CLAIM (test_caps_offer_what_a_foreign_sender_gets)
{
  static const struct { const gchar *caps, *feedback; } rows[] = {
    {CAPS, "rr"}, {TWCC_CAPS, "twcc"}, {CCFB_CAPS, "ccfb"},
    {TWCC_CAPS ",rtcp-fb-ack-ccfb=(boolean)true", "ccfb"},
    {CAPS ",rtcp-fb-transport-cc=(boolean)true", "rr"},
    {CAPS ",extmap-3=(string)<\"recvonly\",\"" RC_TWCC_URI "\",\"\">", "twcc"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    AT_END (receiver_close) Receiver r;

    open_with (&r, "auto", rows[i].caps);
    push_seq (&r, 1);
    fail_unless_feedback_is (&r, "arc");
    advance (&r, GST_SECOND);
    push_seq (&r, 2);
    fail_unless_feedback_is (&r, rows[i].feedback);
  }
}

CLAIM_ON (test_renegotiated_caps_change_the_format, METER_OF ("auto", CCFB_CAPS))
{
  push_seq (r, 1);
  advance (r, GST_SECOND);
  push_seq (r, 2);
  fail_unless_feedback_is (r, "ccfb");
  gst_harness_set_src_caps_str (r->media, CAPS);
  push_seq (r, 3);
  fail_unless_feedback_is (r, "rr");
}

/* --- the lists themselves --- */

static PacketLists *lists;

static void
note (guint place, guint16 seq, RcEcnBits ecn)
{
  RtpPacket packet = {.ssrc = 100 + place,.seq = seq,.transport_number = -1,.ecn_read = TRUE,
    .ecn = ecn };

  packet_lists_note (lists, place, &packet, START);
}

static void
tell (guint cap)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (SOURCE_TABLE_COMPOUND_BYTES);

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  packet_lists_add (lists, &rtcp, 7, cap, START);
  gst_rtcp_buffer_unmap (&rtcp);
  fail_unless (gst_buffer_get_size (buffer) <= cap);
  read_message (buffer);
}

CLAIM (test_ecn_bits_are_told_as_they_came)
{
  lists = g_new0 (PacketLists, 1);
  packet_lists_begin (lists, GST_ARC_FEEDBACK_CCFB);
  note (0, 1, RC_ECN_BITS_NOT_ECT);
  note (0, 2, RC_ECN_BITS_ECT_1);
  note (0, 3, RC_ECN_BITS_ECT_0);
  note (0, 4, RC_ECN_BITS_CE);
  tell (SOURCE_TABLE_COMPOUND_BYTES);
  for (guint i = 0; i < 4; i++)
    fail_unless_equals_int (message.arrivals[i].ecn, i);
  g_free (lists);
}

CLAIM (test_small_messages_reach_all_sources_in_turn)
{
  guint told[SOURCE_TABLE_SIZE] = { 0 };
  guint16 seq = 0;

  lists = g_new0 (PacketLists, 1);
  packet_lists_begin (lists, GST_ARC_FEEDBACK_CCFB);
  for (guint round = 0; round < 2 * SOURCE_TABLE_SIZE; round++) {
    for (guint i = 0; i < 40; i++, seq++)
      for (guint place = 0; place < SOURCE_TABLE_SIZE; place++)
        note (place, seq, RC_ECN_BITS_NOT_ECT);
    tell (400);
    for (guint i = 0; i < message.lists.n_lists; i++)
      told[message.lists.lists[i].space.ssrc - 100] += message.lists.lists[i].n_arrivals;
  }
  for (guint place = 0; place < SOURCE_TABLE_SIZE; place++)
    fail_unless (told[place] > 100, "%u: %u", place, told[place]);
  g_free (lists);
}
