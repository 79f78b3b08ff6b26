/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One encoding of arcladder: valve ! queue ! arcscale ! encoder ! payloader, between its tee and
 * its arcselect. */
#pragma once

#include "encoder/encodersteering.h"

G_BEGIN_DECLS

typedef struct _LadderRung LadderRung;

typedef struct
{
  GstBin *bin;                  /* that the elements go to; the rung is a part of it */
  GstElement *tee, *select;
  const gchar *encoder, *payloader;     /* descriptions; payloader NULL: by the encoder, "": none */
  guint number;                 /* of arcselect's sink pad */
  void (*warn) (GObject * bin, const gchar * sentence);
} LadderRungConfig;

/* All of these call out: never with a lock held.
 * In READY. NULL with error: the description cannot be built. */
LadderRung *ladder_rung_new (const LadderRungConfig * config, GError ** error);
LadderRung *ladder_rung_ref (LadderRung * self);
void ladder_rung_unref (LadderRung * self);
/* Takes its elements out of the bin. Another thread may just set it or have it fail. */
void ladder_rung_take_out (LadderRung * self);

/* Is the object one of its elements or in one? */
gboolean ladder_rung_owns (LadderRung * self, GstObject * object);
/* bps of media; 0: nobody needs it, and the encoder gets no frames. May block on the lock of the
 * encoder: one thread at a time, not a streaming thread. */
void ladder_rung_set_bps (LadderRung * self, guint bps);
/* Any thread: no frame enters any more. */
void ladder_rung_fail (LadderRung * self);
gboolean ladder_rung_has_failed (LadderRung * self);

G_END_DECLS
