/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <encoder/encoderrate.h>
#include <gst/check/gstcheck.h>

#include "fakeencoder.h"


/* A pipeline whose element "s" stands where rmcsink would, and an EncoderRate for it. */
typedef struct
{
  GstElement *pipeline;
  EncoderRate *rate;
  EncoderRateResult result;
  gchar *warning;
} Fixture;

static void
fixture_find (Fixture * self)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "s");
  GstPad *pad = gst_element_get_static_pad (sink, "sink");

  g_clear_pointer (&self->warning, g_free);
  self->result = encoder_rate_find (self->rate, pad, &self->warning);
  gst_object_unref (pad);
  gst_object_unref (sink);
}

static Fixture
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

static void
fixture_free (Fixture * self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  encoder_rate_free (self->rate);
  gst_object_unref (self->pipeline);
  g_free (self->warning);
}

static gint64
property_of (Fixture * self, const gchar * name, const gchar * property)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  GValue value = G_VALUE_INIT;
  gint64 number;

  g_value_init (&value, G_TYPE_INT64);
  g_object_get_property (G_OBJECT (element), property, &value);
  number = g_value_get_int64 (&value);
  gst_object_unref (element);
  return number;
}

static void
assert_follows (const gchar * launch, const gchar * names)
{
  Fixture f = fixture_new (launch);
  gchar *found = encoder_rate_names (f.rate);

  fail_unless_equals_string (found, names);
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless (f.warning == NULL, "%s", f.warning);
  g_free (found);
  fixture_free (&f);
}

GST_START_TEST (test_encoder_is_found_through_plain_links)
{
  assert_follows ("videotestsrc ! x264enc name=e ! queue ! capsfilter ! rtph264pay ! identity ! fakesink name=s", "e");
}

GST_END_TEST;

GST_START_TEST (test_encoder_is_found_behind_a_tee)
{
  assert_follows ("videotestsrc ! x264enc name=e ! tee name=t ! queue ! fakesink  "
      "t. ! queue ! rtph264pay ! fakesink name=s", "e");
}

GST_END_TEST;

GST_START_TEST (test_encoders_of_all_branches_of_a_funnel_are_found)
{
  assert_follows ("rtpfunnel name=f ! fakesink name=s  videotestsrc ! x264enc name=e ! rtph264pay ! f.  "
      "videotestsrc ! vp8enc name=g ! rtpvp8pay ! f.  audiotestsrc ! opusenc name=a ! rtpopuspay ! f.", "e, g, a");
}

GST_END_TEST;

GST_START_TEST (test_encoder_is_found_through_rtpbin)
{
  assert_follows ("rtpbin name=b  videotestsrc ! x264enc name=e ! rtph264pay ! b.send_rtp_sink_0  "
      "videotestsrc ! vp8enc name=other ! rtpvp8pay ! b.send_rtp_sink_1  "
      "b.send_rtp_src_0 ! rtprtxsend ! fakesink name=s  b.send_rtp_src_1 ! fakesink", "e");
}

GST_END_TEST;

GST_START_TEST (test_nearest_encoder_counts)
{
  assert_follows ("videotestsrc ! vp8enc ! vp8dec ! videoconvert ! x264enc name=e ! rtph264pay ! fakesink name=s", "e");
}

GST_END_TEST;

GST_START_TEST (test_encoder_that_is_reached_twice_counts_once)
{
  assert_follows ("funnel name=f ! fakesink name=s  nvfakeh264enc name=e ! f.  e.src2 ! f.", "e");
  assert_follows ("funnel name=f ! fakesink name=s  x264enc name=e ! tee name=t  t. ! queue ! f.  t. ! queue ! f.",
      "e");
}

GST_END_TEST;

