/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the states COMPETE and YIELD, and who keeps the queue full: we or another flow. The
 * model is in arclive.c. */
#include "arclive_compete.h"

#include "arclive_rate.h"

#include <math.h>

#define GIVE_WAY_TAU_S 5.0      /* TCP's queue comes and goes with its window */
#define GIVE_WAY_PEAKS 2        /* a queue of our own would be gone after one */
/* B0 at the floor of the user: another flow has all the rest, or the link carries no more. */
#define FLOOR_SHARE 1.02
#define SUSPECT_S 0.25          /* worth a trial */
#define CONVICT_S 2.0           /* several of us keep a shallow queue for seconds */
#define DEEP_THRESHOLDS 2       /* our own flows cut at one */
#define DEEP_MIN_S 0.040        /* at high rates two thresholds are a few packets */
#define CUBIC_C (3 * RC_CUBIC_C)        /* trials cost a third of what we would have */
#define CALM_SPAN (500 * RC_MSEC)       /* TCP may leave the queue empty for a round trip */
#define SRTT_LEAST_S 0.001      /* a window is divided by it; a false report may tell an RTT of 0 */
#define YIELD_SHARE 0.5         /* shows plainly in B, and costs one to two SRTT of half the rate */
#define YIELD_FOLLOWS 0.75      /* between the half that follows and the whole that stays */
#define YIELD_SRTTS 2           /* what left at half the rate has passed the queue */
#define YIELD_FREED 1.4         /* a cut to 0.7 by all others makes it no larger */
#define YIELD_LEAST RC_SECOND   /* B and x are of one time again after a trial */
#define YIELD_EACH (6 * RC_SECOND)      /* several cycles of CUBIC at 2 Mbit/s */
#define YIELD_LATEST (12 * RC_SECOND)   /* a queue that never overflows may be our own, too */

/* B0: B when the queue came. It may still fall until a reaction time after the first cut. Later B
 * only shows what we sent. */
static void
watch_share (RcArcLive *self, RcTime now)
{
  double b = rc_arclive_bandwidth_bps (self), d = self->queueing.delay_s;

  if (d < rc_arclive_threshold_at_s (self, fmax (b, self->had_bps))) {
    self->had_bps = 0;
    return;
  }
  if (self->had_bps <= 0) {
    self->had_bps = b;
    self->had_from = now;
    self->had_until = RC_TIME_NONE;
  }
  if (self->had_until == RC_TIME_NONE && self->cut_at >= self->had_from)
    self->had_until = now + rc_time_from_s (rc_arclive_reaction_s (self));
  if (self->had_until == RC_TIME_NONE || now < self->had_until)
    self->had_bps = fmin (self->had_bps, b);
}

/* At the floor nothing is left to give: it counts as if all were given. Else a flow that comes to a
 * full queue would never notice, since it gives way from the floor to the floor. */
static double
share_given (const RcArcLive *self)
{
  if (self->had_bps <= FLOOR_SHARE * (double) self->limits.min_bps)
    return 1;
  return fmax (0, 1 - self->rate_bps / self->had_bps);
}

/* Y */
static void
watch_giving_way (RcArcLive *self, double dt_s, RcTime now)
{
  double keep = exp (-dt_s / GIVE_WAY_TAU_S);

  watch_share (self, now);
  self->given_way_s *= keep;
  self->peak_s = fmax (self->queueing.delay_s, self->peak_s * keep);
  if (self->had_bps > 0)
    self->given_way_s += share_given (self) * dt_s;
}

static bool
gave_way_for (const RcArcLive *self, double more_s)
{
  return self->params.compete > 0 && self->had_bps > 0
      && self->given_way_s > GIVE_WAY_PEAKS * self->peak_s + more_s;
}

static bool
queue_is_deep (const RcArcLive *self)
{
  return self->queueing.delay_s > fmax (DEEP_THRESHOLDS * rc_arclive_threshold_at_s (self,
          self->had_bps), DEEP_MIN_S);
}

static void
compete (RcArcLive *self, double bps, RcTime now)
{
  rc_arclive_enter (self, RC_ARCLIVE_COMPETE, now);
  self->yielded_at = now;
  rc_arclive_set_x (self, bps);
}

