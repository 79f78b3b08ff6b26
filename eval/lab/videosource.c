/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "videosource.h"

#include <math.h>

#define FRAMES_PER_S 30.0
#define TAU_V_NS (G_GINT64_CONSTANT (200000000))
#define SCALE 0.15
#define TRANSIENT_FRAMES 8
#define TRANSIENT_CHANGE_RATIO 0.1
#define FIRST_FRAME_RATIO 3.24
#define OTHER_FRAME_RATIO ((TRANSIENT_FRAMES - FIRST_FRAME_RATIO) / (TRANSIENT_FRAMES - 1))
#define LEAST_FRAME_BYTES 10

void
video_source_init (VideoSource *self, guint32 seed, gdouble least_bps, gdouble most_bps,
    gdouble start_bps)
{
  *self = (VideoSource) {
    .random = g_rand_new_with_seed (seed),
    .least_bps = least_bps,
    .most_bps = most_bps,
    .bps = start_bps,
    .wanted_bps = start_bps,
    .transient_left = TRANSIENT_FRAMES,
  };
}

void
video_source_clear (VideoSource *self)
{
  g_clear_pointer (&self->random, g_rand_free);
}

void
video_source_set_target (VideoSource *self, gdouble bps)
{
  self->wanted_bps = CLAMP (bps, self->least_bps, self->most_bps);
}

/* 1 plus a Laplacian deviation, not below 0. */
static gdouble
deviate (VideoSource *self)
{
  gdouble uniform = g_rand_double_range (self->random, -0.5, 0.5);
  gdouble deviation = -SCALE * copysign (log1p (-2 * fabs (uniform)), uniform);

  return MAX (1 + deviation, 0);
}

static void
follow_target (VideoSource *self, gint64 now_ns)
{
  if (self->wanted_bps == self->bps || now_ns < self->deaf_until_ns)
    return;
  if (fabs (self->wanted_bps - self->bps) > TRANSIENT_CHANGE_RATIO * self->bps)
    self->transient_left = TRANSIENT_FRAMES;
  self->bps = self->wanted_bps;
  self->deaf_until_ns = now_ns + TAU_V_NS;
}

guint
video_source_next_frame (VideoSource *self, gint64 now_ns, gint64 *interval_ns)
{
  gdouble ratio = 1, bytes;

  follow_target (self, now_ns);
  if (self->transient_left == TRANSIENT_FRAMES)
    ratio = FIRST_FRAME_RATIO;
  else if (self->transient_left > 0)
    ratio = OTHER_FRAME_RATIO * deviate (self);
  else
    ratio = deviate (self);
  if (self->transient_left > 0)
    self->transient_left--;
  *interval_ns = (gint64) (G_GINT64_CONSTANT (1000000000) / FRAMES_PER_S * deviate (self));
  bytes = self->bps / 8 / FRAMES_PER_S * ratio;
  return MAX ((guint) bytes, LEAST_FRAME_BYTES);
}
