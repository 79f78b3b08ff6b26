/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Wrong settings, wrong input, other addresses, restarts, neighbours. */

#include "rmcsinkfixture.h"
#include "bustext.h"


/* The text of the one message of this type; g_free. */
static gchar *
only_message (Fixture * f, GstMessageType type)
{
  gchar *text = bus_text (f->bus, PATIENCE, type);

  fail_unless (text != NULL);
  fail_unless (gst_bus_pop_filtered (f->bus, type) == NULL, "more than one");
  return text;
}

static void
assert_start_fails (const gchar * properties, const gchar * host, const gchar * says)
{
  AT_END (fixture_clear) Fixture f;
  g_autofree gchar *text = NULL;

  fixture_init (&f, TRUE, properties);
  if (host)
    g_object_set (f.sink, "host", host, NULL);
  fail_unless_equals_int (gst_element_set_state (f.sink, GST_STATE_PLAYING),
      GST_STATE_CHANGE_FAILURE);
  text = only_message (&f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, says) != NULL, "says: %s", text);
}

CLAIM (test_wrong_addresses_are_one_clear_error)
{
  g_autofree gchar *busy = NULL;
  g_autoptr (GSocket) other = NULL;
  guint port;

  assert_start_fails ("", "239.1.2.3", "use udpsink");
  assert_start_fails ("", "ff02::1", "use udpsink");
  assert_start_fails ("", "", "set host");
  assert_start_fails ("port=0", NULL, "set port");
  assert_start_fails ("bind-address=::1", NULL, "bind-address");
  other = socket_new (G_SOCKET_FAMILY_IPV4, &port);
  busy = g_strdup_printf ("bind-address=127.0.0.1 bind-port=%u", port);
  assert_start_fails (busy, NULL, "choose another bind-port");
}

static void
assert_start_warns (const gchar * properties, const gchar * says)
{
  AT_END (fixture_clear) Fixture f;
  g_autofree gchar *text = NULL;

  fixture_init (&f, TRUE, properties);
  fixture_play (&f);
  push_frame (&f, 0, FALSE, 1, 100);
  text = only_message (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, says) != NULL, "says: %s", text);
}

static const struct
{
  const gchar *settings, *says;
} wrong_settings[] = {
  {"controller-params=\"params,kk=1.0\"", "k (0.01 to 100 1/s)"},
  {"controller-params=\"params,k=-1\"", "k refused"},
  {"rtx-time=200", "write rtx-time=200000000 for 200 ms"},
  {"max-bitrate=2000", "write max-bitrate=2000000 for 2000 kbit/s"},
  {"start-bitrate=1000", "write start-bitrate=1000000 for 1000 kbit/s"},
  {"min-bitrate=500", "write min-bitrate=500000 for 500 kbit/s"},
  {"bind-address=203.0.113.9", "set bind-address to an address of this machine"},
  {"paths=203.0.113.9", "give this machine that address, or correct paths"},
  {"min-bitrate=1000000 start-bitrate=500000",
      "the start bitrate 500000 is below min-bitrate 1000000"},
};

CLAIMS (test_wrong_settings_are_one_clear_warning, G_N_ELEMENTS (wrong_settings))
{
  g_autofree gchar *line =
      g_strdup_printf ("adapt-encoder=false %s", wrong_settings[__i__].settings);

  assert_start_warns (line, wrong_settings[__i__].says);
}

static void
push_whole_frame (Fixture * f, guint32 timestamp)
{
  GstBuffer *buffer = rtp_new (SSRC, f->seq++, timestamp, FALSE, 100);
  const guint8 marked = 0x80 | 96;

  gst_buffer_fill (buffer, 1, &marked, 1);
  fail_unless_equals_int (gst_pad_push (f->src, buffer), GST_FLOW_OK);
}

