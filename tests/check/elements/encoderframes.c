/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How long frames last, and how long an encoder takes them to last: gst/encoder/encoderframes.c. */
#include "encoderratefixture.h"

#include <encoder/encoderframes.h>

#define FRAME (GST_SECOND / 30)

/* Frames with times that are given, and which come when they are given. */
typedef struct
{
  GstElement *encoder;
  EncoderFrames *frames;
  GstClockTime pts, now;
  GRand *random;
} Camera;

static Camera
camera_new (const gchar * encoder, GstClockTime declared)
{
  Camera self = { gst_element_factory_make (encoder, NULL) };

  fail_unless (self.encoder != NULL);
  gst_object_ref_sink (self.encoder);
  self.frames = encoder_frames_of (self.encoder);
  encoder_frames_on_caps (self.frames, declared);
  self.random = g_rand_new_with_seed (1);
  return self;
}

static void
camera_free (Camera * self)
{
  g_rand_free (self->random);
  encoder_frames_unref (self->frames);
  gst_object_unref (self->encoder);
}

static void
frame (Camera * self, GstClockTime time, GstClockTime arrival)
{
  self->pts += time;
  self->now += arrival;
  encoder_frames_on_frame (self->frames, self->pts, self->now);
}

static void
frames (Camera * self, guint n, GstClockTime duration)
{
  while (n-- > 0)
    frame (self, duration, duration);
}

static gdouble
slowness (Camera * self)
{
  return encoder_frames_get (self->frames).slowness;
}

#define assert_about(a, b) \
  fail_unless ((a) > .97 * (b) && (a) < 1.03 * (b), "%.3f instead of %.3f", (gdouble) (a), \
      (gdouble) (b))

/* The encoder divides by the caps' frame rate. */
#define BY_CAPS "x264enc"
#define BY_TIMES "vp8enc"
#define need(encoder) if (!is_installed (encoder)) return
#define IF_CAPS(test) CLAIMS (test, is_installed (BY_CAPS))
#define IF_TIMES(test) CLAIMS (test, is_installed (BY_TIMES))
/* 0: by caps, 1: by times. */
#define BOTH(test) CLAIMS (test, is_installed (BY_CAPS) ? 1 + is_installed (BY_TIMES) : 0)
#define OF_BOTH __i__ ? BY_TIMES : BY_CAPS
#define CAMERA(encoder, declared) Camera, c, *c = camera_new (encoder, declared), camera_free (c)
#define CAMERA_CLAIM(test, declared) CLAIM_ABOUT (IF_CAPS, test, CAMERA (BY_CAPS, declared))

static const gdouble slow[] = { 1. / 2, 30. / 24, 1.5, 2, 3 };

CLAIMS (test_frames_that_are_fewer_or_more_than_declared_are_counted, G_N_ELEMENTS (slow))
{
  Camera c;

  need (BY_CAPS);
  c = camera_new (BY_CAPS, FRAME);
  frames (&c, 75, (GstClockTime) (slow[__i__] * FRAME));
  assert_about (slowness (&c), slow[__i__]);
  assert_about (encoder_frames_get (c.frames).duration, slow[__i__] * FRAME);
  camera_free (&c);
}

/* More make the encoder exceed its bitrate. */
CAMERA_CLAIM (test_more_frames_count_at_once_and_fewer_within_seconds, FRAME)
{
  guint n;

  frames (c, 90, FRAME);
  frames (c, 25, 3 * FRAME);
  assert_about (slowness (c), 3);
  for (n = 0; slowness (c) > 1; n++)
    frame (c, FRAME, FRAME);
  fail_unless (n <= 4, "%u frames", n);
}

