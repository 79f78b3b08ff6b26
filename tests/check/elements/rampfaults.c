/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rampscheduler and what should not happen: whatever one stream does, the others lose nothing
 * and nothing hangs. */
#include "rampfixture.h"

#define MANY 400

/* Pulls until all n of the stream came, in order; what other streams send is ignored. */
static void
pull_all_of (Fixture * f, guint32 wanted, guint n)
{
  guint next = 0;

  while (next < n) {
    GstBuffer *buffer = gst_harness_pull (f->out);
    RtpHeader header;

    fail_unless (buffer != NULL, "%u of %u", next, n);
    header = look_into (buffer);
    if (header.ssrc == wanted)
      fail_unless_equals_int (header.seq, next++);
  }
}

static void
push_some (Fixture * f, guint i, guint n)
{
  for (; n > 0; n--, f->seq[i]++)
    gst_harness_push (f->in[i], rtp_new (i, f->seq[i], f->seq[i], FALSE, 1200));
}

static GstPadProbeReturn
stay (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return GST_PAD_PROBE_OK;
}

static void
block_output (Fixture * f)
{
  gst_pad_add_probe (GST_PAD_PEER (f->out->sinkpad),
      GST_PAD_PROBE_TYPE_BLOCK | GST_PAD_PROBE_TYPE_BUFFER, stay, NULL, NULL);
}

static gboolean
meet (Fixture * f, GstStructure * structure)
{
  g_autoptr (GstQuery) query = gst_query_new_custom (GST_QUERY_CUSTOM, structure);
  gboolean answered = gst_pad_peer_query (f->out->sinkpad, query);

  return answered;
}

/* --- pads --- */

CLAIM_TIMEOUT_S (90)

/* Nothing would make room for the thread within seconds. */
TIMED_CLAIM_ON (test_a_pad_may_leave_while_its_thread_waits, SCHEDULER (2, "budget=10000"))
{
  gint64 begin, took_us;
  GThread *thread = g_thread_new ("pusher", push_until_refused, f->in[0]);

  push_some (f, 1, 10);
  wait_until (pad_stat (f, 0, "queue-bytes") > 14000);
  begin = g_get_monotonic_time ();
  gst_element_release_request_pad (f->scheduler, f->pads[0]);
  fail_unless (GPOINTER_TO_INT (g_thread_join (thread)) != GST_FLOW_OK);
  took_us = g_get_monotonic_time () - begin;
  fail_unless (took_us < 500000, "%" G_GINT64_FORMAT " us", took_us);
  g_object_set (f->scheduler, "budget", 8000000, NULL);
  push_some (f, 1, 30);
  pull_all_of (f, 1, 40);
  gst_clear_object (&f->pads[0]);
}

CLAIM_ON (test_flush_frees_a_thread_that_waits_and_keeps_nothing_of_it,
    SCHEDULER (2, "budget=10000"))
{
  GThread *thread = g_thread_new ("pusher", push_until_refused, f->in[0]);

  wait_until (pad_stat (f, 0, "queue-bytes") > 14000);
  gst_harness_push_event (f->in[0], gst_event_new_flush_start ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_FLUSHING);
  fail_unless_equals_int (pad_stat (f, 0, "queue-bytes"), 0);
}

CLAIM_ON (test_a_live_stream_that_is_greedy_waits_and_loses_nothing,
    SCHEDULER (0, "budget=20000000 max-queue-time=10000000"))
{
  GThread *thread;

  f->live = TRUE;
  add_pad (f, VIDEO_CAPS);
  g_object_set (f->pads[0], "flow-class", 1, NULL);
  thread = g_thread_new ("pusher", push_200, f->in[0]);
  pull_all_of (f, 0, 200);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_OK);
  fail_unless_equals_int (pad_stat (f, 0, "packets-dropped"), 0);
}

CLAIM_ON (test_pads_may_come_and_go_without_end_beside_a_stream, SCHEDULER (1, "budget=20000000"))
{
  for (guint round = 0; round < 30; round++) {
    g_autoptr (GstPad) pad = gst_element_request_pad_simple (f->scheduler, "sink_%u");

    push_some (f, 0, 4);
    fail_unless (pad && GST_PAD_IS_SINK (pad));
    gst_element_release_request_pad (f->scheduler, pad);
  }
  pull_all_of (f, 0, 120);
}

