/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Streams through rampscheduler: their ends, order, rate, drops and latency. */
#include "rampfixture.h"

CLAIM_TIMEOUT_S (90)

CLAIM_ON (test_packets_of_all_pads_leave_with_one_stream_before_them, SCHEDULER (3, ""))
{
  static const GstEventType expected[] = { GST_EVENT_STREAM_START, GST_EVENT_CAPS,
      GST_EVENT_SEGMENT };

  for (guint i = 0; i < 3; i++)
    push_packets (f, i, 10, 200);
  for (guint i = 0; i < 30; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (GstEvent) event = gst_harness_pull_event (f->out);

    fail_unless_equals_int (GST_EVENT_TYPE (event), expected[i]);
  }
  for (guint i = 0; i < 3; i++)
    fail_unless_equals_int (pad_stat (f, i, "bytes-sent"), 10 * (200 + 28));
}

CLAIM_ON (test_stream_ends_when_all_have_ended_and_all_was_sent, SCHEDULER (2, "budget=2000000"))
{
  push_packets (f, 0, 20, 1200);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  for (guint i = 0; i < 20; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  fail_if (saw_event_within (f, GST_EVENT_EOS, 50));
  fail_unless_equals_int (gst_harness_push (f->in[0], rtp_new (0, 99, 0, FALSE, 200)),
      GST_FLOW_EOS);
  push_packets (f, 1, 20, 1200);
  gst_harness_push_event (f->in[1], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  fail_unless_equals_int (gst_harness_buffers_received (f->out), 40);
}

CLAIM_ON (test_a_stalled_pad_holds_up_nobody, SCHEDULER (2, "budget=8000000"))
{
  push_packets (f, 1, 20, 1200);
  for (guint i = 0; i < 20; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
}

CLAIM_ON (test_a_pad_may_leave_while_its_packets_wait, SCHEDULER (2, "budget=100000"))
{
  push_packets (f, 0, 40, 1200);
  push_packets (f, 1, 3, 1200);
  gst_harness_push_event (f->in[1], gst_event_new_eos ());
  release_pad (f, 0);
  /* the other is the only one now */
  fail_unless (saw_eos (f));
}

CLAIM_ON (test_a_pad_may_come_while_others_send, SCHEDULER (1, ""))
{
  push_packets (f, 0, 5, 1200);
  for (guint i = 0; i < 5; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  add_pad (f, VIDEO_CAPS);
  push_packets (f, 1, 5, 1200);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (ssrc_of_next (f), 1);
}

TIMED_CLAIM_ON (test_flush_of_one_pad_is_not_the_others, SCHEDULER (2, "budget=400000"))
{
  push_packets (f, 0, 12, 1200);
  push_packets (f, 1, 12, 1200);
  gst_harness_push_event (f->in[0], gst_event_new_flush_start ());
  fail_unless_equals_int (pad_stat (f, 0, "queue-bytes"), 0);
  fail_unless_equals_int (gst_harness_push (f->in[0], rtp_new (0, 50, 0, FALSE, 1200)),
      GST_FLOW_FLUSHING);
  gst_harness_push_event (f->in[0], gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (f->in[1], gst_event_new_eos ());
  send_segment (f, 0, 0);
  push_packets (f, 0, 1, 1200);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  fail_unless_equals_int (pad_stat (f, 1, "bytes-dropped"), 0);
  fail_unless_equals_int (pad_stat (f, 1, "bytes-sent"), 12 * 1228);
}

CLAIM_ON (test_flush_of_all_pads_goes_on_downstream_and_the_stream_after_it,
    SCHEDULER (2, "budget=400000"))
{
  push_packets (f, 0, 12, 1200);
  push_packets (f, 1, 12, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
  for (guint i = 0; i < 2; i++)
    gst_harness_push_event (f->in[i], gst_event_new_flush_start ());
  fail_unless (saw_event (f, GST_EVENT_FLUSH_START));
  for (guint i = 0; i < 2; i++)
    gst_harness_push_event (f->in[i], gst_event_new_flush_stop (TRUE));
  fail_unless (saw_event (f, GST_EVENT_FLUSH_STOP));
  while (gst_harness_buffers_in_queue (f->out) > 0)
    gst_buffer_unref (gst_harness_pull (f->out));
  send_segment (f, 0, 0);
  push_packets (f, 0, 1, 1200);
  fail_unless_equals_int (ssrc_of_next (f), 0);
  fail_unless (saw_event (f, GST_EVENT_SEGMENT));
}

CLAIM_ON (test_times_leave_in_one_segment, SCHEDULER (2, ""))
{
  GstBuffer *buffer;

  send_segment (f, 1, 10 * GST_SECOND);
  buffer = rtp_new (1, 0, 0, FALSE, 200);
  GST_BUFFER_PTS (buffer) = 12 * GST_SECOND;
  fail_unless_equals_int (gst_harness_push (f->in[1], buffer), GST_FLOW_OK);
  buffer = gst_harness_pull (f->out);
  fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), 2 * GST_SECOND);
  gst_buffer_unref (buffer);
}

CLAIM_ON (test_stop_wakes_whoever_waits, SCHEDULER (1, "budget=50000 max-queue-time=100000000"))
{
  GThread *thread = g_thread_new ("pusher", push_until_refused, f->in[0]);

  g_usleep (100 * 1000);
  fail_unless_equals_int (gst_element_set_state (f->scheduler, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_FLUSHING);
}

CLAIM_ON (test_a_budget_of_the_run_before_is_forgotten, SCHEDULER (1, ""))
{
  tell_budget (f, 4000000);
  fail_unless_equals_uint64 (element_stat (f, "budget"), 4000000);
  gst_element_set_state (f->scheduler, GST_STATE_READY);
  gst_element_set_state (f->scheduler, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (element_stat (f, "budget"), 0);
}

TIMED_CLAIM_ON (test_budget_paces_the_sum, SCHEDULER (2, "budget=4000000"))
{
  gint64 begin, us;

  begin = g_get_monotonic_time ();
  push_packets (f, 0, 40, 1222);
  push_packets (f, 1, 40, 1222);
  for (guint i = 0; i < 80; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  us = g_get_monotonic_time () - begin;
  fail_unless (us > 180 * 1000, "200 ms worth left in %d ms", (gint) us / 1000);
  fail_unless (us < 1000 * 1000, "%d ms", (gint) us / 1000);
}

/* Ten packets at 1 Mbit/s take 98 ms; half a second of credit would let them go at once. */
TIMED_CLAIM_ON (test_no_burst_after_a_pause, SCHEDULER (1, "budget=1000000"))
{
  gint64 begin;

  push_packets (f, 0, 1, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
  g_usleep (500 * 1000);
  begin = g_get_monotonic_time ();
  push_packets (f, 0, 11, 1200);
  for (guint i = 0; i < 11; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  fail_unless (g_get_monotonic_time () - begin > 90000,
      "%d ms", (gint) (g_get_monotonic_time () - begin) / 1000);
}

TIMED_CLAIM_ON (test_audio_overtakes_video_that_waits, SCHEDULER (1, "budget=1000000"))
{
  guint before = 0, due_before;
  gint64 begin;

  add_pad (f, AUDIO_CAPS);
  begin = g_get_monotonic_time ();
  push_packets (f, 0, 40, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
  push_packets (f, 1, 1, 200);
  /* A packet's time at 1 Mbit/s without headers. */
  due_before = (guint) ((g_get_monotonic_time () - begin) / 9600);
  while (ssrc_of_next (f) != 1)
    before++;
  fail_unless (before <= due_before + 2,
      "%u video packets went before the audio, %u were due", before, due_before);
}

TIMED_CLAIM_ON (test_greedy_pad_waits_for_the_others_and_gets_the_rest,
    SCHEDULER (2, "budget=50000"))
{
  guint greedy = 0;

  gst_child_proxy_set (GST_CHILD_PROXY (f->scheduler), "sink_0::flow-class", 1, NULL);
  push_packets (f, 0, 10, 1200);
  push_packets (f, 1, 10, 1200);
  g_object_set (f->scheduler, "budget", 2000000, NULL);
  /* the first may have gone while nobody else was there */
  for (guint i = 0; i < 10; i++)
    greedy += ssrc_of_next (f) == 0;
  fail_unless (greedy <= 2, "%u greedy packets among the first 10", greedy);
  for (guint i = 0; i < 10; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
}

CLAIM_ON (test_source_that_is_not_live_waits_and_loses_nothing,
    SCHEDULER (1, "budget=8000000 max-queue-time=10000000"))
{
  GThread *thread = g_thread_new ("pusher", push_200, f->in[0]);

  for (guint i = 0; i < 200; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_OK);
  fail_unless_equals_int (pad_stat (f, 0, "packets-dropped"), 0);
}

TIMED_CLAIM_ON (test_live_source_loses_whole_frames_and_sequence_numbers_close_up,
    SCHEDULER (0, "budget=1000000 max-queue-time=50000000"))
{
  guint16 last = 0;
  guint n = 0;

  f->live = TRUE;
  add_pad (f, VIDEO_CAPS);
  for (guint frame = 0; frame < 40; frame++)
    push_frame (f, 0, frame, frame % 10 != 0, 3);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  fail_unless (pad_stat (f, 0, "frames-dropped") > 5, "%u", (guint) pad_stat (f, 0,
          "frames-dropped"));
  for (; gst_harness_buffers_in_queue (f->out) > 0; n++) {
    guint16 seq = seq_of_next (f);

    fail_unless (n == 0 || seq == (guint16) (last + 1));
    last = seq;
  }
  fail_unless_equals_int (n % 3, 0);
  wait_until (g_atomic_int_get (&f->keyframe_events) > 0);
}

/* Pads are requested before an application sets this. */
TIMED_CLAIM_ON (test_renumber_holds_for_pads_that_are_there,
    SCHEDULER (0, "budget=1000000 max-queue-time=50000000"))
{
  guint16 last = 0;

  f->live = TRUE;
  add_pad (f, VIDEO_CAPS);
  g_object_set (f->scheduler, "renumber", FALSE, NULL);
  for (guint frame = 0; frame < 40; frame++)
    push_frame (f, 0, frame, frame % 10 != 0, 3);
  g_usleep (200000);            /* all that is not dropped has left */
  push_frame (f, 0, 40, FALSE, 1);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  fail_unless (pad_stat (f, 0, "frames-dropped") > 5, "%u", (guint) pad_stat (f, 0,
          "frames-dropped"));
  while (gst_harness_buffers_in_queue (f->out) > 0)
    last = seq_of_next (f);
  fail_unless_equals_int (last, f->seq[0] - 1);
}

CLAIM_ON (test_other_buffers_are_refused_once_with_a_hint, SCHEDULER (1, ""))
{
  GstMessage *message;

  for (guint i = 0; i < 3; i++)
    gst_harness_push (f->in[0], gst_buffer_new_allocate (NULL, 5, NULL));
  push_packets (f, 0, 1, 100);
  gst_buffer_unref (gst_harness_pull (f->out));
  fail_unless_equals_int (pad_stat (f, 0, "non-rtp-buffers"), 3);
  message = gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (f->bus, GST_MESSAGE_WARNING) == NULL);
}

static void
fail_unless_latency_is_known (Fixture * f)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime min, max;
  gboolean live;

  fail_unless (gst_pad_peer_query (f->out->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless (live);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless_equals_uint64 (max, 500 * GST_MSECOND);
}

CLAIM_ON (test_latency_is_that_of_the_slowest_stream_and_the_queue,
    SCHEDULER (0, "max-queue-time=400000000"))
{
  f->live = TRUE;
  add_pad (f, VIDEO_CAPS);
  f->live = FALSE;
  add_pad (f, VIDEO_CAPS);
  fail_unless_latency_is_known (f);
}

static gboolean
answer_nothing (GstPad * pad, GstObject * parent, GstQuery * query)
{
  return GST_QUERY_TYPE (query) != GST_QUERY_LATENCY && gst_pad_query_default (pad, parent, query);
}

/* An encoder that has no caps yet. */
CLAIM_ON (test_latency_is_known_though_one_stream_cannot_tell,
    SCHEDULER (1, "max-queue-time=400000000"))
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();

  gst_pad_set_query_function (f->in[0]->srcpad, answer_nothing);
  fail_if (gst_pad_peer_query (f->out->sinkpad, query));
  f->live = TRUE;
  add_pad (f, VIDEO_CAPS);
  fail_unless_latency_is_known (f);
}

/* --- as published --- */

static gboolean
is_of_class (Fixture * f, guint i, const gchar * nick)
{
  AT_END (g_value_unset) GValue value = G_VALUE_INIT;
  g_autofree gchar *text = NULL;

  g_value_init (&value, g_object_class_find_property (G_OBJECT_GET_CLASS (f->pads[i]),
          "flow-class")->value_type);
  g_object_get_property (G_OBJECT (f->pads[i]), "flow-class", &value);
  text = gst_value_serialize (&value);
  return g_str_equal (text, nick);
}

CLAIM_ON (test_streams_are_greedy_as_published_unless_their_class_is_set,
    SCHEDULER (2, "profile=paper"))
{
  fail_unless (is_of_class (f, 0, "greedy"));
  gst_util_set_object_arg (G_OBJECT (f->pads[0]), "flow-class", "real-rate");
  gst_util_set_object_arg (G_OBJECT (f->scheduler), "profile", "live");
  gst_util_set_object_arg (G_OBJECT (f->scheduler), "profile", "paper");
  fail_unless (is_of_class (f, 0, "real-rate"));
  fail_unless (is_of_class (f, 1, "greedy"));
}

CLAIM_ON (test_streams_have_a_rate_of_their_own_as_shipped, SCHEDULER (1, ""))
{
  fail_unless (is_of_class (f, 0, "real-rate"));
}

/* [RAMP 3.1] 16 kB are kept waiting though the budget is free. */
CLAIM_ON (test_real_rate_stream_waits_for_its_allocation_as_published,
    SCHEDULER (1, "profile=paper budget=100000000"))
{
  gst_util_set_object_arg (G_OBJECT (f->pads[0]), "flow-class", "real-rate");
  push_packets (f, 0, 10, 1200);
  g_usleep (300 * G_TIME_SPAN_MILLISECOND);
  fail_unless_equals_int (gst_harness_buffers_received (f->out), 0);
  push_packets (f, 0, 20, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
}

CLAIM (test_pads_are_numbered_on_beside_one_of_the_highest_number)
{
  static const gchar *const asked[] = { "sink_4294967294", "sink_4294967295", "sink_0" };
  g_autoptr (GstElement) scheduler = gst_element_factory_make ("rampscheduler", NULL);
  GstPad *pad;

  for (guint i = 0; i < G_N_ELEMENTS (asked); i++) {
    pad = gst_element_request_pad_simple (scheduler, asked[i]);
    fail_unless (pad != NULL, "%s", asked[i]);
    gst_object_unref (pad);
  }
  for (guint i = 0; i < 3; i++) {
    pad = gst_element_request_pad_simple (scheduler, "sink_%u");
    fail_unless (pad != NULL, "pad %u", i);
    gst_object_unref (pad);
  }
}
