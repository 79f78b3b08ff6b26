/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Media in, reports out, over real sockets on the loopback interface. */
#include "arcsrcfixture.h"

CLAIM_ON (test_reports_return_to_where_media_comes_from, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  check_report_returns (sender, r, 1);
  wait_stat (r, "reports-sent", 1);
  fail_unless_equals_uint64 (receiver_stat (r, "send-errors"), 0);
}

CLAIM_ON (test_packets_from_elsewhere_are_dropped_and_counted, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1"), intruder = sender_new ("127.0.0.1");

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  sender_prove (sender, r);
  send_rtp (intruder, r, SSRC, 1000);
  send_rtp (intruder, r, 0x22222222, 1001);
  send_rtp (sender, r, SSRC, 2);
  check_media_comes (r, 2);
  wait_stat (r, "packets-foreign", 2);
  fail_unless_equals_uint64 (receiver_stat (r, "sender-changes"), 0);
  check_report_returns (sender, r, 2);
  fail_unless_equals_int (sender_wait_notice (intruder).refusal, RC_REFUSAL_TAKEN);
  check_no_datagram_waits (intruder);
}

CLAIM_ON (test_sender_that_moves_is_followed_when_allowed, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) before = sender_new ("127.0.0.1"), after = sender_new ("127.0.0.1");

  g_object_set (r->src, "follow-sender", TRUE, NULL);
  send_rtp (before, r, SSRC, 1);
  check_media_comes (r, 1);
  check_report_returns (before, r, 1);
  send_rtp (after, r, SSRC, 2);
  check_media_comes (r, 2);
  check_report_returns (after, r, 2);
  /* Another SSRC in the midst of media waits for its second packet. */
  send_rtp (after, r, 0x22222222, 3);
  send_rtp (after, r, 0x22222222, 4);
  check_media_comes (r, 3);
  wait_stat (r, "sender-changes", 1);
}

CLAIM_ON (test_another_sender_is_taken_after_silence, RECEIVER ("127.0.0.1", 100 * GST_MSECOND))
{
  g_autoptr (GSocket) first_sender = sender_new ("127.0.0.1"),
      second_sender = sender_new ("127.0.0.1");

  g_object_set (r->src, "sender-timeout", 100 * GST_MSECOND, NULL);
  send_rtp (first_sender, r, SSRC, 1);
  check_media_comes (r, 1);
  sender_prove (first_sender, r);
  gst_message_unref (wait_message (r, GST_ARC_SRC_TIMEOUT));
  g_usleep (150 * 1000);
  send_rtp (second_sender, r, 0x22222222, 7);
  check_media_comes (r, 7);
  wait_stat (r, "sender-changes", 1);
}

CLAIM_ON (test_probing_sender_is_answered_and_noise_is_not, RECEIVER ("127.0.0.1", 0))
{
  static const guint8 noise[] = { 0, 1, 2, 3 };
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1"), other_socket = sender_new ("127.0.0.1");

  sender_send (other_socket,
      "127.0.0.1", receiver_port (r), gst_buffer_new_memdup (noise, sizeof (noise)));
  sender_send (other_socket, "127.0.0.1", receiver_port (r), sender_report_new (SSRC, 1));
  sender_send (sender, "127.0.0.1", receiver_port (r), info_new (0));
  sender_send (sender,
      "127.0.0.1", receiver_port (r), info_new (sender_wait_notice (sender).cookie));
  check_report_returns (sender, r, 0);
  check_no_datagram_waits (other_socket);
  wait_stat (r, "packets-foreign", 3);
}

CLAIM_ON (test_rtcp_pads_serve_an_rtp_session, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  TORN_DOWN GstHarness *from_sender = NULL, *to_sender = NULL;
  GstBuffer *buffer;
  RtcpMessage feedback;
  gint from_port;

  from_sender = gst_harness_new_with_element (r->src, NULL, "rtcp_src");
  to_sender = gst_harness_new_with_element (r->src, "rtcp_sink", NULL);
  gst_harness_set_src_caps_str (to_sender, "application/x-rtcp");
  send_rtp (sender, r, SSRC, 1);
  check_report_returns (sender, r, 1);

  sender_send (sender, "127.0.0.1", receiver_port (r), sender_report_new (SSRC, 1));
  buffer = gst_harness_pull (from_sender);
  fail_unless_equals_int (rtcp_message_read_buffer (&feedback, buffer), RTCP_VALID);
  gst_buffer_unref (buffer);

  /* Ours come in between: what matters is that the session's comes from the media port, too. */
  fail_unless_equals_int (gst_harness_push (to_sender, sender_report_new (SSRC, 1)), GST_FLOW_OK);
  do {
    buffer = sender_receive (sender, &from_port);
    fail_unless_equals_int (from_port, receiver_port (r));
    rtcp_message_read_buffer (&feedback, buffer);
    gst_buffer_unref (buffer);
  } while (feedback.n_others == 0);
}

