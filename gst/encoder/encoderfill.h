/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* x264enc or x265enc with a VBV of one frame makes no frame that is larger, and leaves part of each
 * unused: 15 % in the mean with one thread, 35 % with four slices. This measures what an encoder
 * makes of its bitrate, and says what to set so that it makes what is wanted. Of any other encoder,
 * and any other VBV, it says to set what is wanted. One per encoder, under its owner's lock. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  gdouble fill;                 /* of the largest frame, in the mean */
  gdouble gain_up, gain_down;
  guint64 set_bps;              /* what the caller has set; 0: nothing yet */
  GstClockTime frame;           /* its duration, if the VBV holds no more; else 0 */
} EncoderFill;

/* anew: it begins anew with each bitrate, and keeps it for long. */
void encoder_fill_init (EncoderFill * self, gboolean anew);
/* A frame left. */
void encoder_fill_on_frame (EncoderFill * self, gsize bytes);
/* What to set so that the encoder makes bps. Of an encoder that begins anew the caller does not
 * set each. */
guint64 encoder_fill_to_set (EncoderFill * self, GstElement * encoder, guint64 bps);

G_END_DECLS
