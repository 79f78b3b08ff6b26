/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rmcsink and receivers that list packets: RFC 8888 and TWCC. */
#include "rmcsinkfixture.h"
#include "readstat.h"
#include "bustext.h"

#include <gst/sdp/sdp.h>

#define TWCC_ID 5
#define LISTED 10               /* packets in a message */
#define TWCC_CAPS RTP_CAPS ", extmap-5=(string)\"" RC_TWCC_URI "\""
#define OTHER_RECEIVER_SSRC 0xabcdef02

/* A receiver's list of what it has got. */
typedef struct
{
  RcArrival arrivals[100];
  guint n;
} Got;

/* body: what follows the SSRC of the sender. */
static void
send_rtpfb (Fixture * f, guint8 format, guint32 sender_ssrc, const guint8 * body, gsize size)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (2000);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RTPFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) format);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, sender_ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, GST_READ_UINT32_BE (body));
  fail_unless (gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (size / 4 - 1)));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), body + 4, size - 4);
  gst_rtcp_buffer_unmap (&rtcp);
  send_buffer (f, buffer);
}

static void
send_ccfb (Fixture * f, guint32 sender_ssrc, guint32 ssrc, const Got * got)
{
  RcArrivals list = {.space = rc_numbers_of_ssrc (ssrc),.arrivals = got->arrivals,
    .n_arrivals = got->n };
  guint8 body[1000];
  guint told;

  send_rtpfb (f, RC_CCFB_FMT, sender_ssrc, body, rc_ccfb_encode (&list, 1,
          monotonic_ns (), body, sizeof body, &told));
}

static void
send_twcc (Fixture * f, const Got * got)
{
  RcArrivals list = {.space = {RC_NUMBERS_TRANSPORT, 0},.arrivals = got->arrivals,
    .n_arrivals = got->n };
  guint8 body[1000] = { 0 };
  guint told;

  send_rtpfb (f, RC_TWCC_FMT, RECEIVER_SSRC, body, 4 + rc_twcc_encode (&list, 0, body + 4,
          sizeof body - 4, &told));
}

static gboolean
format_is (Fixture * f, const gchar * format)
{
  return stat_reads (f->sink, "feedback-format", format);
}

/* The transport-wide number; -1: it has none. */
static gint
number_of (const Datagram * d)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new_memdup (d->data, (gsize) d->size);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint8 *bytes;
  guint size;
  gint number = -1;

  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  if (gst_rtp_buffer_get_extension_onebyte_header (&rtp, TWCC_ID, 0, &data, &size) && size == 2) {
    bytes = data;               /* at any address */
    number = bytes[0] << 8 | bytes[1];
  }
  return number;
}

/* Sends so many packets and takes them. transport_wide: which numbers the list names. */
static Got
pass (Fixture * f, guint n, gboolean transport_wide)
{
  static guint32 timestamp;
  Datagram d;
  Got got = {.n = 0 };

  push_frame (f, timestamp++, FALSE, n, 500);
  while (got.n < n) {
    fail_unless (receive_rtp (f, &d, PATIENCE));
    got.arrivals[got.n++] = (RcArrival) {
      transport_wide ? (guint16) number_of (&d) : d.seq, RC_ECN_BITS_NOT_ECT, d.at};
  }
  return got;
}

static void
set_caps (Fixture * f, const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  fail_unless (gst_pad_push_event (f->src, gst_event_new_caps (caps)));
}

CLAIM_TIMEOUT_S (120)

CLAIM_ON (test_rfc_8888_is_understood, SINK (TRUE, "start-bitrate=2000000"))
{
  Got got;

  fixture_play (f);
  fail_unless (format_is (f, "none"));
  got = pass (f, LISTED, FALSE);
  send_ccfb (f, RECEIVER_SSRC, SSRC, &got);
  wait_until (stat_of (f, "reports-received") == 1);
  fail_unless (format_is (f, "ccfb"));
  fail_unless (stat_of (f, "rtt") > 0);
  fail_unless_equals_uint64 (stat_of (f, "rtcp-malformed"), 0);
  got = pass (f, LISTED, FALSE);
  /* The fourth is lost. */
  memmove (got.arrivals + 3, got.arrivals + 4, (LISTED - 4) * sizeof (RcArrival));
  got.n--;
  send_ccfb (f, RECEIVER_SSRC, SSRC, &got);
  wait_until (stat_of (f, "reports-received") == 2);
  fail_unless_equals_uint64 (stat_of (f, "packets-lost"), 1);
  fail_unless (state_is (f, "running"));
}