CLAIM (test_rtcp_pads_return_after_release)
{
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstPad) out = gst_element_request_pad_simple (src, "rtcp_src");
    g_autoptr (GstPad) in = gst_element_request_pad_simple (src, "rtcp_sink");

    fail_unless (out != NULL && in != NULL);
    gst_element_release_request_pad (src, out);
    gst_element_release_request_pad (src, in);
  }
}

CLAIM_ON (test_ipv6_works, RECEIVER ("::1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("::1");

  sender_send (sender, "::1", receiver_port (r), media_new (SSRC, 1));
  check_media_comes (r, 1);
  check_report_returns (sender, r, 1);
}

CLAIM_ON (test_any_ipv6_address_takes_ipv4_too, RECEIVER ("::", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  check_report_returns (sender, r, 1);
}

CLAIM (test_two_receivers_live_in_one_process)
{
  AT_END (receiver_close) Receiver a, b;
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");

  receiver_open (&a, "127.0.0.1", 0);
  receiver_open (&b, "127.0.0.1", 0);
  fail_if (receiver_port (&a) == receiver_port (&b));
  send_rtp (sender, &a, SSRC, 1);
  send_rtp (sender, &b, SSRC, 2);
  check_media_comes (&a, 1);
  check_media_comes (&b, 2);
}

CLAIM_ON (test_fifty_restarts_leak_no_descriptor_and_keep_working, RECEIVER ("127.0.0.1", 0))
{
  guint i, fds = 0, threads = 0;

  for (i = 0; i < 50; i++) {
    GSocket *sender = sender_new ("127.0.0.1");

    send_rtp (sender, r, SSRC, i);
    check_media_comes (r, i);
    check_report_returns (sender, r, 1);
    g_object_unref (sender);
    fail_unless_equals_int (gst_element_set_state (r->src, GST_STATE_NULL),
        GST_STATE_CHANGE_SUCCESS);
    if (i == 4) {
      fds = count_files ();
      threads = count_threads (NULL);
    }
    gst_element_set_state (r->src, GST_STATE_PLAYING);
  }
  gst_element_set_state (r->src, GST_STATE_NULL);
  fail_unless_equals_int (count_files (), fds);
  fail_unless (count_threads (NULL) <= threads + 15);
}

/* An application may send them in any state. */
CLAIMS (test_events_are_borne_without_a_socket, 2)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "port", 0, NULL);
  gst_element_set_state (src, __i__ == 0 ? GST_STATE_NULL : GST_STATE_READY);
  gst_element_send_event (src, gst_event_new_flush_start ());
  gst_element_send_event (src, gst_event_new_flush_stop (TRUE));
  gst_element_send_event (src, gst_event_new_eos ());
  gst_element_set_state (src, GST_STATE_NULL);
  gst_object_unref (src);
}

CLAIM_ON (test_caps_reach_downstream, RECEIVER ("127.0.0.1", 0))
{
  g_autoptr (GSocket) sender = sender_new ("127.0.0.1");
  g_autoptr (GstCaps) caps = gst_caps_from_string ("application/x-rtp,media=video,payload=96");
  g_autoptr (GstCaps) seen = NULL;

  gst_element_set_state (r->src, GST_STATE_NULL);
  g_object_set (r->src, "caps", caps, NULL);
  gst_element_set_state (r->src, GST_STATE_PLAYING);
  send_rtp (sender, r, SSRC, 1);
  check_media_comes (r, 1);
  seen = gst_pad_get_current_caps (r->media->sinkpad);
  fail_unless (gst_caps_is_equal (seen, caps));
}

static void
keep_source (GstElement * bin, GstElement * source, GstElement ** kept)
{
  *kept = gst_object_ref (source);
}

CLAIM (test_uridecodebin_makes_it)
{
  g_autoptr (GstElement) pipeline = gst_pipeline_new (NULL), source = NULL;
  GstElement *decoder = gst_element_factory_make ("uridecodebin", NULL);

  g_object_set (decoder, "uri", "arc://127.0.0.1:0?encoding-name=H264&payload=96", NULL);
  g_signal_connect (decoder, "source-setup", G_CALLBACK (keep_source), &source);
  gst_bin_add (GST_BIN (pipeline), decoder);
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  fail_unless (source != NULL);
  fail_unless_equals_string (GST_OBJECT_NAME (gst_element_get_factory (source)), "arcsrc");
  gst_element_set_state (pipeline, GST_STATE_NULL);
}
