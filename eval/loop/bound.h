/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sender could get at best from a link that serves by opportunities, if it learnt the
 * link's state exactly, but only a feedback delay D later:
 *
 *   r(t) = [ a C_w(t - D) - q̂(t) / T ]⁺
 *
 * C_w is the mean capacity over the time w, q̂ the queue of t - D, or that queue plus what was sent
 * since less what C_w serves in D. Any rate can be had at once, in bytes and not in packets. Each
 * a, w, T and q̂ gives a use and a 95th percentile of the queueing delay; those that no other beats
 * in both are the bound. A real sender knows less: it sees the capacity only while it has a queue,
 * hears of it in reports, and sends frames. */
#pragma once

#include <rc/base/types.h>
#include <stdbool.h>

#define BOUND_MOST_POINTS 64

typedef struct
{
  double use;                   /* of the opportunities' bytes */
  double p95_ms;                /* of bytes that did not wait through an outage of 0.1 s */
  double a;
  unsigned w_ms, t_ms;
  bool predicts;                /* q̂ counts what was sent since */
} BoundPoint;

typedef struct
{
  BoundPoint points[BOUND_MOST_POINTS]; /* by ascending delay and use */
  unsigned n;
} BoundCurve;

/* The opportunities at[n] repeat at the last one. delay: D; it and the other times are whole
 * milliseconds. What is sent before `from` does not count. */
void bound_curve (BoundCurve *self, const RcTime *at, uint32_t n, RcTime from, RcTime length,
    RcTime delay);
/* The best use at this delay; at less than the least delay of the curve the use there. */
double bound_use (const BoundCurve *self, double p95_ms);
/* The least delay at this use; at more than the largest use the delay there. */
double bound_p95_ms (const BoundCurve *self, double use);
