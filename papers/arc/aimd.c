/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* AIMD of a rate
 * ==============
 *
 *   r += packet / SRTT      each SRTT without a loss            grow ()
 *   r  = beta r             at a loss, at most once an SRTT      fall ()
 *   r  = beta r             no report for 2 SRTT                 on_timer ()
 *
 * With a window of r SRTT that is Reno's packet a round trip and its half. What Reno has besides,
 * the clock of acknowledgements, it has not: a queue slows Reno down and this rate only through
 * the next SRTT.
 *
 * Source: R. Rejaie, M. Handley, D. Estrin, RAP, Infocom 1999, which the ARC paper cites for it;
 * without RAP's fine grain adaptation. */
#include "aimd.h"

#include <rc/feedback/feedback.h>

#define PACKET_BITS (1500 * 8.0)
#define TIMEOUT_SRTTS 2

static void
set_rate (Aimd *self, double bps)
{
  self->rate_bps = rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

static void
fall (Aimd *self, RcCause cause, RcTime now)
{
  set_rate (self, self->rate_bps * self->params.beta);
  self->cause = cause;
  self->reduced_at = now;
}

static void
grow (Aimd *self, RcTime now)
{
  double srtt_s = rc_path_srtt_s (self->path);

  self->cause = RC_CAUSE_GROWTH;
  set_rate (self, self->rate_bps
      + PACKET_BITS / (srtt_s * srtt_s) * rc_time_to_s (now - self->updated_at));
}

static RcTime
timeout_at (const Aimd *self)
{
  return rc_path_timeout_after (self->path, TIMEOUT_SRTTS * rc_path_srtt_s (self->path),
      self->timeouts);
}

static RcDecision
decide (const Aimd *self)
{
  return (RcDecision) {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .cause = rc_law_cause (&self->limits, self->rate_bps, self->cause),
    .next_at = timeout_at (self),
    .report_interval = rc_time_from_s (rc_path_srtt_s (self->path)),
  };
}

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  Aimd *self = state;
  AimdParams params = self->params;

  *self = (Aimd) { .params = params, .limits = *limits, .path = path, .updated_at = now,
    .reduced_at = RC_TIME_NONE };
  set_rate (self, (double) limits->start_bps);
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  Aimd *self = state;

  self->limits = *limits;
  set_rate (self, self->rate_bps);
}

static RcDecision
on_timer (void *state, RcTime now)
{
  Aimd *self = state;
  RcTime at = timeout_at (self);

  if (at != RC_TIME_NONE && now >= at && self->timeouts++ == 0)
    fall (self, RC_CAUSE_TIMEOUT, now);
  return decide (self);
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  Aimd *self = state;
  bool seen = self->reduced_at == RC_TIME_NONE
      || rc_time_to_s (now - self->reduced_at) > rc_path_srtt_s (self->path);

  self->timeouts = 0;
  if (feedback->lost_pkts == 0)
    grow (self, now);
  else if (seen)
    fall (self, RC_CAUSE_LOSS, now);
  self->updated_at = now;
  return decide (self);
}

static const RcParam params[] = {
  {"beta", "ratio", "that is left of the rate after a loss", 0.01, 0.99, 0.5, 0.5,
      offsetof (Aimd, params.beta)},
  {NULL}
};

const RcLaw aimd_law = {
  .name = "aimd", .doc = "AIMD of the rate", .state_bytes = sizeof (Aimd), .params = params,
  .start = start, .set_limits = set_limits, .on_timer = on_timer, .on_feedback = on_feedback
};
