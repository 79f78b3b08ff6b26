/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What rampscheduler tells encoders, applications and the bus. */
#include "fakeencoder.h"
#include "rampfixture.h"

CLAIM_TIMEOUT_S (90)

TIMED_CLAIM_ON (test_budget_from_downstream_is_divided_by_weight_and_told_upstream,
    SCHEDULER (2, ""))
{
  guint bps[2];

  gst_child_proxy_set (GST_CHILD_PROXY (f->scheduler), "sink_1::weight", 3.0, NULL);
  tell_budget (f, 4000000);
  /* both want all */
  feed_for (f, 1500, 4000000, 2);
  for (guint i = 0; i < 2; i++)
    bps[i] = (guint) g_atomic_int_get (&f->told_bps[i]);
  fail_unless (bps[0] > 0 && bps[1] > 0, "%u and %u", bps[0], bps[1]);
  fail_unless (ABS ((gdouble) bps[1] / bps[0] - 3) < 0.5, "%u and %u", bps[0], bps[1]);
  fail_unless (bps[0] + bps[1] < 4000000, "%u and %u", bps[0], bps[1]);
  fail_unless_equals_int (f->told_ssrc[1], 1);
  fail_unless (element_stat (f, "budget") == 4000000);
}

/* Packets of 160 bytes and 28 of UDP and IP: of each 188 bytes 148 are the encoder's. */
TIMED_CLAIM_ON (test_an_encoder_of_small_packets_is_told_less, SCHEDULER (1, ""))
{
  guint bps;

  tell_budget (f, 1000000);
  for (guint i = 0; i < 100; i++) {
    push_packets (f, 0, 5, 160);
    g_usleep (10000);
  }
  bps = (guint) g_atomic_int_get (&f->told_bps[0]);
  fail_unless (ABS (bps / (1000000 * 148.0 / 188) - 1) < 0.06, "%u", bps);
}

TIMED_CLAIM_ON (test_overload_is_posted_with_its_figures, SCHEDULER (2, "budget=1000000"))
{
  g_autoptr (GstMessage) message = NULL;
  gboolean overloaded;
  guint64 budget, requirement;

  feed_for (f, 1000, 1500000, 2);
  message = gst_bus_timed_pop_filtered (f->bus, 30 * GST_SECOND, GST_MESSAGE_ELEMENT);
  fail_unless (message && gst_message_has_name (message, GST_RAMP_SCHEDULER_OVERLOAD));
  fail_unless (gst_structure_get (gst_message_get_structure (message),
          "overloaded", G_TYPE_BOOLEAN, &overloaded,
          "requirement", G_TYPE_UINT64, &requirement, "budget", G_TYPE_UINT64, &budget, NULL));
  fail_unless (overloaded && budget == 1000000 && requirement > budget, "%" G_GUINT64_FORMAT
      " of %" G_GUINT64_FORMAT, requirement, budget);
  fail_unless (element_stat (f, "overloads") >= 1);
}

TIMED_CLAIM_ON (test_requirement_of_a_pad_is_the_rate_of_its_stream,
    SCHEDULER (1, "budget=10000000"))
{
  guint64 requirement, allocation;

  feed_for (f, 2000, 2000000, 1);
  g_object_get (f->pads[0], "requirement", &requirement, "allocation", &allocation, NULL);
  fail_unless (ABS ((gdouble) requirement / 2000000 - 1) < 0.25, "%" G_GUINT64_FORMAT, requirement);
  fail_unless (ABS ((gdouble) allocation / 2000000 - 1) < 0.4, "%" G_GUINT64_FORMAT, allocation);
}

CLAIM (test_encoder_of_a_pad_gets_that_pads_share)
{
  g_autoptr (GstElement) pipeline = NULL, scheduler = NULL;
  guint kbps[2] = { 0, 0 };

  fake_encoder_register ();
  pipeline = gst_parse_launch ("rampscheduler name=s budget=600000 sink_1::weight=2 ! fakesink "
      "nvfakeh264enc name=e0 ! s.sink_0 nvfakeh264enc name=e1 ! s.sink_1", NULL);
  fail_unless (pipeline != NULL);
  scheduler = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  for (guint i = 0; i < 2; i++) {
    g_autofree gchar *name = g_strdup_printf ("e%u", i);
    g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (pipeline), name);

    wait_until ((g_object_get (encoder, "bitrate", &kbps[i], NULL), kbps[i] > 0));
  }
  fail_unless (kbps[0] > 150 && kbps[0] < 200, "%u", kbps[0]);
  fail_unless (kbps[1] > 300 && kbps[1] < 400, "%u", kbps[1]);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

CLAIM (test_an_encoder_is_left_alone_where_the_pad_says_so)
{
  GstElement *pipeline, *encoder[2];
  guint kbps[2];

  fake_encoder_register ();
  pipeline = gst_parse_launch ("rampscheduler name=s budget=600000 sink_0::adapt-encoder=false "
      "! fakesink nvfakeh264enc name=e0 ! s.sink_0 nvfakeh264enc name=e1 ! s.sink_1", NULL);
  encoder[0] = gst_bin_get_by_name (GST_BIN (pipeline), "e0");
  encoder[1] = gst_bin_get_by_name (GST_BIN (pipeline), "e1");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  wait_until ((g_object_get (encoder[1], "bitrate", &kbps[1], NULL), kbps[1] > 0));
  g_object_get (encoder[0], "bitrate", &kbps[0], NULL);
  fail_unless_equals_int (kbps[0], 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder[0]);
  gst_object_unref (encoder[1]);
  gst_object_unref (pipeline);
}

