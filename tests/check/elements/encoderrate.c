/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What encoders are set to, in their own unit: gst/encoder/encoderrate.c. */
#include "encoderratefixture.h"

/* Installed encoders: those that are missing are skipped. */
static const struct
{
  const gchar *encoder, *property;
  gint64 value_of_800_kbps;
} units[] = {
  {"x264enc", "bitrate", 800},
  {"x265enc option-string=psy-rd=1", "bitrate", 800},
  {"openh264enc", "bitrate", 800000},
  {"vp8enc", "target-bitrate", 800000},
  {"vp9enc", "target-bitrate", 800000},
  {"av1enc", "target-bitrate", 800},
  {"theoraenc", "bitrate", 800},
  {"opusenc", "bitrate", 64000},        /* what it was set to */
  {"nvfakeh264enc", "bitrate", 500},    /* its maximum */
  {"omxfakeh264enc", "target-bitrate", 800000},
};

BEFORE_EACH
{
  fake_encoder_register ();
}

CLAIMS (test_bitrate_is_converted_to_the_unit_of_the_property, G_N_ELEMENTS (units))
{
  Fixture f;

  if (!is_installed (units[__i__].encoder))
    return;
  f = fixture_of_encoder (units[__i__].encoder);
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_set (f.rate, 800000, TRUE), 1);
  fail_unless_equals_int64 (property_of (&f, "e", units[__i__].property),
      units[__i__].value_of_800_kbps);
  fixture_free (&f);
}

CLAIMS (test_zero_is_never_written, G_N_ELEMENTS (units))
{
  Fixture f;

  if (!is_installed (units[__i__].encoder))
    return;
  f = fixture_of_encoder (units[__i__].encoder);
  fail_unless_equals_int (encoder_rate_set (f.rate, 0, TRUE), 1);
  fail_unless (property_of (&f, "e", units[__i__].property) > 0);
  fixture_free (&f);
}

CLAIM_ON (test_v4l2_control_is_set_beside_the_others,
    ENCODER ("v4l2fakeh264enc extra-controls=c,video_gop_size=30,video_bitrate=9"))
{
  g_autoptr (GstElement) encoder = gst_bin_get_by_name (GST_BIN (f->pipeline), "e");
  gint bitrate = 0, gop = 0;

  fail_unless_equals_int (encoder_rate_set (f->rate, 800000, TRUE), 1);
  fail_unless (gst_structure_get_int (((FakeV4l2 *) encoder)->controls,
          "video_bitrate", &bitrate));
  fail_unless (gst_structure_get_int (((FakeV4l2 *) encoder)->controls, "video_gop_size", &gop));
  fail_unless_equals_int (bitrate, 800000);
  fail_unless_equals_int (gop, 30);
}

CLAIM_ON (test_one_deaf_encoder_of_two_warns_but_the_other_follows,
    LAUNCH ("funnel name=f ! fakesink name=s  x264enc name=d pass=quant bitrate=77 "
    "! f.  x264enc name=e ! f."))
{
  fail_unless_equals_int (f->result, ENCODER_RATE_OK);
  fail_unless (f->warning && strstr (f->warning, "pass=quant"));
  fail_unless_equals_int (encoder_rate_set (f->rate, 1000000, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), 500);
  fail_unless_equals_int64 (property_of (f, "d", "bitrate"), 77);
}

CLAIM_ON (test_unknown_video_encoder_warns_beside_one_that_follows,
    LAUNCH ("funnel name=f ! fakesink name=s  unheardofenc name=u ! f.  x264enc "
    "name=e ! f."))
{
  fail_unless_equals_int (f->result, ENCODER_RATE_OK);
  fail_unless (f->warning && strstr (f->warning, "u (unheardofenc)"));
}

CLAIM_ON (test_audio_alone_follows,
    LAUNCH ("audiotestsrc ! opusenc name=a ! rtpopuspay ! fakesink name=s"))
{
  fail_unless_equals_int (f->result, ENCODER_RATE_OK);
  fail_unless_equals_int (encoder_rate_set (f->rate, 32000, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 32000);
}

static void
set_property_of (Fixture * self, const gchar * name, const gchar * property, const gchar * value)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (self->pipeline), name);

  gst_util_set_object_arg (G_OBJECT (element), property, value);
}

CLAIM_ON (test_audio_alone_never_gets_more_than_the_user_set,
    LAUNCH ("audiotestsrc ! opusenc name=a bitrate=64000 ! rtpopuspay ! fakesink name=s"))
{
  encoder_rate_set (f->rate, 271000, TRUE);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 64000);
  encoder_rate_set (f->rate, 32000, TRUE);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 32000);
  fixture_find (f);
  encoder_rate_set (f->rate, 271000, TRUE);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 64000);
}

CLAIM_ON (test_audio_follows_the_user_who_sets_it_again,
    LAUNCH ("audiotestsrc ! opusenc name=a bitrate=64000 ! rtpopuspay ! fakesink name=s"))
{
  encoder_rate_set (f->rate, 32000, TRUE);
  set_property_of (f, "a", "bitrate", "128000");
  encoder_rate_set (f->rate, 32000, TRUE);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 32000);
  encoder_rate_set (f->rate, 271000, TRUE);
  encoder_rate_set (f->rate, 271001, TRUE);      /* the wish is known once it was read */
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 128000);
}

