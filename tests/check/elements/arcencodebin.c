/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* arcencodebin in a harness: frames with timestamps, no clock. Encoders that are missing are
 * skipped. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include <glib/gstdio.h>

#include "quiet.h"

#define FPS 25
#define WIDTH 176
/* Half of it is 72: svtav1enc of GStreamer 1.28 takes no less than 64. */
#define HEIGHT 144

typedef struct
{
  const gchar *line, *decoder;
} Coder;

/* The last looks ahead by 40 frames: it stands for encoders such as svtav1enc, where they are not
 * installed. */
static const Coder coders[] = {
  {"avenc_h263p gop-size=300", "avdec_h263"},
  {"avenc_flv gop-size=300", "avdec_flv"},
  {"avenc_mjpeg", "jpegdec"},
  {"mpeg2enc format=3 ! mpegvideoparse", "avdec_mpeg2video"},
  {"svtav1enc", "av1parse ! av1dec"},
  {"rav1enc speed-preset=10", "av1parse ! av1dec"},
  {"x264enc bframes=0 speed-preset=ultrafast rc-lookahead=40 key-int-max=1000", "avdec_h264"},
};

typedef struct
{
  GstHarness *h;
  GstElement *bin;
  guint in, out, keyframes;
  guint jumps;                  /* of the running time, from frame to frame */
  GstClockTime last;
  guint height;
  gint64 begun;                 /* monotonic, µs */
} Run;

static gboolean
is_there (const gchar * line)
{
  gchar **words = g_strsplit (line, " ", 2);
  gboolean there = gst_registry_check_feature_version (gst_registry_get (), words[0], 1, 0, 0);

  g_strfreev (words);
  return there;
}

static void
set_caps (Run * self, guint height)
{
  gchar *text = g_strdup_printf ("video/x-raw,format=I420,width=%d,height=%u,framerate=%d/1", WIDTH,
      height, FPS);

  self->height = height;
  gst_harness_set_src_caps_str (self->h, text);
  g_free (text);
}

static GstPadProbeReturn
on_output (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Run *self = user_data;
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstClockTime running;
  const GstSegment *segment;

  gst_event_parse_segment (event, &segment);
  running = gst_segment_to_running_time (segment, GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  gst_event_unref (event);
  self->out++;
  self->keyframes += !GST_BUFFER_FLAG_IS_SET (buffer, GST_BUFFER_FLAG_DELTA_UNIT);
  if (GST_CLOCK_TIME_IS_VALID (self->last) && running != self->last + GST_SECOND / FPS)
    self->jumps++;
  self->last = running;
  return GST_PAD_PROBE_DROP;
}

static void
run_init (Run * self, const gchar * encoder, const gchar * behind)
{
  gchar *line = g_strdup_printf ("arcencodebin bitrate=400000 encoder=\"%s\"%s%s", encoder,
      behind ? " ! " : "", behind ? behind : "");

  *self = (Run) { gst_harness_new_parse (line), .last = GST_CLOCK_TIME_NONE,
      .begun = g_get_monotonic_time () };
  self->bin = gst_harness_find_element (self->h, "arcencodebin");
  gst_pad_add_probe (self->h->sinkpad, GST_PAD_PROBE_TYPE_BUFFER, on_output, self, NULL);
  gst_harness_play (self->h);
  set_caps (self, HEIGHT);
  g_free (line);
}

static gint
run_ms (const Run * self)
{
  return (gint) (g_get_monotonic_time () - self->begun) / 1000;
}

static guint64
stat_of (Run * self, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (self->bin, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

static GstBuffer *
new_frame (Run * self)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, WIDTH * self->height * 3 / 2, NULL);

  gst_buffer_memset (frame, 0, 100, gst_buffer_get_size (frame));
  GST_BUFFER_PTS (frame) = self->in * (GST_SECOND / FPS);
  GST_BUFFER_DURATION (frame) = GST_SECOND / FPS;
  return frame;
}

static void
run_frames (Run * self, guint n)
{
  for (guint i = 0; i < n; i++, self->in++) {
    fail_unless_equals_int (gst_harness_push (self->h, new_frame (self)), GST_FLOW_OK);
    fail_unless (GST_BIN_NUMCHILDREN (self->bin) <= 2);
  }
}

static void
set_bitrate (Run * self, guint bps)
{
  g_object_set (self->bin, "bitrate", bps, NULL);
}

static void
run_end (Run * self)
{
  GstEvent *eos = NULL;

  gst_harness_push_event (self->h, gst_event_new_eos ());
  /* mpeg2enc gives its last frames on a thread of its own. */
  while (!(eos = gst_pad_get_sticky_event (self->h->sinkpad, GST_EVENT_EOS, 0)))
    g_usleep (1000);
  gst_event_unref (eos);
}

static void
run_free (Run * self)
{
  gst_object_unref (self->bin);
  gst_harness_teardown (self->h);
}

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
  fail_unless_equals_int ((gint) stat_of (&run, "cut-off"), 0);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

/* Two instances are there at a time, and each bears the name. */
GST_START_TEST (test_a_named_encoder_is_taken_over_as_any_other)
{
  Run run;

  run_init (&run, "avenc_h263p gop-size=300 name=enc", NULL);
  for (guint i = 0; i < 4; i++) {
    run_frames (&run, 5);
    set_bitrate (&run, i % 2 ? 400000 : 100000);
  }
  run_frames (&run, 5);
  run_end (&run);
  fail_unless_equals_int ((gint) stat_of (&run, "takeovers"), 4);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  fail_unless_equals_int (run.keyframes, 5);
  run_free (&run);
}

GST_END_TEST;

/* The file is opened anew by each instance. */
GST_START_TEST (test_a_fresh_instance_that_does_not_start_is_an_error)
{
  gchar *dir = g_dir_make_tmp ("arcencodebin-XXXXXX", NULL);
  gchar *file = g_build_filename (dir, "copy", NULL), *away = g_strconcat (dir, "-away", NULL);
  gchar *line = g_strdup_printf ("avenc_h263p ! tee name=t t. ! queue ! filesink async=false "
      "location=%s t. ! identity", file);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  Run run;

  run_init (&run, line, NULL);
  gst_element_set_bus (run.bin, bus);
  run_frames (&run, 5);
  fail_unless_equals_int (g_rename (dir, away), 0);
  set_bitrate (&run, 100000);
  fail_unless_equals_int (gst_harness_push (run.h, new_frame (&run)), GST_FLOW_ERROR);
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR))
      && GST_MESSAGE_SRC (message) != GST_OBJECT (run.bin))
    gst_message_unref (message);
  fail_unless (message != NULL);
  gst_message_unref (message);
  gst_element_set_bus (run.bin, NULL);
  run_free (&run);
  g_free (file);
  file = g_build_filename (away, "copy", NULL);
  g_remove (file);
  g_rmdir (away);
  gst_object_unref (bus);
  g_free (line);
  g_free (away);
  g_free (file);
  g_free (dir);
}

