/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What passes through the pads of arcreceiver, what is taken out, and how they come and go. */
#include "arcreceiverfixture.h"

#define RTCP_CAPS "application/x-rtcp"

CLAIM_ON (test_rtcp_on_the_rtp_pad_is_taken_out, METER)
{
  TORN_DOWN GstHarness *others = NULL;
  GstBuffer *sr = sender_report_new (SSRC, 1);
  GstBuffer *out;

  others = gst_harness_new_with_element (r->media->element, NULL, "sender_rtcp_src");
  push_seq (r, 1);
  push (r, gst_buffer_ref (sr));
  push (r, info_new (SSRC, 40000));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->media), 1);

  out = gst_harness_pull (others);
  fail_unless (out == sr);
  gst_buffer_unref (out);
  gst_buffer_unref (sr);
  fail_unless_equals_int (gst_harness_buffers_in_queue (others), 0);
  fail_unless_equals_uint64 (get_stat (r, "sender-infos"), 1);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-other"), 1);
}

CLAIM_ON (test_separate_rtcp_is_understood, METER)
{
  TORN_DOWN GstHarness *rtcp = NULL;
  g_autoptr (GstStructure) stats = NULL;
  const GstStructure *source;
  const GValue *sources;
  guint64 rtt;

  rtcp = gst_harness_new_with_element (r->media->element, "rtcp_sink", NULL);
  gst_harness_set_src_caps_str (rtcp, RTCP_CAPS);
  gst_harness_push (rtcp, info_new (SSRC, 40000));
  gst_harness_push (rtcp, sender_report_new (SSRC, 1));

  g_object_get (r->media->element, "stats", &stats, NULL);
  sources = gst_structure_get_value (stats, "sources");
  fail_unless_equals_int (gst_value_array_get_size (sources), 1);
  source = gst_value_get_structure (gst_value_array_get_value (sources, 0));
  fail_unless (gst_structure_get_uint64 (source, "rtt", &rtt));
  fail_unless_equals_uint64 (rtt, 40 * GST_MSECOND);
}

CLAIM_ON (test_garbage_is_counted_and_does_not_pass, METER)
{
  static const guint8 noise[] = { 0x12, 0x34, 0x56, 0x78, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 };
  static const guint8 short_rtp[] = { 0x80, 96, 0, 1 };
  static const guint8 bad_rtcp[] = { 0x81, 204, 0x40, 0, 0, 0, 0, 1, 'A', 'R', 'C', 'S' };

  push (r, bytes_new (noise, sizeof (noise)));
  push (r, bytes_new (short_rtp, sizeof (short_rtp)));
  push (r, bytes_new (noise, 1));
  push (r, gst_buffer_new ());
  push (r, bytes_new (bad_rtcp, sizeof (bad_rtcp)));
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->media), 0);
  fail_unless_equals_uint64 (get_stat (r, "invalid-packets"), 4);
  fail_unless_equals_uint64 (get_stat (r, "rtcp-malformed"), 1);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), 0);
}

CLAIM_ON (test_media_passes_untouched, METER)
{
  g_autoptr (GstBuffer) in = packet_new (SSRC, 1), out = NULL;

  GST_BUFFER_PTS (in) = GST_SECOND;
  push (r, gst_buffer_ref (in));
  out = gst_harness_pull (r->media);
  fail_unless (out == in);
}

/* rtpjitterbuffer answers when all that came before has left: who reads the socket would wait. */
CLAIM_ON (test_no_query_waits_for_what_came_before, METER)
{
  g_autoptr (GstCaps) caps = gst_caps_new_empty_simple ("application/x-rtp");
  GstQuery *query = gst_query_new_allocation (caps, TRUE);

  fail_unless (!gst_pad_peer_query (r->media->srcpad, query));
  gst_query_unref (query);
}

