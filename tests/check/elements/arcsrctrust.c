/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whom arcsrc believes, whom it answers, and with how many bytes. */
#include "arcsrcfixture.h"
#include "bustext.h"

#define N_SSRCS 16
#define HEADER_BYTES RC_OVERHEAD_IPV4_BYTES
#define H264 "application/x-rtp,media=video,encoding-name=H264,clock-rate=90000,payload=96"

static void
open_with_caps (Receiver * r, const gchar * text)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  receiver_open (r, "127.0.0.1", 0);
  gst_element_set_state (r->src, GST_STATE_READY);
  g_object_set (r->src, "caps", caps, NULL);
  gst_element_set_state (r->src, GST_STATE_PLAYING);
}

#define RECEIVER_OF(text) Receiver, r, open_with_caps (r, text), receiver_close (r)

static GstBuffer *
small_rtp_new (guint8 payload_type, guint32 ssrc, guint16 seq)
{
  guint8 packet[40] = { 0x80, payload_type };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  return gst_buffer_new_memdup (packet, sizeof (packet));
}

/* Takes the buffer. Returns its bytes in the network. */
static guint
send_counted (GSocket * socket, Receiver * r, GstBuffer * buffer)
{
  guint bytes = (guint) gst_buffer_get_size (buffer) + HEADER_BYTES;

  sender_send (socket, "127.0.0.1", receiver_port (r), buffer);
  return bytes;
}

/* Of all that waits, in the network. */
static guint
receive_counted (GSocket * socket)
{
  guint8 bytes[2048];
  guint sum = 0;

  while (g_socket_condition_check (socket, G_IO_IN) & G_IO_IN)
    sum += (guint) g_socket_receive (socket, (gchar *) bytes, sizeof (bytes),
        NULL, NULL) + HEADER_BYTES;
  return sum;
}

/* Who writes another's address as his own has that one flooded with what arcsrc answers: losses
 * of 16 sources, in small packets, which each ask for a report at once. */
CLAIM_ON (test_no_more_bytes_leave_than_came_from_an_unproven_address, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) victim = sender_new ("127.0.0.1");
  guint came = 0, left = 0, i;

  for (i = 0; i < 800; i++) {
    came += send_counted (victim,
        r, small_rtp_new (96, 1 + i % N_SSRCS, (guint16) (i / N_SSRCS * 2)));
    if (i % 4 == 0)
      g_usleep (5000);
    left += receive_counted (victim);
    fail_unless (left <= came, "%u bytes for %u", left, came);
  }
  g_usleep (1500 * 1000);
  left += receive_counted (victim);
  fail_unless (left > 0 && left <= came, "%u bytes for %u", left, came);
}

/* Its reports use what the media paid for, too, but not less than the last word of each source. */
TIMED_CLAIM_ON (test_reports_to_a_proven_sender_are_in_proportion_to_its_media,
    RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  guint came = 0, left = 0, i;

  send_rtp (sender, r, 1, 0);
  sender_prove (sender, r);
  for (i = 0; i < 800; i++) {
    came += send_counted (sender,
        r, small_rtp_new (96, 1 + i % N_SSRCS, (guint16) (i / N_SSRCS * 2)));
    if (i % 4 == 0)
      g_usleep (5000);
    left += receive_counted (sender);
  }
  fail_unless (left <= came, "%u bytes for %u", left, came);
}

/* The forger needs no answer, and the true sender proves nothing: it is no rmcsink. */
TIMED_CLAIM_ON (test_a_forged_packet_now_and_then_does_not_shut_out_a_sender,
    RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) forger = sender_new ("127.0.0.1"), sender = sender_new ("127.0.0.1");
  guint16 seq;

  send_rtp (forger, r, 0x22222222, 1);
  check_media_comes (r, 1);
  for (seq = 1; seq <= 100; seq++) {
    if (seq % 40 == 0)
      send_rtp (forger, r, 0x22222222, seq);
    send_rtp (sender, r, SSRC, seq);
    g_usleep (20 * 1000);
  }
  fail_unless (gst_harness_buffers_received (r->media) > 80,
      "%u", gst_harness_buffers_received (r->media));
}

