/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Receivers that are not ours: they send receiver reports of RTP (RFC 3550), and nothing else. */

#include "plainreceiverfixture.h"
#include "readstat.h"
#include <rtp/rtcpwriter.h>
#include <string.h>

#define OTHER_SSRC 0x22222222
#define PACKET_CAPS \
    "application/x-rtp, media=video, encoding-name=X-TEST, payload=0, clock-rate=90000"
#define INTERVAL (200 * GST_MSECOND)    /* of a stock receiver's reports; 5 s by default */

static gboolean
law_is (Fixture * f, const gchar * law)
{
  return stat_reads (f->sink, "congestion-control", law);
}

/* gst-launch-1.0 shows nothing else of an INFO. */
static void
check_debug_tells (GstMessage * info)
{
  g_autofree gchar *debug = NULL;

  gst_message_parse_info (info, NULL, &debug);
  fail_unless (strstr (debug, "plain RTP receiver reports only") != NULL, "%s", debug);
}

static guint
count_infos (Fixture * f)
{
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_INFO | GST_MESSAGE_WARNING))) {
    n++;
    if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_INFO)
      check_debug_tells (message);
    gst_message_unref (message);
  }
  return n;
}

/* --- stock receivers --- */

static void
on_pad (GstElement * rtpbin, GstPad * pad, gpointer media)
{
  g_autoptr (GstPad) sink = gst_element_get_static_pad (media, "sink");

  if (g_str_has_prefix (GST_PAD_NAME (pad), "recv_rtp_src"))
    gst_pad_link (pad, sink);
}

static void
set_up (GstElement * pipeline)
{
  g_autoptr (GstElement) rtpbin = gst_bin_get_by_name (GST_BIN (pipeline), "b");
  GstElement *media = gst_bin_get_by_name (GST_BIN (pipeline), "media");
  g_autoptr (GObject) session = NULL;

  g_signal_connect_object (rtpbin, "pad-added", G_CALLBACK (on_pad), media, 0);
  gst_object_unref (media);

  g_signal_emit_by_name (rtpbin, "get-internal-session", 0, &session);
  g_object_set (session, "rtcp-min-interval", (guint64) INTERVAL, NULL);
}

static GstElement *
stock_receiver (const gchar * in, const gchar * out)
{
  gchar *line = g_strdup_printf ("rtpbin name=b udpsrc name=in caps=\"" PACKET_CAPS "\" %s "
      "! b.recv_rtp_sink_0 fakesink name=media async=false sync=false "
      "b.send_rtcp_src_0 ! udpsink name=out sync=false async=false %s", in, out);
  GstElement *pipeline = gst_parse_launch (line, NULL);

  fail_unless (pipeline != NULL);
  g_free (line);
  set_up (pipeline);
  return pipeline;
}

static void
set_socket (GstElement * pipeline, const gchar * name, GSocket * socket)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  g_object_set (element, "socket", socket, "close-socket", FALSE, NULL);
}

static guint
port_of (Fixture * f)
{
  Datagram d;

  push_packet (f);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (f->sender));
}

/* The block of a receiver that got a packet, which the sender has been told. */
static RcReportBlock
report_a_packet (Fixture * f)
{
  RcReportBlock block;
  Datagram d;

  push_packet (f);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  block = block_of (&d);
  send_block (f, RECEIVER_SSRC, &block);
  return block;
}

/* RFC 5761: RTCP on the port of RTP. The reports have heard sender reports of ours. */
CLAIM_ON (test_a_stock_receiver_with_one_port_is_enough, PLAYING_SINK ("adapt-encoder=false"))
{
  STOPPED GstElement *receiver = NULL;
  g_autofree gchar *out = g_strdup_printf ("host=127.0.0.1 port=%u", port_of (f));

  receiver = stock_receiver ("", out);
  set_socket (receiver, "in", f->socket);
  set_socket (receiver, "out", f->socket);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  push_until (f, stat_of (f, "receiver-reports") >= 5 && stat_of (f, "rtt") > 0);
  fail_unless (law_is (f, "slow"));
  fail_unless (state_is (f, "running"));
  fail_unless_equals_uint64 (stat_of (f, "rtcp-malformed"), 0);
  fail_unless_equals_uint64 (stat_of (f, "reports-impossible"), 0);
  push_until (f, count_infos (f) == 1);
  push_until (f, stat_of (f, "receiver-reports") >= 8);
  fail_unless_equals_int (count_infos (f), 0);
}

