/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* x264enc or x265enc with a VBV of one frame makes no frame that is larger, and leaves part of each
 * unused: 15 % in the mean with one thread, 35 % with four slices. This measures what an encoder
 * makes of its bitrate, and says what to set so that it makes what is wanted. Of any other encoder,
 * and any other VBV, it says to set what is wanted. One per encoder. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _EncoderFill EncoderFill;

/* Watches the frames that leave the encoder until it is gone. anew: it begins anew with each
 * bitrate, and keeps it for long. */
EncoderFill *encoder_fill_new (GstElement * encoder, gboolean anew);
void encoder_fill_unref (EncoderFill * self);

/* What to set so that the encoder makes bps. Of an encoder that begins anew the caller does not
 * set each; it tells what it has set. */
guint64 encoder_fill_to_set (EncoderFill * self, GstElement * encoder, guint64 bps);
void encoder_fill_on_set (EncoderFill * self, guint64 bps);

/* The measure itself: a frame of so many bits left, where one of limit_bits was the largest. */
void encoder_fill_on_frame (EncoderFill * self, gdouble bits, gdouble limit_bits);

G_END_DECLS
