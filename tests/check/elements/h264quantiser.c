/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The quantiser that is read from H.264 is the one that the encoder was told to use. */
#include <gst/check/gstharness.h>
#include <rc/scale/h264qp.h>

#include "claim.h"

#define FRAMES 6

typedef struct
{
  RcH264Qp reader;
  guint length_bytes, predicted, others;
  gdouble least, most;
} Stream;

static void
read_codec_data (Stream * stream, GstPad * pad)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  const GValue *value = gst_structure_get_value (gst_caps_get_structure (caps, 0), "codec_data");
  GstMapInfo map;

  if (value) {
    fail_unless (gst_buffer_map (gst_value_get_buffer (value), &map, GST_MAP_READ));
    stream->length_bytes = rc_h264qp_on_codec_data (&stream->reader, map.data, map.size);
    gst_buffer_unmap (gst_value_get_buffer (value), &map);
    fail_unless_equals_int (stream->length_bytes, 4);
  }
}

static void
read_frame (Stream * stream, GstBuffer * buffer)
{
  GstMapInfo map;
  gdouble qp;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  qp = rc_h264qp_on_frame (&stream->reader, map.data, map.size, stream->length_bytes);
  if (qp == RC_H264_NO_QP) {
    stream->others++;
  } else {
    stream->predicted++;
    stream->least = MIN (stream->least, qp);
    stream->most = MAX (stream->most, qp);
  }
  /* Cut short, or with a bit wrong, it must do no harm. */
  for (gsize n = 0; n < map.size; n += 1 + n / 8) {
    g_autofree guint8 *copy = g_memdup2 (map.data, n + 1);
    RcH264Qp reader = stream->reader;

    copy[n] ^= 1 << n % 8;
    rc_h264qp_on_frame (&reader, copy, n + 1, stream->length_bytes);
    rc_h264qp_on_codec_data (&reader, copy, n + 1);
  }
  gst_buffer_unmap (buffer, &map);
}

static Stream
encode (const gchar * settings, const gchar * caps)
{
  gchar *line = g_strdup_printf ("videotestsrc num-buffers=%d pattern=smpte horizontal-speed=5 "
      "! video/x-raw,format=I420,width=160,height=120,framerate=25/1 "
      "! x264enc key-int-max=100 tune=zerolatency %s ! capsfilter caps=video/x-h264,%s", FRAMES,
      settings, caps);
  GstHarness *h = gst_harness_new_parse (line);
  Stream stream = {.least = 100 };
  GstBuffer *buffer;

  rc_h264qp_init (&stream.reader);
  gst_harness_play (h);
  for (guint i = 0; i < FRAMES; i++) {
    buffer = gst_harness_pull (h);
    fail_unless (buffer != NULL);
    if (i == 0)
      read_codec_data (&stream, h->sinkpad);
    read_frame (&stream, buffer);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (h);
  g_free (line);
  return stream;
}

static const gchar *const formats[] = { "stream-format=byte-stream",
    "stream-format=avc" };

static const gchar *const settings[] = { "speed-preset=superfast", "speed-preset=ultrafast",
    "speed-preset=medium", "speed-preset=fast ref=3 interlaced=true" };

CLAIMS (test_the_quantiser_is_the_one_set,
    gst_registry_check_feature_version (gst_registry_get (), "x264enc", 1, 0, 0)
    ? G_N_ELEMENTS (formats) * G_N_ELEMENTS (settings) : 0)
{
  const gchar *setting = settings[__i__ % G_N_ELEMENTS (settings)];
  gchar *line = g_strdup_printf ("%s pass=qual quantizer=30 qp-min=33 qp-max=33", setting);
  Stream stream = encode (line, formats[__i__ / G_N_ELEMENTS (settings)]);

  g_free (line);
  fail_unless_equals_int (stream.others, 1);    /* the keyframe */
  fail_unless_equals_int (stream.predicted, FRAMES - 1);
  fail_unless (stream.least == 33 && stream.most == 33, "%s: %g to %g", setting, stream.least,
      stream.most);
}
