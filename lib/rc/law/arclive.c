/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the paper's law for live video on real networks
 * ==========================================================
 *
 * In a nutshell: the rate follows a window w as in the paper (arc.c). But w doubles at the start, grows in rate and not
 * in packets, and a queue is emptied at the first clear sign instead of being held. Beside loss-based flows, whose
 * queue never empties, the law competes as the paper's does.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   r   = (w - q) / (mRTT + 1/k)              [ARC eq. 1], its integral read as r mRTT    rc_arclive_decide_rate ()
 *   w   = gain B (mRTT + 1/k)                 [ARC eq. 2]; gain = drain on a queue        rc_arclive_cut ()
 *   w  += growth dt (mRTT + 1/k)              [ARC eq. 3] in rate; growth in bit/s^2      grow ()
 *   q   = B Tq                                [ARC 3.1.1]                                 path.h
 *   congested: Tq > threshold (B)             [ARC 3.1.2], between packets and time       rc_arclive_threshold_s ()
 *   timeout: no report for 2 SRTT             [ARC 3.1.4]                                 timeout_at ()
 *
 *   [w_bits] w   [q_bits] q   [rate_bps] r
 *
 *            first sign                       queue deep for half of the last `compete` s
 *   start-up ----------> avoiding congestion <----------------------------> competing (eq. 2, 3 as they stand)
 *      ^                      |                       deep for less than a quarter
 *      +-- reports return after two timeouts
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision.
 * Files: arclive_window.c w, its rate, reductions; arclive_react.c growth and modes; arclive_route.c longer routes;
 * here timeouts and inputs.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC. See docs/papers.md; docs/lab.md shows what each mechanism does.
 *
 * Where it differs from the paper, and why (each by its parameter in arclive_params.c):
 *   startup      the paper starts by eq. 3 alone: 19 kbit/s more each second, whatever the path
 *   drain        the paper holds w on backlog: 10 packets are a standing queue of 120 ms at 1 Mbit/s. We empty it, as
 *                eq. 2 does after a loss. A queue that falls by itself was somebody's burst and needs no help
 *   qthresh, tq_min, tq_max, qthresh_scale   a threshold in packets of one's own backlog lets flows converge to equal
 *                rates (the larger one sees congestion first), but is a long delay at low rates. One in time alone does
 *                not make flows converge. Ours lies between
 *   add, add_double, add_max, add_ratio   growth in rate, faster the longer no congestion is seen: eq. 3 takes minutes
 *   add_rtt      what is too much shows a round trip later: on long paths the same growth is a deeper queue
 *   approach     the capacity is known from the last B that was too much: crossing it slowly halves the queue
 *   recover      a short TCP flow takes our share for a moment; what was usual for seconds is tried again, once
 *   used, used_start   w must not grow by what the encoder does not use: on an idle path it would grow without bound
 *   loss_high    a loss without a queue is the radio's, not congestion's
 *   owd, delivery, base_window   what the path shows: path.h
 *   route        a longer route looks like a queue that nothing empties, until mRTT is forgotten (routewatch.h)
 *   compete      beside loss-based flows the queue hardly ever empties, whatever we leave: then take part
 *   compete_cut     eq. 2 steps down to what gets through; several flows that do so leave a Reno flow too little
 *   compete_probe   in that mode our own queue keeps itself: eq. 1 is at rest with any backlog
 *   timeout_min, timeout_halve, stop   lost reports, dead receivers
 *
 * Limits: w is bounded by the user's limits; nothing here is NaN or infinite for any feedback. */
#include <rc/law/arc.h>
#include <rc/law/arclive.h>

#include "arclive_react.h"
#include "arclive_route.h"
#include "arclive_window.h"

#include <math.h>
#include <string.h>

#define TIMEOUT_REPORTS 4       /* with 30 % of the reports lost, four in a row are one in 120 */
#define OUTAGE_MIN_SPAN (250 * RC_MSEC)
#define OUTAGE_TIMEOUTS 2       /* after so many the path was gone: start up again when it returns */
#define USUAL_SPAN_S 2.0        /* what is delivered, over a span that short flows of others do not fill */

