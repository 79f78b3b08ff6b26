/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder.h"

#include <math.h>

#define FRAMES_PER_S 30
#define FRAME_INTERVAL (RC_SECOND / FRAMES_PER_S)

/* How an encoder follows what it was told. */
typedef struct
{
  RcTime lag;                   /* time constant */
  double fill_ratio;            /* made of the target */
  double noise_ratio;           /* mean deviation of a frame's size (Laplace) */
  double least, most;           /* of a frame, by its share */
} Manner;

/* Footage: x264enc in the lab (docs/results/lablaw.md) and alone (docs/results/encoders.md). It
 * makes .94 to 1 of the target; the 95th percentile of a frame is 1.10, the largest 1.25 times its
 * share. */
static const Manner video = { 100 * RC_MSEC, 1, 0.1, 0.4, 1.6 };
static const Manner footage = { FRAME_INTERVAL, 0.96, 0.05, 0.75, 1.25 };

/* Mbit/s that each half second of an animated film of 640x360 takes at most: what x264enc made of
 * it in the lab at targets above 16 Mbit/s, two runs of 3_run_60.att (bigbuckbunny, superfast). The
 * film repeats. */
static const double scenes_mbps[] = { 15.9, 23.8, 20.9, 20.0, 17.7, 13.5, 5.6, 6.2, 6.9, 7.2 };
#define SCENE_FRAMES 16         /* 5.3 s in all */
#define N_SCENES (sizeof scenes_mbps / sizeof scenes_mbps[0])

void
encoder_init (Encoder *self, const LoopSource *source, double start_bps, RcTime now)
{
  *self = (Encoder) { .source = source, .bps = start_bps, .frame_at = now };
}

static const Manner *
manner_of (const LoopSource *source)
{
  return source->kind == LOOP_FOOTAGE ? &footage : &video;
}

static double
make_bps (const Encoder *self, RcTime now)
{
  const LoopSource *source = self->source;
  double bps = self->bps * manner_of (source)->fill_ratio;

  if (source->kind == LOOP_FOOTAGE)
    bps = fmin (bps, 1e6 * scenes_mbps[self->frames / SCENE_FRAMES % N_SCENES]);
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
  const Manner *manner = manner_of (self->source);
  double lag_s = rc_time_to_s (self->source->lag ? self->source->lag : manner->lag);
  double noise = -log (1 - 0.999 * size)
      * (sign < 0.5 ? -manner->noise_ratio : manner->noise_ratio);
  double bytes;

  self->bps += (self->told_bps - self->bps) * rc_time_to_s (FRAME_INTERVAL) / lag_s;
  bytes = make_bps (self, now) / 8 / FRAMES_PER_S * key_factor (self)
      * rc_clampd (1 + noise, manner->least, manner->most);
  self->frames++;
  self->frame_at += FRAME_INTERVAL;
  return bytes;
}