CLAIM_ON (test_frames_without_timestamps_are_told_once, SINK (TRUE, "adapt-encoder=false"))
{
  gchar *text;

  fixture_play (f);
  for (guint i = 0; i < 30; i++)
    push_whole_frame (f, 1000 + i / 15);
  fail_unless (gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING) == NULL);
  for (guint i = 0; i < 100; i++)
    push_whole_frame (f, 2000);
  text = only_message (f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "frames have the same timestamp") != NULL, "says: %s", text);
  g_free (text);
}

CLAIM (test_missing_encoder_is_one_warning)
{
  assert_start_warns ("", "encoder");
}

CLAIM_ON (test_buffers_that_are_not_rtp_are_counted_and_then_an_error,
    SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;
  gchar *text;

  fixture_play (f);
  for (guint i = 0; i < 99; i++)
    fail_unless_equals_int (gst_pad_push (f->src, gst_buffer_new_memdup ("raw", 3)), GST_FLOW_OK);
  text = only_message (f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "payloader") != NULL);
  g_free (text);
  fail_unless_equals_uint64 (stat_of (f, "non-rtp-buffers"), 99);
  fail_unless_equals_int (gst_pad_push (f->src, gst_buffer_new_memdup ("raw", 3)), GST_FLOW_ERROR);
  text = only_message (f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "payloader") != NULL);
  g_free (text);
  fixture_stop (f);

  fixture_play (f);            /* one good packet, and it is no error */
  push_frame (f, 0, FALSE, 1, 100);
  for (guint i = 0; i < 200; i++)
    fail_unless_equals_int (gst_pad_push (f->src, gst_buffer_new_memdup ("raw", 3)), GST_FLOW_OK);
  fail_unless (receive_rtp (f, &d, PATIENCE));
}

CLAIM_ON (test_packet_sizes_that_udp_cannot_carry_well_are_told, SINK (TRUE, "adapt-encoder=false"))
{
  gchar *text;

  fixture_play (f);
  push_frame (f, 0, FALSE, 3, 1600);
  text = only_message (f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "fragments") && strstr (text, "mtu"));
  g_free (text);
  fail_unless_equals_int (push_frame (f, 0, FALSE, 1, 65508), GST_FLOW_ERROR);
  text = only_message (f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "mtu") != NULL);
  g_free (text);
}

CLAIM_ON (test_packets_of_many_memories_arrive_whole,
    SINK (TRUE, "adapt-encoder=false start-bitrate=5000000"))
{
  Datagram d;
  guint i, parts;

  fixture_play (f);
  for (parts = 1; parts < 15; parts++) {
    GstBuffer *buffer = rtp_new (SSRC, f->seq++, parts, FALSE, 12);
    GstBufferList *list = gst_buffer_list_new ();

    for (i = 0; i < parts; i++)
      buffer = gst_buffer_append (buffer, gst_buffer_new_memdup ("abcdefghij", 10));
    gst_buffer_list_add (list, buffer);
    fail_unless_equals_int (gst_pad_push_list (f->src, list), GST_FLOW_OK);
    fail_unless (receive_rtp (f, &d, PATIENCE));
    fail_unless_equals_int (d.size, 12 + 10 * parts);
    for (i = 0; i < parts; i++)
      fail_unless (memcmp (d.data + 12 + 10 * i, "abcdefghij", 10) == 0);
  }
}

CLAIM_ON (test_port_where_nobody_listens_is_counted_and_not_fatal,
    SINK (TRUE, "adapt-encoder=false"))
{
  g_socket_close (f->socket, NULL);
  fixture_play (f);
  push_frame (f, 0, FALSE, 20, 500);
  wait_until (stat_of (f, "packets-sent") == 20);
  wait_until (stat_of (f, "port-unreachable") > 0);
  fail_unless_equals_uint64 (stat_of (f, "send-errors"), 0);
}