TIMED_CLAIM_ON (test_a_stalled_pad_costs_the_others_neither_packets_nor_rate,
    SCHEDULER (2, "budget=8000000"))
{
  gint64 begin;

  push_packets (f, 0, 30, 1200);
  feed_for (f, 300, 3000000, 2);
  wait_until (pad_stat (f, 0, "queue-bytes") == 0 && pad_stat (f, 1, "queue-bytes") == 0);
  while (gst_harness_buffers_in_queue (f->out) > 0)
    gst_buffer_unref (gst_harness_pull (f->out));
  /* pad 0 says nothing more; 100 packets take 123 ms of all */
  begin = g_get_monotonic_time ();
  push_some (f, 1, 100);
  for (guint i = 0; i < 100; i++)
    fail_unless_equals_int (ssrc_of_next (f), 1);
  fail_unless (g_get_monotonic_time () - begin < 400000,
      "%d ms", (gint) (g_get_monotonic_time () - begin) / 1000);
}

CLAIM_ON (test_caps_may_change_while_packets_wait, SCHEDULER (2, "budget=4000000"))
{
  static const gchar *const caps[] = { AUDIO_CAPS ", ssrc=(uint)77", VIDEO_CAPS,
      "application/x-rtp", "application/x-rtp, media=video, encoding-name=H264, clock-rate=90000" };

  tell_budget (f, 3000000);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    push_packets (f, 0, 10, 400);
    push_packets (f, 1, 10, 400);
    gst_harness_push_event (f->in[0], gst_event_new_caps (gst_caps_from_string (caps[i])));
    if (i == 0)
      wait_until (f->told_ssrc[0] == 77);
  }
  for (guint i = 0; i < 80; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (pad_stat (f, i, "bytes-sent"), 40 * 428);
}

CLAIM_ON (test_a_class_may_change_while_packets_wait, SCHEDULER (2, "budget=2000000"))
{
  push_packets (f, 0, 30, 1200);
  push_packets (f, 1, 30, 1200);
  for (guint round = 0; round < 9; round++)
    gst_child_proxy_set (GST_CHILD_PROXY (f->scheduler), "sink_0::flow-class", round % 2, NULL);
  for (guint i = 0; i < 60; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (pad_stat (f, i, "queue-bytes"), 0);
}

CLAIM_ON (test_the_end_of_one_stream_is_not_the_others, SCHEDULER (3, "budget=4000000"))
{
  push_packets (f, 0, 5, 1200);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  push_packets (f, 1, 50, 1200);
  release_pad (f, 2);
  pull_all_of (f, 1, 50);
  fail_if (saw_event_within (f, GST_EVENT_EOS, 30));
  /* a new stream on the ended pad */
  gst_harness_push_event (f->in[0], gst_event_new_stream_start ("again"));
  gst_harness_push_event (f->in[1], gst_event_new_eos ());
  fail_if (saw_event_within (f, GST_EVENT_EOS, 30));
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
}

CLAIM_ON (test_a_stream_may_begin_anew_after_the_end_of_all, SCHEDULER (1, ""))
{
  push_packets (f, 0, 1, 1200);
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
  gst_harness_push_event (f->in[0], gst_event_new_stream_start ("again"));
  send_segment (f, 0, 0);
  push_packets (f, 0, 2, 1200);
  pull_all_of (f, 0, 3);
  fail_unless (saw_event (f, GST_EVENT_STREAM_START));
  gst_harness_push_event (f->in[0], gst_event_new_eos ());
  fail_unless (saw_eos (f));
}

/* By then the thread that sends sleeps without a time. */
TIMED_CLAIM_ON (test_a_packet_after_long_silence_leaves_at_once, SCHEDULER (1, ""))
{
  gint64 begin, took_us;

  push_packets (f, 0, 1, 1200);
  pull_all_of (f, 0, 1);
  g_usleep (2300 * 1000);
  begin = g_get_monotonic_time ();
  push_packets (f, 0, 1, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
  took_us = g_get_monotonic_time () - begin;
  fail_unless (took_us < 1000000, "%" G_GINT64_FORMAT " us", took_us);
}

/* --- budgets --- */

CLAIM_ON (test_no_budget_is_no_limit_and_nonsense_is_not_a_budget, SCHEDULER (1, "budget=0"))
{
  tell_budget (f, 0);
  fail_unless_equals_int (element_stat (f, "budget"), 0);
  fail_unless (gst_harness_push_upstream_event (f->out,
          gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
              gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_STRING, "much", NULL))));
  fail_unless_equals_int (element_stat (f, "budget"), 0);
  push_packets (f, 0, MANY, 1200);
  pull_all_of (f, 0, MANY);
  tell_budget (f, G_MAXUINT);
  push_packets (f, 0, 1, 1200);
  gst_buffer_unref (gst_harness_pull (f->out));
}