/* --- timeouts --- */

static RcTime
report_interval (const RcArcLive *self)
{
  bool known = self->path.srtt != RC_TIME_NONE;
  double s = self->params.report * (known ? rc_path_srtt_s (&self->path) : self->params.report_min);

  return rc_time_from_s (rc_clampd (s, self->params.report_min, self->params.report_max));
}

/* [ARC 3.1.4], but never shorter than a few reports take. */
static RcTime
timeout_at (const RcArcLive *self)
{
  double span = self->params.timeout * rc_path_srtt_s (&self->path), reports = rc_time_to_s (report_interval (self));

  if (self->silence.stopped)
    return RC_TIME_NONE;
  if (self->params.timeout_min > 0)
    span = fmax (span, fmax (TIMEOUT_REPORTS * reports, self->params.timeout_min));
  return rc_reportwatch_next_at (&self->watch, self->silence.since, span);
}

/* [ARC 3.1.4] */
static void
on_timeout (RcArcLive *self, RcTime now)
{
  if (self->watch.timeouts == 0) {
    if (rc_path_bandwidth_bps (&self->path) > 0)
      rc_arclive_cut (self, 1, now);
  } else if (self->params.timeout_halve > 0) {
    rc_arclive_set_window (self, self->w_bits / 2);
  }
  self->watch.timeouts++;
  self->starting = self->starting && self->watch.timeouts < OUTAGE_TIMEOUTS;
}

/* Reports are back. After an outage the old w means nothing: start up from where it is now. */
static void
end_timeouts (RcArcLive *self, bool was_stopped, RcTime now)
{
  if (self->params.startup > 0 && (was_stopped || self->watch.timeouts >= OUTAGE_TIMEOUTS)) {
    self->starting = true;
    self->signs = 0;
    self->deep_ratio = 0;
    rc_path_restart (&self->path);
    self->updated_at = now;
    if (was_stopped)
      rc_arclive_set_window (self, rc_arclive_window_for (self, (double) self->limits.start_bps));
  }
  self->watch.timeouts = 0;
}

/* What an outage took is no congestion: the first reports after it count it all. */
static bool
forgives (RcArcLive *self, RcTime now)
{
  if (self->params.startup > 0 && self->watch.timeouts >= OUTAGE_TIMEOUTS)
    self->forgiving_until = now + (self->path.srtt > OUTAGE_MIN_SPAN ? self->path.srtt : OUTAGE_MIN_SPAN);
  return self->forgiving_until != RC_TIME_NONE && now < self->forgiving_until;
}

/* --- inputs --- */

static RcDecision
decide (RcArcLive *self, RcTime now)
{
  RcTime silent_at = rc_silence_next_at (&self->silence), late_at = timeout_at (self);
  RcDecision decision = {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .stopped = rc_silence_update (&self->silence, now),
    .next_at = rc_sooner (silent_at, late_at),
    .srtt = self->path.srtt,
    .report_interval = report_interval (self),
    .queueing_delay = self->path.tq,
  };

  if (decision.stopped)
    decision.next_at = RC_TIME_NONE;
  return decision;
}

void
rc_arclive_start (RcArcLive *self, const RcLimits *limits, RcTime now)
{
  RcArcLiveParams params = self->params;
  RcPathParams path = {
    .base_window = rc_time_from_s (params.base_window),
    .delivery_span = rc_time_from_s (params.delivery),
    .one_way = params.owd > 0,
  };

  memset (self, 0, sizeof *self);
  self->params = params;
  self->limits = *limits;
  self->cut_at = self->forgiving_until = RC_TIME_NONE;
  self->updated_at = now;
  self->growth_gain = 1;
  self->starting = params.startup > 0;
  rc_path_init (&self->path, &path, now);
  rc_use_init (&self->use, now);
  rc_reportwatch_init (&self->watch);
  rc_routewatch_init (&self->route);
  rc_silence_init (&self->silence, (RcSilenceParams) { params.stop }, now);
  rc_arclive_set_window (self, rc_arclive_window_for (self, (double) limits->start_bps));
  rc_arclive_decide_rate (self);
}

