/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: rate = start bitrate; see fixed.h. */
#include <rc/controller.h>

#define REPORT_INTERVAL (250 * RC_MSEC) /* nothing hangs on them but statistics and the sign of life */

static const RcParam params[] = {
  {"stop", "s", "silence of the receiver after which no media leaves; 0: never", 0, 3600,
      offsetof (RcFixedParams, stop)},
  {NULL}
};

static void
defaults (RcController *controller, RcProfile profile)
{
  controller->u.fixed.params.stop = RC_SILENCE_STOP_S;
}

static void *
params_of (RcController *controller)
{
  return &controller->u.fixed.params;
}

static void
start (RcController *controller, const RcLimits *limits, RcTime now)
{
  RcFixed *self = &controller->u.fixed;

  self->limits = *limits;
  self->srtt = RC_TIME_NONE;
  rc_silence_init (&self->silence, (RcSilenceParams) { self->params.stop }, now);
}

static void
set_limits (RcController *controller, const RcLimits *limits, RcTime now)
{
  controller->u.fixed.limits = *limits;
}

static RcDecision
decide (RcController *controller, RcTime now)
{
  RcFixed *self = &controller->u.fixed;
  RcDecision decision = { 0 };

  decision.rate_bps = self->limits.start_bps;
  decision.stopped = rc_silence_update (&self->silence, now);
  decision.next_at = rc_silence_next_at (&self->silence);
  decision.srtt = self->srtt;
  decision.report_interval = REPORT_INTERVAL;
  return decision;
}

static RcDecision
on_sent (RcController *controller, const RcSent *sent, RcTime now)
{
  rc_silence_on_sent (&controller->u.fixed.silence, now);
  return decide (controller, now);
}

static RcDecision
on_feedback (RcController *controller, const RcFeedback *feedback, RcTime now)
{
  RcFixed *self = &controller->u.fixed;

  rc_silence_on_feedback (&self->silence, now);
  if (feedback->rtt != RC_TIME_NONE)
    self->srtt = self->srtt == RC_TIME_NONE ? feedback->rtt : self->srtt + (feedback->rtt - self->srtt) / 8;
  return decide (controller, now);
}

static bool
stat (const RcController *controller, unsigned index, const char **name, double *value)
{
  return false;
}

const RcLaw rc_fixed_law = {
  "fixed", "no control: paced at start-bitrate", params, defaults, params_of, start, set_limits, on_sent, on_feedback,
  decide, stat
};
