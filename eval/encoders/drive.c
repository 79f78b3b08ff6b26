/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "drive.h"

#include <encoder/encodertable.h>
#include <encoder/encoderwalk.h>
#include <gst/app/gstappsink.h>

static void
decode_one (Clip * self, const gchar * path, guint most, guint width, guint height)
{
  gchar *size = width > 0 ? g_strdup_printf (",width=%u,height=%u", width, height) : g_strdup ("");
  gchar *launch = g_strdup_printf ("filesrc location=\"%s\" ! decodebin ! videoconvert "
      "! videoscale ! videorate ! video/x-raw,format=I420,framerate=%u/1,pixel-aspect-ratio=1/1%s "
      "! appsink name=out sync=false", path, self->fps, size);
  guint first = self->frames->len;
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error), *out;
  GstSample *sample;

  if (error)
    g_error ("%s", error->message);
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (self->frames->len - first < most
      && (sample = gst_app_sink_pull_sample (GST_APP_SINK (out))) != NULL) {
    g_ptr_array_add (self->frames, gst_buffer_copy_deep (gst_sample_get_buffer (sample)));
    gst_caps_replace (&self->caps, gst_sample_get_caps (sample));
    gst_sample_unref (sample);
  }
  if (self->frames->len == first)
    g_error ("%s: nothing decoded", path);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (out);
  gst_object_unref (pipeline);
  g_free (launch);
  g_free (size);
}

Clip
clip_decode (gchar ** paths, guint fps, guint frames_each, guint width, guint height)
{
  Clip clip = { g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref), NULL, fps };

  for (; *paths; paths++)
    decode_one (&clip, *paths, frames_each, width, height);
  return clip;
}

GstBuffer *
clip_frame (const Clip * self, guint i)
{
  guint last = self->frames->len - 1, at = last > 0 ? i % (2 * last) : 0;
  GstBuffer *frame = gst_buffer_copy (g_ptr_array_index (self->frames,
          at <= last ? at : 2 * last - at));

  GST_BUFFER_PTS (frame) = GST_BUFFER_DTS (frame) =
      gst_util_uint64_scale (i, GST_SECOND, self->fps);
  GST_BUFFER_DURATION (frame) = GST_SECOND / self->fps;
  return frame;
}

void
clip_clear (Clip * self)
{
  g_ptr_array_unref (self->frames);
  gst_clear_caps (&self->caps);
}

Driver
driver_new (GstPad * sinkpad, gboolean plain, GstClockTime latency, gchar ** warning)
{
  Driver self = { NULL };

  if (plain) {
    EncoderWalk walk = encoder_walk (sinkpad);

    if (walk.encoders->len != 1)
      g_error ("wanted: one encoder a line");
    self.encoder = gst_object_ref (g_ptr_array_index (walk.encoders, 0));
    g_ptr_array_unref (walk.encoders);
  } else {
    self.rate = encoder_rate_new ();
    encoder_rate_find (self.rate, sinkpad, latency, warning);
  }
  return self;
}

void
driver_set (const Driver * self, guint bps)
{
  const EncoderRow *row;

  if (self->rate != NULL)
    encoder_rate_set (self->rate, bps, TRUE);
  else if ((row = encoder_row_lookup (self->encoder)) != NULL && row->how != ENCODER_QUALITY)
    encoder_row_set_bps (row, self->encoder, bps);
}

void
driver_clear (Driver * self)
{
  encoder_rate_free (self->rate);
  gst_clear_object (&self->encoder);
}

GstHarness *
driver_harness (const gchar * line, const Clip * clip, gboolean plain, GstClockTime latency,
    guint bps, Driver * driver, gchar ** warning)
{
  GstHarness *h = gst_harness_new_parse (line);

  gst_element_set_state (h->element, GST_STATE_READY);
  *driver = driver_new (h->sinkpad, plain, latency, warning);
  driver_set (driver, bps);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  gst_harness_set_src_caps (h, gst_caps_ref (clip->caps));
  /* Once more, as rmcsink does when caps come: what it sets may depend on the frame rate. */
  if (driver->rate != NULL)
    encoder_rate_find (driver->rate, h->sinkpad, latency, NULL);
  return h;
}