CLAIM_ON (test_packets_carry_transport_wide_numbers_where_the_caps_say_so,
    SINK (TRUE, "start-bitrate=2000000"))
{
  Datagram d;

  fixture_play (f);
  push_frame (f, 0, FALSE, 1, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE) && number_of (&d) == -1);
  set_caps (f, TWCC_CAPS);
  for (guint i = 0; i < 6; i++) {
    gst_pad_push (f->src, rtp_new (SSRC + i % 2, (guint16) (7 * i), i, FALSE, 500));
    fail_unless (receive_rtp (f, &d, PATIENCE));
    fail_unless_equals_int (number_of (&d), i);
    fail_unless_equals_int (d.size, 508);
  }
  set_caps (f, RTP_CAPS);
  push_frame (f, 100, FALSE, 1, 500);
  fail_unless (receive_rtp (f, &d, PATIENCE) && number_of (&d) == -1);
}

/* Somebody upstream (rtphdrexttwcc in a payloader) has numbered them before they waited here. */
CLAIM_ON (test_number_that_is_there_is_written_anew, SINK (TRUE, "start-bitrate=2000000"))
{
  Datagram d;

  fixture_play (f);
  set_caps (f, TWCC_CAPS);
  for (guint i = 0; i < 3; i++) {
    static const guint8 theirs[] = { 0x77, 0x77 };
    GstBuffer *buffer = rtp_new (SSRC, (guint16) i, i, FALSE, 500);
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

    gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
    gst_rtp_buffer_add_extension_onebyte_header (&rtp, TWCC_ID, theirs, sizeof theirs);
    gst_rtp_buffer_unmap (&rtp);
    gst_pad_push (f->src, buffer);
    fail_unless (receive_rtp (f, &d, PATIENCE));
    fail_unless_equals_int (number_of (&d), i);
    fail_unless_equals_int (d.size, 508);
  }
}

CLAIM_ON (test_twcc_is_understood, SINK (TRUE, "start-bitrate=2000000"))
{
  Got got;

  fixture_play (f);
  set_caps (f, TWCC_CAPS);
  for (guint i = 1; i <= 3; i++) {
    got = pass (f, LISTED, TRUE);
    fail_unless_equals_int (got.arrivals[0].number, (i - 1) * LISTED);
    send_twcc (f, &got);
    wait_until (stat_of (f, "reports-received") == i);
  }
  fail_unless (format_is (f, "twcc"));
  fail_unless (stat_of (f, "rtt") > 0);
  fail_unless_equals_uint64 (stat_of (f, "packets-lost"), 0);
}

CLAIM_ON (test_our_own_reports_go_before_lists, SINK (TRUE, "start-bitrate=2000000"))
{
  RcReport hello = {.ssrc = SSRC,.number = 1 };
  Got got;

  fixture_play (f);
  set_caps (f, TWCC_CAPS);
  got = pass (f, LISTED, TRUE);
  send_twcc (f, &got);
  wait_until (format_is (f, "twcc"));
  send_report (f, hello);
  wait_until (format_is (f, "arc"));
  got = pass (f, LISTED, TRUE);
  send_twcc (f, &got);
  wait_until (stat_of (f, "reports-ignored") == 1);
  fail_unless_equals_uint64 (stat_of (f, "reports-received"), 1);
  /* They cease. */
  do {
    g_usleep (100000);
    got = pass (f, 1, TRUE);
    send_twcc (f, &got);
  } while (format_is (f, "arc"));
  fail_unless (format_is (f, "twcc"));
}

CLAIM_ON (test_feedback_about_others_packets_is_counted_and_refused,
    SINK (TRUE, "start-bitrate=2000000"))
{
  Got got;

  fixture_play (f);
  got = pass (f, LISTED, FALSE);
  send_ccfb (f, RECEIVER_SSRC, SSRC + 1, &got);
  wait_until (stat_of (f, "reports-foreign") == 1);
  for (guint i = 0; i < LISTED; i++)
    got.arrivals[i].number += 5000;
  send_ccfb (f, RECEIVER_SSRC, SSRC, &got);
  wait_until (stat_of (f, "reports-never-sent") == 1);
  fail_unless_equals_uint64 (stat_of (f, "arrivals-rejected"), LISTED);
  fail_unless (format_is (f, "none"));
}