/* Linked without checks: GStreamer's own caps query would not end. */
GST_START_TEST (test_walk_ends_in_a_cycle)
{
  Fixture f = fixture_new ("funnel name=f ! tee name=t  t. ! queue name=q  t. ! fakesink name=s  "
      "videotestsrc ! x264enc name=e ! f.");
  GstElement *queue = gst_bin_get_by_name (GST_BIN (f.pipeline), "q");
  GstElement *funnel = gst_bin_get_by_name (GST_BIN (f.pipeline), "f");

  fail_unless (gst_element_link_pads_full (queue, "src", funnel, "sink_%u",
          GST_PAD_LINK_CHECK_NOTHING | GST_PAD_LINK_CHECK_NO_RECONFIGURE));
  fixture_find (&f);
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_count (f.rate), 1);
  gst_element_unlink (queue, funnel);
  gst_object_unref (queue);
  gst_object_unref (funnel);
  fixture_free (&f);
}

GST_END_TEST;

/* Both the sink and the encoder in bins of their own, nested. */
GST_START_TEST (test_encoder_is_found_from_bin_to_bin)
{
  Fixture f = { gst_pipeline_new (NULL), encoder_rate_new () };
  GstElement *inner = gst_parse_bin_from_description ("videoconvert ! x264enc name=e ! rtph264pay", TRUE, NULL);
  GstElement *outer = gst_element_factory_make ("encoderbin", NULL);
  GstElement *source = gst_element_factory_make ("videotestsrc", NULL);
  GstElement *sinks = gst_parse_bin_from_description ("queue ! fakesink name=s", TRUE, NULL);
  GstPad *pad = gst_element_get_static_pad (inner, "src");
  gchar *names;

  gst_bin_add_many (GST_BIN (outer), source, inner, NULL);
  fail_unless (gst_element_link (source, inner));
  gst_element_add_pad (outer, gst_ghost_pad_new ("src", pad));
  gst_object_unref (pad);
  gst_bin_add_many (GST_BIN (f.pipeline), outer, sinks, NULL);
  fail_unless (gst_element_link (outer, sinks));

  fixture_find (&f);
  names = encoder_rate_names (f.rate);
  fail_unless_equals_string (names, "e");
  g_free (names);
  fixture_free (&f);
}

GST_END_TEST;

static void
assert_refused (const gchar * launch, EncoderRateResult result, const gchar * hint)
{
  Fixture f = fixture_new (launch);

  fail_unless_equals_int (f.result, result);
  fail_unless (f.warning != NULL && strstr (f.warning, hint) != NULL, "%s: %s", launch, f.warning);
  fail_unless_equals_int (encoder_rate_count (f.rate), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 500000, TRUE), 0);
  fixture_free (&f);
}

GST_START_TEST (test_pre_encoded_input_is_reported)
{
  assert_refused ("fakesrc ! rtph264pay ! fakesink name=s", ENCODER_RATE_NO_ENCODER, "no encoder found upstream");
  assert_refused ("queue ! fakesink name=s", ENCODER_RATE_NO_ENCODER, "no encoder found upstream");
}

GST_END_TEST;

/* Audio must not be blown up to what the pre-encoded video beside it takes. */
GST_START_TEST (test_audio_beside_pre_encoded_video_is_left_alone)
{
  assert_refused ("rtpfunnel name=f ! fakesink name=s  fakesrc ! rtph264pay ! f.  "
      "audiotestsrc ! opusenc ! rtpopuspay ! f.", ENCODER_RATE_NO_ENCODER, "no encoder found upstream");
}

GST_END_TEST;

GST_START_TEST (test_encoder_of_unknown_unit_is_not_touched)
{
  Fixture f = fixture_new ("fakesrc ! unheardofenc name=e bitrate=123 ! fakesink name=s");

  fail_unless_equals_int (f.result, ENCODER_RATE_NO_ENCODER);
  fail_unless (strstr (f.warning, "unheardofenc") && strstr (f.warning, "notify::target-bitrate"), "%s", f.warning);
  fail_unless_equals_int (encoder_rate_set (f.rate, 500000, TRUE), 0);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 123);
  fixture_free (&f);
}

GST_END_TEST;