/* RTCP comes back from another socket to another port: a udpsrc hands it to a pad. */
CLAIM_ON (test_reports_to_another_port_enter_by_a_pad, PLAYING_SINK ("adapt-encoder=false"))
{
  GstElement *receiver, *udpsrc;
  g_autoptr (GSocket) rtcp = NULL;
  g_autoptr (GstPad) pad = NULL, src = NULL;
  guint port;
  g_autofree gchar *out = NULL;

  rtcp = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  udpsrc = gst_check_setup_element ("udpsrc");
  g_object_set (udpsrc, "socket", rtcp, NULL);
  pad = gst_element_request_pad_simple (f->sink, "recv_rtcp_sink");
  src = gst_element_get_static_pad (udpsrc, "src");
  fail_unless_equals_int (gst_pad_link (src, pad), GST_PAD_LINK_OK);
  gst_element_set_state (udpsrc, GST_STATE_PLAYING);

  out = g_strdup_printf ("host=127.0.0.1 port=%u", port);
  receiver = stock_receiver ("", out);
  set_socket (receiver, "in", f->socket);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  push_until (f, stat_of (f, "receiver-reports") >= 5 && stat_of (f, "rtt") > 0);
  fail_unless (law_is (f, "slow"));

  claim_stop (receiver);
  gst_element_set_state (udpsrc, GST_STATE_NULL);
  gst_pad_unlink (src, pad);
  gst_element_release_request_pad (f->sink, pad);
  gst_object_unref (udpsrc);
}

/* --- reports by hand --- */

static RtcpSenderReport
receive_sender_report (Fixture * f)
{
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;
  RtcpMessage reports = { 0 };
  Datagram d;

  while (g_get_monotonic_time () < end && reports.n_sender_reports == 0) {
    push_packet (f);
    while (receive (f, &d, 0)) {
      g_autoptr (GstBuffer) buffer = gst_buffer_new_memdup (d.data, (gsize) d.size);

      fail_unless (!d.rtcp || rtcp_message_read_buffer (&reports, buffer) == RTCP_VALID);
    }
  }
  fail_unless_equals_int (reports.n_sender_reports, 1);
  return reports.sender_reports[0];
}

/* docs/reference/compatibility.md: ends of different versions meet in RTCP. */
CLAIM_ON (test_receiver_reports_count_beside_native_reports_of_another_version,
    PLAYING_SINK ("adapt-encoder=false"))
{
  RcReport report = {.ssrc = SSRC };
  guint8 version = 0x80 | (RC_WIRE_VERSION + 1);
  RcReportBlock block;
  GstBuffer *native;
  Datagram d;

  push_packet (f);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  native = rtcp_new_reports (RECEIVER_SSRC, &report, 1);
  gst_buffer_fill (native, 0, &version, 1);
  send_buffer (f, native);
  block = block_of (&d);
  send_block (f, RECEIVER_SSRC, &block);
  push_until (f, stat_of (f, "receiver-reports") == 1);
  fail_unless_equals_uint64 (stat_of (f, "rtcp-malformed"), 1);
  fail_unless (law_is (f, "slow"));
  fail_unless (state_is (f, "running"));
}

