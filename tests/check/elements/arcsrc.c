/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Over real sockets on the loopback interface; only the latch is tested in virtual time. */
#include "arcsrcfixture.h"

#include "net/arcuri.h"
#include "arcsrc/senderlatch.h"

GST_START_TEST (test_reports_return_to_where_media_comes_from)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");

  receiver_open (&r, "127.0.0.1", 0);
  send_rtp (sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  check_report_returns (sender, &r, 1);
  wait_stat (&r, "reports-sent", 1);
  fail_unless_equals_uint64 (receiver_stat (&r, "send-errors"), 0);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

typedef struct
{
  Receiver r;
  GSocket *sender;
  gint done;
} Stall;

/* The second packet comes while the receiving thread is busy with the first. */
static GstPadProbeReturn
stall (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Stall *s = user_data;

  if (!g_atomic_int_compare_and_exchange (&s->done, FALSE, TRUE))
    return GST_PAD_PROBE_OK;
  send_rtp (s->sender, &s->r, SSRC, 2);
  g_usleep (200 * 1000);
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_kernel_arrival_time_becomes_the_dts)
{
  Stall s = {.sender = sender_new ("127.0.0.1") };
  GstClockTime dts[2];
  GstPad *pad;
  guint i;

  receiver_open (&s.r, "127.0.0.1", 0);
  pad = gst_element_get_static_pad (s.r.src, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, stall, &s, NULL);
  send_rtp (s.sender, &s.r, SSRC, 1);
  for (i = 0; i < 2; i++) {
    GstBuffer *buffer = gst_harness_pull (s.r.media);

    dts[i] = GST_BUFFER_DTS (buffer);
    gst_buffer_unref (buffer);
  }
  fail_unless (dts[1] >= dts[0] && dts[1] - dts[0] < 150 * GST_MSECOND);
  gst_object_unref (pad);
  g_object_unref (s.sender);
  receiver_close (&s.r);
}

GST_END_TEST;

/* Times of media, in the pipeline's running time. */
static void
check_times (Receiver * r, GstBuffer * buffer, GstClockTime * last)
{
  GstClockTime now = gst_element_get_current_running_time (r->src);

  fail_unless (GST_BUFFER_DTS (buffer) <= now, "DTS %" GST_TIME_FORMAT " at %" GST_TIME_FORMAT,
      GST_TIME_ARGS (GST_BUFFER_DTS (buffer)), GST_TIME_ARGS (now));
  fail_unless (!GST_BUFFER_PTS_IS_VALID (buffer) || GST_BUFFER_PTS (buffer) <= now);
  fail_unless (GST_BUFFER_DTS (buffer) >= *last);
  *last = GST_BUFFER_DTS (buffer);
}

GST_START_TEST (test_media_that_came_before_playing_has_a_time_of_the_stream)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");
  GstClockTime last = 0;
  GstBuffer *buffer;
  guint16 seq;

  receiver_open (&r, "127.0.0.1", 0);
  gst_element_set_state (r.src, GST_STATE_READY);
  send_rtp (sender, &r, SSRC, 1);
  send_rtp (sender, &r, SSRC, 2);
  g_usleep (20 * 1000);
  gst_element_set_base_time (r.src, gst_clock_get_time (GST_ELEMENT_CLOCK (r.src)));
  send_rtp (sender, &r, SSRC, 3);
  gst_element_set_state (r.src, GST_STATE_PLAYING);
  for (seq = 1; seq <= 3; seq++) {
    buffer = gst_harness_pull (r.media);
    check_times (&r, buffer, &last);
    gst_buffer_unref (buffer);
  }
  fail_unless (last > 0, "what came after the base time keeps its own");
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

/* While paused the socket goes on to fill; running time stands still. */
GST_START_TEST (test_media_that_came_in_a_pause_is_not_from_before_it)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");
  GstClock *clock;
  GstClockTime last = 0;
  GstBuffer *buffer;

  receiver_open (&r, "127.0.0.1", 0);
  clock = gst_element_get_clock (r.src);
  g_usleep (50 * 1000);
  send_rtp (sender, &r, SSRC, 1);
  buffer = gst_harness_pull (r.media);
  check_times (&r, buffer, &last);
  gst_buffer_unref (buffer);
  gst_element_set_state (r.src, GST_STATE_PAUSED);
  send_rtp (sender, &r, SSRC, 2);
  g_usleep (200 * 1000);
  gst_element_set_base_time (r.src, gst_clock_get_time (clock) - last - 10 * GST_MSECOND);
  gst_element_set_state (r.src, GST_STATE_PLAYING);
  buffer = gst_harness_pull (r.media);
  check_times (&r, buffer, &last);
  gst_buffer_unref (buffer);
  gst_object_unref (clock);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_packets_from_elsewhere_are_dropped_and_counted)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1"), *intruder = sender_new ("127.0.0.1");

  receiver_open (&r, "127.0.0.1", 0);
  send_rtp (sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  sender_prove (sender, &r);
  send_rtp (intruder, &r, SSRC, 1000);
  send_rtp (intruder, &r, 0x22222222, 1001);
  send_rtp (sender, &r, SSRC, 2);
  check_media_comes (&r, 2);
  wait_stat (&r, "packets-foreign", 2);
  fail_unless_equals_uint64 (receiver_stat (&r, "sender-changes"), 0);
  check_report_returns (sender, &r, 2);
  fail_unless_equals_int (sender_wait_notice (intruder).refusal, RC_REFUSAL_TAKEN);
  check_no_datagram_waits (intruder);
  g_object_unref (sender);
  g_object_unref (intruder);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_sender_that_moves_is_followed_when_allowed)
{
  Receiver r;
  GSocket *before = sender_new ("127.0.0.1"), *after = sender_new ("127.0.0.1");

  receiver_open (&r, "127.0.0.1", 0);
  g_object_set (r.src, "follow-sender", TRUE, NULL);
  send_rtp (before, &r, SSRC, 1);
  check_media_comes (&r, 1);
  check_report_returns (before, &r, 1);
  send_rtp (after, &r, SSRC, 2);
  check_media_comes (&r, 2);
  check_report_returns (after, &r, 2);
  send_rtp (after, &r, 0x22222222, 3);
  check_media_comes (&r, 3);
  wait_stat (&r, "sender-changes", 1);
  g_object_unref (before);
  g_object_unref (after);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_timeout_message_comes_once_and_resumed_after_it)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");
  GstMessage *message;
  gchar *name = g_strdup_printf ("127.0.0.1:%d", sender_port (sender));
  guint64 timeout, silence;

  receiver_open (&r, "127.0.0.1", 100 * GST_MSECOND);
  send_rtp (sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  message = wait_message (&r, GST_ARC_SRC_TIMEOUT);
  fail_unless (gst_structure_get (gst_message_get_structure (message), "timeout", G_TYPE_UINT64, &timeout,
          "silence", G_TYPE_UINT64, &silence, NULL));
  fail_unless_equals_uint64 (timeout, 100 * GST_MSECOND);
  fail_unless (silence >= timeout);
  fail_unless_equals_string (gst_structure_get_string (gst_message_get_structure (message), "sender"), name);
  gst_message_unref (message);

  fail_unless (gst_bus_timed_pop_filtered (r.bus, 300 * GST_MSECOND, GST_MESSAGE_ELEMENT) == NULL);
  send_rtp (sender, &r, SSRC, 2);
  gst_message_unref (wait_message (&r, GST_ARC_SRC_RESUMED));
  gst_message_unref (wait_message (&r, GST_ARC_SRC_TIMEOUT));
  g_free (name);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_statistics_come_as_messages_in_silence_too)
{
  GstClockTime begin, end;
  GstMessage *message;
  Receiver r;
  guint i;

  receiver_open (&r, "127.0.0.1", 0);
  fail_unless (gst_bus_timed_pop_filtered (r.bus, 100 * GST_MSECOND, GST_MESSAGE_ELEMENT) == NULL, "0 is never");
  begin = gst_util_get_timestamp ();
  g_object_set (r.src, "stats-interval", 50 * GST_MSECOND, NULL);
  for (i = 0; i < 4; i++) {
    message = wait_message (&r, GST_ARC_SRC_STATS);
    fail_unless (gst_structure_has_field (gst_message_get_structure (message), "packets-foreign"));
    fail_unless (gst_structure_has_field (gst_message_get_structure (message), "sources"));
    gst_message_unref (message);
  }
  end = gst_util_get_timestamp ();
  fail_unless (end - begin >= 190 * GST_MSECOND, "%" GST_TIME_FORMAT, GST_TIME_ARGS (end - begin));
  /* Restarts, and an end while the next is far away. */
  g_object_set (r.src, "stats-interval", GST_SECOND * 3600, NULL);
  gst_element_set_state (r.src, GST_STATE_READY);
  g_object_set (r.src, "stats-interval", (guint64) 1, NULL);
  gst_element_set_state (r.src, GST_STATE_PLAYING);
  gst_message_unref (wait_message (&r, GST_ARC_SRC_STATS));
  g_object_get (r.src, "stats-interval", &begin, NULL);
  fail_unless_equals_uint64 (begin, 10 * GST_MSECOND);
  g_object_set (r.src, "stats-interval", (guint64) 0, NULL);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_timeout_message_comes_where_nobody_ever_sends)
{
  Receiver r;
  GstMessage *message;

  receiver_open (&r, "127.0.0.1", 50 * GST_MSECOND);
  message = wait_message (&r, GST_ARC_SRC_TIMEOUT);
  fail_if (gst_structure_has_field (gst_message_get_structure (message), "sender"));
  gst_message_unref (message);
  receiver_close (&r);
}