CLAIM_ON (test_ipv6_receiver_is_served_with_its_larger_headers, SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;
  GSocket *v4;
  guint port;

  v4 = f->socket;
  f->socket = g_socket_new (G_SOCKET_FAMILY_IPV6, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP,
      NULL);
  if (f->socket) {
    GInetAddress *loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV6);
    GSocketAddress *address = g_inet_socket_address_new (loopback, 0);
    gboolean ok = g_socket_bind (f->socket, address, FALSE, NULL);

    g_object_unref (address);
    g_object_unref (loopback);
    if (ok) {
      g_autofree gchar *uri = NULL;

      address = g_socket_get_local_address (f->socket, NULL);
      port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
      g_object_unref (address);
      uri = g_strdup_printf ("arc://[::1]:%u", port);
      g_object_set (f->sink, "uri", uri, NULL);
      fixture_play (f);
      push_frame (f, 0, FALSE, 1, 100);
      fail_unless (receive_rtp (f, &d, PATIENCE));
      fail_unless_equals_uint64 (stat_of (f, "bytes-sent"), 148);
    }
  }
  g_clear_object (&f->socket);
  f->socket = v4;
}

CLAIM (test_uri_sets_host_and_port_and_is_refused_when_wrong)
{
  g_autoptr (GstElement) sink = NULL;
  GError *error = NULL;
  g_autofree gchar *host = NULL, *uri = NULL;
  guint port;

  sink = gst_element_make_from_uri (GST_URI_SINK,
      "arc://example.org:7000?encoding-name=H264", NULL, &error);
  fail_unless (sink != NULL);
  g_object_get (sink, "host", &host, "port", &port, "uri", &uri, NULL);
  fail_unless_equals_string (host, "example.org");
  fail_unless_equals_int (port, 7000);
  fail_unless_equals_string (uri, "arc://example.org:7000");
  fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (sink), "udp://example.org:7000", &error));
  fail_unless (error != NULL);
  g_clear_error (&error);
}

CLAIM (test_uri_names_paths)
{
  static const gchar text[] = "arc://example.org:7000?paths=wwan0,10.64.3.7,198.51.100.1:5000";
  g_autoptr (GstElement) sink = NULL;
  GError *error = NULL;
  g_autofree gchar *paths = NULL, *uri = NULL;

  sink = gst_element_make_from_uri (GST_URI_SINK, text, NULL, &error);
  fail_unless (sink != NULL, "%s", error ? error->message : "");
  g_object_get (sink, "paths", &paths, "uri", &uri, NULL);
  fail_unless_equals_string (paths, "wwan0,10.64.3.7,198.51.100.1:5000");
  fail_unless_equals_string (uri, text);
}

CLAIM_ON (test_fifty_restarts_leak_no_socket_and_no_thread, SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;
  guint i, fds = 0, threads = 0;

  for (i = 0; i < 50; i++) {
    fixture_play (f);
    push_frame (f, i, FALSE, 2, 200);
    fail_unless (receive_rtp (f, &d, PATIENCE) && receive_rtp (f, &d, PATIENCE));
    fail_unless_equals_int (d.timestamp, i);
    fixture_stop (f);
    fail_unless (comes_to_threads ("rmc-pacing", 0));
    if (i == 4) {
      fds = count_files ();
      threads = count_threads (NULL);
    }
  }
  fail_unless_equals_int (count_files (), fds);
  /* Idle threads of GStreamer's pool come and go; one leaked each time would be 45. */
  fail_unless (count_threads (NULL) <= threads + 15);
}

CLAIM (test_two_sinks_share_one_thread)
{
  Fixture a, b;
  Datagram d;

  fixture_init (&a, TRUE, "adapt-encoder=false");
  fixture_init (&b, TRUE, "adapt-encoder=false");
  fixture_play (&a);
  fixture_play (&b);
  fail_unless (comes_to_threads ("rmc-pacing", 1));
  push_frame (&a, 1, FALSE, 1, 200);
  push_frame (&b, 2, FALSE, 1, 200);
  fail_unless (receive_rtp (&a, &d, PATIENCE) && d.timestamp == 1);
  fail_unless (receive_rtp (&b, &d, PATIENCE) && d.timestamp == 2);
  fail_unless_equals_int (count_threads ("rmc-pacing"), 1);     /* both have sent by now */
  fixture_stop (&a);
  push_frame (&b, 3, FALSE, 1, 200);
  fail_unless (receive_rtp (&b, &d, PATIENCE) && d.timestamp == 3);
  fixture_clear (&a);
  fixture_clear (&b);
  fail_unless (comes_to_threads ("rmc-pacing", 0));
}

