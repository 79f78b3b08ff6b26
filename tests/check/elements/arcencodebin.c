/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What goes through an arcencodebin, and when its encoder begins anew. */
#include "arcencodebinfixture.h"

/* Timed, since a former instance is cut off if it gives nothing for 5 s. */
GST_START_TIMED_TEST (test_a_fresh_instance_takes_over_and_each_frame_leaves_once)
{
  Run run;

  if (!is_there (coders[__i__].line))
    return;
  run_init (&run, coders[__i__].line, NULL);
  run_frames (&run, 30);
  set_bitrate (&run, 200000);
  run_frames (&run, 45);
  set_bitrate (&run, 800000);
  run_frames (&run, 45);
  run_end (&run);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 2);
  fail_unless_equals_int ((gint) stat_of (&run, "bitrate"), 800000);
  fail_unless (stat_of (&run, "cut-off") == 0, "cut off within %d ms", run_ms (&run));
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  fail_unless (run.keyframes >= 3, "%u keyframes", run.keyframes);
  run_free (&run);
}

GST_END_TEST;

GST_START_TIMED_TEST (test_a_decoder_shows_each_frame_over_takeovers_and_sizes)
{
  gchar **words = g_strsplit (coders[__i__].decoder, " ! ", 2);
  Run run;

  if (is_there (coders[__i__].line) && is_there (words[0]) && is_there (words[g_strv_length (words)
              - 1])) {
    run_init (&run, coders[__i__].line, coders[__i__].decoder);
    run_frames (&run, 30);
    set_bitrate (&run, 100000);
    run_frames (&run, 50);
    set_caps (&run, HEIGHT / 2);
    run_frames (&run, 50);
    run_end (&run);
    fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 2);
    fail_unless (stat_of (&run, "cut-off") == 0, "cut off within %d ms", run_ms (&run));
    fail_unless_equals_int (run.out, run.in);
    fail_unless_equals_int (run.jumps, 0);
    run_free (&run);
  }
  g_strfreev (words);
}

GST_END_TEST;

GST_START_TEST (test_a_change_that_is_not_worth_a_keyframe_waits)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  run_frames (&run, 5);
  for (guint bps = 345000; bps < 500000; bps += 10000) {
    set_bitrate (&run, bps);
    run_frames (&run, 1);
  }
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 0);
  fail_unless_equals_int (run.keyframes, 1);
  set_bitrate (&run, 339000);
  run_frames (&run, 5);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 1);
  run_free (&run);
}

GST_END_TEST;

/* As a sink does that finds out what the network carries: 40 times as much after 8 s. In steps of
 * 25 % this would be 16 keyframes. */
GST_START_TEST (test_a_start_costs_a_keyframe_for_each_doubling)
{
  gdouble bps = 400000;
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  for (guint i = 0; i < 8 * FPS; i++, bps *= 1.0186) {
    set_bitrate (&run, (guint) bps);
    run_frames (&run, 1);
  }
  run_end (&run);
  fail_unless (stat_of (&run, "takeovers") <= 6, "%d", (gint) stat_of (&run, "takeovers"));
  fail_unless (stat_of (&run, "bitrate") > bps / 2);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_a_fall_is_taken_at_once)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  run_frames (&run, 1);
  set_bitrate (&run, 1000000);
  run_frames (&run, 2);
  set_bitrate (&run, 800000);
  run_frames (&run, 2);
  run_end (&run);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 2);
  fail_unless_equals_int ((gint) stat_of (&run, "bitrate"), 800000);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_a_new_codec_data_goes_downstream)
{
  GstCaps *before, *after;
  Run run;

  run_init (&run, "x264enc tune=zerolatency ! capsfilter caps=video/x-h264,stream-format=avc",
      NULL);
  run_frames (&run, 5);
  before = gst_pad_get_current_caps (run.h->sinkpad);
  set_caps (&run, HEIGHT / 2);
  run_frames (&run, 5);
  after = gst_pad_get_current_caps (run.h->sinkpad);
  fail_unless (gst_structure_has_field (gst_caps_get_structure (after, 0), "codec_data"));
  fail_if (gst_caps_is_equal (before, after));
  gst_caps_unref (before);
  gst_caps_unref (after);
  run_free (&run);
}

GST_END_TEST;

/* A size is taken if it fits, whatever the present instance has. */
static gboolean
takes_half (Run * run)
{
  GstCaps *half = gst_caps_new_simple ("video/x-raw", "height", G_TYPE_INT, HEIGHT / 2, NULL);
  GstCaps *taken = gst_pad_peer_query_caps (run->h->srcpad, half);
  gboolean takes = gst_caps_can_intersect (half, taken);

  gst_caps_unref (taken);
  gst_caps_unref (half);
  return takes;
}

