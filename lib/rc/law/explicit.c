/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending laws of explicit rates
 * ==================================
 *
 * In a nutshell: each relay on the path offers a rate, and the packet's stamp keeps the smallest.
 * The receiver echoes the stamp and the source obeys it. ARC runs beside, and the smaller of the
 * two rates holds. Without stamps ARC decides alone.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   x(t) = min over the path of R(t - D<-)                                       [PIQI eq. 2]    rcp, qi-rcp
 *   x(t) = x(t - T) + tau1 (R - x(t - T)) + tau2 (R - R of before)               [PIQI eq. 19]   piqi-rcp; piqircp.c
 *   rate = min (x, ARC)                                                                          decide ()
 *
 *   [x_bps] x   [explicit_bps] R   [interval] T   [tau1, tau2]
 *
 *   no stamps: ARC --- a report with a rate ---> min (x, ARC) --- none for `hold` ---> ARC, from where it is
 *
 * Inputs: reports (RcFeedback with explicit_rate_bps), bytes sent, time. Output: RcDecision.
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Where `live` differs from the paper, and why (`paper` has guard = 0 and reports each T):
 *   - Reports come each 20 to 50 ms, not each T. Between them x goes on in steps (piqircp.c). The
 *     time between reports is part of the control loop, so the sender claims SRTT plus report
 *     interval as its RTT.
 *   - ARC runs beside. Problem: a stamp may be false, and the bottleneck may be a router that does
 *     not stamp. Rule: ARC's rate bounds x, but ARC takes only a queue longer than `guard` for
 *     congestion, and after a reduction it grows in proportion to its rate (`growth`). So ARC stays
 *     out of the way where the relay keeps the queue short.
 *   - x begins at the start bitrate. The paper does not say where it begins.
 *   - tau2 is 0.9. Ten sources that join through one relay of 100 Mbit/s then make a queue of 130
 *     packets instead of 750.
 *   - A source that paused for `hold` begins at the start bitrate again, because its old share may
 *     be in use by others.
 *   - rcp and qi-rcp have the same source. Only the router's law differs.
 *
 * Limits: the rate is within the user's limits and finite for any feedback. */
#include <rc/law/explicit.h>
#include <rc/router/piqircp.h>

#include <math.h>
#include <string.h>

#define SETTLED_RATIO 1e-4      /* x is so close to R: no need to wake for more steps */
#define MOST_TAU2(tau1) (0.999 * (2 - (tau1)) / 2)      /* tau1 + 2 tau2 < 2 [PIQI theorem 2] */

static double
clamp_rate (const RcExplicit *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* --- the rate --- */

/* [PIQI eq. 19] up to now, with R as it was. */
static void
approach (RcExplicit *self, RcTime now)
{
  double steps = rc_time_to_s (now - self->stepped_at) / self->params.interval;

  self->stepped_at = now;
  if (self->explicit_bps > 0 && self->approaches)
    self->x_bps = rc_piqircp_source (self->x_bps, self->explicit_bps, self->explicit_bps, steps, self->params.tau1, 0);
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
  if (self->approaches)       /* the steps are up to date: approach () */
    self->x_bps = clamp_rate (self, rc_piqircp_source (self->x_bps, self->explicit_bps, before, 0, self->params.tau1,
            self->params.tau2));
  else
    self->x_bps = self->explicit_bps;   /* [PIQI eq. 2] */
}

/* A rate that the relays offer is a good guess: ARC looks for less only if the queue is deep, and
 * comes back soon. */
static void
guide_arc (RcExplicit *self)
{
  if (self->explicit_bps > 0)
    rc_arclive_guide (&self->arc, self->params.guard, self->params.growth * self->arc.rate_bps);
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
  rc_arclive_set_limits (&self->arc, &limits, now);
  rc_arclive_set_limits (&self->arc, &self->limits, now);
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
  if (fabs (self->x_bps - self->explicit_bps) <= SETTLED_RATIO * self->explicit_bps)
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
    decision = rc_arclive_on_timer (&self->arc, now);
  }
  self->rate_bps = (double) decision.rate_bps;
  if (self->explicit_bps > 0) {
    if (self->params.guard <= 0 || self->x_bps < self->rate_bps)
      self->rate_bps = clamp_rate (self, self->x_bps);
    if (!decision.stopped)
      decision.next_at = rc_sooner (decision.next_at, rc_sooner (hold_until (self), next_step_at (self)));
  }
  decision.rate_bps = (uint64_t) (self->rate_bps + 0.5);
  decision.report_interval = report_interval (self, decision.report_interval);
  return decision;
}

static RcExplicitParams
default_params (bool paper)
{
  return (RcExplicitParams) {
    .tau1 = 0.01,               /* the paper's Linux experiments: 1 s to approach */
    /* and their 0.1; live sources come down with the rate, or a join would fill the queue for a second */
    .tau2 = paper ? 0.1 : 0.9,
    .interval = 0.010,          /* the paper's T */
    .hold = 1,                  /* reports are 250 ms apart at the most */
    .guard = paper ? 0 : 0.050, /* five times what a relay's queue and a thread that woke late make */
    .growth = 0.25,             /* twice the rate after 2 s, with ARC's own acceleration */
    .report_max = paper ? 0.010 : 0.050,
    .stop = RC_SILENCE_STOP_S,
  };
}

