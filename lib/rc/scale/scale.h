/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which size and frame rate show most at the present bitrate: the model is in scale.c. Time is that
 * of the raw video, and never runs backwards. */
#pragma once

#include <rc/scale/ladder.h>

typedef enum
{
  RC_SCALE_NO_TARGET,           /* no bitrate known yet: as it comes in */
  RC_SCALE_FITS,                /* the first choice still holds */
  RC_SCALE_LESS_RATE,
  RC_SCALE_MORE_RATE,
  RC_SCALE_HARDER,              /* the content */
  RC_SCALE_EASIER,
} RcScaleReason;

typedef struct
{
  RcLadder ladder;
  unsigned rung;                /* chosen */
  RcScaleReason reason;
  double difficulty;            /* d */
  double mean_difficulty;       /* of the last frames */
  unsigned frames_learnt;       /* that it is of; 0: d is the typical one */
  uint64_t told_bps;            /* 0: none yet */
  double log_rate;              /* log2 of bit/s, smoothed */
  RcTime fallen_for;            /* how long the rate has been below half of it */
  RcTime now, changed_at;       /* RC_TIME_NONE: never */
  bool stepped_up;              /* by the last change */
  double extra_margin;          /* QP, upwards */
  double changed_rate, changed_difficulty;      /* those at the last change */
} RcScale;

void rc_scale_init (RcScale *self, const RcLadder *ladder);
/* The input or the user's limits changed. What was learnt of the content stays. */
void rc_scale_set_ladder (RcScale *self, const RcLadder *ladder);
/* bps: of media, above 0. */
void rc_scale_on_target (RcScale *self, uint64_t bps);
/* A frame that the encoder made and that refers to others (not a keyframe): its bits and its mean
 * quantiser on H.264's scale, 0 to 51. */
void rc_scale_on_frame (RcScale *self, double bits, double qp);
/* With each raw frame. TRUE: another rung. */
bool rc_scale_choose (RcScale *self, RcTime now);
/* The encoder or what follows it cannot take the rung: stay at this one. */
void rc_scale_refuse (RcScale *self, unsigned rung);
/* The quantiser that a rung would have at the present rate. */
double rc_scale_predict_qp (const RcScale *self, unsigned rung);
