/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an encoder that begins anew with each bitrate gets another one. A new beginning costs a
 * keyframe, so a change has to be worth one: what the encoder makes too much is added up, and a
 * rise has to last. Pure: time is that of its frames. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 set_bps, wanted_bps;  /* 0: nothing yet */
  gboolean runs;                /* a frame has left */
  gdouble over_s;               /* what was made too much, as time at what is wanted */
  guint64 least_bps, before_bps;        /* the least wanted in this span and the one before */
  gdouble span_s, since_s;      /* since it began; since a bitrate was set */
  gboolean stepped;             /* it was a rise from what had been found */
  guint64 too_much_bps;         /* was so set before the last fall; 0: nothing was */
  gdouble tried_s;              /* so long ago */
} EncoderRestart;

/* A frame left that lasts so long. */
void encoder_restart_on_frame (EncoderRestart * self, gdouble frame_s);
/* This bitrate is wanted now, without what empties a queue: an encoder that jumps back and forth
 * fills it with keyframes. Returns what to set, which counts as set; 0: nothing. */
guint64 encoder_restart_take (EncoderRestart * self, guint64 wanted_bps);
/* Would it take what is wanted? */
gboolean encoder_restart_is_due (const EncoderRestart * self);

G_END_DECLS
