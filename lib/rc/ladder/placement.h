/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which K bitrates serve N viewers best, if each viewer gets the largest that its network carries.
 * The model and the algorithm are in placement.c.
 *
 * Why: fixed rungs are rarely where the networks of the viewers are; all viewers behind one
 * bottleneck of 1.5 Mbit/s get half of simulcast (docs/results/ladder.md). */
#pragma once

#include <rc/base/types.h>

#define RC_PLACEMENT_MOST_RUNGS 8

/* Viewers whose networks carry the same bitrate. */
typedef struct
{
  double bps;                   /* of media; above 0 */
  double weight;                /* their number, or what they are worth; above 0 */
} RcPlacementPoint;

/* Room for the computation, of the caller. */
typedef struct
{
  double weight_before;         /* of all points before this one */
  double value, next_value;     /* of the best placement from here on, by rungs left */
  uint32_t line;                /* of the hull */
  uint32_t next_rung[RC_PLACEMENT_MOST_RUNGS];  /* the point of the rung after this one */
} RcPlacementCell;

/* SSIM of x264 at a bitrate, 0 to 1, for a source of so many pixels a second: the curve that
 * placements maximise. */
double rc_placement_quality (double bps, double pixels_per_s);

/* points: ascending in bps, n of them. cells: n + 1. rungs_bps: room for n_rungs, 1 to
 * RC_PLACEMENT_MOST_RUNGS. Returns how many rungs are of use, ascending; fewer than n_rungs where
 * there are fewer points. */
unsigned rc_placement_choose (const RcPlacementPoint *points, unsigned n, double pixels_per_s,
    RcPlacementCell *cells, unsigned n_rungs, double *rungs_bps);
/* What n_rungs ascending rungs are worth to the points: the sum of weight times quality. Without
 * rungs: what one encoder for each viewer would be worth. */
double rc_placement_value (const RcPlacementPoint *points, unsigned n, double pixels_per_s,
    const double *rungs_bps, unsigned n_rungs);