static GstPadProbeReturn
keep_list (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gst_buffer_list_unref (*(GstBufferList **) user_data);
  *(GstBufferList **) user_data = gst_buffer_list_ref (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  return GST_PAD_PROBE_OK;
}

CLAIM_ON (test_list_loses_only_what_is_no_media, METER)
{
  static const guint8 noise[] = { 1, 2, 3 };
  GstBufferList *list = gst_buffer_list_new (), *seen = gst_buffer_list_new ();
  g_autoptr (GstBuffer) media1 = packet_new (SSRC, 1), media2 = packet_new (SSRC, 2);
  g_autoptr (GstPad) src = NULL;

  src = gst_element_get_static_pad (r->media->element, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER_LIST, keep_list, &seen, NULL);
  gst_buffer_list_add (list, gst_buffer_ref (media1));
  gst_buffer_list_add (list, sender_report_new (SSRC, 1));
  gst_buffer_list_add (list, bytes_new (noise, sizeof (noise)));
  gst_buffer_list_add (list, gst_buffer_ref (media2));
  fail_unless_equals_int (gst_pad_push_list (r->media->srcpad, list), GST_FLOW_OK);

  fail_unless_equals_int (gst_buffer_list_length (seen), 2);
  fail_unless (gst_buffer_list_get (seen, 0) == media1);
  fail_unless (gst_buffer_list_get (seen, 1) == media2);
  fail_unless_equals_uint64 (get_stat (r, "packets-received"), 2);
  gst_buffer_list_unref (seen);
}

CLAIM_ON (test_list_without_media_is_swallowed, METER)
{
  GstBufferList *list = gst_buffer_list_new ();

  gst_buffer_list_add (list, sender_report_new (SSRC, 1));
  fail_unless_equals_int (gst_pad_push_list (r->media->srcpad, list), GST_FLOW_OK);
  fail_unless_equals_int (gst_harness_buffers_in_queue (r->media), 0);
}

static GstEventType
pull_event_type (GstHarness * h)
{
  g_autoptr (GstEvent) event = gst_harness_pull_event (h);
  GstEventType type = GST_EVENT_TYPE (event);

  return type;
}

CLAIM_ON (test_reports_begin_a_stream_of_their_own, METER)
{
  push_seq (r, 1);
  pull_reports (r);
  fail_unless_equals_int (pull_event_type (r->reports), GST_EVENT_STREAM_START);
  fail_unless_equals_int (pull_event_type (r->reports), GST_EVENT_CAPS);
  fail_unless_equals_int (pull_event_type (r->reports), GST_EVENT_SEGMENT);
  fail_unless_equals_int (gst_harness_events_in_queue (r->reports), 0);
}

CLAIM_ON (test_eos_reaches_all_source_pads, METER)
{
  GstEventType type;

  gst_harness_push_event (r->media, gst_event_new_eos ());
  do {
    type = pull_event_type (r->media);
  } while (type != GST_EVENT_EOS);
  do {
    type = pull_event_type (r->reports);
  } while (type != GST_EVENT_EOS);
}

CLAIM_ON (test_reports_go_on_after_eos_and_flush, METER)
{
  GstSegment segment;

  push_seq (r, 1);
  pull_reports (r);
  gst_harness_push_event (r->media, gst_event_new_eos ());
  gst_harness_push_event (r->media, gst_event_new_flush_start ());
  gst_harness_push_event (r->media, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (r->media, gst_event_new_segment (&segment));
  advance (r, 10 * GST_MSECOND);
  push_seq (r, 2);
  fail_unless_equals_int (pull_reports (r).reports[0].received_pkts, 2);
}

CLAIM_ON (test_rtcp_caps_do_not_go_on, METER)
{
  GstCaps *caps;

  push_seq (r, 1);
  caps = gst_caps_from_string (RTCP_CAPS);
  fail_unless (gst_harness_push_event (r->media, gst_event_new_caps (caps)));
  gst_caps_unref (caps);
  caps = gst_pad_get_current_caps (r->media->sinkpad);
  fail_unless (caps != NULL);
  fail_unless (gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtp"));
  gst_caps_unref (caps);
}

CLAIM (test_each_request_pad_exists_once_and_can_return)
{
  static const gchar *const names[] = { "rtcp_src", "rtcp_sink", "sender_rtcp_src" };
  g_autoptr (GstElement) element = gst_element_factory_make ("arcreceiver", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstPad *pad = gst_element_request_pad_simple (element, names[i]);

    fail_unless (pad != NULL);
    ASSERT_CRITICAL (fail_unless (gst_element_request_pad_simple (element, names[i]) == NULL));
    gst_element_release_request_pad (element, pad);
    gst_object_unref (pad);
    pad = gst_element_request_pad_simple (element, names[i]);
    fail_unless (pad != NULL);
    gst_object_unref (pad);
  }
}

/* A report that is stuck downstream must not keep the element from stopping. */
typedef struct
{
  GMutex lock;
  GCond blocked;
  gboolean is_blocked;
} Block;

static GstPadProbeReturn
block (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Block *b = user_data;

  g_mutex_lock (&b->lock);
  b->is_blocked = TRUE;
  g_cond_signal (&b->blocked);
  g_mutex_unlock (&b->lock);
  return GST_PAD_PROBE_OK;
}

CLAIM (test_stops_while_a_report_is_blocked_downstream)
{
  Receiver r;
  Block b = { 0 };
  GstPad *pad;

  g_mutex_init (&b.lock);
  g_cond_init (&b.blocked);
  receiver_open (&r);
  pad = gst_element_get_static_pad (r.media->element, "rtcp_src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, block, &b, NULL);
  push_seq (&r, 1);
  g_mutex_lock (&b.lock);
  while (!b.is_blocked)
    g_cond_wait (&b.blocked, &b.lock);
  g_mutex_unlock (&b.lock);
  fail_unless_equals_int (gst_element_set_state (r.media->element, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_object_unref (pad);
  receiver_close (&r);
  g_cond_clear (&b.blocked);
  g_mutex_clear (&b.lock);
}

/* --- frames --- */

/* Frames of two packets each 40 ms; the second one of each tenth frame comes 30 ms late. */
static void
push_frames (Receiver * r, guint8 payload_type)
{
  for (guint i = 0; i < 60; i++) {
    GstClockTime late = i % 10 ? 0 : 30 * GST_MSECOND;

    push (r, timed_packet_new (payload_type, SSRC, 2 * i, i * 3600));
    advance (r, late);
    push (r, timed_packet_new (payload_type, SSRC, 2 * i + 1, i * 3600));
    advance (r, 40 * GST_MSECOND - late);
  }
}

CLAIM_ON (test_frame_delay_is_how_much_later_than_the_fastest_frames_are_whole, METER)
{
  push_frames (r, 96);
  fail_unless_equals_uint64 (get_stat (r, "frame-delay-p50"), 0);
  fail_unless_equals_uint64 (get_stat (r, "frame-delay-p95"), 30 * GST_MSECOND);
}

/* As behind a demuxer: what comes says nothing of its streams. */
CLAIM (test_clock_rates_are_those_of_the_caps_downstream)
{
  Receiver r;
  GstElement *typed = gst_element_factory_make ("capssetter", NULL);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("application/x-rtp,payload=97,clock-rate=90000");
  GstHarness *behind;

  receiver_open (&r);
  gst_harness_set_src_caps_str (r.media, "application/x-rtp");
  g_object_set (typed, "caps", caps, NULL);
  behind = gst_harness_new_with_element (typed, "sink", "src");
  gst_pad_unlink (GST_PAD_PEER (r.media->sinkpad), r.media->sinkpad);
  gst_pad_unlink (behind->srcpad, GST_PAD_PEER (behind->srcpad));
  fail_unless (gst_element_link_pads (r.media->element, "src", typed, "sink"));
  push_frames (&r, 97);
  fail_unless_equals_uint64 (get_stat (&r, "frame-delay-p95"), 30 * GST_MSECOND);
  gst_element_unlink (r.media->element, typed);
  gst_harness_teardown (behind);
  gst_object_unref (typed);
  receiver_close (&r);
}