/* Installed encoders: those that are missing are skipped. */
static const struct
{
  const gchar *encoder, *property;
  gint64 value_of_800_kbps;
} units[] = {
  {"x264enc", "bitrate", 800},
  {"x265enc", "bitrate", 800},
  {"openh264enc", "bitrate", 800000},
  {"vp8enc", "target-bitrate", 800000},
  {"vp9enc", "target-bitrate", 800000},
  {"av1enc", "target-bitrate", 800},
  {"theoraenc", "bitrate", 800},
  {"opusenc", "bitrate", 64000},        /* what it was set to */
  {"nvfakeh264enc", "bitrate", 500},    /* its maximum */
  {"omxfakeh264enc", "target-bitrate", 800000},
};

static gboolean
is_installed (const gchar * encoder)
{
  gchar **words = g_strsplit (encoder, " ", 2);
  GstElementFactory *factory = gst_element_factory_find (words[0]);
  gboolean installed = factory != NULL;

  g_clear_object (&factory);
  g_strfreev (words);
  return installed;
}

/* Without a source: caps of audio and video alike. */
static Fixture
fixture_of_encoder (const gchar * encoder)
{
  gchar *launch = g_strdup_printf ("%s name=e ! fakesink name=s", encoder);
  Fixture f = fixture_new (launch);

  g_free (launch);
  return f;
}

GST_START_TEST (test_bitrate_is_converted_to_the_unit_of_the_property)
{
  Fixture f;

  if (!is_installed (units[__i__].encoder))
    return;
  f = fixture_of_encoder (units[__i__].encoder);
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", units[__i__].property), units[__i__].value_of_800_kbps);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_zero_is_never_written)
{
  Fixture f;

  if (!is_installed (units[__i__].encoder))
    return;
  f = fixture_of_encoder (units[__i__].encoder);
  fail_unless_equals_int (encoder_rate_set (f.rate, 0, TRUE), 1);
  fail_unless (property_of (&f, "e", units[__i__].property) > 0);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_v4l2_control_is_set_beside_the_others)
{
  Fixture f = fixture_of_encoder ("v4l2fakeh264enc extra-controls=c,video_gop_size=30,video_bitrate=9");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (f.pipeline), "e");
  gint bitrate = 0, gop = 0;

  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fail_unless (gst_structure_get_int (((FakeEncoder *) encoder)->controls, "video_bitrate", &bitrate));
  fail_unless (gst_structure_get_int (((FakeEncoder *) encoder)->controls, "video_gop_size", &gop));
  fail_unless_equals_int (bitrate, 800000);
  fail_unless_equals_int (gop, 30);
  gst_object_unref (encoder);
  fixture_free (&f);
}

GST_END_TEST;

static const struct
{
  const gchar *encoder, *hint;
} deaf[] = {
  {"x264enc pass=quant", "pass=cbr"},
  {"x264enc vbv-buf-capacity=0", "vbv-buf-capacity=200"},
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

GST_START_TEST (test_deaf_encoder_is_reported_with_the_cure)
{
  gchar *launch;

  if (!is_installed (deaf[__i__].encoder))
    return;
  launch = g_strdup_printf ("%s name=e ! fakesink name=s", deaf[__i__].encoder);
  assert_refused (launch, ENCODER_RATE_STUCK, deaf[__i__].hint);
  g_free (launch);
}

GST_END_TEST;

static gchar *
text_of (Fixture * self, const gchar * name, const gchar * property)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);
  GValue value = G_VALUE_INIT;
  gchar *text;

  g_value_init (&value, g_object_class_find_property (G_OBJECT_GET_CLASS (element), property)->value_type);
  g_object_get_property (G_OBJECT (element), property, &value);
  text = gst_value_serialize (&value);
  g_value_unset (&value);
  gst_object_unref (element);
  return text;
}

