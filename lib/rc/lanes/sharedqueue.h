/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whether two lanes wait in the same queue: then their one-way delays rise and fall together. The
 * model is in sharedqueue.c. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double mean, var;             /* of one lane's delay, s, s^2; over SPAN_S */
} RcSharedSide;

typedef struct
{
  RcSharedSide side[2];
  double covar;
  double filled_s;              /* time that the sums cover */
  RcTime at;                    /* RC_TIME_NONE: no sample yet */
  bool shared;
} RcSharedQueue;

void rc_sharedqueue_init (RcSharedQueue *self);
/* Both delays now, as reported last: one-way, in any clock. Samples that come sooner
 * than 50 ms after the last one are left out. */
void rc_sharedqueue_add (RcSharedQueue *self, RcTime delay, RcTime other, RcTime now);
/* Correlation of the delays, -1 .. 1; 0 while too little is known. */
double rc_sharedqueue_correlation (const RcSharedQueue *self);
bool rc_sharedqueue_is_shared (const RcSharedQueue *self);
