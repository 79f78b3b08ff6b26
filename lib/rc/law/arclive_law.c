/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC as a law of the table: its tunables, each default once with its reason, and the
 * interface. */
#include <rc/law/arc.h>
#include <rc/law/arclive.h>

void
rc_arclive_defaults (RcArcLiveParams *params)
{
  *params = (RcArcLiveParams) {
    /* 1/k = 0.5 s: fast enough for 20 s steps, slow enough that a queue drains without a hole. */
    .k = 2,
    /* The encoder and B follow within one doubling, the first queue is 70 ms, not 120. */
    .startup = 2.5,
    .threshold = 0.016,         /* the least that frame bursts and timers do not trip */
    .noise = 1.8, /* the 99th percentile of d on idle links with jitter is 1.3 to 1.8 n */
    .growth = 60e3,             /* from 1 back to 3 Mbit/s in 3 s */
    .used = 0.75,
    .compete = 1,
    .stop = RC_SILENCE_STOP_S,
  };
}

#define PARAM(field, unit, low, high, doc) \
    { #field, unit, doc, low, high, offsetof (RcArcLive, params.field) }

const RcParam rc_arclive_params[] = {
  PARAM (k, "1/s", 0.01, 100, "gain from backlog to rate [ARC eq. 1]"),
  PARAM (startup, "SRTT", 0.1, 100, "time to double the rate until the first sign of congestion"),
  PARAM (threshold, "s", 0.001, 10, "queueing delay that is congestion, at 1 Mbit/s"),
  PARAM (noise, "ratio", 0, 100, "so many times the delay noise is added to the threshold"),
  PARAM (growth, "bit/s/s", 1, 1e9, "growth of the rate after a reduction, at 1 Mbit/s"),
  PARAM (used, "ratio", 0, 1, "share of the allowed rate that must be used for the rate to grow"),
  PARAM (compete, "0|1", 0, 1, "1: take part beside loss-based flows; 0: always give way"),
  PARAM (stop, "s", 0, 3600, "silence of the receiver after which no media leaves; 0: never"),
  {NULL}
};

static void
law_defaults (void *self, RcProfile profile)
{
  rc_arclive_defaults (&((RcArcLive *) self)->params);
}

static void
law_start (void *self, const RcLimits *limits, RcTime now)
{
  rc_arclive_start (self, limits, now);
}

static void
law_set_limits (void *self, const RcLimits *limits, RcTime now)
{
  rc_arclive_set_limits (self, limits, now);
}

static RcDecision
law_on_sent (void *self, const RcSent *sent, RcTime now)
{
  return rc_arclive_on_sent (self, sent, now);
}

static RcDecision
law_on_feedback (void *self, const RcFeedback *feedback, RcTime now)
{
  return rc_arclive_on_feedback (self, feedback, now);
}

static RcDecision
law_on_timer (void *self, RcTime now)
{
  return rc_arclive_on_timer (self, now);
}

static bool
law_stat (const void *self, unsigned index, const char **name, double *value)
{
  return rc_arclive_stat (self, index, name, value);
}

const RcLaw rc_arclive_law = {
  .name = "arc", .doc = "ARC: rate from estimated bandwidth and backlog", .paper = &rc_arc_law,
  .state_bytes = sizeof (RcArcLive), .params = rc_arclive_params, .defaults = law_defaults,
  .start = law_start,
  .set_limits = law_set_limits, .on_sent = law_on_sent, .on_feedback = law_on_feedback,
  .on_timer = law_on_timer,
  .stat = law_stat, .scalable = true
};
