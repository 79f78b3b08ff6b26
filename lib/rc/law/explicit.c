/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the sending laws of explicit rates share
 * =============================================
 *
 * In a nutshell: each relay on the path offers a rate, and the packet's stamp keeps the smallest.
 * The receiver echoes the stamp and the source obeys it. ARC runs beside, and the smaller of the
 * two rates holds. Without stamps ARC decides alone.
 *
 * How x follows R is the law's own: rcp_source.c.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   rate = min (x, ARC)                                         decide ()
 *
 *   [x_bps] x   [explicit_bps] R   [interval] T   [source] x from R
 *
 *   ARC --- a report with a rate ---> min (x, ARC) --- none for `hold` ---> ARC, from where it is
 *
 * Inputs: reports (RcFeedback with explicit_rate_bps), bytes sent, time. Output: RcDecision.
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Where `live` differs from the paper, and why (`paper` has guard = 0 and reports each T):
 *   - Reports come each 20 to 50 ms, not each T. The time between reports is part of the control
 *     loop, so the sender claims SRTT plus report interval as its RTT.
 *   - ARC runs beside. Problem: a stamp may be false, and the bottleneck may be a router that does
 *     not stamp. Rule: ARC's rate bounds x, but ARC takes only a queue longer than `guard` for
 *     congestion, and after a reduction it grows in proportion to its rate (`growth`). So ARC stays
 *     out of the way where the relay keeps the queue short.
 *   - x begins at the start bitrate. The paper does not say where it begins.
 *   - A source that paused for `hold` begins at the start bitrate again, because its old share may
 *     be in use by others.
 *
 * Limits: the rate is within the user's limits and finite for any feedback. */
#include <rc/law/explicit.h>

#include <math.h>
#include <rc/feedback/feedback.h>
#include <string.h>

#define SETTLED_RATIO 1e-4      /* x is so close to R: no need to wake for more steps */