static const struct
{
  const gchar *encoder, *property, *value;
} improved[] = {
  {"x264enc", "vbv-buf-capacity", "200"},
  {"x264enc vbv-buf-capacity=900", "vbv-buf-capacity", "900"},
  {"x265enc", "tune", "zerolatency"},
  {"theoraenc", "rate-buffer", "12"},
  {"theoraenc rate-buffer=50", "rate-buffer", "50"},
  {"vp8enc", "end-usage", "cbr"},
  {"vp8enc", "deadline", "1"},
  {"vp8enc deadline=20000", "deadline", "20000"},
  {"vp8enc cpu-used=2", "cpu-used", "2"},
  {"vp9enc", "buffer-size", "500"},
  {"vp9enc", "lag-in-frames", "0"},
  {"vp9enc", "cpu-used", "7"},
  {"av1enc", "max-quantizer", "56"},
  {"av1enc", "usage-profile", "realtime"},
};

GST_START_TEST (test_what_an_encoder_needs_to_follow_is_set_unless_the_user_did)
{
  gchar *text;
  Fixture f;

  if (!is_installed (improved[__i__].encoder))
    return;
  f = fixture_of_encoder (improved[__i__].encoder);
  text = text_of (&f, "e", improved[__i__].property);
  fail_unless_equals_string (text, improved[__i__].value);
  fail_unless (f.warning == NULL, "%s", f.warning);
  g_free (text);
  fixture_free (&f);
}

GST_END_TEST;

static Fixture
fixture_of_running (const gchar * encoder)
{
  gchar *launch = g_strdup_printf ("videotestsrc ! video/x-raw,width=64,height=64,framerate=10/1 ! videoconvert ! "
      "%s name=e ! fakesink name=s sync=true", encoder);
  Fixture self = { gst_parse_launch (launch, NULL), encoder_rate_new () };

  gst_element_set_state (self.pipeline, GST_STATE_PLAYING);
  fail_unless_equals_int (gst_element_get_state (self.pipeline, NULL, NULL, 20 * GST_SECOND),
      GST_STATE_CHANGE_SUCCESS);
  fixture_find (&self);
  g_free (launch);
  return self;
}

GST_START_TEST (test_what_can_no_longer_be_set_is_told_with_the_line)
{
  Fixture f;

  if (!is_installed ("theoraenc"))
    return;
  f = fixture_of_running ("theoraenc");
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless (f.warning && strstr (f.warning, "write theoraenc rate-buffer=12"), "%s", f.warning);
  fail_unless_equals_int64 (property_of (&f, "e", "rate-buffer"), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_what_may_be_set_while_it_runs_is)
{
  Fixture f;

  if (!is_installed ("vp8enc"))
    return;
  f = fixture_of_running ("vp8enc");
  fail_unless (f.warning == NULL, "%s", f.warning);
  fail_unless_equals_int64 (property_of (&f, "e", "deadline"), 1);
  fail_unless_equals_int64 (property_of (&f, "e", "buffer-size"), 500);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_encoder_that_begins_anew_with_each_change_is_left_alone_for_small_ones)
{
  Fixture f;

  if (!is_installed ("x265enc"))
    return;
  f = fixture_of_encoder ("x265enc");
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1240000, TRUE), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 860000, TRUE), 0);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 1000);
  fail_unless_equals_int (encoder_rate_set (f.rate, 840000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1100000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 1100);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_one_deaf_encoder_of_two_warns_but_the_other_follows)
{
  Fixture f = fixture_new ("funnel name=f ! fakesink name=s  x264enc name=d pass=quant bitrate=77 ! f.  "
      "x264enc name=e ! f.");

  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless (f.warning && strstr (f.warning, "pass=quant"));
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 500);
  fail_unless_equals_int64 (property_of (&f, "d", "bitrate"), 77);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_unknown_video_encoder_warns_beside_one_that_follows)
{
  Fixture f = fixture_new ("funnel name=f ! fakesink name=s  unheardofenc name=u ! f.  x264enc name=e ! f.");

  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless (f.warning && strstr (f.warning, "u (unheardofenc)"));
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_audio_alone_follows)
{
  Fixture f = fixture_new ("audiotestsrc ! opusenc name=a ! rtpopuspay ! fakesink name=s");

  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_set (f.rate, 32000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 32000);
  fixture_free (&f);
}

