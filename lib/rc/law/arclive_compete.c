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
#define SHALLOW_S 1.0           /* several of us keep a shallow queue for long */
#define DEEP_THRESHOLDS 2       /* our own flows cut at one */
#define DEEP_MIN_S 0.040        /* at high rates two thresholds are a few packets */
#define CUBIC_C (3 * RC_CUBIC_C)        /* what trials cost, and what a late start does */
#define CALM_SPAN (500 * RC_MSEC)       /* TCP may leave the queue empty for a round trip */
#define SRTT_LEAST_S 0.001      /* a window is divided by it; a false report may tell an RTT of 0 */
#define RETURN_MOST 2           /* times B: what B0 was seconds ago may be much more */
#define WAIT_SHARE 0.5          /* an own queue drains while its trial is not answered */
#define TRIAL_EACH (2 * RC_SECOND)      /* a trial costs a fifth of a second */
#define TRIAL_LATEST (12 * RC_SECOND)   /* a queue that never overflows may be our own, too */
/* A loss made the queue fall. Our own flows see it at once, so their trials overlap. */
#define PEAK_SHARE 0.7
#define PEAK_FALL_S 0.030
#define LEVEL_LEFT 0.7          /* of a level: below it the next rise is news */
#define LEVELS 20               /* more than a day of queue */
#define TRIALS 2                /* a competitor's own loss can spoil one */

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
  self->competed = true;
  self->failed_trials = 0;
  self->tried_at = now;
  self->top_s = 0;
  rc_arclive_set_x (self, bps);
}

/* shared_bps: the rate beside others, if there are any. */
static void
yield (RcArcLive *self, double shared_bps, RcTime now)
{
  rc_arclive_enter (self, RC_ARCLIVE_YIELD, now);
  self->shared_bps = shared_bps;
  rc_queuetrial_begin (&self->trial, rc_arclive_bandwidth_bps (self),
      (double) self->limits.min_bps, rc_path_srtt_s (&self->path), now);
  rc_arclive_set_x (self, self->trial.low_bps);
}

static void
leave_competition (RcArcLive *self, RcTime now)
{
  rc_arclive_enter (self, RC_ARCLIVE_AVOID, now);
  self->competed = false;
  self->failed_trials = 0;
  self->known_bps = rc_arclive_bandwidth_bps (self);
  self->growth_gain = 1;
}

/* The queue has grown past max_delay, or has doubled beyond it since this was true last. All flows
 * of ours see it at once. */
static bool
passes_level (RcArcLive *self)
{
  double d = self->queueing.delay_s, most = self->params.max_delay;
  unsigned before = self->level;

  while (self->level < LEVELS && d >= most * exp2 (self->level))
    self->level++;
  while (self->level > 0 && d < LEVEL_LEFT * most * exp2 (self->level - 1))
    self->level--;
  return self->level > before;
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

static bool
is_past_a_peak (RcArcLive *self)
{
  double d = self->queueing.delay_s;

  self->top_s = fmax (self->top_s, d);
  return d < PEAK_SHARE * self->top_s && d < self->top_s - PEAK_FALL_S;
}

static void
follow_cubic (RcArcLive *self, bool lost, double dt_s, RcTime now)
{
  double srtt_s = fmax (rc_path_srtt_s (&self->path), SRTT_LEAST_S);
  double b = rc_arclive_bandwidth_bps (self);

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
}

void
rc_arclive_react_compete (RcArcLive *self, const RcFeedback *feedback, double dt_s, RcTime now)
{
  RcTime since = now - self->tried_at;
  bool is_due;

  if (is_calm (self, now)) {
    leave_competition (self, now);
    return;
  }
  follow_cubic (self, feedback->lost_pkts + feedback->ce_pkts > 0, dt_s, now);
  is_due = passes_level (self);
  is_due = (is_past_a_peak (self) && since > TRIAL_EACH) || since > TRIAL_LATEST || is_due;
  if (is_due)
    yield (self, self->x_bps, now);
}

static void
resume_competition (RcArcLive *self, RcTime now)
{
  compete (self, fmin (self->shared_bps, RETURN_MOST * self->trial.before_bps), now);
  if (self->cubic.lost)
    rc_cubic_resume (&self->cubic,
        self->x_bps * rc_path_srtt_s (&self->path) / RC_ARCLIVE_PACKET_BITS, now);
}

/* The trial runs, or its answer is on its way. */
static void
follow_trial (RcArcLive *self, RcTime now)
{
  double bps = rc_queuetrial_rate_bps (&self->trial, now);
  double b = fmin (rc_arclive_bandwidth_bps (self), self->trial.before_bps);

  if (bps <= 0)
    bps = fmin (self->x_bps, self->queueing.delay_s > self->params.max_delay ? WAIT_SHARE * b : b);
  rc_arclive_set_x (self, bps);
}

static bool
is_queued (const RcArcLive *self)
{
  return self->queueing.delay_s >= rc_arclive_threshold_at_s (self, self->trial.before_bps);
}

void
rc_arclive_on_trial_packet (RcArcLive *self, const RcDelays *delays)
{
  if (self->state == RC_ARCLIVE_YIELD)
    rc_queuetrial_add (&self->trial, delays->least_sent_at,
        delays->least_sent_at + delays->least_remote, delays->least_bytes, is_queued (self));
}

void
rc_arclive_react_yield (RcArcLive *self, double dt_s, RcTime now)
{
  if (passes_level (self) && self->competed) {
    yield (self, self->shared_bps, now);
    return;
  }
  watch_giving_way (self, dt_s, now);
  switch (rc_queuetrial_verdict (&self->trial, is_queued (self))) {
    case RC_QUEUETRIAL_PENDING:
      follow_trial (self, now);
      break;
    case RC_QUEUETRIAL_SHARED:
      resume_competition (self, now);
      break;
    case RC_QUEUETRIAL_EMPTY:
      leave_competition (self, now);
      break;
    case RC_QUEUETRIAL_OWN:
      if (self->competed && ++self->failed_trials < TRIALS) {
        yield (self, self->shared_bps, now);
      } else {
        self->given_way_s = 0;
        leave_competition (self, now);
      }
  }
}

void
rc_arclive_watch_giving_way (RcArcLive *self, double dt_s, RcTime now)
{
  watch_giving_way (self, dt_s, now);
  if (!gave_way_for (self, queue_is_deep (self) ? SUSPECT_S : SHALLOW_S))
    return;
  rc_cubic_init (&self->cubic, CUBIC_C);
  yield (self, fmax (self->rate_bps, self->had_bps), now);
}
