/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The settings under which encoders follow: gst/encoder/encodersettings.c, seen through an
 * EncoderRate. */
#include "encoderratefixture.h"

static const struct
{
  const gchar *encoder, *hint;
} deaf[] = {
  {"x264enc pass=quant", "pass=cbr"},
  {"x264enc vbv-buf-capacity=0", "vbv-buf-capacity=66"},
  {"x265enc qp=30", "qp=-1"},
  {"openh264enc rate-control=off", "rate-control=bitrate"},
  {"av1enc end-usage=q", "end-usage=cbr"},
  {"vp8enc end-usage=cq", "end-usage=cbr"},
  {"vp9enc end-usage=cq", "end-usage=cbr"},
  {"vafakeh264enc rate-control=cqp", "rate-control=cbr"},
  {"avenc_mpeg4", "while it runs"},
  {"mpeg2enc", "while it runs"},
  {"voaacenc", "while it runs"},
};

BEFORE_EACH
{
  fake_encoder_register ();
}

CLAIMS (test_deaf_encoder_is_reported_with_the_cure, G_N_ELEMENTS (deaf))
{
  g_autofree gchar *launch = NULL;

  if (!is_installed (deaf[__i__].encoder))
    return;
  launch = g_strdup_printf ("%s name=e ! fakesink name=s", deaf[__i__].encoder);
  assert_refused (launch, ENCODER_RATE_STUCK, deaf[__i__].hint);
}

static gchar *
text_of (Fixture * self, const gchar * name, const gchar * property)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  AT_END (g_value_unset) GValue value = G_VALUE_INIT;
  gchar *text;

  g_value_init (&value,
      g_object_class_find_property (G_OBJECT_GET_CLASS (element), property)->value_type);
  g_object_get_property (G_OBJECT (element), property, &value);
  text = gst_value_serialize (&value);
  return text;
}

static const struct
{
  const gchar *encoder, *property, *value;
} improved[] = {
  {"x264enc", "vbv-buf-capacity", "66"},
  {"x264enc vbv-buf-capacity=900", "vbv-buf-capacity", "900"},
  {"x265enc", "tune", "zerolatency"},
  {"x265enc", "option-string", "\"vbv-bufsize\\=1:no-wpp\\=1\""},
  {"x265enc option-string=psy-rd=1", "option-string", "\"psy-rd\\=1\""},
  {"openh264enc", "gop-size", "300"},
  {"openh264enc", "qp-min", "12"},
  {"theoraenc", "rate-buffer", "12"},
  {"theoraenc rate-buffer=50", "rate-buffer", "50"},
  {"vp8enc", "end-usage", "cbr"},
  {"vp8enc deadline=20000", "deadline", "20000"},
  {"vp8enc cpu-used=2", "cpu-used", "2"},
  {"vp9enc", "buffer-size", "99"},
  {"vp9enc", "lag-in-frames", "0"},
  {"vp9enc", "cpu-used", "7"},
  {"av1enc", "max-quantizer", "56"},
  {"av1enc", "usage-profile", "realtime"},
};

CLAIMS (test_what_an_encoder_needs_to_follow_is_set_unless_the_user_did, G_N_ELEMENTS (improved))
{
  g_autofree gchar *text = NULL;
  Fixture f;

  if (!is_installed (improved[__i__].encoder))
    return;
  f = fixture_of_encoder (improved[__i__].encoder);
  text = text_of (&f, "e", improved[__i__].property);
  fail_unless_equals_string (text, improved[__i__].value);
  fail_unless (f.warning == NULL, "%s", f.warning);
  fixture_free (&f);
}

CLAIM_WITH (test_what_can_no_longer_be_set_is_told_with_the_line, "theoraenc", fixture_of_running)
{
  fail_unless_equals_int (f->result, ENCODER_RATE_OK);
  fail_unless (f->warning && strstr (f->warning, "write theoraenc rate-buffer=12"), "%s",
      f->warning);
  fail_unless_equals_int64 (property_of (f, "e", "rate-buffer"), 0);
  fail_unless_equals_int (encoder_rate_set (f->rate, 800000, TRUE), 1);
}

