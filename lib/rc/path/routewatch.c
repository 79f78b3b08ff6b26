/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Longer route or queue?
 * ======================
 *
 * In a nutshell: a queue of ours falls when we send less than is delivered, a route does not care.
 *
 *   fall expected   F = integral of (1 - r / B) dt            [drained_s]
 *   the route's     max delay - min delay < tolerance  while  F >= 2 tolerance
 *                   and the watch is at least `span` old
 *
 * [ARC 3.1.1] takes mRTT as the least RTT ever seen. A route that becomes longer then looks like a
 * queue until that minimum is forgotten. The test is valid only without loss, since the delay of a
 * full queue is constant too.
 *
 * A delay that merely stays is no longer route: a TCP flow with a full window makes one as well. */
#include <rc/path/routewatch.h>

void
rc_routewatch_init (RcRouteWatch *self)
{
  self->from = RC_TIME_NONE;
}

void
rc_routewatch_restart (RcRouteWatch *self)
{
  self->from = RC_TIME_NONE;
}

bool
rc_routewatch_add (RcRouteWatch *self, RcTime delay, double sent_ratio, RcTime tolerance,
    RcTime span, RcTime now)
{
  if (self->from == RC_TIME_NONE) {
    *self = (RcRouteWatch) { .from = now,.last_at = now,.low = delay,.high = delay };
    return false;
  }
  if (sent_ratio < 1)
    self->drained_s += (1 - sent_ratio) * rc_time_to_s (now - self->last_at);
  self->last_at = now;
  self->low = delay < self->low ? delay : self->low;
  self->high = delay > self->high ? delay : self->high;
  if (self->high - self->low >= tolerance) {
    rc_routewatch_restart (self);
    return false;
  }
  if (now - self->from < span || self->drained_s < 2 * rc_time_to_s (tolerance))
    return false;
  rc_routewatch_restart (self);
  return true;
}
