/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A jitter buffer and a screen behind the receiver of a closed loop, with a latency that stays or
 * follows the path (rc/receiver/playout.h). */
#pragma once

#include <rc/receiver/playout.h>

#include "loop.h"

typedef struct
{
  RcTime latency;               /* at the start */
  bool adapts;
  bool is_told_base;            /* what the jitter buffer's is */
  RcPlayoutParams params;
} PlayoutConfig;

#define PLAYOUT_CONFIG_STATIC(ms) { .latency = (RcTime) (ms) * RC_MSEC }
#define PLAYOUT_CONFIG_ADAPTIVE \
  { .latency = 200 * RC_MSEC, .adapts = true, .is_told_base = true, \
    .params = RC_PLAYOUT_PARAMS_DEFAULT }

/* Sums over the frames that were captured from `from` on. */
typedef struct
{
  unsigned frames, late;
  double glass_ms, latency_ms;
  double grown_ms;              /* sum of the growth: for so long the screen stood */
  unsigned changes, resets;     /* of the latency; of the jitter buffer's base */
  float *glasses_ms;            /* of each frame; freed by the caller */
  unsigned capacity;            /* of it */
} PlayoutSums;

/* Plays the first media flow of a loop whose config has notes_arrivals; adds to the sums. The
 * decoder takes no time. A late frame is shown when it is whole. */
void playout_run (const Loop *loop, const LoopConfig *config, const PlayoutConfig *playout,
    RcTime from, PlayoutSums *sums);
/* q-quantile from the camera to the screen; sorts what is there. NAN: no frames. */
double playout_glass_ms (PlayoutSums *sums, double q);