CLAIM_WITH (test_what_may_be_set_while_it_runs_is, "vp8enc", fixture_of_running)
{
  fail_unless (f->warning == NULL, "%s", f->warning);
  fail_unless_equals_int64 (property_of (f, "e", "cpu-used"), 4);
  fail_unless_equals_int64 (property_of (f, "e", "buffer-size"), 99);
  fixture_find_for (f, 200 * GST_MSECOND);
  fail_unless_equals_int64 (property_of (f, "e", "max-intra-bitrate"), 200);
}

/* How long a change must last: encoderrestart.c. */
CLAIM_WITH (test_encoder_that_begins_anew_with_each_change_goes_by_the_steady_bitrate,
    "x265enc option-string=psy-rd=1", fixture_of_encoder)
{
  encoder_rate_set_terms (f->rate, 1000000, 0);
  fail_unless_equals_int (encoder_rate_set (f->rate, 700000, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), 1000);
  fail_unless_equals_int (encoder_rate_set (f->rate, 500000, TRUE), 0);
}

/* A session with a name is opened on another thread, and the encoder starts meanwhile. */
CLAIM (test_what_counts_from_the_start_is_set_before_it)
{
  g_autoptr (GstElement) pipeline = NULL, encoder = NULL;
  g_autofree gchar *options = NULL;

  if (!is_installed ("x265enc"))
    return;
  pipeline = gst_parse_launch ("videotestsrc is-live=true ! x265enc name=e ! rtph265pay "
      "! rmcsink host=localhost port=9", NULL);
  encoder = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  g_object_get (encoder, "option-string", &options, NULL);
  fail_unless_equals_string (options, "vbv-bufsize=1:no-wpp=1");
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static const struct
{
  const gchar *encoder;
  Fixture (*made) (const gchar * encoder);
  const gchar *property;
  struct
  {
    guint ms;                   /* of latency; 0: as it was found */
    gint64 value;
  } steps[3];
  gint users;                   /* which stays; 0: not tried */
} by_latency[] = {
  {"x264enc", fixture_of_encoder, "vbv-buf-capacity", {{40, 40}, {150, 150}}, 333},
  /* Of 10 a second: 66 ms are less than three. */
  {"x264enc tune=zerolatency", fixture_of_running, "vbv-buf-capacity",
      {{0, 100}, {299, 100}, {300, 300}}},
  /* In percent of a frame's share: a keyframe leaves within the latency too. */
  {"vp8enc", fixture_of_running, "max-intra-bitrate", {{0, 100}, {250, 250}}},
};

CLAIMS (test_frames_are_as_large_as_the_latency_allows, G_N_ELEMENTS (by_latency))
{
  const gchar *property = by_latency[__i__].property;
  Fixture f;

  if (!is_installed (by_latency[__i__].encoder))
    return;
  f = by_latency[__i__].made (by_latency[__i__].encoder);
  for (guint i = 0; i < 3 && by_latency[__i__].steps[i].value; i++) {
    if (by_latency[__i__].steps[i].ms)
      fixture_find_for (&f, by_latency[__i__].steps[i].ms * GST_MSECOND);
    fail_unless_equals_int64 (property_of (&f, "e", property), by_latency[__i__].steps[i].value);
  }
  if (by_latency[__i__].users) {
    g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (f.pipeline), "e");

    g_object_set (encoder, property, by_latency[__i__].users, NULL);
    fixture_find_for (&f, by_latency[__i__].steps[0].ms * GST_MSECOND);
    fail_unless_equals_int64 (property_of (&f, "e", property), by_latency[__i__].users);
  }
  fixture_free (&f);
}

CLAIM_WITH (test_x265enc_holds_one_frame_unless_the_latency_is_long, "x265enc", fixture_of_encoder)
{
  g_autofree gchar *text = NULL;

  fixture_find_for (f, 100 * GST_MSECOND);
  text = text_of (f, "e", "option-string");
  fail_unless_equals_string (text, "\"\"");
  fail_unless (f->warning == NULL, "%s", f->warning);
}