static void
defaults (void *state, RcProfile profile)
{
  RcExplicit *self = state;

  self->params = default_params (profile == RC_PROFILE_PAPER);
  self->approaches = false;
}

static void
defaults_piqi (void *state, RcProfile profile)
{
  RcExplicit *self = state;

  defaults (self, profile);
  self->approaches = true;
}

static void
start (void *state, const RcLimits *limits, RcTime now)
{
  RcExplicit *self = state;
  RcExplicitParams params = self->params;
  bool approaches = self->approaches;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->params.tau2 = fmin (params.tau2, MOST_TAU2 (params.tau1));
  self->approaches = approaches;
  self->arc.params = rc_arclive_params ();
  self->arc.params.stop = params.stop;
  self->limits = *limits;
  self->x_bps = self->rate_bps = (double) limits->start_bps;
  self->stepped_at = self->heard_at = now;
  self->sent_at = RC_TIME_NONE;
  rc_arclive_start (&self->arc, limits, now);
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  RcExplicit *self = state;

  approach (self, now);
  self->limits = *limits;
  self->x_bps = clamp_rate (self, self->x_bps);
  if (self->explicit_bps > 0)
    self->explicit_bps = clamp_rate (self, self->explicit_bps);
  rc_arclive_set_limits (&self->arc, limits, now);
}

static RcDecision
on_timer (void *state, RcTime now)
{
  RcExplicit *self = state;

  return decide (self, rc_arclive_on_timer (&self->arc, now), now);
}

static RcDecision
on_sent (void *state, const RcSent *sent, RcTime now)
{
  RcExplicit *self = state;

  approach (self, now);
  if (self->sent_at != RC_TIME_NONE && now - self->sent_at > rc_time_from_s (self->params.hold)) {
    self->x_bps = fmin (self->x_bps, (double) self->limits.start_bps);
    self->rate_bps = fmin (self->rate_bps, self->x_bps);
  }
  self->sent_at = now;
  return decide (self, rc_arclive_on_sent (&self->arc, sent, now), now);
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  RcExplicit *self = state;
  RcDecision arc;

  guide_arc (self);
  arc = rc_arclive_on_feedback (&self->arc, feedback, now);
  approach (self, now);
  if (feedback->explicit_rate_bps > 0)
    take_rate (self, (double) feedback->explicit_rate_bps, now);
  return decide (self, arc, now);
}

static bool
stat (const void *state, unsigned index, const char **name, double *value)
{
  const RcExplicit *self = state;
  const RcFact facts[] = {
    {"explicit-rate-bps", self->explicit_bps},
    {"approach-bps", self->x_bps},
    {"arc-rate-bps", self->arc.rate_bps},
  };
  const unsigned n = sizeof facts / sizeof facts[0];

  return rc_fact_at (facts, n, index, name, value)
      || (index >= n && rc_arclive_stat (&self->arc, index - n, name, value));
}

#define PARAM(field, unit, low, high, doc) { #field, unit, doc, low, high, offsetof (RcExplicit, params.field) }

#define N_PIQI_PARAMS 3         /* of piqi-rcp alone come first */

static const RcParam params[] = {
  PARAM (tau1, "ratio", 0.0001, 0.99, "of the way to the explicit rate that is made each interval"),
  PARAM (tau2, "ratio", 0, 0.999, "of a change of the explicit rate that is made at once"),
  PARAM (interval, "s", 0.001, 1, "interval of the source"),
  PARAM (hold, "s", 0.1, 60, "an explicit rate holds so long; then ARC alone"),
  PARAM (guard, "s", 0, 10, "queue that ARC takes for congestion while an explicit rate holds; 0: ARC has no say"),
  PARAM (growth, "1/s", 0, 10, "of its rate that ARC adds each second while an explicit rate holds, at first"),
  PARAM (report_max, "s", 0.001, 1, "longest time between reports while an explicit rate holds"),
  PARAM (stop, "s", 0, 3600, "silence of the receiver after which no media leaves; 0: never"),
  {NULL}
};

#define EXPLICIT_LAW(law, text, first_param, default_values) { \
    .name = law, .doc = text, .state_bytes = sizeof (RcExplicit), .params = first_param, .defaults = default_values, \
    .start = start, .set_limits = set_limits, .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer, \
    .stat = stat, .wants_stamps = true }

const RcLaw rc_rcp_law = EXPLICIT_LAW ("rcp", "RCP: at once the rate that relays stamp, or ARC's if that is less",
    params + N_PIQI_PARAMS, defaults);
const RcLaw rc_qircp_law = EXPLICIT_LAW ("qi-rcp", "QI-RCP: the same source as rcp", params + N_PIQI_PARAMS, defaults);
const RcLaw rc_piqircp_law = EXPLICIT_LAW ("piqi-rcp",
    "PIQI-RCP: approaches the rate that relays stamp, or ARC's if that is less", params, defaults_piqi);
