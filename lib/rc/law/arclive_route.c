/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: a longer route. */
#include "arclive_route.h"

#include "arclive_rate.h"

#include <math.h>

#define ROUTE_SRTTS 1.5
#define ROUTE_MIN_S 0.25

/* [ARC 3.1.1] takes mRTT for good. A delay that jumps and then stays where it is though we drain
 * is the route's: a queue climbs, and falls when less comes in. Nothing was lost meanwhile,
 * since a full queue stays as well. */
void
rc_arclive_watch_route (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  double d = self->queueing.delay_s, before = self->queueing.before_s,
      threshold = rc_arclive_threshold_s (self);
  double sent_ratio = self->rate_bps / fmax (rc_arclive_bandwidth_bps (self), 1);
  RcTime span = rc_time_from_s (fmax (ROUTE_SRTTS * rc_path_srtt_s (&self->path), ROUTE_MIN_S));

  if (before < threshold)
    self->jumped_s = d - before > threshold ? d : -1;
  if (self->state != RC_ARCLIVE_AVOID || feedback->lost_pkts > 0 || d < threshold
      || self->jumped_s < 0 || fabs (d - self->jumped_s) > threshold
      || (rc_arclive_may_cut (self, now) && self->route.from == RC_TIME_NONE)) {
    rc_routewatch_restart (&self->route);
    return;
  }
  if (!rc_routewatch_add (&self->route, feedback->rtt, sent_ratio, rc_time_from_s (threshold),
          span, now))
    return;
  rc_queueing_take_route (&self->queueing, now);
  self->given_way_s = self->peak_s = 0;
  self->routes++;
}
