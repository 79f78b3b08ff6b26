/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much the capacity of a path varies. The model is in volatility.c. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double bps, before_bps;       /* the last two capacities; 0: none yet */
  RcTime at;                    /* of the last */
  double span_s;                /* between the two */
  double variance, variance_before;     /* V, with and without the last, 1/s */
} RcVolatility;                 /* zeroed: nothing was seen */

/* The capacity was seen. */
void rc_volatility_add (RcVolatility *self, double bps, RcTime now);
/* It was still falling: the last one was this. */
void rc_volatility_correct (RcVolatility *self, double bps);
/* sigma: so much the logarithm of the capacity changes in a second, in the root mean square. */
double rc_volatility_sigma (const RcVolatility *self);