GST_END_TEST;

/* 5 ms apart, so that udpsrc, which hears them, never times out itself. */
static gpointer
intrude (gpointer user_data)
{
  Receiver *r = user_data;
  GSocket *intruder = sender_new ("127.0.0.1");
  static const guint8 noise[] = { 0, 1, 2, 3 };

  while (!GPOINTER_TO_INT (g_object_get_data (G_OBJECT (r->src), "stop"))) {
    sender_send (intruder, "127.0.0.1", receiver_port (r), gst_buffer_new_memdup (noise, sizeof (noise)));
    g_usleep (5000);
  }
  g_object_unref (intruder);
  return NULL;
}

GST_START_TEST (test_noise_from_elsewhere_does_not_hide_a_timeout)
{
  Receiver r;
  GThread *thread;

  receiver_open (&r, "127.0.0.1", 200 * GST_MSECOND);
  thread = g_thread_new ("intruder", intrude, &r);
  gst_message_unref (wait_message (&r, GST_ARC_SRC_TIMEOUT));
  g_object_set_data (G_OBJECT (r.src), "stop", GINT_TO_POINTER (TRUE));
  g_thread_join (thread);
  fail_unless (receiver_stat (&r, "packets-foreign") > 0);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_another_sender_is_taken_after_silence)
{
  Receiver r;
  GSocket *first_sender = sender_new ("127.0.0.1"), *second_sender = sender_new ("127.0.0.1");

  receiver_open (&r, "127.0.0.1", 100 * GST_MSECOND);
  g_object_set (r.src, "sender-timeout", 100 * GST_MSECOND, NULL);
  send_rtp (first_sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  sender_prove (first_sender, &r);
  gst_message_unref (wait_message (&r, GST_ARC_SRC_TIMEOUT));
  g_usleep (150 * 1000);
  send_rtp (second_sender, &r, 0x22222222, 7);
  check_media_comes (&r, 7);
  wait_stat (&r, "sender-changes", 1);
  g_object_unref (first_sender);
  g_object_unref (second_sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_probing_sender_is_answered_and_noise_is_not)
{
  static const guint8 noise[] = { 0, 1, 2, 3 };
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1"), *other_socket = sender_new ("127.0.0.1");

  receiver_open (&r, "127.0.0.1", 0);
  sender_send (other_socket, "127.0.0.1", receiver_port (&r), gst_buffer_new_memdup (noise, sizeof (noise)));
  sender_send (other_socket, "127.0.0.1", receiver_port (&r), sender_report_new ());
  sender_send (sender, "127.0.0.1", receiver_port (&r), info_new (0));
  sender_send (sender, "127.0.0.1", receiver_port (&r), info_new (sender_wait_notice (sender).cookie));
  check_report_returns (sender, &r, 0);
  check_no_datagram_waits (other_socket);
  wait_stat (&r, "packets-foreign", 3);
  g_object_unref (sender);
  g_object_unref (other_socket);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_lists_are_judged_packet_by_packet)
{
  Receiver r;
  GSocket *socket = sender_new ("127.0.0.1");
  GSocketAddress *sender = g_socket_get_local_address (socket, NULL);
  GSocketAddress *intruder = g_inet_socket_address_new_from_string ("127.0.0.2", 5000);
  GstBufferList *list = gst_buffer_list_new ();
  GstElement *udpsrc;
  GstPad *pad;
  guint16 seq;

  receiver_open (&r, "127.0.0.1", 0);
  send_rtp (socket, &r, SSRC, 1);
  check_media_comes (&r, 1);
  udpsrc = gst_bin_get_by_name (GST_BIN (r.src), "udpsrc");
  pad = gst_element_get_static_pad (udpsrc, "src");
  for (seq = 2; seq <= 4; seq++) {
    GstBuffer *buffer = rtp_new (SSRC, seq);

    gst_buffer_add_net_address_meta (buffer, seq == 3 ? intruder : sender);
    gst_buffer_list_add (list, buffer);
  }
  fail_unless_equals_int (gst_pad_push_list (pad, list), GST_FLOW_OK);
  check_media_comes (&r, 2);
  check_media_comes (&r, 4);
  wait_stat (&r, "packets-foreign", 1);
  g_object_unref (socket);
  gst_object_unref (pad);
  gst_object_unref (udpsrc);
  g_object_unref (sender);
  g_object_unref (intruder);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_pads_serve_an_rtp_session)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");
  GstHarness *from_sender, *to_sender;
  GstBuffer *buffer;
  RtcpFeedback feedback;
  gint from_port;

  receiver_open (&r, "127.0.0.1", 0);
  from_sender = gst_harness_new_with_element (r.src, NULL, "rtcp_src");
  to_sender = gst_harness_new_with_element (r.src, "rtcp_sink", NULL);
  gst_harness_set_src_caps_str (to_sender, "application/x-rtcp");
  send_rtp (sender, &r, SSRC, 1);
  check_report_returns (sender, &r, 1);

  sender_send (sender, "127.0.0.1", receiver_port (&r), sender_report_new ());
  buffer = gst_harness_pull (from_sender);
  fail_unless_equals_int (rtcp_feedback_parse (buffer, &feedback), RTCP_FEEDBACK_OTHER);
  gst_buffer_unref (buffer);

  /* Ours come in between: what matters is that the session's comes from the media port, too. */
  fail_unless_equals_int (gst_harness_push (to_sender, sender_report_new ()), GST_FLOW_OK);
  do {
    buffer = sender_receive (sender, &from_port);
    fail_unless_equals_int (from_port, receiver_port (&r));
    rtcp_feedback_parse (buffer, &feedback);
    gst_buffer_unref (buffer);
  } while (!feedback.others);
  gst_harness_teardown (from_sender);
  gst_harness_teardown (to_sender);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_rtcp_pads_return_after_release)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  guint i;

  for (i = 0; i < 2; i++) {
    GstPad *out = gst_element_request_pad_simple (src, "rtcp_src");
    GstPad *in = gst_element_request_pad_simple (src, "rtcp_sink");

    fail_unless (out != NULL && in != NULL);
    gst_element_release_request_pad (src, out);
    gst_element_release_request_pad (src, in);
    gst_object_unref (out);
    gst_object_unref (in);
  }
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_ipv6_works)
{
  Receiver r;
  GSocket *sender = sender_new ("::1");

  receiver_open (&r, "::1", 0);
  sender_send (sender, "::1", receiver_port (&r), rtp_new (SSRC, 1));
  check_media_comes (&r, 1);
  check_report_returns (sender, &r, 1);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_any_ipv6_address_takes_ipv4_too)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");

  receiver_open (&r, "::", 0);
  send_rtp (sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  check_report_returns (sender, &r, 1);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

GST_START_TEST (test_two_receivers_live_in_one_process)
{
  Receiver a, b;
  GSocket *sender = sender_new ("127.0.0.1");

  receiver_open (&a, "127.0.0.1", 0);
  receiver_open (&b, "127.0.0.1", 0);
  fail_if (receiver_port (&a) == receiver_port (&b));
  send_rtp (sender, &a, SSRC, 1);
  send_rtp (sender, &b, SSRC, 2);
  check_media_comes (&a, 1);
  check_media_comes (&b, 2);
  g_object_unref (sender);
  receiver_close (&a);
  receiver_close (&b);
}

GST_END_TEST;

static guint
count_entries (const gchar * path)
{
  GDir *dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

GST_START_TEST (test_fifty_restarts_leak_no_descriptor_and_keep_working)
{
  Receiver r;
  guint i, fds = 0, threads = 0;

  receiver_open (&r, "127.0.0.1", 0);
  for (i = 0; i < 50; i++) {
    GSocket *sender = sender_new ("127.0.0.1");

    send_rtp (sender, &r, SSRC, i);
    check_media_comes (&r, i);
    check_report_returns (sender, &r, 1);
    g_object_unref (sender);
    fail_unless_equals_int (gst_element_set_state (r.src, GST_STATE_NULL), GST_STATE_CHANGE_SUCCESS);
    if (i == 4) {
      fds = count_entries ("/proc/self/fd");
      threads = count_entries ("/proc/self/task");
    }
    gst_element_set_state (r.src, GST_STATE_PLAYING);
  }
  gst_element_set_state (r.src, GST_STATE_NULL);
  fail_unless_equals_int (count_entries ("/proc/self/fd"), fds);
  fail_unless (count_entries ("/proc/self/task") <= threads + 15);
  receiver_close (&r);
}

GST_END_TEST;

/* The error on the bus of an arcsrc that cannot start: its text must hold these. */
static void
check_fails_to_start (GstElement * src, const gchar * part1, const gchar * part2)
{
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  gst_element_set_bus (src, bus);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ));
  fail_unless (strstr (error->message, part1) && strstr (error->message, part2), "%s", error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING) == NULL);

  gst_element_set_state (src, GST_STATE_NULL);
  gst_element_set_bus (src, NULL);
  gst_object_unref (bus);
  gst_object_unref (src);
}

