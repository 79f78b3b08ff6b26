/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: rate = start bitrate; see fixed.h. */
#include <rc/law/fixed.h>

/* Nothing hangs on them but statistics and the sign of life. */
#define REPORT_INTERVAL (250 * RC_MSEC)

static const RcParam params[] = {
  {"stop", "s", "silence of the receiver after which no media leaves; 0: never", 0, 3600,
      offsetof (RcFixed, params.stop)},
  {NULL}
};

static void
defaults (void *state, RcProfile profile)
{
  ((RcFixed *) state)->params.stop = 0;
}

static void
start (void *state, const RcLimits *limits, RcTime now)
{
  RcFixed *self = state;

  self->limits = *limits;
  self->srtt = RC_TIME_NONE;
  rc_silence_init (&self->silence, (RcSilenceParams) { self->params.stop }, now);
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  ((RcFixed *) state)->limits = *limits;
}

static RcDecision
on_timer (void *state, RcTime now)
{
  RcFixed *self = state;
  bool stopped = rc_silence_update (&self->silence, now);

  return (RcDecision) {
    .rate_bps = self->limits.start_bps,
    .stopped = stopped,
    .next_at = rc_silence_next_at (&self->silence),
    .srtt = self->srtt,
    .report_interval = REPORT_INTERVAL,
    .queueing_delay = RC_TIME_NONE,
  };
}

static RcDecision
on_sent (void *state, const RcSent *sent, RcTime now)
{
  RcFixed *self = state;

  rc_silence_on_sent (&self->silence, now);
  return on_timer (self, now);
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  RcFixed *self = state;

  rc_silence_on_feedback (&self->silence, now);
  if (feedback->rtt != RC_TIME_NONE)
    self->srtt = self->srtt
        == RC_TIME_NONE ? feedback->rtt : self->srtt + (feedback->rtt - self->srtt) / 8;
  return on_timer (self, now);
}

static bool
stat (const void *state, unsigned index, RcFact *fact)
{
  return false;
}

const RcLaw rc_fixed_law = {
  .name = "fixed", .doc = "No control: paced at start-bitrate",
  .state_bytes = sizeof (RcFixed), .params = params, .defaults = defaults, .start = start,
  .set_limits = set_limits,
  .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer, .stat = stat
};
