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

static void
measure (EncoderFill * self, gdouble bits, gdouble limit_bits)
{
  gdouble fill = MIN (bits / limit_bits, 1);

  if (fill < LEAST_FILL / 2)
    return;                     /* a still picture says nothing */
  self->fill += (fill - self->fill) * (fill > self->fill ? self->gain_up : self->gain_down);
}

void
encoder_fill_on_frame (EncoderFill * self, gsize bytes)
{
  if (self->set_bps > 0 && self->frame > 0)
    measure (self, 8. * bytes, self->set_bps * GST_TIME_AS_SECONDS ((gdouble) self->frame));
}

void
encoder_fill_init (EncoderFill * self, gboolean anew)
{
  *self = (EncoderFill) {.fill = anew ? USUAL_FILL_ANEW : USUAL_FILL,
    .gain_up = anew ? GAIN_ANEW : GAIN_UP,.gain_down = anew ? GAIN_ANEW : GAIN_DOWN
  };
}

guint64
encoder_fill_to_set (EncoderFill * self, GstElement * encoder, guint64 bps)
{
  GstClockTime frame;
  gboolean one = encoder_settings_one_frame (encoder, &frame);

  self->frame = one ? frame : 0;
  return one ? (guint64) (bps / MAX (self->fill, LEAST_FILL)) : bps;
}