GST_START_TEST (test_busy_port_is_one_clear_error)
{
  GSocket *holder = sender_new ("127.0.0.1");
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  gchar *port = g_strdup_printf ("port %d", sender_port (holder));

  g_object_set (src, "address", "127.0.0.1", "port", sender_port (holder), NULL);
  check_fails_to_start (src, port, "127.0.0.1");
  g_free (port);
  g_object_unref (holder);
}

GST_END_TEST;

GST_START_TEST (test_two_receivers_do_not_share_a_port)
{
  GstElement *holder = gst_element_factory_make ("arcsrc", NULL);
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  gint port;

  g_object_set (holder, "address", "127.0.0.1", "port", 0, NULL);
  gst_element_set_state (holder, GST_STATE_READY);
  g_object_get (holder, "port", &port, NULL);
  g_object_set (src, "address", "127.0.0.1", "port", port, NULL);
  check_fails_to_start (src, "in use", "another port");
  gst_element_set_state (holder, GST_STATE_NULL);
  gst_object_unref (holder);
}

GST_END_TEST;

GST_START_TEST (test_address_of_another_machine_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "address", "192.0.2.1", "port", 5432, NULL);
  check_fails_to_start (src, "192.0.2.1", "5432");
}

GST_END_TEST;

GST_START_TEST (test_bad_uri_property_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "arc://127.0.0.1:0?codec=H264", NULL);
  check_fails_to_start (src, "codec", "encoding-name");
}