CLAIM_ON (test_sender_reports_tell_the_time_and_what_was_sent, PLAYING_SINK ("adapt-encoder=false"))
{
  gdouble between_s, media_s;
  RtcpSenderReport early, late;

  report_a_packet (f);
  early = receive_sender_report (f);
  fail_unless_equals_int (early.ssrc, SSRC);
  fail_unless (ABS ((gdouble) early.ntp / 4294967296. - 2208988800.
          - (gdouble) g_get_real_time () / 1e6) < 30);
  fail_unless (early.packets > 0 && early.octets == early.packets * 488);
  late = receive_sender_report (f);
  fail_unless (late.packets > early.packets);
  /* Timestamps may have run faster or slower than the clock, by what the source did. */
  between_s = (gdouble) (late.ntp - early.ntp) / 4294967296.;
  media_s = (gdouble) (guint32) (late.rtp - early.rtp) / 90000;
  fail_unless (between_s > 0.4 && between_s < 30, "%g s", between_s);
  fail_unless (media_s > 0 && media_s < 2 * between_s, "%g s of media", media_s);
}

/* Of a source that rtpbin reports about we make none; RTT comes from rtpbin's. */
CLAIM_ON (test_the_sender_reports_of_others_take_the_place_of_ours,
    PLAYING_SINK ("adapt-encoder=false"))
{
  RtcpSenderReport others = {.ssrc = SSRC,.ntp = G_GUINT64_CONSTANT (0x1234567890abcdef) };
  RcReportBlock block;
  GstSegment segment;
  g_autoptr (GstPad) pad = NULL;
  Datagram d;

  pad = gst_element_request_pad_simple (f->sink, "rtcp_sink");
  gst_pad_send_event (pad, gst_event_new_stream_start ("rtcp"));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_send_event (pad, gst_event_new_segment (&segment));
  push_packet (f);
  fail_unless (receive_rtp (f, &d, PATIENCE));
  gst_pad_chain (pad, rtcp_new_sender_report (&others, "somebody", FALSE));
  block = block_of (&d);
  block.lsr = 0x567890ab;
  send_block (f, RECEIVER_SSRC, &block);
  push_until (f, stat_of (f, "receiver-reports") == 1);
  fail_unless (stat_of (f, "rtt") > 0);
  for (guint i = 0; i < 100; i++)
    push_packet (f);
  fail_unless_equals_uint64 (receive_sender_report (f).ntp, others.ntp);
  while (receive (f, &d, 0))
    fail_if (d.rtcp);
  gst_element_release_request_pad (f->sink, pad);
}

static void
send_bytes (Fixture * f, const guint8 * bytes, gsize size)
{
  send_buffer (f, gst_buffer_new_memdup (bytes, size));
}

