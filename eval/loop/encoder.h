/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An encoder in a closed loop: 30 frames a second of the target, with noise. Video is a short form
 * of RFC 8593's statistical model, and takes whatever the link carries. Footage is x264enc as
 * rmcsink drives it: it follows within a frame, and where the quantiser is as fine as it may be,
 * the picture takes no more bits, whatever the rate. The lab with an encoder then agrees with the
 * loop (docs/results/lablaw.md, "The closed loop beside the lab"). */
#pragma once

#include "loopconfig.h"

typedef struct
{
  const LoopSource *source;
  double bps, told_bps;         /* of media: follows what it was told */
  RcTime frame_at;              /* the next frame */
  unsigned frames;
} Encoder;

void encoder_init (Encoder *self, const LoopSource *source, double start_bps, RcTime now);
/* Bytes of the frame that is due. size, sign: two random numbers 0 .. 1. */
double encoder_make_frame (Encoder *self, double size, double sign, RcTime now);
