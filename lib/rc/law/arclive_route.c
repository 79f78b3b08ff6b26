/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arclive_route.h"

#include "arclive_window.h"

#include <math.h>

#define ROUTE_SRTTS 1.5
#define ROUTE_MIN_SPAN_S 0.25

/* It jumped over the threshold and is still as high; a queue climbs, even that of a TCP flow with a full window, which
 * stays as well. Nothing was lost: a queue that is full stays, too. A reduction must have had the time to show. */
static bool
may_be_route (const RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arclive_threshold_s (self), tq = rc_time_to_s (self->path.tq);
  bool settled = self->cut_at != RC_TIME_NONE
      && rc_time_to_s (now - self->cut_at) > rc_path_srtt_s (&self->path);

  if (self->params.route <= 0 || self->competing || feedback->rtt == RC_TIME_NONE || feedback->lost_pkts > 0)
    return false;
  return tq >= threshold && fabs (tq - rc_time_to_s (self->jumped_tq)) <= threshold
      && (settled || self->route.from != RC_TIME_NONE);
}

/* A delay that jumps and then stays where it is though we drain is the route's: mRTT is what is seen now. */
void
rc_arclive_watch_route (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arclive_threshold_s (self);
  double sent_ratio = self->rate_bps / fmax (rc_path_bandwidth_bps (&self->path), 1);
  RcTime span = rc_time_from_s (fmax (ROUTE_SRTTS * rc_path_srtt_s (&self->path), ROUTE_MIN_SPAN_S));

  if (rc_time_to_s (self->path.last_tq) < threshold)
    self->jumped_tq = self->path.tq;
  if (!may_be_route (self, feedback, now)) {
    rc_routewatch_restart (&self->route);
    return;
  }
  if (!rc_routewatch_add (&self->route, feedback->rtt, sent_ratio, rc_time_from_s (threshold), span, now))
    return;
  rc_path_take_route (&self->path, now);
  self->deep_ratio = 0;
  self->routes++;
}
