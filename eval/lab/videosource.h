/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistical video source of RFC 8593: sizes and distances of frames as an encoder makes them
 * that follows a target bitrate. Pure but for GRand; time is an argument.
 *
 * 30 frames/s. Sizes and distances deviate by a Laplacian of scale 0.15 of their mean. A new
 * target acts at once, then others wait for tau_v = 0.2 s. A target that differs by more than 10
 * % begins a transient of 8 frames: the first is 13.5 kB at 1 Mbit/s, which we scale with the
 * rate (3.24 mean frames: taken as it stands it would be 0.7 s of the least rate), the others so
 * much smaller that the mean is kept. */
#pragma once

#include <glib.h>

typedef struct
{
  GRand *random;
  gdouble least_bps, most_bps, bps, wanted_bps;
  gint64 deaf_until_ns;
  guint transient_left;
} VideoSource;

void video_source_init (VideoSource * self, guint32 seed, gdouble least_bps, gdouble most_bps,
    gdouble start_bps);
void video_source_clear (VideoSource * self);
/* What the encoder is told, media bit/s. */
void video_source_set_target (VideoSource * self, gdouble bps);
/* The frame of now, bytes, and how long until the next one. */
guint video_source_next_frame (VideoSource * self, gint64 now_ns, gint64 * interval_ns);
