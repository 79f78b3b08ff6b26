/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A machine that is too slow for its encoder: frames of a live source come later and later after
 * they were captured. The network is not to blame, and nothing else says so. Timestamps that run
 * slow, as of frames that are numbered, look the same. */
#pragma once

#include <gst/gst.h>
#include <rc/base/winmin.h>

G_BEGIN_DECLS

typedef struct
{
  RcWinMin least;               /* ages of the last minute */
  RcTime late_since;            /* RC_TIME_NONE: not late */
  gboolean told;
} AgeWatch;

void age_watch_init (AgeWatch * self);
/* age: how long ago the frame was captured; now: of any clock. TRUE, once: for some seconds frames
 * have been older than in the minute before by *more. */
gboolean age_watch_on_frame (AgeWatch * self, RcTime age, RcTime now, RcTime * more);

G_END_DECLS
