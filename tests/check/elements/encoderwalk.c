/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which encoders are found upstream of a pad: gst/encoder/encoderwalk.c, seen through an
 * EncoderRate. */
#include "encoderratefixture.h"

#include <encoder/encoderwalk.h>

static void
assert_follows (const gchar * launch, const gchar * names)
{
  AT_END (fixture_free) Fixture f = fixture_new (launch);
  g_autofree gchar *found = encoder_rate_names (f.rate);

  fail_unless_equals_string (found, names);
  fail_unless_equals_int (f.result, ENCODER_RATE_OK);
  fail_unless (f.warning == NULL, "%s", f.warning);
}

BEFORE_EACH
{
  fake_encoder_register ();
}

CLAIM (test_encoder_is_found_through_plain_links)
{
  assert_follows ("videotestsrc ! x264enc name=e ! queue ! capsfilter ! rtph264pay ! identity "
      "! fakesink name=s", "e");
}

CLAIM (test_encoder_is_found_behind_a_tee)
{
  assert_follows ("videotestsrc ! x264enc name=e ! tee name=t ! queue ! fakesink  "
      "t. ! queue ! rtph264pay ! fakesink name=s", "e");
}

CLAIM (test_encoders_of_all_branches_of_a_funnel_are_found)
{
  assert_follows ("rtpfunnel name=f ! fakesink name=s  videotestsrc ! x264enc name=e ! rtph264pay "
      "! f.  videotestsrc ! vp8enc name=g ! rtpvp8pay ! f.  audiotestsrc ! opusenc name=a "
      "! rtpopuspay ! f.", "e, g, a");
}

CLAIM (test_encoder_is_found_through_rtpbin)
{
  assert_follows ("rtpbin name=b  videotestsrc ! x264enc name=e ! rtph264pay ! b.send_rtp_sink_0  "
      "videotestsrc ! vp8enc name=other ! rtpvp8pay ! b.send_rtp_sink_1  "
      "b.send_rtp_src_0 ! rtprtxsend ! fakesink name=s  b.send_rtp_src_1 ! fakesink", "e");
}

CLAIM (test_nearest_encoder_counts)
{
  assert_follows ("videotestsrc ! vp8enc ! vp8dec ! videoconvert ! x264enc name=e ! rtph264pay "
      "! fakesink name=s", "e");
}

CLAIM (test_encoder_that_is_reached_twice_counts_once)
{
  assert_follows ("funnel name=f ! fakesink name=s  nvfakeh264enc name=e ! f.  e.src2 ! f.", "e");
  assert_follows ("funnel name=f ! fakesink name=s  x264enc name=e ! tee name=t  t. ! queue "
      "! f.  t. ! queue ! f.", "e");
}

/* Linked without checks: GStreamer's own caps query would not end. */
CLAIM_ON (test_walk_ends_in_a_cycle,
    LAUNCH ("funnel name=f ! tee name=t  t. ! queue name=q  t. ! fakesink name=s  "
    "videotestsrc ! x264enc name=e ! f."))
{
  g_autoptr (GstElement) queue = gst_bin_get_by_name (GST_BIN (f->pipeline), "q");
  g_autoptr (GstElement) funnel = gst_bin_get_by_name (GST_BIN (f->pipeline), "f");

  fail_unless (gst_element_link_pads_full (queue, "src", funnel, "sink_%u",
          GST_PAD_LINK_CHECK_NOTHING | GST_PAD_LINK_CHECK_NO_RECONFIGURE));
  fixture_find (f);
  fail_unless_equals_int (f->result, ENCODER_RATE_OK);
  fail_unless_equals_int (count_following (f->rate), 1);
  gst_element_unlink (queue, funnel);
}

/* Both the sink and the encoder in bins of their own, nested. */
CLAIM (test_encoder_is_found_from_bin_to_bin)
{
  AT_END (fixture_free) Fixture f = { gst_pipeline_new (NULL), encoder_rate_new () };
  GstElement *inner = gst_parse_bin_from_description ("videoconvert ! x264enc name=e ! rtph264pay",
      TRUE, NULL);
  GstElement *outer = gst_element_factory_make ("encoderbin", NULL);
  GstElement *source = gst_element_factory_make ("videotestsrc", NULL);
  GstElement *sinks = gst_parse_bin_from_description ("queue ! fakesink name=s", TRUE, NULL);
  GstPad *pad = gst_element_get_static_pad (inner, "src");
  g_autofree gchar *names = NULL;

  gst_bin_add_many (GST_BIN (outer), source, inner, NULL);
  fail_unless (gst_element_link (source, inner));
  gst_element_add_pad (outer, gst_ghost_pad_new ("src", pad));
  gst_object_unref (pad);
  gst_bin_add_many (GST_BIN (f.pipeline), outer, sinks, NULL);
  fail_unless (gst_element_link (outer, sinks));

  fixture_find (&f);
  names = encoder_rate_names (f.rate);
  fail_unless_equals_string (names, "e");
}

CLAIM (test_pre_encoded_input_is_reported)
{
  assert_refused ("fakesrc ! rtph264pay ! fakesink name=s", ENCODER_RATE_NO_ENCODER,
      "no encoder found upstream");
  assert_refused ("queue ! fakesink name=s", ENCODER_RATE_NO_ENCODER, "no encoder found upstream");
}

/* Audio must not be blown up to what the pre-encoded video beside it takes. */
CLAIM (test_audio_beside_pre_encoded_video_is_left_alone)
{
  assert_refused ("rtpfunnel name=f ! fakesink name=s  fakesrc ! rtph264pay ! f.  audiotestsrc "
      "! opusenc ! rtpopuspay ! f.", ENCODER_RATE_NO_ENCODER, "no encoder found upstream");
}

CLAIM_ON (test_encoder_of_unknown_unit_is_not_touched,
    LAUNCH ("fakesrc ! unheardofenc name=e bitrate=123 ! fakesink name=s"))
{
  fail_unless_equals_int (f->result, ENCODER_RATE_NO_ENCODER);
  fail_unless (strstr (f->warning, "unheardofenc") && strstr (f->warning, "notify::target-bitrate")
      && strstr (f->warning, "encoder-map=\"unheardofenc,PROPERTY,kbit\""),
      "%s", f->warning);
  fail_unless_equals_int (encoder_rate_set (f->rate, 500000, TRUE), 0);
  fail_unless_equals_int64 (property_of (f, "e", "bitrate"), 123);
}

CLAIM_ON (test_red_is_found_upstream_only,
    LAUNCH ("videotestsrc ! x264enc ! rtph264pay name=p ! rtpulpfecenc "
    "! rtpredenc pt=97 ! queue ! fakesink name=s"))
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (f->pipeline), "s");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstElement) payloader = gst_bin_get_by_name (GST_BIN (f->pipeline), "p");
  g_autoptr (GstPad) before = gst_element_get_static_pad (payloader, "sink");

  fail_unless_equals_int (encoder_walk_red (pad), 97);
  fail_unless_equals_int (encoder_walk_red (before), -1);
}
