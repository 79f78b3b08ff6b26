/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Encoders take a new size while they play, and decoders follow. */
#include "arcscalefixture.h"

static const struct
{
  const gchar *factory, *settings, *parser, *decoder;
} encoders[] = {
  { "x264enc", "tune=zerolatency speed-preset=ultrafast", "h264parse", "avdec_h264" },
  { "openh264enc", "", "h264parse", "avdec_h264" },
  { "x265enc", "tune=zerolatency speed-preset=ultrafast", "h265parse", "avdec_h265" },
  { "vp8enc", "deadline=1 cpu-used=16", "identity", "vp8dec" },
  { "vp9enc", "deadline=1 cpu-used=9", "identity", "vp9dec" },
  { "av1enc", "usage-profile=realtime cpu-used=10", "av1parse", "av1dec" },
};

static gboolean
is_there (const gchar * name)
{
  return gst_registry_check_feature_version (gst_registry_get (), name, 1, 0, 0);
}

/* Frames that a decoder shows lag behind. */
static void
run_until_height (Scaled * s, guint frames, gint height)
{
  gint current;

  scaled_run (s, frames);
  g_object_get (s->scale, "current-height", &current, NULL);
  fail_unless_equals_int (current, height);
}

static guint64
frames_dropped (Scaled * s)
{
  g_autoptr (GstStructure) stats = scaled_stats (s);
  guint64 dropped = 0;

  fail_unless (gst_structure_get_uint64 (stats, "frames-dropped", &dropped));
  return dropped;
}

CLAIMS (test_an_encoder_takes_a_new_size_while_it_plays, G_N_ELEMENTS (encoders))
{
  g_autofree gchar *line = NULL;
  Scaled s;

  if (!is_there (encoders[__i__].factory) || !is_there (encoders[__i__].parser)
      || !is_there (encoders[__i__].decoder))
    return;
  line = g_strdup_printf ("arcscale prefer=motion min-height=60 ! %s %s ! %s "
      "! %s", encoders[__i__].factory, encoders[__i__].settings, encoders[__i__].parser,
      encoders[__i__].decoder);
  scaled_init (&s, line);
  s.noise = strstr (encoders[__i__].factory, "264") != NULL;    /* whose difficulty is learnt */
  scaled_caps (&s, "I420", 160, 120, "");
  scaled_target (&s, 20000000);
  run_until_height (&s, 3 * FPS, 120);
  scaled_target (&s, 1000);
  scaled_run (&s, 4 * FPS);
  fail_unless (s.steps >= 1);
  scaled_target (&s, 20000000);
  run_until_height (&s, 8 * FPS, 120);
  gst_harness_push_event (s.h, gst_event_new_eos ());
  while (gst_harness_buffers_in_queue (s.h) > 0) {
    gst_buffer_unref (gst_harness_pull (s.h));
    s.out++;
  }
  fail_unless_equals_uint64 (s.out + frames_dropped (&s), 15 * FPS);
  fail_unless_equals_int (scaled_output (&s).height, 120);
  fail_unless_equals_int (s.warnings, 0);
  scaled_clear (&s);
}

static gdouble
difficulty_of (Scaled * s, gboolean * learnt)
{
  g_autoptr (GstStructure) stats = scaled_stats (s);
  gdouble difficulty;

  fail_unless (gst_structure_get (stats, "difficulty", G_TYPE_DOUBLE, &difficulty,
          "difficulty-learnt", G_TYPE_BOOLEAN, learnt, NULL));
  return difficulty;
}

CLAIM (test_the_difficulty_is_learnt_from_the_quantiser_of_h264)
{
  gboolean learnt;
  gdouble difficulty;
  Scaled s;

  if (!is_there ("x264enc"))
    return;
  scaled_init (&s, "arcscale ! queue max-size-buffers=2 ! tee name=t t. ! queue ! fakesink "
      "async=false t. ! queue ! x264enc tune=zerolatency speed-preset=ultrafast ! fakesink "
      "async=false t. ! queue ! identity");
  scaled_caps (&s, "I420", 160, 120, "");
  scaled_target (&s, 2000000);
  for (guint i = 0; i < 200 && (difficulty_of (&s, &learnt), !learnt); i++) {
    scaled_run (&s, FPS);
    g_usleep (10000);           /* the encoder has a thread of its own */
  }
  difficulty = difficulty_of (&s, &learnt);
  fail_unless (learnt);
  fail_unless (difficulty < 2, "even grey frames are easy: %g", difficulty);
  scaled_clear (&s);
}

/* Where rmcsink sends it from. */
CLAIM (test_the_target_comes_through_encoder_and_payloader)
{
  g_autoptr (GstStructure) stats = NULL;
  guint64 target;
  Scaled s;

  if (!is_there ("x264enc") || !is_there ("rtph264pay"))
    return;
  scaled_init (&s, "arcscale ! queue ! x264enc tune=zerolatency speed-preset=ultrafast ! h264parse "
      "! rtph264pay");
  scaled_caps (&s, "I420", 160, 120, "");
  scaled_run (&s, 2);
  gst_buffer_unref (gst_harness_pull (s.h));    /* the queue has passed the caps on */
  scaled_target (&s, 123456);
  stats = scaled_stats (&s);
  fail_unless (gst_structure_get_uint64 (stats, "target-bitrate", &target) && target == 123456);
  scaled_clear (&s);
}