GST_END_TEST;

GST_START_TEST (test_uri_property_of_another_scheme_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "udp://127.0.0.1:0", NULL);
  check_fails_to_start (src, "udp://", "arc://");
}

GST_END_TEST;

/* What the socket needs cannot change once it is open, on the way to READY. */
GST_START_TEST (test_properties_of_the_socket_are_not_flagged_as_changeable_in_ready)
{
  const gchar *names[] = { "address", "port", "uri", "buffer-size" };
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    fail_if (g_object_class_find_property (G_OBJECT_GET_CLASS (src), names[i])->flags & (GST_PARAM_MUTABLE_READY
            | GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_PLAYING), "%s", names[i]);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_good_uri_mends_a_bad_one)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "arc://127.0.0.1:0?codec=H264", NULL);
  g_object_set (src, "uri", "arc://127.0.0.1:0", NULL);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_free_port_is_told_while_open)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  gint port;

  g_object_set (src, "address", "127.0.0.1", "port", 0, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  g_object_get (src, "port", &port, NULL);
  fail_unless (port > 0);
  gst_element_set_state (src, GST_STATE_NULL);
  g_object_get (src, "port", &port, NULL);
  fail_unless_equals_int (port, 0);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_granted_receive_buffer_is_told)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  GstStructure *stats;
  gint bytes;

  g_object_set (src, "address", "127.0.0.1", "port", 0, "buffer-size", 65536, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  g_object_get (src, "stats", &stats, NULL);
  fail_unless (gst_structure_get_int (stats, "buffer-size", &bytes));
  fail_unless_equals_int (bytes, 65536);
  gst_structure_free (stats);
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

GST_END_TEST;

static const struct
{
  const gchar *text, *address;
  guint16 port;
  const gchar *caps;            /* NULL: none */
} good_uris[] = {
  {"arc://192.0.2.1:5002", "192.0.2.1", 5002, NULL},
  {"arc://:5000", "0.0.0.0", 5000, NULL},
  {"arc://", "0.0.0.0", 5000, NULL},
  {"arc://:5000?", "0.0.0.0", 5000, NULL},
  {"arc://host.example", "host.example", 5000, NULL},
  {"arc://:0", "0.0.0.0", 0, NULL},
  {"arc://:65535/", "0.0.0.0", 65535, NULL},
  {"arc://[::1]:5000", "::1", 5000, NULL},
  {"arc://[fe80::1%25eth0]:5000", "fe80::1%eth0", 5000, NULL},
  {"arc://[::]?payload=0", "::", 5000, "application/x-rtp,media=video,clock-rate=90000,payload=0"},
  {"arc://:5004?payload=96&encoding-name=H264", "0.0.0.0", 5004,
      "application/x-rtp,media=video,clock-rate=90000,payload=96,encoding-name=H264"},
  {"arc://:5004?payload=127&encoding-name=OPUS&clock-rate=48000&media=audio", "0.0.0.0", 5004,
      "application/x-rtp,media=audio,clock-rate=48000,payload=127,encoding-name=OPUS"},
  {"arc://:5004?encoding-name=VP8%2DDRAFT-IETF-01", "0.0.0.0", 5004,
      "application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8-DRAFT-IETF-01"},
};

GST_START_TEST (test_uri_is_understood)
{
  GstCaps *caps = good_uris[__i__].caps ? gst_caps_from_string (good_uris[__i__].caps) : NULL;
  GError *error = NULL;
  ArcUri uri;

  fail_unless (arc_uri_parse (good_uris[__i__].text, &uri, &error), "%s", error ? error->message : "");
  fail_unless_equals_string (uri.address, good_uris[__i__].address);
  fail_unless_equals_int (uri.port, good_uris[__i__].port);
  fail_unless_equals_int (uri.caps != NULL, caps != NULL);
  if (caps)
    fail_unless (gst_caps_is_equal (uri.caps, caps), "%" GST_PTR_FORMAT, uri.caps);
  gst_clear_caps (&caps);
  arc_uri_clear (&uri);
}

GST_END_TEST;

static const struct
{
  const gchar *text, *complaint;
} bad_uris[] = {
  {"", "arc://ADDRESS:PORT"},
  {"arc", "arc://ADDRESS:PORT"},
  {"arc:5000", "arc://ADDRESS:PORT"},
  {"udp://:5000", "arc://ADDRESS:PORT"},
  {"arc://:70000", "70000"},
  {"arc://:-1", "-1"},
  {"arc://host:port", "port"},
  {"arc://::1:5000", "::1"},
  {"arc://me@host:5000", "nothing else"},
  {"arc://host:5000/path", "nothing else"},
  {"arc://host:5000#part", "nothing else"},
  {"arc://:5000?codec=H264", "encoding-name"},
  {"arc://:5000?payload", "key=value"},
  {"arc://:5000?payload=", "no value"},
  {"arc://:5000?payload=128", "127"},
  {"arc://:5000?payload=-1", "127"},
  {"arc://:5000?payload=x", "payload=x"},
  {"arc://:5000?clock-rate=0", "clock-rate=0"},
  {"arc://:5000?clock-rate=99999999999", "clock-rate"},
  {"arc://:5000?encoding-name=", "no value"},
};

GST_START_TEST (test_bad_uri_is_refused_with_a_reason)
{
  GError *error = NULL;
  ArcUri uri;

  fail_if (arc_uri_parse (bad_uris[__i__].text, &uri, &error), "%s", bad_uris[__i__].text);
  fail_unless (g_error_matches (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI));
  fail_unless (strstr (error->message, bad_uris[__i__].complaint), "%s: %s", bad_uris[__i__].text, error->message);
  fail_unless (uri.address == NULL && uri.caps == NULL);
  g_error_free (error);
}

GST_END_TEST;

GST_START_TEST (test_uri_survives_a_round_trip)
{
  static const gchar *const texts[] = {
    "arc://127.0.0.1:5002", "arc://[fe80::1%25eth0]:5000", "arc://[::1]:5000?media=video&encoding-name=H264&payload=96&clock-rate=90000"
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++) {
    GstElement *src = gst_element_make_from_uri (GST_URI_SRC, texts[i], NULL, NULL);
    gchar *text = gst_uri_handler_get_uri (GST_URI_HANDLER (src));

    fail_unless_equals_string (text, texts[i]);
    g_free (text);
    gst_object_unref (src);
  }
}

GST_END_TEST;

static void
check_payload (GstElement * src, gint expected)
{
  GstCaps *caps;
  gint payload;

  g_object_get (src, "caps", &caps, NULL);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0), "payload", &payload));
  fail_unless_equals_int (payload, expected);
  gst_caps_unref (caps);
}