/* Up to 40 % sooner or later, and a machine that stalls for half a second now and then. */
CAMERA_CLAIM (test_declared_rate_changes_nothing, FRAME)
{
  guint serial;

  serial = encoder_frames_get (c->frames).serial;
  for (guint n = 1; n < 3000; n++) {
    GstClockTime at = n * FRAME + (GstClockTime) g_rand_int_range (c->random, 0, 13000000);

    if (n % 300 > 285)
      at = (n / 300 + 1) * 300 * FRAME;
    frame (c, n % 2 ? 33 * GST_MSECOND : 34 * GST_MSECOND, at > c->now ? at - c->now : 0);
    fail_unless (encoder_frames_get (c->frames).serial == serial, "frame %u: %.3f", n,
        slowness (c));
  }
}

/* Not a slow camera: a screen that is still. */
CAMERA_CLAIM (test_pauses_say_nothing, FRAME)
{
  guint serial;

  serial = encoder_frames_get (c->frames).serial;
  for (guint n = 0; n < 20; n++) {
    frame (c, 4 * GST_SECOND, 4 * GST_SECOND);
    frames (c, n % 5, FRAME);
  }
  fail_unless_equals_int (encoder_frames_get (c->frames).serial, serial);
}

/* Two a second, and a pause now and then: an encoder that makes little of them is not to blame. */
CLAIM (test_a_screen_that_changes_now_and_then_has_few_frames)
{
  Camera c;

  need (BY_CAPS);
  c = camera_new (BY_CAPS, FRAME);
  frames (&c, 90, FRAME);
  fail_if (encoder_frames_get (c.frames).few);
  for (guint n = 0; n < 40; n++)
    frame (&c, n % 8 ? 14 * FRAME : 60 * FRAME, n % 8 ? 14 * FRAME : 60 * FRAME);
  fail_unless (encoder_frames_get (c.frames).few);
  camera_free (&c);
  c = camera_new (BY_CAPS, FRAME);
  frames (&c, 90, 3 * FRAME);
  fail_if (encoder_frames_get (c.frames).few, "its bitrate is larger instead");
  camera_free (&c);
}

/* A coin decides of each frame whether it comes. An encoder that goes by times needs no help. */
CLAIM_ABOUT (BOTH, test_frames_by_chance_change_it_seldom, CAMERA (OF_BOTH, FRAME))
{
  gdouble most = __i__ ? 1 : 2.3, least = __i__ ? 1 : .9;
  guint serial, n;

  serial = encoder_frames_get (c->frames).serial;
  for (n = 1; c->now < 60 * GST_SECOND; n = 1) {
    while (g_rand_boolean (c->random))
      n++;
    frame (c, n * FRAME, n * FRAME);
    fail_unless (slowness (c) >= least && slowness (c) <= most, "%.3f", slowness (c));
  }
  n = encoder_frames_get (c->frames).serial - serial;
  fail_unless (n < 60, "%u changes", n);
}

/* As an application does that writes what it has computed. */
CLAIM_ABOUT (BOTH, test_numbers_instead_of_times_are_seen_by_when_frames_come,
    CAMERA (OF_BOTH, FRAME))
{
  for (guint n = 0; n < 60; n++)
    frame (c, FRAME, 2 * FRAME);
  assert_about (slowness (c), 2);
}

CLAIM_ABOUT (IF_TIMES, test_encoder_that_goes_by_times_gets_what_is_wanted,
    CAMERA (BY_TIMES, FRAME))
{
  frames (c, 60, 3 * FRAME);
  fail_unless_equals_float (slowness (c), 1);
  assert_about (encoder_frames_get (c->frames).duration, 3 * FRAME);
}

/* Frames of a file come as fast as they are taken. */
CAMERA_CLAIM (test_frames_that_come_too_fast_last_as_long_as_they_say, FRAME)
{
  guint serial;

  serial = encoder_frames_get (c->frames).serial;
  for (guint n = 0; n < 300; n++)
    frame (c, FRAME, n % 100 ? 1000 : GST_SECOND);
  fail_unless_equals_int (encoder_frames_get (c->frames).serial, serial);
}