CLAIM_ON (test_hostile_receiver_reports_are_refused_and_counted,
    PLAYING_SINK ("adapt-encoder=false"))
{
  /* one block announced, none there; five, and half of one; a REMB with more SSRCs than bytes */
  static const guint8 empty[] = { 0x81, 201, 0, 1, 1, 2, 3, 4 };
  static const guint8 half[] = { 0x85, 201, 0, 4, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 remb[] = { 0x8f, 206, 0, 4, 1, 2, 3, 4, 0, 0, 0, 0, 'R', 'E', 'M', 'B',
    200, 0, 0, 1
  };
  RcReportBlock good, bad;
  Datagram d;

  for (guint i = 0; i < 20; i++)
    push_packet (f);
  while (receive_rtp (f, &d, 500 * RC_MSEC));
  send_bytes (f, empty, sizeof empty);
  send_bytes (f, half, sizeof half);
  send_bytes (f, remb, sizeof remb);
  wait_until (stat_of (f, "rtcp-malformed") == 3);

  bad = good = block_of (&d);
  bad.highest_seq += 1;
  send_block (f, RECEIVER_SSRC, &bad);
  wait_until (stat_of (f, "reports-never-sent") == 1);
  bad = good;
  bad.ssrc = OTHER_SSRC;
  send_block (f, RECEIVER_SSRC, &bad);
  wait_until (stat_of (f, "reports-foreign") == 1);
  fail_unless_equals_uint64 (stat_of (f, "receiver-reports"), 0);
  fail_unless (law_is (f, "arc"));

  send_block (f, RECEIVER_SSRC, &good);
  wait_until (stat_of (f, "receiver-reports") == 1);
  bad = good;
  bad.highest_seq -= 5;
  send_block (f, RECEIVER_SSRC, &bad);
  wait_until (stat_of (f, "reports-old") == 1);
  bad = good;
  bad.lost_pkts = 1000;
  send_block (f, RECEIVER_SSRC, &bad);
  wait_until (stat_of (f, "reports-impossible") == 1);
  fail_unless (stat_of (f, "rate") >= 100000);
}

/* A source that begins again: reports about the new SSRC hold as those about the old one did. */
CLAIM_ON (test_another_ssrc_is_followed, PLAYING_SINK ("adapt-encoder=false"))
{
  RcReportBlock block;
  Datagram d;

  block = report_a_packet (f);
  push_until (f, stat_of (f, "receiver-reports") == 1);
  for (guint i = 0; i < 10; i++)
    fail_unless_equals_int (gst_pad_push (f->src, rtp_new (OTHER_SSRC, (guint16) (7000 + i),
                timestamp += 900, TRUE, 500)), GST_FLOW_OK);
  do
    fail_unless (receive_rtp (f, &d, PATIENCE));
  while (GST_READ_UINT32_BE (d.data + 8) != OTHER_SSRC);
  block = block_of (&d);
  send_block (f, RECEIVER_SSRC, &block);
  wait_until (stat_of (f, "receiver-reports") == 2);
  fail_unless_equals_uint64 (stat_of (f, "reports-impossible"), 0);
}

/* Of an arcsrc whose first reports got lost. */
CLAIM_ON (test_who_reports_better_at_once_is_not_called_plain, PLAYING_SINK ("adapt-encoder=false"))
{
  RcReportBlock block = report_a_packet (f);

  push_until (f, law_is (f, "slow"));
  send_report (f, (RcReport) {.ssrc = SSRC,.number = 1 });
  push_until (f, !law_is (f, "slow"));
  send_block (f, RECEIVER_SSRC, &block);
  g_usleep (300 * 1000);
  fail_unless_equals_int (count_infos (f), 0);
}

CLAIM (test_silence_of_a_plain_receiver_stops_media)
{
  RcReportBlock block;
  AT_END (fixture_clear) Fixture f;
  Datagram d;

  init_and_play (&f, "adapt-encoder=false congestion-control=slow "
      "controller-params=\"params,stop=0.5\"");
  push_packet (&f);
  fail_unless (receive_rtp (&f, &d, PATIENCE));
  push_until (&f, state_is (&f, "stopped"));
  block = block_of (&d);
  send_block (&f, RECEIVER_SSRC, &block);
  push_until (&f, state_is (&f, "running"));
}

/* REMB: 1 kbit/s is below the least rate; 300 kbit/s; for a stream of somebody else. */
CLAIM_ON (test_remb_bounds_the_rate, PLAYING_SINK ("adapt-encoder=false"))
{
  guint8 remb[] = { 0x8f, 206, 0, 5, 1, 2, 3, 4, 0, 0, 0, 0, 'R', 'E', 'M', 'B', 1, 0, 0, 0,
    0x12, 0x34, 0x56, 0x78
  };

  port_of (f);
  remb[17] = 2 << 2 | 1;        /* 75000 << 2 */
  remb[18] = 0x24;
  remb[19] = 0xf8;
  remb[20] = 0x13;
  send_bytes (f, remb, sizeof remb);
  remb[20] = 0x12;
  send_bytes (f, remb, sizeof remb);
  wait_until (stat_of (f, "remb-bitrate") == 300000);
  fail_unless (stat_of (f, "rate") <= 300000);
  remb[17] = 0;
  remb[18] = 3;
  remb[19] = 0xe8;
  send_bytes (f, remb, sizeof remb);
  wait_until (stat_of (f, "remb-bitrate") == 1000);
  fail_unless_equals_uint64 (stat_of (f, "rate"), 100000);
  push_until (f, stat_of (f, "remb-bitrate") == 0);
}
