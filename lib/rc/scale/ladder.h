/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The frame sizes and frame rates that a raw video may be shown at, from full to least, as one row:
 * each rung has fewer pixels a second than the one before. Which of lines and frames goes first is
 * the user's preference. */
#pragma once

#include <rc/base/types.h>

/* 6 shares of the lines times 3 divisors of the frame rate. */
#define RC_LADDER_MAX_RUNGS 18
/* Where the user says nothing. Of carphone (144 lines, 20 kbit/s) 96 lines showed less than 144, at
 * a quantiser at which every larger clip gained; libwebrtc's least is 320x180. */
#define RC_LADDER_MIN_HEIGHT 120

typedef enum
{
  RC_PREFER_BALANCED,           /* lines down to 3/8, then half the frames, then the rest */
  RC_PREFER_SHARPNESS,          /* frames first */
  RC_PREFER_MOTION,             /* lines first */
} RcPrefer;

/* What comes in, and what the user allows. */
typedef struct
{
  unsigned width, height;
  double fps;                   /* 0: unknown or variable, and so kept */
  unsigned min_height;          /* 0: none */
  double min_fps;               /* 0: none */
  RcPrefer prefer;
} RcLadderInput;

typedef struct
{
  unsigned width, height;
  unsigned divisor;             /* of the frame rate */
} RcRung;

typedef struct
{
  RcRung rungs[RC_LADDER_MAX_RUNGS];    /* [0]: as it comes in */
  unsigned n_rungs;             /* at least 1 */
  double fps;                   /* of rung 0 */
} RcLadder;

void rc_ladder_init (RcLadder *self, const RcLadderInput *input);