CAMERA_CLAIM (test_caps_without_a_rate_leave_it_to_the_times, 0)
{
  fail_unless_equals_uint64 (encoder_frames_get (c->frames).duration, 0);
  frames (c, 60, 2 * FRAME);
  fail_unless_equals_float (slowness (c), 1);
  assert_about (encoder_frames_get (c->frames).duration, 2 * FRAME);
}

/* As arcscale does: the caps change with the frames. */
CAMERA_CLAIM (test_new_caps_are_believed, FRAME)
{
  frames (c, 90, FRAME);
  for (guint n = 0; n < 6; n++) {
    GstClockTime duration = n % 2 ? FRAME : 2 * FRAME;
    guint serial;

    encoder_frames_on_caps (c->frames, duration);
    serial = encoder_frames_get (c->frames).serial;
    frames (c, 60, duration);
    fail_unless_equals_int (encoder_frames_get (c->frames).serial, serial);
    fail_unless_equals_float (slowness (c), 1);
  }
}

/* An encoder that runs, with caps that are not so. */
#define WANTED_BPS 600000
#define SETTLE_S 6              /* of the pictures' time */
#define SPAN_S 10

typedef struct
{
  Fixture f;
  guint n, settle;
  gdouble bits;
} Made;

static const struct
{
  const gchar *encoder;
  guint declared, actual;       /* frames/s */
} cameras[] = {
  {"x264enc tune=zerolatency speed-preset=ultrafast", 30, 10},
  {"x264enc tune=zerolatency speed-preset=ultrafast", 30, 15},
  {"x264enc tune=zerolatency speed-preset=ultrafast", 15, 30},
  {"x264enc tune=zerolatency speed-preset=ultrafast", 0, 15},
  {"x264enc tune=zerolatency speed-preset=ultrafast vbv-buf-capacity=600", 30, 12},
  {"x265enc speed-preset=ultrafast", 30, 10},
  {"x265enc speed-preset=ultrafast", 15, 30},
  {"openh264enc", 30, 10},
  {"openh264enc", 15, 30},
  {"vp8enc deadline=1", 30, 10},
  {"vp8enc deadline=1", 15, 30},
  {"vp9enc", 30, 10},
  {"vp9enc", 15, 30},
  {"theoraenc", 30, 10},
  {"theoraenc", 15, 30},
};

static void
on_frame (GstElement * sink, GstBuffer * frame, GstPad * pad, gpointer data)
{
  Made *self = data;

  if (++self->n % 5 == 3)
    encoder_rate_set (self->f.rate, WANTED_BPS - self->n % 2 * 1000, TRUE);
  if (self->n > self->settle)
    self->bits += 8. * gst_buffer_get_size (frame);
}

CLAIMS (test_encoder_makes_its_bitrate_at_another_frame_rate_than_declared, G_N_ELEMENTS (cameras))
{
  guint actual = cameras[__i__].actual;
  Made made = { {NULL},.settle = SETTLE_S * actual };
  g_autofree gchar *launch = NULL;
  gdouble use;

  need (cameras[__i__].encoder);
  need ("capssetter");
  launch = g_strdup_printf ("videotestsrc num-buffers=%u pattern=snow "
      "! video/x-raw,format=I420,width=160,height=120,framerate=%u/1 "
      "! capssetter caps=video/x-raw,framerate=%u/1 ! %s name=e "
      "! fakesink name=s signal-handoffs=true", (SETTLE_S + SPAN_S) * actual, actual,
      cameras[__i__].declared, cameras[__i__].encoder);
  made.f = fixture_new (launch);
  fixture_play_to_end (&made.f, G_CALLBACK (on_frame), &made);
  use = made.bits / ((made.n - made.settle) / (gdouble) actual * WANTED_BPS);
  fail_unless (use > .9 && use < 1.2, "%s, %u of %u frames/s: %.3f of the bitrate",
      cameras[__i__].encoder, actual, cameras[__i__].declared, use);
  fixture_free (&made.f);
}
