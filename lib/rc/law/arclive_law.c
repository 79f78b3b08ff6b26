/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC as a law of the table: its tunables, each default once with its reason; how it begins;
 * its facts for statistics. */
#include <rc/law/arc.h>
#include <rc/law/arclive.h>

#include "arclive_marks.h"
#include "arclive_rate.h"

#include <string.h>

static void
defaults (void *law, RcProfile profile)
{
  ((RcArcLive *) law)->params = (RcArcLiveParams) {
    /* 1/k = 0.5 s: fast enough for 20 s steps, slow enough that a queue drains without a hole. */
    .k = 2,
    /* The encoder and B follow within one doubling, the first queue is 70 ms, not 120. */
    .startup = 2.5,
    .threshold = 0.016,         /* the least that frame bursts and timers do not trip */
    .noise = 1.8, /* the 99th percentile of d on idle links with jitter is 1.3 to 1.8 n */
    .growth = 60e3,             /* from 1 back to 3 Mbit/s in 3 s */
    .used = 0.75,
    .compete = 1,
    .max_delay = 0.4,           /* what a conversation bears one way (ITU-T G.114) */
    .stop = RC_SILENCE_STOP_S,
  };
}

#define PARAM(field, unit, low, high, doc) \
    { #field, unit, doc, low, high, offsetof (RcArcLive, params.field) }

static const RcParam tunables[] = {
  PARAM (k, "1/s", 0.01, 100, "gain from backlog to rate [ARC eq. 1]"),
  PARAM (startup, "SRTT", 0.1, 100, "time to double the rate until the first sign of congestion"),
  PARAM (threshold, "s", 0.001, 10, "queueing delay that is congestion, at 1 Mbit/s"),
  PARAM (noise, "ratio", 0, 100, "so many times the delay noise is added to the threshold"),
  PARAM (growth, "bit/s/s", 1, 1e9, "growth of the rate after a reduction, at 1 Mbit/s"),
  PARAM (used, "ratio", 0, 1, "share of the allowed rate that must be used for the rate to grow"),
  PARAM (compete, "0|1", 0, 1, "1: take part beside loss-based flows; 0: always give way"),
  PARAM (max_delay, "s", 0.05, 60, "queueing delay that is joined only after another trial"),
  PARAM (stop, "s", 0, 3600, "silence of the receiver after which no media leaves; 0: never"),
  {NULL}
};

static void
start (void *law, const RcLimits *limits, RcTime now)
{
  RcArcLive *self = law;
  RcArcLiveParams params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->limits = *limits;
  self->cut_at = self->forgiving_until = self->outage_ended_at = RC_TIME_NONE;
  self->updated_at = now;
  self->growth_gain = 1;
  self->jumped_s = -1;
  self->round_at = now;
  rc_arclive_forget_marks (self);
  rc_path_init (&self->path, now);
  rc_queueing_init (&self->queueing);
  rc_delivery_init (&self->delivery);
  rc_idletime_init (&self->idle);
  rc_use_init (&self->use, now);
  rc_reportwatch_init (&self->watch);
  rc_routewatch_init (&self->route);
  rc_silence_init (&self->silence, (RcSilenceParams) { params.stop }, now);
  rc_arclive_enter (self, RC_ARCLIVE_START, now);
  rc_arclive_set_x (self, (double) limits->start_bps);
  rc_arclive_decide_rate (self);
}

static void
set_limits (void *law, const RcLimits *limits, RcTime now)
{
  RcArcLive *self = law;

  rc_use_update (&self->use, self->rate_bps, 0, now);
  self->limits = *limits;
  rc_arclive_set_x (self, self->x_bps);
  rc_arclive_decide_rate (self);
}

void
rc_arclive_guide (RcArcLive *self, double tolerated_s, double pushed_bps_s)
{
  self->tolerated_s = tolerated_s;
  self->pushed_bps_s = pushed_bps_s;
}

static bool
stat (const void *law, unsigned index, RcFact *fact)
{
  const RcArcLive *self = law;
  const RcFact facts[] = {
    {"state", "", self->state, "arc: number of its state (arclive_state.h)"},
    {"drain-free-bps", "bit/s", self->x_bps, "arc: x, the rate without what drains the queue"},
    {"bandwidth-bps", "bit/s", rc_arclive_bandwidth_bps (self), "B, used bandwidth"},
    {"backlog-bits", "bits", rc_arclive_bandwidth_bps (self) * self->queueing.delay_s,
        "q, our estimated backlog in the queue"},
    {"delay-noise-s", "s", self->queueing.noise_s, "arc: n, how much delays scatter"},
    {"threshold-s", "s", rc_arclive_threshold_s (self), "arc: queueing delay that is congestion"},
    {"base-rtt-s", "s", rc_arclive_base_rtt_s (self), "least round trip of late"},
    {"loss-ratio", "0 to 1", self->path.loss_ratio, "share of the packets that is lost"},
    {"growth-gain", "", self->growth_gain, "arc: how much faster than usual it grows"},
    {"mark-share", "0 to 1", self->alpha,
        "arc: smoothed share of marked packets; below 0: no queue marks"},
    {"known-bps", "bit/s", self->known_bps,
        "arc: K, capacity as seen last, until the rate is back there; 0: unknown"},
    {"route-changes", "", self->routes, "arc: longer routes that were found"},
    {"timeouts", "", self->watch.timeouts, "number of report timeouts"},
  };

  return rc_fact_at (facts, sizeof facts / sizeof facts[0], index, fact);
}

const RcLaw rc_arclive_law = {
  .name = "arc", .doc = "ARC: rate from estimated bandwidth and backlog", .paper = &rc_arc_law,
  .state_bytes = sizeof (RcArcLive), .params = tunables, .defaults = defaults,
  .start = start, .set_limits = set_limits, .on_sent = rc_arclive_on_sent,
  .on_feedback = rc_arclive_on_feedback, .on_timer = rc_arclive_on_timer, .stat = stat,
  .scalable = true
};
