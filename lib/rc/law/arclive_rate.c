/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: what its states share: the measures as the law reads them, x, r (eq. 1), the
 * threshold of congestion. */
#include "arclive_rate.h"

#include <math.h>

#define BASE_LEAST_S 1e-4       /* clocks are no finer */
#define THRESHOLD_MIN_S 0.002
#define THRESHOLD_MAX_S 0.100
/* 1: packets, so that flows converge; 0: time, so that slow links are quick. */
#define THRESHOLD_POWER 0.5

double
rc_arclive_bandwidth_bps (const RcArcLive *self)
{
  return self->delivery.bps > 0 ? self->delivery.bps : self->path.bandwidth_bps;
}

double
rc_arclive_base_rtt_s (const RcArcLive *self)
{
  RcTime base = rc_queueing_base_rtt (&self->queueing);

  return fmax (rc_time_to_s (base == RC_TIME_NONE ? RC_PATH_INITIAL_RTT : base), BASE_LEAST_S);
}

double
rc_arclive_reaction_s (const RcArcLive *self)
{
  return fmax (rc_path_srtt_s (&self->path), RC_ARCLIVE_REACTION_MIN_S);
}

double
rc_arclive_threshold_at_s (const RcArcLive *self, double bps)
{
  double clean = self->params.threshold * pow (1e6 / fmax (bps, 1e3), THRESHOLD_POWER);

  return fmax (rc_clampd (clean, THRESHOLD_MIN_S, THRESHOLD_MAX_S), self->tolerated_s)
      + self->params.noise * self->queueing.noise_s;
}

double
rc_arclive_threshold_s (const RcArcLive *self)
{
  return rc_arclive_threshold_at_s (self, rc_arclive_bandwidth_bps (self));
}

void
rc_arclive_set_x (RcArcLive *self, double bps)
{
  self->x_bps = rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* [ARC eq. 1]. Beside others their queue is not ours to drain. */
void
rc_arclive_decide_rate (RcArcLive *self)
{
  double drain_bps = 0;

  if (self->state == RC_ARCLIVE_START || self->state == RC_ARCLIVE_AVOID)
    drain_bps = rc_arclive_bandwidth_bps (self) * self->queueing.delay_s
        / (rc_arclive_base_rtt_s (self) + 1 / self->params.k);
  self->rate_bps = rc_clampd (self->x_bps - drain_bps, (double) self->limits.min_bps,
      (double) self->limits.max_bps);
}

void
rc_arclive_enter (RcArcLive *self, RcArcLiveState state, RcTime now)
{
  self->state = state;
  self->signs = 0;
  self->calm_since = RC_TIME_NONE;
  self->used_at = now;
}

/* The effect of a reduction must be seen before the next one. */
bool
rc_arclive_may_cut (const RcArcLive *self, RcTime now)
{
  return self->cut_at == RC_TIME_NONE
      || rc_time_to_s (now - self->cut_at) > rc_arclive_reaction_s (self);
}