/* A receiver that restarts has another SSRC and another clock. */
CLAIM_ON (test_receiver_may_change_its_ssrc, SINK (TRUE, "start-bitrate=2000000"))
{
  Got got;

  fixture_play (f);
  got = pass (f, LISTED, FALSE);
  send_ccfb (f, RECEIVER_SSRC, SSRC, &got);
  wait_until (stat_of (f, "reports-received") == 1);
  g_usleep (1100000);           /* RC_LEDGER_RESTART_DISTANCE */
  got = pass (f, LISTED, FALSE);
  send_ccfb (f, OTHER_RECEIVER_SSRC, SSRC, &got);
  wait_until (stat_of (f, "reports-received") == 2);
  fail_unless_equals_uint64 (stat_of (f, "reports-impossible"), 0);
}

CLAIM_ON (test_sequence_numbers_may_wrap_around, SINK (TRUE, "start-bitrate=2000000"))
{
  Got got;

  fixture_play (f);
  f->seq = 65530;
  for (guint i = 1; i <= 3; i++) {
    got = pass (f, LISTED, FALSE);
    send_ccfb (f, RECEIVER_SSRC, SSRC, &got);
    wait_until (stat_of (f, "reports-received") == i);
  }
  fail_unless_equals_uint64 (stat_of (f, "packets-lost"), 0);
  fail_unless_equals_uint64 (stat_of (f, "arrivals-rejected"), 0);
}

CLAIM_ON (test_malformed_lists_are_counted, SINK (TRUE, "start-bitrate=2000000"))
{
  static const guint8 ccfb[] = { 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 9, 0x80, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 twcc[] = { 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0, 0, 0, 0, 0x3f, 0xff, 0, 0 };

  fixture_play (f);
  pass (f, 1, FALSE);
  send_rtpfb (f, RC_CCFB_FMT, RECEIVER_SSRC, ccfb, sizeof ccfb);
  wait_until (stat_of (f, "rtcp-malformed") == 1);
  send_rtpfb (f, RC_TWCC_FMT, RECEIVER_SSRC, twcc, sizeof twcc);
  wait_until (stat_of (f, "rtcp-malformed") == 2);
  fail_unless (format_is (f, "none"));
}

static guint
count_warnings (Fixture * f)
{
  return bus_count (f->bus, GST_MESSAGE_WARNING, "rtcp-fb-transport-cc");
}

/* Without the numbers the receiver has nothing to list: it is silent, and says nothing. */
CLAIM_ON (test_promise_of_twcc_without_numbers_is_warned_of, SINK (TRUE, "start-bitrate=2000000"))
{
  fixture_play (f);
  set_caps (f, TWCC_CAPS ", rtcp-fb-transport-cc=(boolean)true");
  set_caps (f, RTP_CAPS ", rtcp-fb-transport-cc=(boolean)true, rtcp-fb-ack-ccfb=(boolean)true");
  set_caps (f, RTP_CAPS ", rtcp-fb-nack-pli=(boolean)true");
  fail_unless_equals_int (count_warnings (f), 0);
  set_caps (f, RTP_CAPS ", rtcp-fb-transport-cc=(boolean)true");
  fail_unless_equals_int (count_warnings (f), 1);
}

/* As GStreamer makes them from SDP. */
CLAIM (test_caps_made_from_sdp_give_packets_their_numbers)
{
  static const gchar sdp[] = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
      "m=video 5004 RTP/AVPF 96\r\na=rtpmap:96 H264/90000\r\na=rtcp-fb:* ack ccfb\r\n"
      "a=rtcp-fb:96 transport-cc\r\na=extmap:5 " RC_TWCC_URI "\r\n";
  GstSDPMessage *message;
  g_autoptr (GstCaps) caps = NULL;
  AT_END (fixture_clear) Fixture f;
  Datagram d;

  fail_unless_equals_int (gst_sdp_message_new_from_text (sdp, &message), GST_SDP_OK);
  caps = gst_sdp_media_get_caps_from_media (gst_sdp_message_get_media (message, 0), 96);
  gst_sdp_media_attributes_to_caps (gst_sdp_message_get_media (message, 0), caps);
  gst_structure_set_name (gst_caps_get_structure (caps, 0), "application/x-rtp");
  fail_unless (gst_structure_has_field (gst_caps_get_structure (caps, 0), "rtcp-fb-ack-ccfb"));
  fixture_init (&f, TRUE, "start-bitrate=2000000");
  fixture_play (&f);
  fail_unless (gst_pad_push_event (f.src, gst_event_new_caps (caps)));
  push_frame (&f, 0, FALSE, 1, 500);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  fail_unless_equals_int (number_of (&d), 0);
  fail_unless_equals_int (count_warnings (&f), 0);
  gst_sdp_message_free (message);
}