static GstBuffer *
bye_new (void)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (200);
  AT_END (gst_rtcp_buffer_unmap) GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  fail_unless (gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet));
  gst_rtcp_packet_rr_set_ssrc (&packet, 77);
  return buffer;
}

static gint rtcp_buffers;

static GstFlowReturn
count_rtcp (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  g_atomic_int_inc (&rtcp_buffers);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

CLAIM_ON (test_foreign_rtcp_passes_both_ways, SINK (TRUE, "adapt-encoder=false"))
{
  Datagram d;
  GstSegment segment;
  g_autoptr (GstPad) in = gst_pad_new ("in", GST_PAD_SINK), out = gst_pad_new ("out",
      GST_PAD_SRC), rtcp_sink = NULL, rtcp_src = NULL;

  fixture_play (f);            /* first: gst_check's stream ids want one sink pad */
  rtcp_src = gst_element_request_pad_simple (f->sink, "rtcp_src");
  rtcp_sink = gst_element_request_pad_simple (f->sink, "rtcp_sink");
  gst_pad_set_chain_function (in, count_rtcp);
  gst_pad_set_active (in, TRUE);
  gst_pad_set_active (out, TRUE);
  fail_unless_equals_int (gst_pad_link (rtcp_src, in), GST_PAD_LINK_OK);
  fail_unless_equals_int (gst_pad_link (out, rtcp_sink), GST_PAD_LINK_OK);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_pad_push_event (out, gst_event_new_stream_start ("rtcp")));
  fail_unless (gst_pad_push_event (out, gst_event_new_segment (&segment)));
  fail_unless_equals_int (gst_pad_push (out, bye_new ()), GST_FLOW_OK);
  fail_unless (receive (f, &d, PATIENCE) && d.rtcp);
  fail_unless_equals_int (d.data[1], GST_RTCP_TYPE_RR);
  rtcp_buffers = 0;
  send_buffer (f, bye_new ());
  wait_until (g_atomic_int_get (&rtcp_buffers) == 1);

  gst_pad_unlink (rtcp_src, in);
  gst_pad_unlink (out, rtcp_sink);
  gst_element_release_request_pad (f->sink, rtcp_src);
  gst_element_release_request_pad (f->sink, rtcp_sink);
}

CLAIM (test_encoder_upstream_follows_the_target)
{
  GstElement *pipeline, *sink, *encoder;
  gint64 until = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;
  GError *error = NULL;
  guint target, bitrate;

  if (!gst_registry_check_feature_version (gst_registry_get (), "x264enc", 1, 0, 0))
    return;
  pipeline = gst_parse_launch ("videotestsrc is-live=true ! video/x-raw,width=64,height=64 "
      "! x264enc name=e tune=zerolatency bitrate=5000 ! rtph264pay ! rmcsink "
      "name=s start-bitrate=700000", &error);
  fail_unless (pipeline && !error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  do {                          /* a worker sets it */
    g_usleep (1000);
    g_object_get (encoder, "bitrate", &bitrate, NULL);
    g_object_get (sink, "target-bitrate", &target, NULL);
  } while (bitrate == 5000 && g_get_monotonic_time () < until);
  /* More than the target once the settings are made, as frames must leave a part unused. */
  fail_unless (bitrate >= target / 2000 && bitrate <= target / 500,
      "%u kbit/s instead of %u bit/s", bitrate, target);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (sink);
  gst_object_unref (encoder);
  gst_object_unref (pipeline);
}
