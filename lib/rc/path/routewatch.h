/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Distinguishes a longer route from a queue. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  RcTime from, last_at;         /* RC_TIME_NONE: not watching */
  RcTime low, high;             /* of the delay since then */
  double drained_s;             /* what an own queue would have fallen by */
} RcRouteWatch;

void rc_routewatch_init (RcRouteWatch *self);
/* One report: its delay, and the share of the delivery rate that is sent (< 1 drains). true: the
 * delay has been within `tolerance` for at least `span` although an own queue would have fallen
 * by twice that, so it is not ours; the watch begins anew. */
bool rc_routewatch_add (RcRouteWatch *self, RcTime delay, double sent_ratio, RcTime tolerance,
    RcTime span, RcTime now);
/* What was seen is not to be judged: no queue, a loss, or a reduction that does not show yet. */
void rc_routewatch_restart (RcRouteWatch *self);