GST_END_TEST;

static void
set_property_of (Fixture * self, const gchar * name, const gchar * property, const gchar * value)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

  gst_util_set_object_arg (G_OBJECT (element), property, value);
  gst_object_unref (element);
}

GST_START_TEST (test_audio_alone_never_gets_more_than_the_user_set)
{
  Fixture f = fixture_new ("audiotestsrc ! opusenc name=a bitrate=64000 ! rtpopuspay ! fakesink name=s");

  encoder_rate_set (f.rate, 271000, TRUE);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 64000);
  encoder_rate_set (f.rate, 32000, TRUE);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 32000);
  fixture_find (&f);
  encoder_rate_set (f.rate, 271000, TRUE);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 64000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_audio_follows_the_user_who_sets_it_again)
{
  Fixture f = fixture_new ("audiotestsrc ! opusenc name=a bitrate=64000 ! rtpopuspay ! fakesink name=s");

  encoder_rate_set (f.rate, 32000, TRUE);
  set_property_of (&f, "a", "bitrate", "128000");
  encoder_rate_set (f.rate, 32000, TRUE);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 32000);
  encoder_rate_set (f.rate, 271000, TRUE);
  encoder_rate_set (f.rate, 271001, TRUE);      /* the wish is known once it was read */
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 128000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_video_shares_equally_what_audio_leaves)
{
  Fixture f = fixture_new ("funnel name=f ! fakesink name=s  x264enc name=e ! f.  vp8enc name=g ! f.  "
      "opusenc name=a bitrate=100000 ! f.");

  fail_unless_equals_int (encoder_rate_set (f.rate, 1100000, TRUE), 2);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 500);
  fail_unless_equals_int64 (property_of (&f, "g", "target-bitrate"), 500000);
  fail_unless_equals_int64 (property_of (&f, "a", "bitrate"), 100000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_video_keeps_a_tenth_when_audio_is_above_the_target)
{
  Fixture f = fixture_new ("funnel name=f ! fakesink name=s  vp8enc name=g ! f.  opusenc bitrate=128000 ! f.");

  fail_unless_equals_int (encoder_rate_set (f.rate, 100000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "g", "target-bitrate"), 10000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_what_one_encoder_cannot_take_goes_to_the_others)
{
  Fixture f = fixture_new ("funnel name=f ! fakesink name=s  nvfakeh264enc name=n ! f.  x264enc name=e ! f.  "
      "vp8enc name=g ! f.");

  fail_unless_equals_int (encoder_rate_set (f.rate, 2500000, TRUE), 3);
  fail_unless_equals_int64 (property_of (&f, "n", "bitrate"), FAKE_MAX_KBPS);
  fail_unless_equals_int64 (property_of (&f, "e", "bitrate"), 1000);
  fail_unless_equals_int64 (property_of (&f, "g", "target-bitrate"), 1000000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_every_change_is_set_and_the_same_is_not_set_again)
{
  Fixture f = fixture_of_encoder ("vp8enc");

  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1010000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1005000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", "target-bitrate"), 1005000);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_what_was_set_is_remembered_over_a_new_find)
{
  Fixture f = fixture_of_encoder ("vp8enc");

  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 1);
  fixture_find (&f);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 0);
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_find_and_set_leave_no_reference)
{
  Fixture f = fixture_new ("rtpbin name=b  videotestsrc ! x264enc name=e ! rtph264pay ! b.send_rtp_sink_0  "
      "b.send_rtp_src_0 ! fakesink name=s");
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (f.pipeline), "e");

  encoder_rate_set (f.rate, 500000, TRUE);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  encoder_rate_free (f.rate);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  ASSERT_OBJECT_REFCOUNT (f.pipeline, "pipeline", 1);
  gst_object_unref (encoder);
  f.rate = NULL;
  fixture_free (&f);
}