/* shared_bps: the rate beside others, if there are any. */
static void
yield (RcArcLive *self, double shared_bps, RcTime now)
{
  rc_arclive_enter (self, RC_ARCLIVE_YIELD, now);
  self->shared_bps = shared_bps;
  self->asked_bps = rc_arclive_bandwidth_bps (self);
  self->yielded_at = now;
  rc_arclive_set_x (self, YIELD_SHARE * self->asked_bps);
}

static void
leave_competition (RcArcLive *self, RcTime now)
{
  rc_arclive_enter (self, RC_ARCLIVE_AVOID, now);
  self->known_bps = rc_arclive_bandwidth_bps (self);
  self->growth_gain = 1;
}

static bool
is_calm (RcArcLive *self, RcTime now)
{
  if (self->queueing.delay_s >= rc_arclive_threshold_s (self))
    self->calm_since = RC_TIME_NONE;
  else if (self->calm_since == RC_TIME_NONE)
    self->calm_since = now;
  return self->calm_since != RC_TIME_NONE && now - self->calm_since >= CALM_SPAN;
}

void
rc_arclive_react_compete (RcArcLive *self, const RcFeedback *feedback, double dt_s, RcTime now)
{
  double srtt_s = fmax (rc_path_srtt_s (&self->path), SRTT_LEAST_S);
  double b = rc_arclive_bandwidth_bps (self);
  bool lost = feedback->lost_pkts + feedback->ce_pkts > 0;
  RcTime since = now - self->yielded_at;

  if (is_calm (self, now)) {
    leave_competition (self, now);
    return;
  }
  if (lost && rc_arclive_may_cut (self, now)) {
    /* Little: B SRTT are in flight. */
    rc_cubic_on_congestion (&self->cubic, b * srtt_s / RC_ARCLIVE_PACKET_BITS, now);
    rc_arclive_set_x (self, RC_CUBIC_BETA * b);
    self->cut_at = now;
  } else if (rc_use_reaches (&self->use, self->params.used)) {
    if (self->cubic.lost)
      rc_arclive_set_x (self,
          rc_cubic_window (&self->cubic, srtt_s, now) * RC_ARCLIVE_PACKET_BITS / srtt_s);
    else
      /* [RFC 5681 3.1]. */
      rc_arclive_set_x (self, fmin (self->x_bps * exp2 (dt_s / srtt_s), fmax (self->x_bps, 2 * b)));
  }
  /* More leaves than we put in: somebody left. All of us see it at once, so all of us try at
   * once. */
  if ((b > YIELD_FREED * self->x_bps && since > YIELD_LEAST)
      || since > (lost ? YIELD_EACH : YIELD_LATEST))
    yield (self, self->x_bps, now);
}

/* If we are alone, B stays at the capacity while a queue is left. Beside others B follows what we
 * send. The half rate shows in B after a round trip. */
void
rc_arclive_react_yield (RcArcLive *self, double dt_s, RcTime now)
{
  bool shows = rc_time_to_s (now - self->yielded_at) > rc_path_srtt_s (&self->path);
  bool can_tell = YIELD_SHARE * self->asked_bps > (double) self->limits.min_bps;
  bool follows = !can_tell || rc_arclive_bandwidth_bps (self) < YIELD_FOLLOWS * self->asked_bps;

  watch_giving_way (self, dt_s, now);
  if (self->queueing.delay_s < rc_arclive_threshold_at_s (self, self->asked_bps)) {
    leave_competition (self, now);
  } else if (shows && follows) {
    compete (self, self->shared_bps, now);
    if (self->cubic.lost)
      rc_cubic_resume (&self->cubic,
          self->shared_bps * rc_path_srtt_s (&self->path) / RC_ARCLIVE_PACKET_BITS, now);
  } else if (rc_time_to_s (now - self->yielded_at) > YIELD_SRTTS * rc_path_srtt_s (&self->path)) {
    self->given_way_s = 0;
    leave_competition (self, now);
  }
}

void
rc_arclive_watch_giving_way (RcArcLive *self, double dt_s, RcTime now)
{
  double shared_bps;

  watch_giving_way (self, dt_s, now);
  if (!gave_way_for (self, queue_is_deep (self) ? SUSPECT_S : CONVICT_S))
    return;
  shared_bps = fmax (self->rate_bps, self->had_bps);
  rc_cubic_init (&self->cubic, CUBIC_C);
  if (gave_way_for (self, CONVICT_S))
    compete (self, shared_bps, now);
  else
    yield (self, shared_bps, now);
}
