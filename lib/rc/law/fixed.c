/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: rate = start bitrate; see fixed.h. */
#include <rc/law/fixed.h>

/* Nothing hangs on reports but statistics and the sign of life. */
#define REPORT_INTERVAL (250 * RC_MSEC)

static void
set_limits (void *limits, const RcLimits *new_limits, RcTime now)
{
  *(RcLimits *) limits = *new_limits;
}

static void
start (void *limits, const RcPath *path, const RcLimits *new_limits, RcTime now)
{
  set_limits (limits, new_limits, now);
}

static RcDecision
on_timer (void *limits, RcTime now)
{
  return (RcDecision) {
    .rate_bps = ((RcLimits *) limits)->start_bps,
    .cause = RC_CAUSE_USER,
    .next_at = RC_TIME_NONE,
    .report_interval = REPORT_INTERVAL,
  };
}

const RcLaw rc_fixed_law = {
  .name = "fixed", .doc = "No control: paced at start-bitrate", .state_bytes = sizeof (RcLimits),
  .start = start, .set_limits = set_limits, .on_timer = on_timer, .open_loop = true
};