static double
clamp_rate (const RcExplicit *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* --- the rate --- */

/* x up to now, with R as it was. */
static void
approach (RcExplicit *self, RcTime now)
{
  double dt_s = rc_time_to_s (now - self->stepped_at);

  self->stepped_at = now;
  if (self->explicit_bps > 0 && self->source->between)
    self->x_bps = self->source->between (self->x_bps, self->explicit_bps,
        dt_s / self->params.interval, &self->params);
}

static void
take_rate (RcExplicit *self, double bps, RcTime now)
{
  double before = self->explicit_bps;

  self->explicit_bps = clamp_rate (self, bps);
  self->heard_at = now;
  if (before <= 0) {
    self->x_bps = self->rate_bps;
    before = self->explicit_bps;
  }
  /* The steps are up to date: approach (). */
  self->x_bps = clamp_rate (self,
      self->source->heard (self->x_bps, self->explicit_bps, before, &self->params));
}

/* A rate that the relays offer is a good guess: ARC looks for less only if the queue is deep, and
 * comes back soon. */
static void
guide_arc (RcExplicit *self)
{
  if (self->explicit_bps > 0)
    rc_arclive_guide (&self->arc, self->params.guard,
        self->params.growth * rc_arclive_rate_bps (&self->arc));
  else
    rc_arclive_guide (&self->arc, 0, 0);
}

/* ARC goes on from the rate that held: what it allowed beyond was never tried. */
static void
forget_rate (RcExplicit *self, RcTime now)
{
  RcLimits limits = self->limits;

  self->explicit_bps = 0;
  guide_arc (self);
  limits.max_bps = (uint64_t) clamp_rate (self, self->rate_bps);
  if (limits.start_bps > limits.max_bps)
    limits.start_bps = limits.max_bps;
  rc_arclive_law.set_limits (&self->arc, &limits, now);
  rc_arclive_law.set_limits (&self->arc, &self->limits, now);
}

/* --- the law --- */

static RcTime
hold_until (const RcExplicit *self)
{
  return self->heard_at + rc_time_from_s (self->params.hold);
}

/* When x has to be stepped on. */
static RcTime
next_step_at (const RcExplicit *self)
{
  if (!self->source->between
      || fabs (self->x_bps - self->explicit_bps) <= SETTLED_RATIO * self->explicit_bps)
    return RC_TIME_NONE;
  return self->stepped_at + rc_time_from_s (self->params.interval);
}

static RcTime
report_interval (const RcExplicit *self, RcTime arc_interval)
{
  RcTime most = rc_time_from_s (self->params.report_max);

  return self->explicit_bps > 0 && arc_interval > most ? most : arc_interval;
}

/* arc: what ARC decided now. */
static RcDecision
decide (RcExplicit *self, RcDecision arc, RcTime now)
{
  RcDecision decision = arc;

  approach (self, now);
  if (self->explicit_bps > 0 && now >= hold_until (self)) {
    forget_rate (self, now);
    decision = rc_arclive_law.on_timer (&self->arc, now);
  }
  self->rate_bps = (double) decision.rate_bps;
  if (self->explicit_bps > 0) {
    if (self->params.guard <= 0 || self->x_bps < self->rate_bps) {
      self->rate_bps = clamp_rate (self, self->x_bps);
      decision.cause = rc_law_cause (&self->limits, self->rate_bps, RC_CAUSE_RELAY);
    }
    decision.next_at = rc_sooner (decision.next_at,
        rc_sooner (hold_until (self), next_step_at (self)));
  }
  decision.rate_bps = (uint64_t) (self->rate_bps + 0.5);
  decision.report_interval = report_interval (self, decision.report_interval);
  return decision;
}

void
rc_explicit_start (RcExplicit *self, const RcExplicitSource *source, const RcPath *path,
    const RcLimits *limits, RcTime now)
{
  RcExplicitParams params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->source = source;
  self->path = path;
  self->limits = *limits;
  self->x_bps = self->rate_bps = (double) limits->start_bps;
  self->stepped_at = self->heard_at = now;
  self->sent_at = RC_TIME_NONE;
  rc_law_set_defaults (&rc_arclive_law, &self->arc, RC_PROFILE_LIVE);
  rc_arclive_law.start (&self->arc, path, limits, now);
}

void
rc_explicit_set_limits (void *state, const RcLimits *limits, RcTime now)
{
  RcExplicit *self = state;

  approach (self, now);
  self->limits = *limits;
  self->x_bps = clamp_rate (self, self->x_bps);
  if (self->explicit_bps > 0)
    self->explicit_bps = clamp_rate (self, self->explicit_bps);
  rc_arclive_law.set_limits (&self->arc, limits, now);
}

RcDecision
rc_explicit_on_timer (void *state, RcTime now)
{
  RcExplicit *self = state;

  return decide (self, rc_arclive_law.on_timer (&self->arc, now), now);
}

RcDecision
rc_explicit_on_sent (void *state, const RcSent *sent, RcTime now)
{
  RcExplicit *self = state;

  approach (self, now);
  if (self->sent_at != RC_TIME_NONE && now - self->sent_at > rc_time_from_s (self->params.hold)) {
    self->x_bps = fmin (self->x_bps, (double) self->limits.start_bps);
    self->rate_bps = fmin (self->rate_bps, self->x_bps);
  }
  self->sent_at = now;
  return decide (self, rc_arclive_law.on_sent (&self->arc, sent, now), now);
}

RcDecision
rc_explicit_on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  RcExplicit *self = state;
  RcDecision arc;

  guide_arc (self);
  arc = rc_arclive_law.on_feedback (&self->arc, feedback, now);
  approach (self, now);
  if (feedback->explicit_rate_bps > 0)
    take_rate (self, (double) feedback->explicit_rate_bps, now);
  return decide (self, arc, now);
}

RcTime
rc_explicit_queueing_delay (const void *state)
{
  return rc_arclive_law.queueing_delay (&((const RcExplicit *) state)->arc);
}

const RcFact rc_explicit_facts[] = {
  {"explicit-rate", "bit/s", "RCP: rate of the relays; 0: none"},
  {"arc-rate", "bit/s", "RCP: rate that ARC would allow"},
  {NULL}
};

void
rc_explicit_measure (const void *state, double *values)
{
  const RcExplicit *self = state;

  RC_LAW_TELL (values, rc_explicit_facts, self->explicit_bps,
      rc_arclive_rate_bps (&self->arc));
}
