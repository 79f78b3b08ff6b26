/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An encoder with a VBV of one frame makes what is wanted: gst/encoder/encoderfill.c. */
#include "encoderratefixture.h"

#include <encoder/encoderfill.h>

#define RUNNING "x264enc tune=zerolatency"
#define WANTED_BPS 600000

static guint64
set_after_frames (Fixture * f, gdouble fill)
{
  g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (f->pipeline), "e");
  EncoderFill self;
  guint64 bps;

  encoder_fill_init (&self, FALSE);
  self.set_bps = 8 * 60000;
  self.frame = GST_SECOND;      /* it lasts so long where one of 60000 bytes fills the VBV */
  for (guint n = 0; n < 300; n++)
    encoder_fill_on_frame (&self, (gsize) (fill * 60000));
  bps = encoder_fill_to_set (&self, encoder, WANTED_BPS);
  return bps;
}

CLAIM_WITH (test_what_the_frames_leave_unused_is_set_on_top, RUNNING, fixture_of_running)
{
  fail_unless_equals_int64 (property_of (f, "e", "vbv-buf-capacity"), 100);
  fail_unless (ABS ((gint64) set_after_frames (f, 1) - WANTED_BPS) < 10);
  fail_unless (ABS ((gint64) set_after_frames (f, .75) - WANTED_BPS / .75) < 10);
}

/* The frames that follow a still picture would be as much too large. */
CLAIM_WITH (test_still_picture_is_not_made_up_for, RUNNING, fixture_of_running)
{
  fail_unless (ABS ((gint64) set_after_frames (f, .1) - WANTED_BPS / .85) < 10);
  fail_unless (ABS ((gint64) set_after_frames (f, .4) - WANTED_BPS / .6) < 10);
}

/* Before it knows the frame rate too: each later change costs a keyframe. */
CLAIM_WITH (test_encoder_that_begins_anew_gets_it_at_once, "x265enc", fixture_of_encoder)
{
  fail_unless_equals_int (encoder_rate_set (f->rate, WANTED_BPS, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), (gint64) (WANTED_BPS / .78 / 1000));
}

CLAIM_WITH (test_larger_buffer_is_left_alone, RUNNING " vbv-buf-capacity=200", fixture_of_running)
{
  fail_unless_equals_int64 ((gint64) set_after_frames (f, .75), WANTED_BPS);
}

typedef struct
{
  Fixture f;
  guint n;
  gdouble bits;
} Made;

static void
on_frame (GstElement * sink, GstBuffer * frame, GstPad * pad, gpointer data)
{
  Made *self = data;

  if (++self->n == 3)
    fixture_find (&self->f);
  if (self->n % 5 == 0)
    encoder_rate_set (self->f.rate, WANTED_BPS - self->n % 2 * 1000, TRUE);
  if (self->n > 150)
    self->bits += 8. * gst_buffer_get_size (frame);
}

/* Four slices leave a third of each frame unused. */
CLAIM (test_encoder_makes_its_bitrate_with_a_buffer_of_one_frame)
{
  Made made = { {NULL} };
  gdouble use;

  if (!is_installed (RUNNING))
    return;
  made.f.pipeline = gst_parse_launch ("videotestsrc num-buffers=300 pattern=snow "
      "! video/x-raw,width=320,height=240,framerate=30/1 ! x264enc name=e tune=zerolatency "
      "speed-preset=ultrafast threads=4 ! fakesink name=s signal-handoffs=true", NULL);
  made.f.rate = encoder_rate_new ();
  fixture_play_to_end (&made.f, G_CALLBACK (on_frame), &made);
  use = made.bits / ((made.n - 150) / 30. * WANTED_BPS);
  fail_unless (use > .9 && use < 1.05, "%.3f of the bitrate", use);
  fail_unless_equals_int64 (property_of (&made.f, "e", "vbv-buf-capacity"), 34);
  fixture_free (&made.f);
}