void
rc_arclive_set_limits (RcArcLive *self, const RcLimits *limits, RcTime now)
{
  rc_use_update (&self->use, self->rate_bps, 0, now);
  self->limits = *limits;
  rc_arclive_set_window (self, self->w_bits);
  rc_arclive_decide_rate (self);
}

void
rc_arclive_guide (RcArcLive *self, double tolerated_s, double pushed_bps_s)
{
  self->tolerated_s = tolerated_s;
  self->pushed_bps_s = pushed_bps_s;
}

RcDecision
rc_arclive_on_timer (RcArcLive *self, RcTime now)
{
  RcTime at = timeout_at (self);

  rc_use_update (&self->use, self->rate_bps, 0, now);
  if (at != RC_TIME_NONE && now >= at) {
    on_timeout (self, now);
    rc_arclive_decide_rate (self);
  }
  return decide (self, now);
}

RcDecision
rc_arclive_on_sent (RcArcLive *self, const RcSent *sent, RcTime now)
{
  rc_use_update (&self->use, self->rate_bps, sent->size_bytes * 8.0, now);
  rc_silence_on_sent (&self->silence, now);
  rc_reportwatch_on_sent (&self->watch, sent->size_bytes, now);
  return decide (self, now);
}

static void
measure_usual (RcArcLive *self, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->updated_at) / USUAL_SPAN_S);

  self->usual_bps = self->usual_bps * keep + rc_path_bandwidth_bps (&self->path) * (1 - keep);
}

RcDecision
rc_arclive_on_feedback (RcArcLive *self, const RcFeedback *told, RcTime now)
{
  RcFeedback seen = *told;
  bool was_stopped = rc_silence_on_feedback (&self->silence, now);
  double window_time_before_s = rc_arclive_window_time_s (self);

  if (forgives (self, now))
    seen.lost_pkts = 0;
  rc_use_update (&self->use, self->rate_bps, 0, now);
  rc_reportwatch_on_feedback (&self->watch, &seen);
  rc_path_on_feedback (&self->path, &seen, now);
  /* The first RTT: the window that was made for RC_PATH_INITIAL_RTT must give the same rate with the true one. */
  rc_arclive_set_window (self, self->w_bits * rc_arclive_window_time_s (self) / window_time_before_s);
  rc_arclive_watch_route (self, &seen, now);
  self->q_bits = rc_path_bandwidth_bps (&self->path) * rc_time_to_s (self->path.tq);    /* [ARC 3.1.1] */
  measure_usual (self, now);
  end_timeouts (self, was_stopped, now);
  rc_arclive_react (self, &seen, now);
  rc_arclive_decide_rate (self);
  return decide (self, now);
}

bool
rc_arclive_stat (const RcArcLive *self, unsigned index, const char **name, double *value)
{
  const RcFact facts[] = {
    {"window-bits", self->w_bits},
    {"backlog-bits", self->q_bits},
    {"queueing-delay-s", rc_time_to_s (self->path.tq)},
    {"threshold-s", rc_arclive_threshold_s (self)},
    {"base-rtt-s", rc_path_base_rtt_s (&self->path)},
    {"bandwidth-bps", self->path.bandwidth_bps},
    {"delivery-bps", self->path.delivery.bps},
    {"loss-ratio", self->path.loss_ratio},
    {"growth-gain", self->growth_gain},
    {"starting", self->starting},
    {"competing", self->competing},
    {"route-changes", self->routes},
    {"network-limited", rc_arclive_network_limited (self)},
    {"timeouts", self->watch.timeouts},
  };

  return rc_fact_at (facts, sizeof facts / sizeof facts[0], index, name, value);
}

/* --- the law's interface --- */

static void
law_defaults (void *self, RcProfile profile)
{
  ((RcArcLive *) self)->params = rc_arclive_params ();
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
  .state_bytes = sizeof (RcArcLive), .params = rc_arclive_param_table, .defaults = law_defaults, .start = law_start,
  .set_limits = law_set_limits, .on_sent = law_on_sent, .on_feedback = law_on_feedback, .on_timer = law_on_timer,
  .stat = law_stat
};
