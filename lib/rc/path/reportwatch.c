/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/reportwatch.h>

#include <rc/feedback/feedback.h>

#define HELD_BACK_REPORTS 4     /* with 30 % of the reports lost, four in a row are one in 120 */

void
rc_reportwatch_init (RcReportWatch *self)
{
  /* Until a report shows its format: the most patient. */
  *self = (RcReportWatch) { .policy = RC_REPORT_POLICY_PATIENT, .owed_at = RC_TIME_NONE };
}

void
rc_reportwatch_on_sent (RcReportWatch *self, uint32_t bytes, RcTime now)
{
  self->unreported_bytes += bytes;
  if (self->owed_at == RC_TIME_NONE && self->unreported_bytes >= self->policy.paying_bytes)
    self->owed_at = now;
}

void
rc_reportwatch_on_feedback (RcReportWatch *self, const RcFeedback *feedback)
{
  self->policy = feedback->policy;
  self->unreported_bytes = 0;
  self->owed_at = RC_TIME_NONE;
}

RcTime
rc_reportwatch_next_at (const RcReportWatch *self, RcTime silent_since, double span_s,
    unsigned timeouts)
{
  RcTime from = self->owed_at == RC_TIME_NONE ? silent_since : self->owed_at;

  if (silent_since == RC_TIME_NONE)
    return RC_TIME_NONE;
  if (self->owed_at == RC_TIME_NONE)
    span_s += HELD_BACK_REPORTS * rc_time_to_s (self->policy.longest_interval);
  return from + rc_time_from_s (span_s * (timeouts + 1));
}
