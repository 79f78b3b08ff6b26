/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a missing report is a timeout [ARC 3.1.4].
 *
 * A receiver may hold reports back until enough media has come to pay for one (RcReportPolicy). So
 * the watch begins when that much was sent. Until then it waits for as long as the receiver may. */
#pragma once

#include <rc/feedback/reports.h>

typedef struct
{
  RcReportPolicy policy;
  uint64_t unreported_bytes;    /* sent since the last report */
  RcTime owed_at;               /* when that was enough for the next; RC_TIME_NONE: not yet */
} RcReportWatch;

void rc_reportwatch_init (RcReportWatch *self);
void rc_reportwatch_on_sent (RcReportWatch *self, uint32_t bytes, RcTime now);
/* A report came. */
void rc_reportwatch_on_feedback (RcReportWatch *self, const RcFeedback *feedback);
/* When the next timeout strikes if no report comes: each one `span_s` after the one before.
 * timeouts: that struck since the last report. silent_since: when the first unanswered packet left,
 * RC_TIME_NONE: nothing is waited for. */
RcTime rc_reportwatch_next_at (const RcReportWatch *self, RcTime silent_since, double span_s,
    unsigned timeouts);