GST_END_TEST;

/* Until the first frame comes, the former instance has nothing to say; in GStreamer what it says
 * then is a programming error. */
GST_START_TEST (test_a_change_before_the_first_frame_is_silent)
{
  Run run;

  if (!is_there (coders[__i__].line))
    return;
  run_init (&run, coders[__i__].line, NULL);
  set_bitrate (&run, 100000);
  run_frames (&run, 1);
  set_bitrate (&run, 400000);
  run_frames (&run, 30);
  run_end (&run);
  fail_unless_equals_int (run.out, run.in);
  fail_unless_equals_int (run.jumps, 0);
  run_free (&run);
}

GST_END_TEST;

static GstPadProbeReturn
take_over_twice (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Run *run = user_data;

  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (info)) != GST_QUERY_LATENCY || run->in > 5)
    return GST_PAD_PROBE_OK;
  set_bitrate (run, 100000);
  run_frames (run, 5);
  set_bitrate (run, 400000);
  run_frames (run, 5);          /* waits until the first instance is gone */
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (test_a_query_may_outlast_the_instance_that_it_is_in)
{
  GstPad *src, *sink, *feed;
  GstQuery *query = gst_query_new_latency ();
  Run run;

  run_init (&run, "avenc_h263p gop-size=300", NULL);
  run_frames (&run, 5);
  sink = gst_element_get_static_pad (GST_BIN_CHILDREN (run.bin)->data, "sink");
  feed = gst_pad_get_peer (sink);
  gst_pad_add_probe (feed, GST_PAD_PROBE_TYPE_QUERY_UPSTREAM, take_over_twice, &run, NULL);
  gst_object_unref (feed);
  gst_object_unref (sink);
  src = gst_element_get_static_pad (run.bin, "src");
  gst_pad_query (src, query);
  fail_unless_equals_int (run.in, 15);
  gst_object_unref (src);
  gst_query_unref (query);
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
  tcase_add_loop_test (tc, test_a_change_before_the_first_frame_is_silent, 0,
      G_N_ELEMENTS (coders));
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
    tcase_add_test (tc, test_a_named_encoder_is_taken_over_as_any_other);
    tcase_add_test (tc, test_a_fresh_instance_that_does_not_start_is_an_error);
    tcase_add_test (tc, test_a_query_may_outlast_the_instance_that_it_is_in);
    tcase_add_test (tc, test_an_encoder_that_keeps_its_last_frames_is_cut_off);
    tcase_add_test (tc, test_what_follows_may_wait_while_a_former_instance_drains);
  }
  return s;
}

GST_CHECK_MAIN (arcencodebin);