CLAIM_ON (test_video_shares_equally_what_audio_leaves,
    LAUNCH ("funnel name=f ! fakesink name=s  x264enc name=e ! f.  vp8enc "
    "name=g ! f.  opusenc name=a bitrate=100000 ! f."))
{
  fail_unless_equals_int (encoder_rate_set (f->rate, 1100000, TRUE), 2);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), 500);
  fail_unless_equals_int64 (property_of (f, "g", "target-bitrate"), 500000);
  fail_unless_equals_int64 (property_of (f, "a", "bitrate"), 100000);
}

CLAIM_ON (test_video_keeps_a_tenth_when_audio_is_above_the_target,
    LAUNCH ("funnel name=f ! fakesink name=s  vp8enc name=g ! f.  opusenc "
    "bitrate=128000 ! f."))
{
  fail_unless_equals_int (encoder_rate_set (f->rate, 100000, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "g", "target-bitrate"), 10000);
}

CLAIM_ON (test_what_one_encoder_cannot_take_goes_to_the_others,
    LAUNCH ("funnel name=f ! fakesink name=s  nvfakeh264enc name=n ! f.  "
    "x264enc name=e ! f.  vp8enc name=g ! f."))
{
  fail_unless_equals_int (encoder_rate_set (f->rate, 2500000, TRUE), 3);
  fail_unless_equals_int64 (property_of (f, "n", "bitrate"), FAKE_MAX_KBPS);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), 1000);
  fail_unless_equals_int64 (property_of (f, "g", "target-bitrate"), 1000000);
}

CLAIM_ON (test_every_change_is_set_and_the_same_is_not_set_again, ENCODER ("vp8enc"))
{
  fail_unless_equals_int (encoder_rate_set (f->rate, 1000000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f->rate, 1000000, TRUE), 0);
  fail_unless_equals_int (encoder_rate_set (f->rate, 1010000, TRUE), 1);
  fail_unless_equals_int (encoder_rate_set (f->rate, 1005000, TRUE), 1);
  fail_unless_equals_int64 (property_of (f, "e", "target-bitrate"), 1005000);
}

CLAIM_ON (test_what_was_set_is_remembered_over_a_new_find, ENCODER ("vp8enc"))
{
  fail_unless_equals_int (encoder_rate_set (f->rate, 1000000, TRUE), 1);
  fixture_find (f);
  fail_unless_equals_int (encoder_rate_set (f->rate, 1000000, TRUE), 0);
}

CLAIM_ON (test_find_and_set_leave_no_reference,
    LAUNCH ("rtpbin name=b  videotestsrc ! x264enc name=e ! rtph264pay ! "
    "b.send_rtp_sink_0  b.send_rtp_src_0 ! fakesink name=s"))
{
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (f->pipeline), "e");

  encoder_rate_set (f->rate, 500000, TRUE);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  encoder_rate_free (f->rate);
  ASSERT_OBJECT_REFCOUNT (encoder, "encoder", 2);
  ASSERT_OBJECT_REFCOUNT (f->pipeline, "pipeline", 1);
  gst_object_unref (encoder);
  f->rate = NULL;
}

CLAIM (test_encoder_that_is_gone_is_forgotten)
{
  Fixture f = fixture_of_encoder ("vp8enc");

  fail_unless_equals_int (count_following (f.rate), 1);
  gst_object_unref (f.pipeline);
  fail_unless_equals_int (count_following (f.rate), 0);
  fail_unless_equals_int (encoder_rate_set (f.rate, 1000000, TRUE), 0);
  encoder_rate_free (f.rate);
  g_free (f.warning);
}

#define SETTLED_FRAMES 200
#define X264 "x264enc tune=zerolatency speed-preset=ultrafast"

/* What is said of an encoder that made 330 kbit/s of 1 Mbit/s, after some frames. */
static gchar *
shortage_of (const gchar * pattern, const gchar * encoder)
{
  g_autofree gchar *launch = g_strdup_printf ("videotestsrc num-buffers=%u pattern=%s "
      "! video/x-raw,format=I420,width=160,height=120,framerate=30/1 ! %s name=e "
      "! fakesink name=s", SETTLED_FRAMES, pattern, encoder);
  Fixture f = fixture_new (launch);
  g_autoptr (GstBus) bus = gst_element_get_bus (f.pipeline);
  g_autoptr (GstMessage) end = NULL;
  gchar *sentence;

  fail_unless (encoder_rate_describe_misfit (f.rate, 330000, 1000000) == NULL);
  gst_element_set_state (f.pipeline, GST_STATE_PLAYING);
  end = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  fail_unless (end && GST_MESSAGE_TYPE (end) == GST_MESSAGE_EOS);
  sentence = encoder_rate_describe_misfit (f.rate, 330000, 1000000);
  fixture_free (&f);
  return sentence;
}

/* Not one whose picture needs no more, and none of which that is not known. */
CLAIM (test_encoder_that_makes_too_little_for_its_picture_is_named)
{
  gchar *sentence;

  if (!is_installed ("x264enc"))
    return;
  sentence = shortage_of ("snow", X264 " bitrate=330");
  fail_unless (sentence && strstr (sentence, "e made 330 kbit/s") && strstr (sentence, "1000"),
      "%s", sentence);
  g_free (sentence);
  sentence = shortage_of ("smpte100", X264 " bitrate=1000");
  fail_unless (sentence == NULL, "%s", sentence);
  if (!is_installed ("vp8enc"))
    return;
  sentence = shortage_of ("snow", "vp8enc deadline=1 target-bitrate=330000");
  fail_unless (sentence == NULL, "%s", sentence);
}
