/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encoderfill.h"
#include "encoder/encodersettings.h"

/* What x264enc fills with threads=1 and footage: .84 to .88 over presets, sizes and rates. */
#define USUAL_FILL .85
/* x265enc without wpp: .72 to .9. */
#define USUAL_FILL_ANEW .78
/* Below it the picture does not need the bits, and would need them suddenly: the frames after a
 * still one are at most 1 / .6 times as large as they should be. */
#define LEAST_FILL .6
/* A frame counts for so much. Larger frames wait in the queue, smaller ones leave it empty for a
 * moment: so the first are believed at once. */
#define GAIN_UP (1. / 4)
#define GAIN_DOWN (1. / 16)
/* Of what keeps its bitrate for seconds the mean counts. */
#define GAIN_ANEW (1. / 16)

struct _EncoderFill
{
  GMutex lock;
  gdouble fill;                 /* of the largest frame, in the mean */
  gdouble gain_up, gain_down;
  guint64 set_bps;              /* 0: nothing yet */
  GstClockTime frame;           /* its duration, if the VBV holds no more; else 0 */
};

static void
fill_clear (gpointer data)
{
  g_mutex_clear (&((EncoderFill *) data)->lock);
}

void
encoder_fill_unref (EncoderFill * self)
{
  g_atomic_rc_box_release_full (self, fill_clear);
}

/* With the lock held. */
static void
measure (EncoderFill * self, gdouble bits, gdouble limit_bits)
{
  gdouble fill = MIN (bits / limit_bits, 1);

  if (fill < LEAST_FILL / 2)
    return;                     /* a still picture says nothing */
  self->fill += (fill - self->fill) * (fill > self->fill ? self->gain_up : self->gain_down);
}

void
encoder_fill_on_frame (EncoderFill * self, gdouble bits, gdouble limit_bits)
{
  g_mutex_lock (&self->lock);
  measure (self, bits, limit_bits);
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  EncoderFill *self = data;
  gdouble bits = 8. * gst_buffer_get_size (GST_PAD_PROBE_INFO_BUFFER (info));

  g_mutex_lock (&self->lock);
  if (self->set_bps > 0 && self->frame > 0)
    measure (self, bits, self->set_bps * GST_TIME_AS_SECONDS ((gdouble) self->frame));
  g_mutex_unlock (&self->lock);
  return GST_PAD_PROBE_OK;
}

EncoderFill *
encoder_fill_new (GstElement * encoder, gboolean anew)
{
  EncoderFill *self = g_atomic_rc_box_new0 (EncoderFill);
  GstPad *pad = gst_element_get_static_pad (encoder, "src");

  g_mutex_init (&self->lock);
  self->fill = anew ? USUAL_FILL_ANEW : USUAL_FILL;
  self->gain_up = anew ? GAIN_ANEW : GAIN_UP;
  self->gain_down = anew ? GAIN_ANEW : GAIN_DOWN;
  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, g_atomic_rc_box_acquire (self),
        (GDestroyNotify) encoder_fill_unref);
  g_clear_object (&pad);
  return self;
}

guint64
encoder_fill_to_set (EncoderFill * self, GstElement * encoder, guint64 bps)
{
  GstClockTime frame;
  gboolean one = encoder_settings_one_frame (encoder, &frame);

  g_mutex_lock (&self->lock);
  if (one)
    bps = (guint64) (bps / MAX (self->fill, LEAST_FILL));
  self->frame = one ? frame : 0;
  g_mutex_unlock (&self->lock);
  return bps;
}

void
encoder_fill_on_set (EncoderFill * self, guint64 bps)
{
  g_mutex_lock (&self->lock);
  self->set_bps = bps;
  g_mutex_unlock (&self->lock);
}
