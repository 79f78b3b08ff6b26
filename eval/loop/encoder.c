/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder.h"

#include <math.h>

#define FRAMES_PER_S 30
#define FRAME_INTERVAL (RC_SECOND / FRAMES_PER_S)
#define DEFAULT_LAG (100 * RC_MSEC)
#define NOISE_RATIO 0.1         /* mean deviation of a frame's size (Laplace) */

void
encoder_init (Encoder *self, const LoopSource *source, double start_bps, RcTime now)
{
  *self = (Encoder) { .source = source, .bps = start_bps, .frame_at = now };
}

static double
make_bps (const Encoder *self, RcTime now)
{
  const LoopSource *source = self->source;
  double bps = self->bps;

  if (source->mute_to > 0 && now >= source->mute_from && now < source->mute_to)
    return (double) source->mute_bps;
  if (source->most_bps && bps > (double) source->most_bps)
    bps = (double) source->most_bps;
  if (bps < (double) source->least_bps)
    bps = (double) source->least_bps;
  return bps;
}

/* A key frame is keyframe_ratio times as large as another frame; the mean over an interval
 * stays. */
static double
key_factor (const Encoder *self)
{
  const LoopSource *source = self->source;
  unsigned interval = (unsigned) (source->keyframe_interval / FRAME_INTERVAL);

  if (interval == 0)
    return 1;
  return (self->frames % interval == 0 ? source->keyframe_ratio : 1) * interval
      / (source->keyframe_ratio + interval - 1);
}

double
encoder_make_frame (Encoder *self, double size, double sign, RcTime now)
{
  double lag_s = rc_time_to_s (self->source->lag ? self->source->lag : DEFAULT_LAG);
  double noise = -log (1 - 0.999 * size) * (sign < 0.5 ? -NOISE_RATIO : NOISE_RATIO);
  double bytes;

  self->bps += (self->told_bps - self->bps) * rc_time_to_s (FRAME_INTERVAL) / lag_s;
  bytes = make_bps (self, now) / 8 / FRAMES_PER_S * key_factor (self)
      * rc_clampd (1 + noise, 0.4, 1.6);
  self->frames++;
  self->frame_at += FRAME_INTERVAL;
  return bytes;
}
