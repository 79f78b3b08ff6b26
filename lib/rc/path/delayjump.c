/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Jumps of the delay
 * ===================
 *
 * In a nutshell: a queue grows packet by packet, a stall and a longer route add their delay at
 * once. When we then send less than was delivered, what a stall left falls, and a route does not
 * care.
 *
 *   jump         d rises by more than the tolerance between two reports, and by less than a
 *                quarter of that within the second
 *   expected     F = integral of (1 - r / B) dt, B of before the jump      [drained_s]
 *   the route's  d stays within the tolerance of its level [level_s] until F, which shows a round
 *                trip later, is two tolerances
 *   else         d has another level, and F begins anew. Higher: it climbs, so there is a queue
 *
 * Until then a jump is no congestion, and r is so low that F takes a quarter of a second.
 *
 * [ARC 3.1.1] takes mRTT as the least RTT ever seen. A route that becomes longer then looks like a
 * queue until that minimum is forgotten. A jump that comes while our own queue grows, climbs by
 * what is on the way, then that queue drains, and what is left is the route's.
 *
 * Limits: with losses nothing is known, since the delay of a full queue is constant too. A delay
 * that merely stays is no longer route: a TCP flow with a full window makes one as well. A report
 * of a single packet, as on links below 0.5 Mbit/s, shows no slope, and any rise there is a jump.
 */
#include <rc/path/delayjump.h>

#include <math.h>
#include <rc/feedback/feedback.h>

/* When the capacity falls, already two packets of a report show half the rise. */
#define SLOPE_MOST 0.25
#define DRAINED_TOLERANCES 2
#define JUDGED_S 0.25           /* so long F takes */

bool
rc_delayjump_is_one (const RcDelays *delays, double rise_s, double tolerance_s)
{
  return rise_s > tolerance_s
      && rc_time_to_s (delays->last_remote - delays->least_remote) < SLOPE_MOST * rise_s;
}

void
rc_delayjump_begin (RcDelayJump *self, double delay_s, double bps, RcTime now)
{
  *self = (RcDelayJump) { .pending = true,.level_s = delay_s,.bps = fmax (bps, 1),
    .shows_at = RC_TIME_NONE,.at = now };
}

bool
rc_delayjump_holds (const RcDelayJump *self)
{
  return self->pending && !self->climbs;
}

double
rc_delayjump_rate_bps (const RcDelayJump *self, double tolerance_s)
{
  return self->bps * fmax (0, 1 - DRAINED_TOLERANCES * tolerance_s / JUDGED_S);
}

bool
rc_delayjump_is_route (RcDelayJump *self, double delay_s, double tolerance_s,
    double rate_bps, RcTime rtt, RcTime now)
{
  double change_s = delay_s - self->level_s;

  if (fabs (change_s) >= tolerance_s) {
    rc_delayjump_begin (self, delay_s, self->bps, now);
    self->climbs = change_s > 0;
    return false;
  }
  self->drained_s += fmax (0, 1 - rate_bps / self->bps) * rc_time_to_s (now - self->at);
  self->at = now;
  if (self->shows_at == RC_TIME_NONE && self->drained_s >= DRAINED_TOLERANCES * tolerance_s)
    self->shows_at = now + rtt;
  self->pending = self->shows_at == RC_TIME_NONE || now < self->shows_at;
  return !self->pending;
}
