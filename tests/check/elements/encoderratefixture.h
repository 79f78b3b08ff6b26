/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An EncoderRate and a pipeline whose element "s" stands where rmcsink would. */
#pragma once

#include <encoder/encoderrate.h>

#include "claim.h"
#include "readstat.h"
#include "fakeencoder.h"

/* A pipeline whose element "s" stands where rmcsink would, and an EncoderRate for it. */
typedef struct
{
  GstElement *pipeline;
  EncoderRate *rate;
  EncoderRateResult result;
  gchar *warning;
} Fixture;

static inline void
fixture_find_for (Fixture * self, GstClockTime latency)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "s");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");

  g_clear_pointer (&self->warning, g_free);
  self->result = encoder_rate_find (self->rate, pad, latency, &self->warning);
}

static inline void
fixture_find (Fixture * self)
{
  fixture_find_for (self, ENCODER_ORDERS_LATENCY);
}

static inline Fixture
fixture_new (const gchar * launch)
{
  Fixture self = { NULL };
  GError *error = NULL;

  self.pipeline = gst_parse_launch (launch, &error);
  fail_unless (error == NULL, "%s: %s", launch, error ? error->message : "");
  self.rate = encoder_rate_new ();
  fixture_find (&self);
  return self;
}

static inline void
fixture_free (Fixture * self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  encoder_rate_free (self->rate);
  gst_object_unref (self->pipeline);
  g_free (self->warning);
}

#define LAUNCH(text) Fixture, f, *f = fixture_new (text), fixture_free (f)

/* Encoders that follow. */
static inline guint
count_following (EncoderRate * rate)
{
  gchar *names = encoder_rate_names (rate), **each = g_strsplit (names, ", ", -1);
  guint n = g_strv_length (each);

  g_strfreev (each);
  g_free (names);
  return n;
}

static inline gint64
property_of (Fixture * self, const gchar * name, const gchar * property)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  GValue value = G_VALUE_INIT;
  gint64 number;

  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (G_OBJECT (element), property, &value);
  number = g_value_get_int64 (&value);
  return number;
}

static inline void
assert_refused (const gchar * launch, EncoderRateResult result, const gchar * hint)
{
  AT_END (fixture_free) Fixture f = fixture_new (launch);

  fail_unless_equals_int (f.result, result);
  fail_unless (f.warning != NULL && strstr (f.warning, hint) != NULL, "%s: %s", launch, f.warning);
  fail_unless_equals_int (count_following (f.rate), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 500000, TRUE), 0);
}

/* Without a source: caps of audio and video alike. */
static inline Fixture
fixture_of_encoder (const gchar * encoder)
{
  g_autofree gchar *launch = g_strdup_printf ("%s name=e ! fakesink name=s", encoder);
  Fixture f = fixture_new (launch);

  return f;
}

#define ENCODER(encoder) Fixture, f, *f = fixture_of_encoder (encoder), fixture_free (f)

/* 10 frames a second. */
static inline Fixture
fixture_of_running (const gchar * encoder)
{
  gchar *launch = g_strdup_printf ("videotestsrc ! video/x-raw,width=64,height=64,framerate=10/1 "
      "! videoconvert ! %s name=e ! fakesink name=s sync=true", encoder);
  Fixture self = { gst_parse_launch (launch, NULL), encoder_rate_new () };

  gst_element_set_state (self.pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (self.pipeline, NULL, NULL, 20 * GST_SECOND),
      GST_STATE_CHANGE_SUCCESS);
  fixture_find (&self);
  g_free (launch);
  return self;
}

/* Each frame that its fakesink "s" gets goes through on_frame. */
static inline void
fixture_play_to_end (Fixture * f, GCallback on_frame, gpointer data)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (f->pipeline), "s");
  g_autoptr (GstBus) bus = gst_element_get_bus (f->pipeline);
  g_autoptr (GstMessage) end = NULL;

  g_signal_connect (sink, "handoff", on_frame, data);
  gst_element_set_state (f->pipeline, GST_STATE_PLAYING);
  end = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (end && GST_MESSAGE_TYPE (end) == GST_MESSAGE_EOS);
}

/* About a fixture of an encoder that is made so; skipped where it is not installed. */
#define CLAIM_WITH(test, encoder, made)                                        \
static void test##_with (Fixture *);                                           \
CLAIMS (test, is_installed (encoder)) {                                        \
  AT_END (fixture_free) Fixture f = made (encoder);                            \
  test##_with (&f);                                                            \
}                                                                              \
static void test##_with (Fixture * f)