GST_START_TEST (test_uri_is_refused_while_open)
{
  GstElement *src = gst_element_make_from_uri (GST_URI_SRC, "arc://127.0.0.1:0", NULL, NULL);
  GError *error = NULL;

  gst_element_set_state (src, GST_STATE_READY);
  fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src), "arc://:5000", &error));
  fail_unless (g_error_matches (error, GST_URI_ERROR, GST_URI_ERROR_BAD_STATE));
  g_error_free (error);
  gst_element_set_state (src, GST_STATE_NULL);
  fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (src), "arc://:5000", NULL));
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_later_of_caps_and_uri_wins)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  GstCaps *caps = gst_caps_from_string ("application/x-rtp,payload=97");

  g_object_set (src, "caps", caps, "uri", "arc://:5000?payload=98", NULL);
  check_payload (src, 98);
  g_object_set (src, "caps", caps, NULL);
  check_payload (src, 97);
  g_object_set (src, "uri", "arc://:5000", NULL);
  check_payload (src, 97);
  gst_caps_unref (caps);
  gst_object_unref (src);
}

GST_END_TEST;

GST_START_TEST (test_caps_reach_downstream)
{
  Receiver r;
  GSocket *sender = sender_new ("127.0.0.1");
  GstCaps *caps = gst_caps_from_string ("application/x-rtp,media=video,payload=96");
  GstCaps *seen;

  receiver_open (&r, "127.0.0.1", 0);
  gst_element_set_state (r.src, GST_STATE_NULL);
  g_object_set (r.src, "caps", caps, NULL);
  gst_element_set_state (r.src, GST_STATE_PLAYING);
  send_rtp (sender, &r, SSRC, 1);
  check_media_comes (&r, 1);
  seen = gst_pad_get_current_caps (r.media->sinkpad);
  fail_unless (gst_caps_is_equal (seen, caps));
  gst_caps_unref (seen);
  gst_caps_unref (caps);
  g_object_unref (sender);
  receiver_close (&r);
}