/* A packet would take three hours. */
TIMED_CLAIM_ON (test_a_budget_of_nothing_hangs_nobody_and_ends_with_the_next,
    SCHEDULER (2, "budget=1"))
{
  GThread *thread;

  push_packets (f, 1, 5, 1200);
  thread = g_thread_new ("pusher", push_200, f->in[0]);
  g_usleep (50 * 1000);
  fail_unless (gst_harness_buffers_received (f->out) <= 1);
  g_object_set (f->scheduler, "budget", 50000000, NULL);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)), GST_FLOW_OK);
  for (guint i = 0; i < 205; i++)
    gst_buffer_unref (gst_harness_pull (f->out));
}

CLAIM (test_absurd_settings_lose_nothing)
{
  static const gchar *const settings[] = {
    "sink_0::min-bitrate=2000000000 sink_1::min-bitrate=2000000000",
    "sink_0::max-bitrate=1 sink_1::min-bitrate=2000000000",
    "sink_0::weight=0.01 sink_1::weight=100",
    "max-queue-time=0",
    "sink_0::flow-class=greedy sink_0::max-bitrate=1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++) {
    g_autofree gchar *line = g_strdup_printf ("budget=8000000 %s", settings[i]);
    AT_END (fixture_clear) Fixture f;

    fixture_init (&f, 2, line);
    feed_for (&f, 100, 2000000, 2);
    wait_until (pad_stat (&f, 0, "queue-bytes") == 0 && pad_stat (&f, 1, "queue-bytes") == 0);
    for (guint pad = 0; pad < 2; pad++)
      fail_unless_equals_int (pad_stat (&f, pad, "bytes-sent"), f.seq[pad] * 1228);
  }
}

/* --- what follows --- */

CLAIM_ON (test_flush_frees_an_output_that_blocks, SCHEDULER (2, ""))
{
  block_output (f);
  push_packets (f, 0, 10, 1200);
  push_packets (f, 1, 10, 1200);
  g_usleep (20 * 1000);
  for (guint i = 0; i < 2; i++)
    gst_harness_push_event (f->in[i], gst_event_new_flush_start ());
  for (guint i = 0; i < 2; i++)
    fail_unless_equals_int (pad_stat (f, i, "queue-bytes"), 0);
}

CLAIM_ON (test_stop_frees_an_output_that_blocks, SCHEDULER (1, ""))
{
  block_output (f);
  push_packets (f, 0, 10, 1200);
  g_usleep (20 * 1000);
  fail_unless_equals_int (gst_element_set_state (f->scheduler, GST_STATE_READY),
      GST_STATE_CHANGE_SUCCESS);
}

static GstPadProbeReturn
refuse (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  gst_buffer_unref (GST_PAD_PROBE_INFO_BUFFER (info));
  GST_PAD_PROBE_INFO_FLOW_RETURN (info) = GST_FLOW_EOS;
  return GST_PAD_PROBE_HANDLED;
}

CLAIM_ON (test_what_downstream_returns_reaches_every_stream, SCHEDULER (2, ""))
{
  GstFlowReturn ret;

  gst_pad_add_probe (GST_PAD_PEER (f->out->sinkpad), GST_PAD_PROBE_TYPE_BUFFER, refuse, NULL, NULL);
  gst_harness_push (f->in[0], rtp_new (0, 0, 0, FALSE, 1200));
  for (guint i = 0; i < 2; i++)
    wait_until ((ret = gst_harness_push (f->in[i], rtp_new (i, 1, 1, FALSE, 1200)))
        == GST_FLOW_EOS);
}

/* --- the sink that follows --- */

/* Less once the next packet has left. */
static void
check_fill (Fixture * f, guint wanted, gint64 since)
{
  fail_unless (pad_stat (f, 0, "queue-bytes") == wanted, "%u of %u after %d ms",
      (guint) pad_stat (f, 0, "queue-bytes"), wanted,
      (gint) (g_get_monotonic_time () - since) / 1000);
}

TIMED_CLAIM_ON (test_headers_count_as_the_sink_says_also_of_what_waits,
    SCHEDULER (1, "budget=100000"))
{
  gint64 begin = g_get_monotonic_time ();

  push_packets (f, 0, 10, 1200);
  wait_until (pad_stat (f, 0, "queue-bytes") == 9 * 1228);
  fail_unless (meet (f,
          gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, 48, NULL)));
  check_fill (f, 9 * 1248, begin);
  fail_unless (meet (f,
          gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, G_MAXUINT, NULL)));
  check_fill (f, 9 * 2200, begin);
  fail_unless (meet (f,
          gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, 28, NULL)));
  check_fill (f, 9 * 1228, begin);
  g_object_set (f->scheduler, "budget", 100000000, NULL);
  pull_all_of (f, 0, 10);
  fail_unless_equals_int (pad_stat (f, 0, "queue-bytes"), 0);
}