CLAIM_ON (test_a_sender_that_proves_itself_comes_before_one_that_does_not,
    RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) forger = sender_new ("127.0.0.1"), sender = sender_new ("127.0.0.1");
  guint16 seq;

  for (seq = 0; seq < 20; seq++) {
    send_rtp (forger, r, 0x22222222, seq);
    check_media_comes (r, seq);
  }
  send_rtp (sender, r, SSRC, 100);
  sender_prove (sender, r);
  send_rtp (forger, r, 0x22222222, 20);
  send_rtp (sender, r, SSRC, 101);
  send_rtp (sender, r, SSRC, 102);
  check_media_comes (r, 101);
  check_report_returns (sender, r, 2);
}

CLAIM_ON (test_a_second_sender_is_told_that_the_place_is_taken, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) first_sender = sender_new ("127.0.0.1"),
      second_sender = sender_new ("127.0.0.1");
  RcNotice notice;

  send_rtp (first_sender, r, SSRC, 1);
  check_media_comes (r, 1);
  sender_prove (first_sender, r);
  send_rtp (second_sender, r, 0x22222222, 1);
  notice = sender_wait_notice (second_sender);
  fail_unless_equals_int (notice.refusal, RC_REFUSAL_TAKEN);
  sender_send (second_sender, "127.0.0.1", receiver_port (r), info_new (notice.cookie));
  wait_stat (r, "packets-foreign", 2);
  send_rtp (first_sender, r, SSRC, 2);
  check_media_comes (r, 2);
}

/* Another network, or a NAT that forgot: the cookie of the old address is what nobody else
 * knows. */
CLAIM_ON (test_a_sender_is_followed_by_its_cookie, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) before = sender_new ("127.0.0.1"), after = sender_new ("127.0.0.1"),
      thief = sender_new ("127.0.0.1");
  guint64 cookie;

  send_rtp (before, r, SSRC, 1);
  check_media_comes (r, 1);
  cookie = sender_wait_notice (before).cookie;
  sender_send (before, "127.0.0.1", receiver_port (r), info_new (cookie));
  sender_send (thief, "127.0.0.1", receiver_port (r), info_new (cookie + 1));
  sender_send (after, "127.0.0.1", receiver_port (r), info_new (cookie));
  send_rtp (after, r, SSRC, 2);
  check_media_comes (r, 2);
  check_report_returns (after, r, 2);
  wait_stat (r, "sender-changes", 1);
}

TIMED_CLAIM_ON (test_a_flood_of_strangers_gets_few_answers, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) stranger = sender_new ("127.0.0.1");
  guint i, came = 0, left = 0;

  for (i = 0; i < 200; i++) {
    came += send_counted (stranger, r, info_new (0));
    g_usleep (1000);
    left += receive_counted (stranger);
  }
  fail_unless (left > 0 && left < came / 4, "%u bytes for %u", left, came);
}

static void
check_warning (Receiver * r, const gchar * part1, const gchar * part2)
{
  bus_says (r->bus, ANSWER_TIMEOUT_S * GST_SECOND, GST_MESSAGE_WARNING, part1, part2);
}

CLAIM_ON (test_wrong_payload_type_is_told_at_both_ends, RECEIVER_OF (H264))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  RcNotice notice;

  sender_send (sender, "127.0.0.1", receiver_port (r), small_rtp_new (97, SSRC, 1));
  notice = sender_wait_notice (sender);
  fail_unless_equals_int (notice.refusal, RC_REFUSAL_PAYLOAD_TYPE);
  check_warning (r, "payload type 97", "payload=97 in the caps");
  /* To prove its address is no help, and it is told once. */
  g_usleep (150 * 1000);
  sender_send (sender, "127.0.0.1", receiver_port (r), info_new (notice.cookie));
  fail_unless_equals_int (sender_wait_notice (sender).refusal, RC_REFUSAL_PAYLOAD_TYPE);
  sender_send (sender, "127.0.0.1", receiver_port (r), small_rtp_new (97, SSRC, 2));
  wait_stat (r, "packets-foreign", 3);
  fail_unless (gst_bus_pop_filtered (r->bus, GST_MESSAGE_WARNING) == NULL);
  fail_unless_equals_int (gst_harness_buffers_received (r->media), 0);
}

