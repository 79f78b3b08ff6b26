/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Shared bottleneck by correlated delay, as RFC 8382 does for groups of flows, with one measure
 * instead of its three: lanes have one sender and one receiver, so both delays are known at the
 * same time and by the same two clocks.
 *
 *   c = cov (d1, d2) / sqrt (var d1 * var d2)      over SPAN_S, exponentially weighted
 *   shared:   c > SHARED_FROM, and both delays vary by LEAST_SD
 *   apart:    c < SHARED_UNTIL, or one delay varies and the other one hardly does
 *
 * In between, and while the delays do not vary, it stays as it was. The second sign of lanes apart
 * is that of one that carries nothing but copies: both carry parts of the same frames before, so
 * their delays may rise together in queues of their own.
 *
 * Rejected: to slow both lanes, as RFC 6356 and RFC 8699 couple flows. It leaves others less
 * (docs/results/severalpaths.md, Coupling instead). */
#include <rc/lanes/sharedqueue.h>

#include <math.h>

#define INTERVAL (50 * RC_MSEC) /* of samples: as long as a report covers */
#define SPAN_S 6.0
#define FILLED_S 6.0            /* before that nothing is concluded */
#define LEAST_SD_S 0.002        /* less is the noise of hosts */
#define SHARED_FROM 0.85
#define SHARED_UNTIL 0.5
#define APART_RATIO 0.1         /* of the variances */

void
rc_sharedqueue_init (RcSharedQueue *self)
{
  *self = (RcSharedQueue) { .at = RC_TIME_NONE };
}

static bool
is_known (const RcSharedQueue *self)
{
  double least = LEAST_SD_S * LEAST_SD_S;

  return self->filled_s >= FILLED_S && self->side[0].var > least && self->side[1].var > least;
}

double
rc_sharedqueue_correlation (const RcSharedQueue *self)
{
  return is_known (self) ? self->covar / sqrt (self->side[0].var * self->side[1].var) : 0;
}

static bool
is_of_one_alone (const RcSharedQueue *self)
{
  double a = self->side[0].var, b = self->side[1].var;

  return self->filled_s >= FILLED_S && fmax (a, b) > LEAST_SD_S * LEAST_SD_S
      && fmin (a, b) < APART_RATIO * fmax (a, b);
}

static double
move_mean (RcSharedSide *side, double delay_s, double weight)
{
  double off = delay_s - side->mean;

  side->mean += weight * off;
  return off;
}

void
rc_sharedqueue_add (RcSharedQueue *self, RcTime delay, RcTime other, RcTime now)
{
  double dt = self->at == RC_TIME_NONE ? 0 : rc_time_to_s (now - self->at), weight, a, b;

  if (self->at == RC_TIME_NONE) {
    self->side[0].mean = rc_time_to_s (delay);
    self->side[1].mean = rc_time_to_s (other);
    self->at = now;
    return;
  }
  if (now - self->at < INTERVAL)
    return;
  self->at = now;
  self->filled_s = fmin (self->filled_s + fmin (dt, 4 * rc_time_to_s (INTERVAL)), FILLED_S);
  weight = 1 - exp (-dt / SPAN_S);
  a = move_mean (&self->side[0], rc_time_to_s (delay), weight);
  b = move_mean (&self->side[1], rc_time_to_s (other), weight);
  self->side[0].var = (1 - weight) * (self->side[0].var + weight * a * a);
  self->side[1].var = (1 - weight) * (self->side[1].var + weight * b * b);
  self->covar = (1 - weight) * (self->covar + weight * a * b);
  if (is_of_one_alone (self))
    self->shared = false;
  if (!is_known (self))
    return;
  if (rc_sharedqueue_correlation (self) > SHARED_FROM)
    self->shared = true;
  else if (rc_sharedqueue_correlation (self) < SHARED_UNTIL)
    self->shared = false;
}

bool
rc_sharedqueue_is_shared (const RcSharedQueue *self)
{
  return self->shared;
}