GST_END_TEST;

GST_START_TEST (test_encoder_that_is_gone_is_forgotten)
{
  Fixture f = fixture_of_encoder ("vp8enc");

  fail_unless_equals_int (encoder_rate_count (f.rate), 1);
  gst_object_unref (f.pipeline);
  fail_unless_equals_int (encoder_rate_count (f.rate), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 0);
  encoder_rate_free (f.rate);
  g_free (f.warning);
}

GST_END_TEST;

static Suite *
encoderrate_suite (void)
{
  Suite *s = suite_create ("encoderrate");
  TCase *walk = tcase_create ("walk"), *set = tcase_create ("set"), *life = tcase_create ("life");

  suite_add_tcase (s, walk);
  tcase_add_checked_fixture (walk, fake_encoder_register, NULL);
  tcase_add_test (walk, test_encoder_is_found_through_plain_links);
  tcase_add_test (walk, test_encoder_is_found_behind_a_tee);
  tcase_add_test (walk, test_encoders_of_all_branches_of_a_funnel_are_found);
  tcase_add_test (walk, test_encoder_is_found_through_rtpbin);
  tcase_add_test (walk, test_nearest_encoder_counts);
  tcase_add_test (walk, test_encoder_that_is_reached_twice_counts_once);
  tcase_add_test (walk, test_walk_ends_in_a_cycle);
  tcase_add_test (walk, test_encoder_is_found_from_bin_to_bin);
  tcase_add_test (walk, test_pre_encoded_input_is_reported);
  tcase_add_test (walk, test_audio_beside_pre_encoded_video_is_left_alone);
  tcase_add_test (walk, test_encoder_of_unknown_unit_is_not_touched);
  suite_add_tcase (s, set);
  tcase_add_checked_fixture (set, fake_encoder_register, NULL);
  tcase_add_loop_test (set, test_bitrate_is_converted_to_the_unit_of_the_property, 0, G_N_ELEMENTS (units));
  tcase_add_loop_test (set, test_zero_is_never_written, 0, G_N_ELEMENTS (units));
  tcase_add_test (set, test_v4l2_control_is_set_beside_the_others);
  tcase_add_loop_test (set, test_deaf_encoder_is_reported_with_the_cure, 0, G_N_ELEMENTS (deaf));
  tcase_add_loop_test (set, test_what_an_encoder_needs_to_follow_is_set_unless_the_user_did, 0,
      G_N_ELEMENTS (improved));
  tcase_add_test (set, test_what_can_no_longer_be_set_is_told_with_the_line);
  tcase_add_test (set, test_what_may_be_set_while_it_runs_is);
  tcase_add_test (set, test_encoder_that_begins_anew_with_each_change_is_left_alone_for_small_ones);
  tcase_add_test (set, test_one_deaf_encoder_of_two_warns_but_the_other_follows);
  tcase_add_test (set, test_unknown_video_encoder_warns_beside_one_that_follows);
  tcase_add_test (set, test_audio_alone_follows);
  tcase_add_test (set, test_audio_alone_never_gets_more_than_the_user_set);
  tcase_add_test (set, test_audio_follows_the_user_who_sets_it_again);
  tcase_add_test (set, test_video_shares_equally_what_audio_leaves);
  tcase_add_test (set, test_video_keeps_a_tenth_when_audio_is_above_the_target);
  tcase_add_test (set, test_what_one_encoder_cannot_take_goes_to_the_others);
  tcase_add_test (set, test_every_change_is_set_and_the_same_is_not_set_again);
  tcase_add_test (set, test_what_was_set_is_remembered_over_a_new_find);
  suite_add_tcase (s, life);
  tcase_add_test (life, test_find_and_set_leave_no_reference);
  tcase_add_test (life, test_encoder_that_is_gone_is_forgotten);
  return s;
}

GST_CHECK_MAIN (encoderrate);
