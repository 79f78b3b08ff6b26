/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arcscalefixture.h"

/* At the typical difficulty: more than 720p needs, and what only a quarter of its lines fit. */
#define PLENTY 8000000
#define LITTLE 120000
#define SECONDS(s) ((s) * FPS)

static void
fail_unless_size (Scaled * s, guint width, guint height)
{
  GstVideoInfo info = scaled_output (s);
  guint told_width, told_height;

  g_object_get (s->scale, "current-width", &told_width, "current-height", &told_height, NULL);
  fail_unless (info.width == (gint) width && info.height == (gint) height, "%dx%d", info.width,
      info.height);
  fail_unless (told_width == width && told_height == height, "tells %ux%u", told_width,
      told_height);
}

static void
fail_unless_reason (Scaled * s, const gchar * expected)
{
  g_autofree gchar *reason = scaled_reason (s);

  fail_unless_equals_string (reason, expected);
}

CLAIM_ON (test_without_a_target_each_frame_passes_untouched, SCALE ("arcscale"))
{
  scaled_caps (s, "I420", 1279, 719, "");
  for (guint i = 0; i < 40; i++) {
    /* A camera that is a little fast, with jitter. */
    GstBuffer *frame = scaled_frame (s), *out;

    GST_BUFFER_PTS (frame) = i * 33 * GST_MSECOND + (i * 7 % 5) * GST_MSECOND;
    gst_buffer_ref (frame);
    gst_harness_push (s->h, frame);
    out = gst_harness_try_pull (s->h);
    fail_unless (out != NULL && GST_BUFFER_PTS (out) == GST_BUFFER_PTS (frame));
    fail_unless (gst_buffer_peek_memory (out, 0) == gst_buffer_peek_memory (frame, 0));
    gst_buffer_unref (out);
    gst_buffer_unref (frame);
  }
  fail_unless_size (s, 1279, 719);
  fail_unless_reason (s, "no-target");
}

CLAIM_ON (test_the_picture_shrinks_with_the_rate_and_comes_back, SCALE ("arcscale prefer=motion"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, PLENTY);
  scaled_run (s, SECONDS (1));
  fail_unless_size (s, 1280, 720);
  fail_unless_reason (s, "fits");
  scaled_target (s, LITTLE);
  scaled_run (s, SECONDS (10));
  fail_unless_size (s, 320, 180);
  fail_unless_reason (s, "less-rate");
  fail_unless (s->steps > 0);
  scaled_target (s, PLENTY);
  scaled_run (s, SECONDS (15));
  fail_unless_size (s, 1280, 720);
  fail_unless_reason (s, "more-rate");
  fail_unless_equals_int (s->out, SECONDS (26));
  fail_unless_equals_int (s->warnings, 0);
}

CLAIM_ON (test_a_step_is_a_message, SCALE ("arcscale"))
{
  guint width, height, bitrate;
  gdouble fps;

  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, 1);
  fail_unless_equals_int (s->steps, 1);
  fail_unless (gst_structure_get (s->step, "width", G_TYPE_UINT, &width, "height", G_TYPE_UINT,
          &height, "framerate", G_TYPE_DOUBLE, &fps, "bitrate", G_TYPE_UINT, &bitrate, NULL));
  fail_unless_size (s, width, height);
  fail_unless_equals_string (gst_structure_get_string (s->step, "reason"), "less-rate");
  fail_unless_equals_int (bitrate, LITTLE);
  fail_unless_equals_int (scaled_output (s).fps_n / scaled_output (s).fps_d, (gint) fps);
}

CLAIM_ON (test_a_third_of_the_frames_leaves_evenly,
    SCALE ("arcscale prefer=sharpness min-height=720"))
{
  GstVideoInfo info;
  GstClockTime last = GST_CLOCK_TIME_NONE;
  GstBuffer *out;

  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  for (guint i = 0; i < 30; i++) {
    gst_harness_push (s->h, scaled_frame (s));
    while ((out = gst_harness_try_pull (s->h))) {
      fail_unless (last == GST_CLOCK_TIME_NONE
          || GST_BUFFER_PTS (out) == last + 3 * (GST_SECOND / FPS));
      last = GST_BUFFER_PTS (out);
      s->out++;
      gst_buffer_unref (out);
    }
  }
  fail_unless_equals_int (s->out, 10);
  info = scaled_output (s);
  fail_unless (info.height == 720 && info.fps_n == 10 && info.fps_d == 1);
}

