/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What makes a rung of arcladder: valve ! queue ! arcscale ! encoder ! payloader, between its tee
 * and the pad of the rung. */
#pragma once

#include "encoder/encodersteering.h"

G_BEGIN_DECLS

typedef struct _LadderEncoder LadderEncoder;

typedef struct
{
  GstBin *bin;                  /* that the elements go to; this is a part of it */
  GstElement *tee;
  GstPad *rung;
  const gchar *encoder, *payloader;     /* descriptions; payloader NULL: by the encoder, "": none */
  void (*warn) (GObject * bin, const gchar * sentence);
} LadderEncoderConfig;

/* All of these call out: never with a lock held.
 * In READY. NULL with error: the description cannot be built. */
LadderEncoder *ladder_encoder_new (const LadderEncoderConfig * config, GError ** error);
LadderEncoder *ladder_encoder_ref (LadderEncoder * self);
void ladder_encoder_unref (LadderEncoder * self);
GstPad *ladder_encoder_rung (LadderEncoder * self);
/* Takes its elements out of the bin. Another thread may just set it or have it fail. */
void ladder_encoder_take_out (LadderEncoder * self);

/* Is the object one of its elements or in one? */
gboolean ladder_encoder_owns (LadderEncoder * self, GstObject * object);
/* bps of media; 0: nobody needs it, and the encoder gets no frames. May block on the lock of the
 * encoder: one thread at a time, not a streaming thread. */
void ladder_encoder_set_bps (LadderEncoder * self, guint bps);
/* Any thread: no frame enters any more. */
void ladder_encoder_fail (LadderEncoder * self);
gboolean ladder_encoder_has_failed (LadderEncoder * self);

G_END_DECLS