/* Perhaps it is another encoder, which knows nothing yet. */
CLAIM_ON (test_new_caps_are_told_the_target_again, SCHEDULER (1, ""))
{
  tell_budget (f, 1000000);
  wait_until (g_atomic_int_get (&f->told_bps[0]) > 0);
  g_usleep (50000);
  g_atomic_int_set (&f->told_bps[0], 0);
  gst_harness_set_src_caps_str (f->in[0], VIDEO_CAPS ", ssrc=(uint)7");
  wait_until (g_atomic_int_get (&f->told_bps[0]) > 0 && f->told_ssrc[0] == 7);
}

CLAIM (test_an_encoder_of_audio_is_left_alone)
{
  GstElement *encoder[2];
  g_autoptr (GstElement) pipeline = NULL, scheduler = NULL;
  guint kbps[2];
  GstPad *pad;

  fake_encoder_register ();
  pipeline = gst_parse_launch ("rampscheduler name=s ! fakesink nvfakeh264enc name=e0 ! s.sink_0 "
      "nvfakeh264enc name=e1 ! s.sink_1", NULL);
  scheduler = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  encoder[0] = gst_bin_get_by_name (GST_BIN (pipeline), "e0");
  encoder[1] = gst_bin_get_by_name (GST_BIN (pipeline), "e1");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  pad = gst_element_get_static_pad (encoder[0], "src");
  gst_pad_push_event (pad, gst_event_new_stream_start ("audio"));
  gst_pad_push_event (pad, gst_event_new_caps (gst_caps_from_string (AUDIO_CAPS)));
  g_object_set (scheduler, "budget", 600000, NULL);
  wait_until ((g_object_get (encoder[1], "bitrate", &kbps[1], NULL), kbps[1] > 0));
  g_object_get (encoder[0], "bitrate", &kbps[0], NULL);
  fail_unless_equals_int (kbps[0], 0);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_object_unref (encoder[0]);
  gst_object_unref (encoder[1]);
}

CLAIM_ON (test_the_smaller_of_the_users_budget_and_downstreams_holds,
    SCHEDULER (1, "budget=2000000"))
{
  fail_unless_equals_int (element_stat (f, "budget"), 2000000);
  tell_budget (f, 3000000);
  fail_unless_equals_int (element_stat (f, "budget"), 2000000);
  tell_budget (f, 1000000);
  fail_unless_equals_int (element_stat (f, "budget"), 1000000);
  g_object_set (f->scheduler, "budget", 0, NULL);
  fail_unless_equals_int (element_stat (f, "budget"), 1000000);
}

static GstEvent *
latency_new (GstClockTime latency)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
      gst_structure_new (GST_ARC_TARGET_BITRATE, "bitrate", G_TYPE_UINT, 1000000, "latency",
          G_TYPE_UINT64, latency, NULL));
}

static void
tell_latency (Fixture * f, GstClockTime latency)
{
  fail_unless (gst_harness_push_upstream_event (f->out, latency_new (latency)));
}

static GstClockTime
time_of (GstElement * scheduler, const gchar * property)
{
  GstClockTime time;

  g_object_get (scheduler, property, &time, NULL);
  return time;
}

/* The sink's, until the user sets one here; and the queue's bound is six times as long, until the
 * user sets that. */
CLAIM_ON (test_the_queue_follows_the_latency, SCHEDULER (1, ""))
{
  fail_unless_equals_uint64 (time_of (f->scheduler, "max-queue-time"), 396 * GST_MSECOND);
  tell_latency (f, 100 * GST_MSECOND);
  fail_unless_equals_uint64 (time_of (f->scheduler, "max-queue-time"), 600 * GST_MSECOND);
  g_object_set (f->scheduler, "latency", 50 * GST_MSECOND, NULL);
  tell_latency (f, 200 * GST_MSECOND);
  fail_unless_equals_uint64 (time_of (f->scheduler, "max-queue-time"), 300 * GST_MSECOND);
  g_object_set (f->scheduler, "max-queue-time", 77 * GST_MSECOND, "latency", G_GUINT64_CONSTANT (0),
      NULL);
  fail_unless_equals_uint64 (time_of (f->scheduler, "max-queue-time"), 77 * GST_MSECOND);
}

CLAIM (test_an_encoder_gets_the_latency_of_the_sink)
{
  GstElement *encoder = gst_element_factory_make ("x264enc", NULL);
  g_autoptr (GstElement) pipeline = NULL, scheduler = NULL;
  guint vbv_ms;
  g_autoptr (GstPad) pad = NULL;

  if (encoder == NULL)
    return;                     /* not installed */
  gst_object_unref (gst_object_ref_sink (encoder));
  pipeline = gst_parse_launch ("rampscheduler name=s budget=600000 ! fakesink x264enc name=e "
      "! rtph264pay ! s.sink_0", NULL);
  fail_unless (pipeline != NULL);
  encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  scheduler = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  pad = gst_element_get_static_pad (scheduler, "src");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  wait_until ((g_object_get (encoder, "vbv-buf-capacity", &vbv_ms, NULL), vbv_ms == 66));
  fail_unless (gst_pad_send_event (pad, latency_new (150 * GST_MSECOND)));
  wait_until ((g_object_get (encoder, "vbv-buf-capacity", &vbv_ms, NULL), vbv_ms == 150));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder);
}