GST_START_TEST (test_another_size_is_taken_while_it_plays)
{
  Run run;

  if (!is_there (coders[__i__].line))
    return;
  run_init (&run, coders[__i__].line, NULL);
  run_frames (&run, 5);
  fail_unless (takes_half (&run));
  run_end (&run);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_a_size_that_what_follows_does_not_take_is_refused)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", "capsfilter caps=video/x-h263,height=144");
  run_frames (&run, 5);
  fail_if (takes_half (&run));
  run_end (&run);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_a_keyframe_is_made_when_it_is_asked_for)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  run_frames (&run, 20);
  set_bitrate (&run, 800000);
  run_frames (&run, 20);
  fail_unless_equals_int (run.keyframes, 2);
  gst_harness_push_upstream_event (run.h, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          gst_structure_new ("GstForceKeyUnit", "running-time", GST_TYPE_CLOCK_TIME,
              GST_CLOCK_TIME_NONE, "all-headers", G_TYPE_BOOLEAN, TRUE, "count", G_TYPE_UINT, 0,
              NULL)));
  run_frames (&run, 5);
  fail_unless_equals_int (run.keyframes, 3);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_a_flush_drops_what_a_former_instance_still_has)
{
  GstSegment segment;
  Run run;

  if (!is_there (coders[G_N_ELEMENTS (coders) - 1].line))
    return;
  run_init (&run, coders[G_N_ELEMENTS (coders) - 1].line, NULL);
  run_frames (&run, 50);
  set_bitrate (&run, 100000);
  run_frames (&run, 1);
  gst_harness_push_event (run.h, gst_event_new_flush_start ());
  gst_harness_push_event (run.h, gst_event_new_flush_stop (TRUE));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (run.h, gst_event_new_segment (&segment));
  run.last = GST_CLOCK_TIME_NONE;
  run.out = run.in = 0;
  run_frames (&run, 60);
  run_end (&run);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

GST_START_TEST (test_it_stops_while_a_former_instance_drains)
{
  Run run;

  if (!is_there (coders[G_N_ELEMENTS (coders) - 1].line))
    return;
  for (guint i = 0; i < 5; i++) {
    run_init (&run, coders[G_N_ELEMENTS (coders) - 1].line, NULL);
    run_frames (&run, 45);
    set_bitrate (&run, 100000);
    run_frames (&run, 1);
    gst_element_set_state (run.bin, GST_STATE_READY);
    fail_unless_equals_int (GST_BIN_NUMCHILDREN (run.bin), 0);
    run_free (&run);
  }
}

GST_END_TEST;

GST_START_TEST (test_an_encoder_that_keeps_its_last_frames_is_cut_off)
{
  Run run;

  run_init (&run, "avenc_h263p ! valve name=valve", NULL);
  GstElement *valve = gst_bin_get_by_name (GST_BIN (run.bin), "valve");

  run_frames (&run, 5);
  g_object_set (valve, "drop", TRUE, NULL);
  gst_object_unref (valve);
  set_bitrate (&run, 100000);
  run_frames (&run, 5);
  fail_unless_equals_int ((gint) stat_of (&run, "cut-off"), 1);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

static GstPadProbeReturn
wait_once (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_usleep (5500000);           /* longer than an encoder may give nothing */
  return GST_PAD_PROBE_REMOVE;
}

/* The queue gives the last frames on a thread of its own, as mpeg2enc does. */
GST_START_TEST (test_what_follows_may_wait_while_a_former_instance_drains)
{
  GstPad *src;
  Run run;

  run_init (&run, "avenc_h263p ! queue", NULL);
  src = gst_element_get_static_pad (run.bin, "src");
  gst_pad_add_probe (src, GST_PAD_PROBE_TYPE_BUFFER, wait_once, NULL, NULL);
  gst_object_unref (src);
  run_frames (&run, 5);
  set_bitrate (&run, 100000);
  run_frames (&run, 5);
  run_end (&run);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 1);
  fail_unless (stat_of (&run, "cut-off") == 0, "cut off within %d ms", run_ms (&run));
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

static const gchar *const wrong[] = { "", "nosuchencoder", "videoconvert", "avenc_h263p !",
    "fakesink", "avenc_h263p nosuchproperty=1" };

GST_START_TEST (test_a_line_without_a_known_encoder_is_one_error)
{
  GstElement *bin = gst_element_factory_make ("arcencodebin", NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;

  g_object_set (bin, "encoder", wrong[__i__], NULL);
  gst_element_set_bus (bin, bus);
  fail_unless_equals_int (gst_element_set_state (bin, GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  fail_unless_equals_int (GST_BIN_NUMCHILDREN (bin), 0);
  gst_element_set_state (bin, GST_STATE_NULL);
  gst_element_set_bus (bin, NULL);
  gst_object_unref (bus);
  gst_object_unref (bin);
}

GST_END_TEST;

static Suite *
arcencodebin_suite (void)
{
  Suite *s = suite_create ("arcencodebin");
  TCase *tc = tcase_create ("all");

  suite_add_tcase (s, tc);
  tcase_add_loop_test (tc, test_a_fresh_instance_takes_over_and_each_frame_leaves_once, 0,
      G_N_ELEMENTS (coders));
  tcase_add_loop_test (tc, test_a_decoder_shows_each_frame_over_takeovers_and_sizes, 0,
      G_N_ELEMENTS (coders));
  tcase_add_loop_test (tc, test_a_line_without_a_known_encoder_is_one_error, 0,
      G_N_ELEMENTS (wrong));
  tcase_add_loop_test (tc, test_another_size_is_taken_while_it_plays, 0, G_N_ELEMENTS (coders));
  if (is_there ("x264enc"))
    tcase_add_test (tc, test_a_new_codec_data_goes_downstream);
  tcase_add_test (tc, test_a_flush_drops_what_a_former_instance_still_has);
  tcase_add_test (tc, test_it_stops_while_a_former_instance_drains);
  if (is_there ("avenc_h263p")) {
    tcase_add_test (tc, test_a_change_that_is_not_worth_a_keyframe_waits);
    tcase_add_test (tc, test_a_keyframe_is_made_when_it_is_asked_for);
    tcase_add_test (tc, test_a_size_that_what_follows_does_not_take_is_refused);
    tcase_add_test (tc, test_a_start_costs_a_keyframe_for_each_doubling);
    tcase_add_test (tc, test_a_fall_is_taken_at_once);
    tcase_add_test (tc, test_an_encoder_that_keeps_its_last_frames_is_cut_off);
    tcase_add_test (tc, test_what_follows_may_wait_while_a_former_instance_drains);
  }
  return s;
}

GST_CHECK_MAIN (arcencodebin);