CLAIM_ON (test_repair_packets_of_another_payload_type_pass_beside_media, RECEIVER_OF (H264))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  sender_send (sender, "127.0.0.1", receiver_port (r), small_rtp_new (122, SSRC, 2));
  check_media_comes (r, 2);
}

CLAIM (test_caps_without_a_payload_type_take_any)
{
  static const gchar *const texts[] = {
    "application/x-rtp", "application/x-rtp,payload=[96,127]",
    "application/x-rtp,payload=96;application/x-rtp,payload=97"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
    AT_END (receiver_close) Receiver r;

    open_with_caps (&r, texts[i]);
    sender_send (sender, "127.0.0.1", receiver_port (&r), small_rtp_new (97, SSRC, 1));
    check_media_comes (&r, 1);
  }
}

TIMED_CLAIM_ON (test_timeout_is_not_how_long_another_sender_waits,
    RECEIVER ("127.0.0.1", 30 * GST_SECOND))
{
  g_autoptr (GSocket) first_sender = sender_new ("127.0.0.1"),
      second_sender = sender_new ("127.0.0.1");

  g_object_set (r->src, "sender-timeout", 200 * GST_MSECOND, NULL);
  send_rtp (first_sender, r, SSRC, 1);
  check_media_comes (r, 1);
  sender_prove (first_sender, r);
  g_usleep (250 * 1000);
  send_rtp (second_sender, r, 0x22222222, 7);
  check_media_comes (r, 7);
}

/* --- false numbers in front of a jitter buffer --- */

static const struct
{
  guint run;                    /* packets in sequence */
  gboolean other_ssrcs;
} forgeries[] = { {1, FALSE}, {2, FALSE}, {1, TRUE} };

static GstPadProbeReturn
count_media (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  g_atomic_int_inc ((gint *) count);
  return GST_PAD_PROBE_OK;
}

static void
send_media (GSocket * socket, gint port, guint32 ssrc, guint16 seq, guint32 timestamp)
{
  GstBuffer *buffer = small_rtp_new (96, ssrc, seq);
  guint8 bytes[4];

  GST_WRITE_UINT32_BE (bytes, timestamp);
  gst_buffer_fill (buffer, 4, bytes, sizeof bytes);
  sender_send (socket, "127.0.0.1", port, buffer);
}

static void
send_forgeries (GSocket * socket, gint port, guint run, gboolean other_ssrcs, guint32 timestamp)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < 400 / run; i++) {
    guint32 ssrc = other_ssrcs ? g_rand_int (rand) : SSRC;
    guint16 seq = (guint16) g_rand_int (rand);

    for (guint n = 0; n < run; n++)
      send_media (socket, port, ssrc, (guint16) (seq + n), timestamp + 90 * i);
    g_usleep (1000);
  }
}

/* They stopped it for minutes, and the change to NULL waited for it. */
CLAIMS (test_false_numbers_do_not_stop_what_comes_after_them, G_N_ELEMENTS (forgeries))
{
  STOPPED GstElement *pipeline = gst_parse_launch ("arcsrc name=src address=127.0.0.1 port=0 "
      "latency=50000000 caps=" H264 " ! fakesink name=out sync=false", NULL);
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (pipeline), "src"),
      out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (out, "sink");
  g_autoptr (GSocket) socket = sender_new ("127.0.0.1");
  gint count = 0, port, came;
  guint32 seq = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_media, &count, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_object_get (src, "port", &port, NULL);
  for (; seq < 100; seq++, g_usleep (2000))
    send_media (socket, port, SSRC, (guint16) seq, seq * 180);
  send_forgeries (socket, port, forgeries[__i__].run, forgeries[__i__].other_ssrcs, seq * 180);
  came = g_atomic_int_get (&count);
  for (; seq < 5000 && g_atomic_int_get (&count) < came + 200; seq++, g_usleep (2000))
    send_media (socket, port, SSRC, (guint16) seq, (seq + 200) * 180);
  fail_unless (g_atomic_int_get (&count) >= came + 200, "%d", count);
}

/* --- with rmcsink --- */