CLAIM_ON (test_limits_hold_and_may_change_while_playing,
    SCALE ("arcscale prefer=motion min-height=360"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, SECONDS (5));
  fail_unless_size (s, 640, 360);
  g_object_set (s->scale, "min-height", 0, NULL);
  scaled_run (s, 1);
  fail_unless_size (s, 320, 180);
}

CLAIM_ON (test_120_lines_are_the_least_by_default, SCALE ("arcscale prefer=motion"))
{
  scaled_caps (s, "I420", 320, 240, "");
  scaled_target (s, LITTLE / 20);
  scaled_run (s, 1);
  fail_unless_size (s, 160, 120);
  g_object_set (s->scale, "min-height", 0, NULL);
  scaled_run (s, 1);
  fail_unless_size (s, 80, 60);
}

CLAIM_ON (test_the_event_goes_on_and_no_renegotiation_does, SCALE ("arcscale"))
{
  GstEvent *event;
  guint targets = 0, reconfigures = 0;

  scaled_caps (s, "I420", 640, 480, "");
  scaled_run (s, 1);
  while ((event = gst_harness_try_pull_upstream_event (s->h)))
    gst_event_unref (event);
  scaled_target (s, PLENTY);
  scaled_run (s, 1);
  scaled_target (s, LITTLE / 4);
  scaled_run (s, SECONDS (10));
  fail_unless (s->steps > 0);
  while ((event = gst_harness_try_pull_upstream_event (s->h))) {
    targets += gst_event_has_name (event, GST_ARC_TARGET_BITRATE);
    reconfigures += GST_EVENT_TYPE (event) == GST_EVENT_RECONFIGURE;
    gst_event_unref (event);
  }
  fail_unless_equals_int (targets, 2);
  fail_unless_equals_int (reconfigures, 0);
}

/* A camera that is asked while the picture is small still offers its full size. */
CLAIM_ON (test_the_present_size_does_not_show_upstream, SCALE ("arcscale"))
{
  g_autoptr (GstCaps) caps = NULL,
      full = gst_caps_from_string ("video/x-raw,format=I420,width=1280,height=720");

  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, 2);
  caps = gst_pad_peer_query_caps (s->h->srcpad, NULL);
  fail_unless (gst_caps_can_intersect (caps, full));
}

CLAIM_ON (test_a_new_input_is_scaled_from_its_own_size, SCALE ("arcscale prefer=motion"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, SECONDS (5));
  fail_unless_size (s, 320, 180);
  scaled_caps (s, "I420", 1440, 1080, "");
  scaled_run (s, 1);
  fail_unless_size (s, 360, 270);
  scaled_caps (s, "I420", 96, 64, "");
  scaled_run (s, 1);
  fail_unless_size (s, 96, 64);
  fail_unless_equals_int (s->out, SECONDS (5) + 2);
}

static const struct
{
  const gchar *format;
  guint width, height, out_width, out_height;
} inputs[] = {
  { "I420", 1279, 719, 320, 180 }, { "I420", 1918, 1078, 480, 270 },
  { "AYUV", 1280, 720, 320, 180 },
  { "I420_10LE", 1280, 720, 320, 180 }, { "RGBA", 1280, 720, 320, 180 },
  { "NV12", 3840, 2160, 960, 540 }, { "GRAY8", 7680, 4320, 1920, 1080 },
  { "YUY2", 1000, 2000, 250, 500 }, { "I420", 16, 16, 16, 16 }, { "I420", 2, 2, 2, 2 },
};

CLAIMS (test_sizes_and_formats_of_all_kinds_pass, G_N_ELEMENTS (inputs))
{
  AT_END (scaled_clear) Scaled s;

  scaled_init (&s, "arcscale prefer=motion");
  scaled_caps (&s, inputs[__i__].format, inputs[__i__].width, inputs[__i__].height, "");
  scaled_target (&s, inputs[__i__].width < 17 ? 1000000 : 50000);
  scaled_run (&s, 2);
  fail_unless (s.out >= 1);
  fail_unless_size (&s, inputs[__i__].out_width, inputs[__i__].out_height);
  fail_unless_equals_int (s.warnings, 0);
}

