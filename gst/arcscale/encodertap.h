/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Listens to the encoder that follows a pad: how large its frames are and how coarsely they are
 * quantised. Reads the quantiser of H.264; silent for other encoders. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _EncoderTap EncoderTap;

/* on_frame: called on the encoder's thread with each frame that refers to others; no lock is held.
 * It gets a reference of owner while the tap is open. */
typedef void (*EncoderTapFunc) (GstElement * owner, gdouble bits, gdouble qp);

EncoderTap *encoder_tap_new (EncoderTapFunc on_frame);
void encoder_tap_free (EncoderTap * self);

/* Looks for the nearest video encoder behind the source pad, unless it has one whose pad is still
 * linked. Cheap. One thread at a time calls this and encoder_tap_close(). */
void encoder_tap_look (EncoderTap * self, GstElement * owner, GstPad * srcpad);
/* No longer listens. */
void encoder_tap_close (EncoderTap * self);

G_END_DECLS