static GstElement *
launch_sender (gint port)
{
  g_autofree gchar *text = g_strdup_printf ("audiotestsrc is-live=true "
      "! audio/x-raw,rate=8000,channels=1,format=S16BE ! rtpL16pay pt=96 ! rmcsink host=127.0.0.1 "
      "port=%d adapt-encoder=false controller-params=\"params,stop=1.0\"", port);
  GstElement *pipeline = gst_parse_launch (text, NULL);

  fail_unless (pipeline != NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static void
end_sender (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
wait_proven (Receiver * r)
{
  gboolean proven = FALSE;

  for (guint tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && !proven; tries++) {
    g_autoptr (GstStructure) stats = NULL;

    g_usleep (1000);
    g_object_get (r->src, "stats", &stats, NULL);
    fail_unless (gst_structure_get_boolean (stats, "sender-proven", &proven));
  }
  fail_unless (proven);
}

static void
check_sender_warning (GstElement * pipeline, const gchar * part)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);

  bus_says (bus, ANSWER_TIMEOUT_S * GST_SECOND, GST_MESSAGE_WARNING, part);
}

CLAIM_ON (test_rmcsink_proves_its_address_and_a_second_one_hears_the_truth,
    RECEIVER ("127.0.0.1", 0))
{
  GstElement *first_sender, *second_sender;

  g_object_set (r->src, "sender-timeout", 1000 * GST_SECOND, NULL);
  first_sender = launch_sender (receiver_port (r));
  wait_proven (r);
  second_sender = launch_sender (receiver_port (r));
  check_sender_warning (second_sender, "takes media from another sender");
  /* By its BYE the place gets free at once: it is taken without anybody's doing. */
  end_sender (first_sender);
  wait_stat (r, "sender-changes", 1);
  wait_proven (r);
  end_sender (second_sender);
}

CLAIM_ON (test_rmcsink_hears_that_another_payload_type_is_wanted,
    RECEIVER_OF ("application/x-rtp,media=audio,encoding-name=L16,clock-rate=8000,payload=97"))
{
  GstElement *sender = launch_sender (receiver_port (r));

  check_sender_warning (sender, "payload=");
  check_warning (r, "payload type 96", "payload=96");
  end_sender (sender);
}

/* As a shell passes what stands between the quotation marks. */
static void
check_line (const gchar * line)
{
  const gchar *begin = strstr (line, "caps='"), *end = begin ? strchr (begin + 6, '\'') : NULL;
  GstCaps *expected = gst_caps_from_string ("application/x-rtp,media=audio,encoding-name=L16,"
      "payload=96,clock-rate=8000,encoding-params=(string)1,channels=1"), *caps;
  gchar *words[] = { (gchar *) "arcsrc", NULL, NULL };
  GstElement *src;

  fail_unless (end != NULL, "%s", line);
  words[1] = g_strdup_printf ("caps=%.*s", (int) (end - begin - 6), begin + 6);
  src = gst_object_ref_sink (gst_parse_launchv ((const gchar **) words, NULL));
  g_object_get (src, "caps", &caps, NULL);
  fail_unless (caps && gst_caps_is_equal (caps, expected), "%s", words[1]);
  gst_caps_unref (caps);
  gst_caps_unref (expected);
  gst_object_unref (src);
  g_free (words[1]);
}

static void
check_caps_warning (const gchar * caps, const gchar * part)
{
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  GstElement *sender;
  AT_END (receiver_close) Receiver r;

  if (caps)
    open_with_caps (&r, caps);
  else
    receiver_open (&r, "127.0.0.1", 0);
  sender = launch_sender (receiver_port (&r));
  message = gst_bus_timed_pop_filtered (r.bus, ANSWER_TIMEOUT_S * GST_SECOND, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (strstr (error->message, part) != NULL, "%s", error->message);
  check_line (error->message);
  end_sender (sender);
}

CLAIM (test_no_caps_and_those_of_another_codec_are_told_with_the_line_to_write)
{
  check_caps_warning (NULL, "no caps");
  check_caps_warning ("application/x-rtp,media=audio,encoding-name=OPUS,payload=96,clock-rate=8000",
      "say otherwise");
}

CLAIM (test_right_or_open_caps_are_no_matter)
{
  static const gchar *const texts[] = {
    "application/x-rtp,media=audio,encoding-name=l16,payload=96,clock-rate=8000",
    "application/x-rtp"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    GstElement *sender;
    AT_END (receiver_close) Receiver r;

    open_with_caps (&r, texts[i]);
    sender = launch_sender (receiver_port (&r));
    wait_proven (&r);
    while (gst_harness_buffers_received (r.media) < 20)
      gst_buffer_unref (gst_harness_pull (r.media));
    fail_unless (gst_bus_pop_filtered (r.bus, GST_MESSAGE_WARNING) == NULL);
    end_sender (sender);
  }
}

static void
send_untold (Receiver * r, guint8 payload_type)
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  guint16 seq;

  for (seq = 0; seq < 120; seq++) {
    sender_send (sender, "127.0.0.1", receiver_port (r), small_rtp_new (payload_type, SSRC, seq));
    check_media_comes (r, seq);
    g_usleep (10 * 1000);
  }
}

/* A sender that tells nothing, for more than a second. */
CLAIM_ON (test_no_caps_are_told_beside_a_plain_sender, RECEIVER ("127.0.0.1", 0))
{
  send_untold (r, 99);
  check_warning (r, "no caps", "encoding-name=H264,payload=99");
}

CLAIM_ON (test_a_payload_type_that_has_one_meaning_is_told_with_it, RECEIVER ("127.0.0.1", 0))
{
  send_untold (r, 33);
  check_warning (r, "no caps", "encoding-name=MP2T,payload=33,clock-rate=90000");
}

CLAIM_ON (test_several_streams_without_caps_are_told_as_such, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  guint16 seq;

  for (seq = 0; seq < 120; seq++) {
    sender_send (sender, "127.0.0.1", receiver_port (r),
        small_rtp_new (seq % 2 ? 96 : 97, SSRC + seq % 2, seq));
    check_media_comes (r, seq);
    g_usleep (10 * 1000);
  }
  check_warning (r, "several streams come together", "payload types 97 and 96");
}

static GstCaps *
give_caps (GstElement * element, guint payload, gpointer user_data)
{
  return NULL;
}

CLAIM (test_an_application_that_is_asked_needs_no_caps)
{
  STOPPED GstElement *pipeline = gst_parse_launch ("arcsrc name=src address=127.0.0.1 "
      "port=0 ! rtpjitterbuffer name=buffer ! fakesink", NULL);
  g_autoptr (GstElement) src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  g_autoptr (GstElement) buffer = gst_bin_get_by_name (GST_BIN (pipeline), "buffer");
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  guint64 received = 0;
  guint16 seq = 0;
  gint port;

  g_signal_connect (buffer, "request-pt-map", G_CALLBACK (give_caps), NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_object_get (src, "port", &port, NULL);
  while (received < 120) {
    g_autoptr (GstStructure) stats = NULL;

    sender_send (sender, "127.0.0.1", port, small_rtp_new (99, SSRC, seq++));
    g_usleep (10 * 1000);
    g_object_get (src, "stats", &stats, NULL);
    gst_structure_get_uint64 (stats, "packets-received", &received);
  }
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
}

/* A keyframe request would cost what an access unit delimiter pays for, and start nothing. */
CLAIM_ON (test_a_cookie_is_the_first_that_few_bytes_pay_for, RECEIVER_OF (H264))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  for (guint16 seq = 0; seq < 2; seq++) {
    GstBuffer *delimiter = small_rtp_new (96, SSRC, seq);

    gst_buffer_resize (delimiter, 0, 14);
    fail_unless_equals_int (receive_counted (sender), 0);
    send_counted (sender, r, delimiter);
    g_usleep (300 * 1000);
  }
  fail_unless (sender_wait_notice (sender).cookie != 0);
}

/* It stopped because whoever was there did not answer; the new receiver knows nothing of it, and
 * it asks on with few bytes. */
CLAIM (test_rmcsink_that_stopped_comes_back_to_a_new_receiver)
{
  g_autoptr (GSocket) mute = sender_new ("127.0.0.1");
  gint port = sender_port (mute);
  GstElement *sender = launch_sender (port);
  AT_END (receiver_close) Receiver r;

  check_sender_warning (sender, "does not report");
  g_socket_close (mute, NULL);
  receiver_open_at (&r, "127.0.0.1", port, 0);
  wait_proven (&r);
  gst_buffer_unref (gst_harness_pull (r.media));
  end_sender (sender);
}
