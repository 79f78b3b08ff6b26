/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderquality.h"

#include "encoder/encodershared.h"

#include <math.h>

/* Of quality for a frame twice as large as wanted; JPEG doubles in 15 to 30. */
#define GAIN 8.0
#define MAX_STEP 12.0
/* Time in which what was made too much or too little is made up for. */
#define REPAY_S 0.5
#define MAX_DEBT_S 1.0
#define MIN_FRAME_S 0.001
#define MAX_FRAME_S 1.0

typedef struct
{
  GMutex lock;
  const gchar *property;
  guint64 bps;
  gdouble quality, least, most;
  gdouble debt_bits;            /* made beyond the bitrate; negative: too little */
  GstClockTime last_pts;
} EncoderQuality;

static void
quality_clear (gpointer data)
{
  g_mutex_clear (&((EncoderQuality *) data)->lock);
}

static void
quality_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, quality_clear);
}

static gdouble
frame_time_s (EncoderQuality * self, GstBuffer * frame)
{
  GstClockTime pts = GST_BUFFER_PTS (frame), last = self->last_pts;

  self->last_pts = pts;
  if (GST_CLOCK_TIME_IS_VALID (pts) && GST_CLOCK_TIME_IS_VALID (last) && pts > last)
    return CLAMP ((gdouble) (pts - last) / GST_SECOND, MIN_FRAME_S, MAX_FRAME_S);
  return GST_BUFFER_DURATION_IS_VALID (frame) ? (gdouble) GST_BUFFER_DURATION (frame) / GST_SECOND
      : 0;
}

/* The quality for the next frame, from the size of this one. */
static gint
steer (EncoderQuality * self, GstBuffer * frame)
{
  gdouble frame_s = frame_time_s (self, frame), bps = (gdouble) self->bps;
  gdouble made_bits = gst_buffer_get_size (frame) * 8.0, wanted_bits = bps * frame_s;

  if (wanted_bits > 0 && made_bits > 0) {
    self->debt_bits = CLAMP (self->debt_bits + made_bits - wanted_bits, -bps * MAX_DEBT_S,
        bps * MAX_DEBT_S);
    wanted_bits *= CLAMP (1 - self->debt_bits / (bps * REPAY_S), 0.25, 2);
    self->quality -= CLAMP (GAIN * log2 (made_bits / wanted_bits), -MAX_STEP, MAX_STEP);
    self->quality = CLAMP (self->quality, self->least, self->most);
  }
  return (gint) self->quality;
}

/* On the encoder's thread, which holds no lock that a property needs. */
static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  EncoderQuality *self = data;
  GstElement *encoder = gst_pad_get_parent_element (pad);
  gint before, quality;

  if (encoder == NULL)
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&self->lock);
  before = (gint) self->quality;
  quality = steer (self, GST_PAD_PROBE_INFO_BUFFER (info));
  g_mutex_unlock (&self->lock);
  if (quality != before)
    g_object_set (encoder, self->property, quality, NULL);
  gst_object_unref (encoder);
  return GST_PAD_PROBE_OK;
}

typedef struct
{
  const gchar *property;
  gint quality;                 /* as the user set it */
} Found;

static gpointer
quality_new (GstElement * encoder, gconstpointer data)
{
  EncoderQuality *self = g_atomic_rc_box_new0 (EncoderQuality);
  const Found *found = data;
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), found->property);
  GstPad *pad = gst_element_get_static_pad (encoder, "src");

  g_mutex_init (&self->lock);
  self->property = found->property;
  self->quality = self->most = found->quality;
  self->least = G_IS_PARAM_SPEC_INT (pspec) ? G_PARAM_SPEC_INT (pspec)->minimum : 0;
  self->last_pts = GST_CLOCK_TIME_NONE;
  if (pad != NULL)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, g_atomic_rc_box_acquire (self),
        quality_unref);
  g_clear_object (&pad);
  return self;
}

static EncoderQuality *
quality_of (GstElement * encoder, const Found * found)
{
  return encoder_shared_of (encoder, "gst-arc-encoder-quality", found ? quality_new : NULL, found,
      quality_unref);
}

void
encoder_quality_set_bps (GstElement * encoder, const gchar * property, guint64 bps)
{
  EncoderQuality *self = quality_of (encoder, NULL);

  if (self == NULL) {
    Found found = { property };

    g_object_get (encoder, property, &found.quality, NULL);
    self = quality_of (encoder, &found);
  }
  g_mutex_lock (&self->lock);
  self->bps = bps;
  g_mutex_unlock (&self->lock);
  quality_unref (self);
}

guint64
encoder_quality_get_bps (GstElement * encoder)
{
  EncoderQuality *self = quality_of (encoder, NULL);
  guint64 bps = 0;

  if (self != NULL) {
    g_mutex_lock (&self->lock);
    bps = self->bps;
    g_mutex_unlock (&self->lock);
    quality_unref (self);
  }
  return bps;
}