GST_END_TEST;

static void
keep_source (GstElement * bin, GstElement * source, GstElement ** kept)
{
  *kept = gst_object_ref (source);
}

GST_START_TEST (test_uridecodebin_makes_it)
{
  GstElement *pipeline = gst_pipeline_new (NULL), *source = NULL;
  GstElement *decoder = gst_element_factory_make ("uridecodebin", NULL);

  g_object_set (decoder, "uri", "arc://127.0.0.1:0?encoding-name=H264&payload=96", NULL);
  g_signal_connect (decoder, "source-setup", G_CALLBACK (keep_source), &source);
  gst_bin_add (GST_BIN (pipeline), decoder);
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  fail_unless (source != NULL);
  fail_unless_equals_string (GST_OBJECT_NAME (gst_element_get_factory (source)), "arcsrc");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (source);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* The latch, in virtual time */

typedef struct
{
  GSocketAddress *home, *home_again, *other_port, *other_host;
  SenderLatch latch;
} Latch;

static void
latch_open (Latch * l)
{
  l->home = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  l->home_again = g_inet_socket_address_new_from_string ("192.0.2.1", 5000);
  l->other_port = g_inet_socket_address_new_from_string ("192.0.2.1", 5001);
  l->other_host = g_inet_socket_address_new_from_string ("192.0.2.2", 5000);
  l->latch = (SenderLatch) { 0 };
}

static void
latch_close (Latch * l)
{
  sender_latch_clear (&l->latch);
  g_object_unref (l->home);
  g_object_unref (l->home_again);
  g_object_unref (l->other_port);
  g_object_unref (l->other_host);
}

static const SenderPacket media = {.kind = SENDER_PACKET_MEDIA,.ssrc = 1,.announced = TRUE };
static const SenderPacket media_of_2 = {.kind = SENDER_PACKET_MEDIA,.ssrc = 2,.announced = TRUE };
static const SenderPacket odd_media = {.kind = SENDER_PACKET_MEDIA,.ssrc = 1 };
static const SenderPacket info = {.kind = SENDER_PACKET_INFO };
static const SenderPacket proof = {.kind = SENDER_PACKET_INFO,.proven = TRUE };
static const SenderPacket moving_info = {.kind = SENDER_PACKET_INFO,.moved = TRUE };
static const SenderPacket other = {.kind = SENDER_PACKET_OTHER };

static void
check_verdict (Latch * l, GSocketAddress * from, SenderPacket packet, gboolean follow, RcTime now,
    SenderLatchVerdict expected)
{
  fail_unless_equals_int (sender_latch_judge (&l->latch, from, &packet, follow, 2 * RC_SECOND, now), expected);
}

GST_START_TEST (test_latch_knows_an_address_by_value)
{
  Latch l;

  latch_open (&l);
  check_verdict (&l, l.home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.home_again, media_of_2, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.home_again, other, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.other_port, media_of_2, FALSE, 0, SENDER_LATCH_UNPROVEN);
  check_verdict (&l, l.other_host, other, FALSE, 0, SENDER_LATCH_OTHER);
  latch_close (&l);
}

GST_END_TEST;

GST_START_TEST (test_latch_holds_for_a_proven_sender_until_exactly_the_release_time)
{
  Latch l;

  latch_open (&l);
  check_verdict (&l, l.home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.home, proof, FALSE, RC_SECOND, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.home, other, FALSE, 2 * RC_SECOND, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.other_host, media, FALSE, 3 * RC_SECOND - 1, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.other_host, proof, FALSE, 3 * RC_SECOND - 1, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.other_host, other, FALSE, 3 * RC_SECOND, SENDER_LATCH_OTHER);
  check_verdict (&l, l.other_host, info, FALSE, 3 * RC_SECOND, SENDER_LATCH_UNPROVEN);
  check_verdict (&l, l.other_host, media, FALSE, 3 * RC_SECOND, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.home, media, FALSE, 3 * RC_SECOND, SENDER_LATCH_UNPROVEN);
  latch_close (&l);
}

GST_END_TEST;

GST_START_TEST (test_latch_holds_for_an_unproven_sender_by_what_it_sent)
{
  RcTime now = 0;
  Latch l;
  guint i;

  latch_open (&l);
  check_verdict (&l, l.home, media, FALSE, now, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.other_host, media, FALSE, now + SENDER_LATCH_HOLD_A_PACKET - 1, SENDER_LATCH_UNPROVEN);
  check_verdict (&l, l.other_host, media, FALSE, now + SENDER_LATCH_HOLD_A_PACKET, SENDER_LATCH_CHANGED);
  now = SENDER_LATCH_HOLD_A_PACKET;
  for (i = 0; i < 100; i++)
    check_verdict (&l, l.other_host, media, FALSE, now, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.home, media, FALSE, now + 2 * RC_SECOND - 1, SENDER_LATCH_UNPROVEN);
  check_verdict (&l, l.home, proof, FALSE, now, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.other_host, media, FALSE, now, SENDER_LATCH_TAKEN);
  latch_close (&l);
}

GST_END_TEST;

GST_START_TEST (test_latch_follows_only_media_of_the_same_ssrc_or_the_cookie)
{
  Latch l;

  latch_open (&l);
  check_verdict (&l, l.home, proof, TRUE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.other_port, media, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.home, media, TRUE, 0, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.other_port, info, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.other_port, media_of_2, TRUE, 0, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.other_port, media, TRUE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.other_port, proof, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.other_host, media, FALSE, 0, SENDER_LATCH_TAKEN);
  check_verdict (&l, l.other_host, moving_info, FALSE, 0, SENDER_LATCH_CHANGED);
  fail_if (l.latch.proven, "where it went it has to prove itself anew");
  latch_close (&l);
}

GST_END_TEST;

GST_START_TEST (test_latch_takes_nobody_by_media_that_was_not_announced)
{
  Latch l;

  latch_open (&l);
  check_verdict (&l, l.home, odd_media, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (&l, l.home, proof, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (&l, l.home, media, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.home, odd_media, FALSE, 0, SENDER_LATCH_KNOWN);
  check_verdict (&l, l.other_host, proof, FALSE, 0, SENDER_LATCH_CHANGED);
  check_verdict (&l, l.other_host, odd_media, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (&l, l.other_host, info, FALSE, 0, SENDER_LATCH_MISFIT);
  check_verdict (&l, l.home, odd_media, FALSE, 0, SENDER_LATCH_TAKEN);
  latch_close (&l);
}

GST_END_TEST;

static TCase *
network_tests (void)
{
  TCase *tc = tcase_create ("network");

  tcase_add_test (tc, test_reports_return_to_where_media_comes_from);
  tcase_add_test (tc, test_kernel_arrival_time_becomes_the_dts);
  tcase_add_test (tc, test_media_that_came_before_playing_has_a_time_of_the_stream);
  tcase_add_test (tc, test_media_that_came_in_a_pause_is_not_from_before_it);
  tcase_add_test (tc, test_packets_from_elsewhere_are_dropped_and_counted);
  tcase_add_test (tc, test_sender_that_moves_is_followed_when_allowed);
  tcase_add_test (tc, test_timeout_message_comes_once_and_resumed_after_it);
  tcase_add_test (tc, test_statistics_come_as_messages_in_silence_too);
  tcase_add_test (tc, test_timeout_message_comes_where_nobody_ever_sends);
  tcase_add_test (tc, test_noise_from_elsewhere_does_not_hide_a_timeout);
  tcase_add_test (tc, test_another_sender_is_taken_after_silence);
  tcase_add_test (tc, test_probing_sender_is_answered_and_noise_is_not);
  tcase_add_test (tc, test_lists_are_judged_packet_by_packet);
  tcase_add_test (tc, test_rtcp_pads_serve_an_rtp_session);
  tcase_add_test (tc, test_rtcp_pads_return_after_release);
  tcase_add_test (tc, test_ipv6_works);
  tcase_add_test (tc, test_any_ipv6_address_takes_ipv4_too);
  tcase_add_test (tc, test_two_receivers_live_in_one_process);
  tcase_add_test (tc, test_fifty_restarts_leak_no_descriptor_and_keep_working);
  tcase_add_test (tc, test_caps_reach_downstream);
  tcase_add_test (tc, test_uridecodebin_makes_it);
  return tc;
}

static TCase *
settings_tests (void)
{
  TCase *tc = tcase_create ("settings");

  tcase_add_test (tc, test_busy_port_is_one_clear_error);
  tcase_add_test (tc, test_two_receivers_do_not_share_a_port);
  tcase_add_test (tc, test_address_of_another_machine_is_one_clear_error);
  tcase_add_test (tc, test_bad_uri_property_is_one_clear_error);
  tcase_add_test (tc, test_good_uri_mends_a_bad_one);
  tcase_add_test (tc, test_uri_property_of_another_scheme_is_one_clear_error);
  tcase_add_test (tc, test_properties_of_the_socket_are_not_flagged_as_changeable_in_ready);
  tcase_add_test (tc, test_free_port_is_told_while_open);
  tcase_add_test (tc, test_granted_receive_buffer_is_told);
  tcase_add_loop_test (tc, test_uri_is_understood, 0, G_N_ELEMENTS (good_uris));
  tcase_add_loop_test (tc, test_bad_uri_is_refused_with_a_reason, 0, G_N_ELEMENTS (bad_uris));
  tcase_add_test (tc, test_uri_survives_a_round_trip);
  tcase_add_test (tc, test_uri_is_refused_while_open);
  tcase_add_test (tc, test_later_of_caps_and_uri_wins);
  return tc;
}

static TCase *
latch_tests (void)
{
  TCase *tc = tcase_create ("latch");

  tcase_add_test (tc, test_latch_knows_an_address_by_value);
  tcase_add_test (tc, test_latch_holds_for_a_proven_sender_until_exactly_the_release_time);
  tcase_add_test (tc, test_latch_holds_for_an_unproven_sender_by_what_it_sent);
  tcase_add_test (tc, test_latch_follows_only_media_of_the_same_ssrc_or_the_cookie);
  tcase_add_test (tc, test_latch_takes_nobody_by_media_that_was_not_announced);
  return tc;
}

static Suite *
arcsrc_suite (void)
{
  Suite *suite = suite_create ("arcsrc");

  suite_add_tcase (suite, network_tests ());
  suite_add_tcase (suite, settings_tests ());
  suite_add_tcase (suite, latch_tests ());
  return suite;
}

GST_CHECK_MAIN (arcsrc);