CLAIM_ON (test_interlaced_video_keeps_its_size_and_is_told_once, SCALE ("arcscale"))
{
  scaled_caps (s, "I420", 720, 576, ",interlace-mode=interleaved");
  scaled_target (s, LITTLE);
  scaled_run (s, SECONDS (5));
  fail_unless_size (s, 720, 576);
  fail_unless_equals_int (s->out, SECONDS (5));
  fail_unless_equals_int (s->warnings, 1);
  fail_unless_reason (s, "interlaced");
}

CLAIM_ON (test_a_size_that_is_fixed_downstream_is_kept_and_told_once,
    SCALE ("arcscale ! capsfilter caps=video/x-raw,width=1280,height=720"))
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 refusals;

  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, SECONDS (10));
  fail_unless_equals_int (s->out, SECONDS (10));
  fail_unless_size (s, 1280, 720);
  fail_unless_equals_int (s->warnings, 1);
  fail_unless_equals_int (s->steps, 0);
  fail_unless_reason (s, "refused-downstream");
  stats = scaled_stats (s);
  fail_unless (gst_structure_get_uint64 (stats, "size-refusals", &refusals) && refusals > 0);
}

/* The steps that it can take are taken. */
CLAIM_ON (test_a_frame_rate_that_is_fixed_downstream_leaves_the_sizes,
    SCALE ("arcscale ! capsfilter caps=video/x-raw,framerate=30/1"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE / 2);
  scaled_run (s, SECONDS (10));
  fail_unless_equals_int (s->out, SECONDS (10));
  fail_unless_size (s, 480, 270);
  fail_unless_equals_int (s->warnings, 1);
}

CLAIM_ON (test_frames_without_time_take_the_first_choice, SCALE ("arcscale prefer=motion"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  for (guint i = 0; i < 10; i++) {
    GstBuffer *frame = scaled_frame (s);

    GST_BUFFER_PTS (frame) = GST_CLOCK_TIME_NONE;
    gst_harness_push (s->h, frame);
  }
  fail_unless_equals_int (gst_harness_buffers_received (s->h), 10);
  fail_unless_size (s, 320, 180);
}

CLAIM_ON (test_a_restart_begins_without_a_target, SCALE ("arcscale"))
{
  scaled_caps (s, "I420", 1280, 720, "");
  scaled_target (s, LITTLE);
  scaled_run (s, 2);
  gst_element_set_state (s->h->element, GST_STATE_READY);
  fail_unless_reason (s, "less-rate");
  gst_element_set_state (s->h->element, GST_STATE_PLAYING);
  fail_unless_reason (s, "no-target");
}

CLAIM_ON (test_a_restart_tells_again_what_it_cannot_do,
    SCALE ("arcscale ! capsfilter caps=video/x-raw,width=1280,height=720"))
{
  for (guint starts = 1; starts <= 2; starts++) {
    scaled_caps (s, "I420", 1280, 720, "");
    scaled_target (s, LITTLE);
    scaled_run (s, SECONDS (2));
    fail_unless_equals_int (s->warnings, starts);
    fail_unless_reason (s, "refused-downstream");
    gst_element_set_state (s->h->element, GST_STATE_READY);
    gst_element_set_state (s->h->element, GST_STATE_PLAYING);
    fail_unless_reason (s, "no-target");
  }
}

/* A decoder or a depayloader may push frames as a list. */
CLAIM_ON (test_frames_of_a_list_keep_their_times, SCALE ("arcscale"))
{
  GstBufferList *list = gst_buffer_list_new ();
  GstClockTime pts = 0;

  scaled_caps (s, "I420", 160, 120, "");
  for (guint i = 0; i < FPS; i++)
    gst_buffer_list_add (list, scaled_frame (s));
  fail_unless_equals_int (gst_pad_push_list (s->h->srcpad, list), GST_FLOW_OK);
  for (guint i = 0; i < FPS; i++, pts += GST_SECOND / FPS) {
    g_autoptr (GstBuffer) buffer = gst_harness_try_pull (s->h);

    fail_unless (buffer != NULL);
    fail_unless_equals_uint64 (GST_BUFFER_PTS (buffer), pts);
  }
}
