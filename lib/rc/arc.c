/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC, Adaptive Rate Control
 * ==========================
 *
 * In a nutshell: the rate is proportional to what a window w leaves after the backlog q in the network and what is on its way. w
 * grows linearly while the path shows no congestion and is set from the used bandwidth B when it does, so that the
 * queue empties. B and the loss come from the receiver, q from the delay over its minimum.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   r   = k [w - q - integral of r over the last RTT]+               [ARC eq. 1]   decide_rate ()
 *   w   = B (mRTT + 1/k)            after a loss or a timeout        [ARC eq. 2]   rc_arc_window_for ()
 *   w   = w(t0) + (t - t0) / alpha  no loss and q < qthresh          [ARC eq. 3]   grow ()
 *   q   = B Tq,  Tq = RTT - mRTT                                     [ARC 3.1.1]   rc_arc_measure_queue ()
 *   w is held while q > qthresh without a loss                       [ARC 3.1.2]
 *   timeout: no report for 2 SRTT                                    [ARC 3.1.4]   on_timer ()
 *
 *   [w_bits] [q_bits] [outstanding_bits] w, q and the integral, in bits (the paper counts packets)   [rate_bps] r   [base_rtt] mRTT
 *
 * Steady state without a queue: r = w / (mRTT + 1/k); slope of eq. 3: packet / (alpha (mRTT + 1/k)).
 *
 *            first sign                       queue deep for half of the last `compete` s
 *   start-up ----------> avoiding congestion <----------------------------> competing (eq. 1..3 as they stand)
 *      ^                      |                       deep for less than a quarter
 *      +-- reports return after two timeouts
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision. Here: eq. 1, timeouts, the law's interface; arc_measure.c: what reports
 * tell; arc_window.c: eq. 2 and 3 and the modes.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC. See docs/papers.md.
 *
 * Where `live` differs from the paper, and why (each by its parameter; `paper` has them off; docs/lab.md shows what each does):
 *   startup      the paper starts by eq. 3 alone: 19 kbit/s more each second, whatever the path
 *   drain        the paper holds w on backlog: 10 packets are a standing queue of 120 ms at 1 Mbit/s. We empty it, as eq. 2 does
 *                after a loss. A queue that falls by itself was somebody's burst and needs no help
 *   qthresh, tq_min, tq_max, qthresh_scale   lower, and between packets and time: a threshold in packets of one's own backlog lets
 *                flows converge to equal rates (the larger one sees congestion first) but is a long delay at low rates; in time
 *                alone they do not converge
 *   add, add_double, add_max, add_ratio   growth in rate, faster the longer no congestion is seen: eq. 3 takes minutes
 *   add_rtt      what is too much shows a round trip later: on long paths the same growth is a deeper queue
 *   approach     the capacity is known from the last B that was too much: crossing it slowly makes a queue half as deep
 *   recover      a short TCP flow takes our share for a moment; what was usual for seconds is tried again, once
 *   used, used_start   w must not grow by what the encoder does not use: on an idle path it would grow without bound
 *   loss_high    a loss without a queue is the radio's, not congestion's
 *   owd          a queue on the way back is in the RTT and must not count; the smaller of both delays is also immune to clock skew:
 *                one of them always is right (a receiver's clock that drifts up spoils the one-way delay, not the RTT; one that
 *                drifts down renews its own minimum)
 *   delivery     B as filtered by tau lags a step; arrival times of the receiver give it exactly over 0.1 s
 *   route        a longer route looks like a queue that nothing empties, until mRTT is forgotten (routewatch.c)
 *   base_window  a minimum is forgotten after so long; our own queue is empty more often
 *   compete      beside loss-based flows the queue hardly ever empties, whatever we leave: then take part as the paper does
 *   compete_cut     eq. 2 steps down to what gets through; several flows that do so leave a Reno flow, which halves, too little
 *   compete_probe   in that mode our own queue keeps itself: eq. 1 is at rest with any backlog
 *   outstanding  eq. 1's text integrates all that is in flight. With k raised the backlog in it counts twice and the rate oscillates;
 *                control theory's Smith predictor means the propagation part, r mRTT
 *   timeout_min, timeout_halve, stop   lost reports, dead receivers
 *
 * Limits: w is bounded by the user's limits; nothing here is NaN or infinite for any feedback.
 */
#include "arc_private.h"

#include <rc/receiver.h>

#include <math.h>
#include <string.h>

#define INITIAL_RTT RC_SECOND   /* RFC 8085 3.1.1 */
#define TIMEOUT_REPORTS 4       /* with 30 % of the reports lost, four in a row are one in 120 */
#define OUTAGE_MIN_SPAN (250 * RC_MSEC)
#define OUTAGE_TIMEOUTS 2       /* after so many the path was gone: start up again when it returns */

static double
clamp_rate (const RcArc *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

double
rc_arc_base_rtt_s (const RcArc *self)
{
  int64_t rtt;

  return rc_time_to_s (rc_winmin_get (&self->base_rtt, &rtt) ? rtt : INITIAL_RTT);
}

double
rc_arc_srtt_s (const RcArc *self)
{
  return rc_time_to_s (self->srtt == RC_TIME_NONE ? INITIAL_RTT : self->srtt);
}

/* mRTT + 1/k: bits of window for each bit/s of rate. */
double
rc_arc_window_time_s (const RcArc *self)
{
  return rc_arc_base_rtt_s (self) + 1 / self->params.k;
}

/* [ARC eq. 2] */
double
rc_arc_window_for (const RcArc *self, double bps)
{
  return bps * rc_arc_window_time_s (self);
}

/* [ARC eq. 1]. outstanding = 0 takes the integral as r mRTT and solves for r. */
static void
decide_rate (RcArc *self)
{
  double r = self->params.outstanding > 0 ?
      self->params.k * (self->w_bits - self->q_bits - self->outstanding_bits) :
      (self->w_bits - self->q_bits) / rc_arc_window_time_s (self);

  self->rate_bps = clamp_rate (self, r > 0 ? r : 0);
}

/* The window never strays further from what the limits allow than the backlog explains. */
void
rc_arc_set_window (RcArc *self, double w_bits)
{
  double low = rc_arc_window_for (self, (double) self->limits.min_bps);
  double high = rc_arc_window_for (self, (double) self->limits.max_bps) + self->q_bits;

  if (self->params.outstanding > 0)
    high += self->outstanding_bits;
  self->w_bits = rc_clampd (w_bits, low, high);
}

/* B for the law: the delivery rate if it is on and known, else what the receiver filtered. */
double
rc_arc_bandwidth_bps (const RcArc *self)
{
  return self->params.delivery > 0 && self->delivery.bps > 0 ? self->delivery.bps : self->b_bps;
}

double
rc_arc_threshold_s (const RcArc *self)
{
  double b = rc_arc_bandwidth_bps (self) > 1e3 ? rc_arc_bandwidth_bps (self) : 1e3;
  double at_1m = self->params.qthresh * self->params.packet * 8 / 1e6;

  return rc_clampd (at_1m * pow (1e6 / b, self->params.qthresh_scale), self->params.tq_min, self->params.tq_max);
}

/* --- timeouts --- */

static RcTime
report_interval (const RcArc *self)
{
  double s = self->params.report * (self->srtt == RC_TIME_NONE ? self->params.report_min : rc_arc_srtt_s (self));

  return rc_time_from_s (rc_clampd (s, self->params.report_min, self->params.report_max));
}

/* When the next timeout strikes, if no report comes: each one after the same span again. Until enough was sent to pay for a report the
 * receiver stretches them, so the watch starts anew then. */
static RcTime
timeout_at (const RcArc *self)
{
  double span = self->params.timeout * rc_arc_srtt_s (self), reports = rc_time_to_s (report_interval (self));

  if (self->silence.since == RC_TIME_NONE || self->silence.stopped)
    return RC_TIME_NONE;
  if (span < TIMEOUT_REPORTS * reports && self->params.timeout_min > 0)
    span = TIMEOUT_REPORTS * reports;
  if (span < self->params.timeout_min)
    span = self->params.timeout_min;
  if (self->paid_at == RC_TIME_NONE)
    span += TIMEOUT_REPORTS * rc_time_to_s (RC_RECEIVER_STRETCHED_INTERVAL);
  return (self->paid_at == RC_TIME_NONE ? self->silence.since : self->paid_at)
      + rc_time_from_s (span * (self->timeouts + 1));
}

/* [ARC 3.1.4] */
static void
on_timeout (RcArc *self, RcTime now)
{
  if (self->timeouts == 0) {
    if (rc_arc_bandwidth_bps (self) > 0)
      rc_arc_cut (self, 1, now);
  } else if (self->params.timeout_halve > 0) {
    rc_arc_set_window (self, self->w_bits / 2);
  }
  self->timeouts++;
  self->starting = self->starting && self->timeouts < OUTAGE_TIMEOUTS;
}

/* Reports are back. After an outage the old w means nothing: start up from where it is now. */
static void
end_timeouts (RcArc *self, bool was_stopped, RcTime now)
{
  if (self->params.startup > 0 && (was_stopped || self->timeouts >= OUTAGE_TIMEOUTS)) {
    self->starting = true;
    self->signs = 0;
    self->deep_ratio = 0;
    rc_delivery_restart (&self->delivery);
    self->updated_at = now;
    if (was_stopped)
      rc_arc_set_window (self, rc_arc_window_for (self, (double) self->limits.start_bps));
  }
  self->timeouts = 0;
}

/* --- the law --- */

static RcDecision
decide (RcArc *self, RcTime now)
{
  RcDecision decision = { 0 };
  RcTime silent_at = rc_silence_next_at (&self->silence), late_at = timeout_at (self);

  decision.rate_bps = (uint64_t) (self->rate_bps + 0.5);
  decision.stopped = rc_silence_update (&self->silence, now);
  decision.next_at = late_at == RC_TIME_NONE || (silent_at != RC_TIME_NONE && silent_at < late_at) ? silent_at : late_at;
  if (decision.stopped)
    decision.next_at = RC_TIME_NONE;
  decision.srtt = self->srtt;
  decision.report_interval = report_interval (self);
  return decision;
}

static void
defaults (RcController *controller, RcProfile profile)
{
  controller->u.arc.params = profile == RC_PROFILE_PAPER ? rc_arc_params_paper () : rc_arc_params_live ();
}

static void *
params_of (RcController *controller)
{
  return &controller->u.arc.params;
}

static void
start (RcController *controller, const RcLimits *limits, RcTime now)
{
  RcArc *self = &controller->u.arc;
  RcArcParams params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->limits = *limits;
  self->srtt = self->cut_at = self->paid_at = self->forgiving_until = RC_TIME_NONE;
  self->updated_at = self->used_at = self->loss_at = now;
  self->growth_gain = 1;
  self->starting = params.startup > 0;
  rc_winmin_init (&self->base_rtt, rc_time_from_s (params.base_window));
  rc_winmin_init (&self->base_owd, rc_time_from_s (params.base_window));
  rc_routewatch_init (&self->route);
  rc_silence_init (&self->silence, (RcSilenceParams) { params.stop }, now);
  rc_arc_set_window (self, rc_arc_window_for (self, (double) limits->start_bps));
  decide_rate (self);
}

static void
set_limits (RcController *controller, const RcLimits *limits, RcTime now)
{
  RcArc *self = &controller->u.arc;

  rc_arc_measure_use (self, 0, now);
  self->limits = *limits;
  rc_arc_set_window (self, self->w_bits);
  decide_rate (self);
}

static RcDecision
on_timer (RcController *controller, RcTime now)
{
  RcArc *self = &controller->u.arc;
  RcTime at = timeout_at (self);

  rc_arc_measure_use (self, 0, now);
  if (at != RC_TIME_NONE && now >= at) {
    on_timeout (self, now);
    decide_rate (self);
  }
  return decide (self, now);
}

static RcDecision
on_sent (RcController *controller, const RcSent *sent, RcTime now)
{
  RcArc *self = &controller->u.arc;

  rc_arc_measure_use (self, sent->size_bytes * 8.0, now);
  rc_silence_on_sent (&self->silence, now);
  self->outstanding_bits += sent->size_bytes * 8.0;
  self->unreported_bits += sent->size_bytes * 8.0;
  if (self->paid_at == RC_TIME_NONE && self->unreported_bits >= RC_RECEIVER_PAYING_BYTES * 8)
    self->paid_at = now;
  if (self->params.outstanding > 0)
    decide_rate (self);
  return decide (self, now);
}

/* The first RTT: the window that was made for INITIAL_RTT must give the same rate with the true one. */
static void
rebase_window (RcArc *self, double old_time_s)
{
  rc_arc_set_window (self, self->w_bits * rc_arc_window_time_s (self) / old_time_s);
}

/* What an outage took is no congestion: the first reports after it count it all. */
static bool
forgives (RcArc *self, RcTime now)
{
  if (self->params.startup > 0 && self->timeouts >= OUTAGE_TIMEOUTS)
    self->forgiving_until = now + (self->srtt > OUTAGE_MIN_SPAN ? self->srtt : OUTAGE_MIN_SPAN);
  return self->forgiving_until != RC_TIME_NONE && now < self->forgiving_until;
}

static RcDecision
on_feedback (RcController *controller, const RcFeedback *told, RcTime now)
{
  RcArc *self = &controller->u.arc;
  RcFeedback seen = *told, *feedback = &seen;
  bool was_stopped = rc_silence_on_feedback (&self->silence, now);
  double old_time_s = rc_arc_window_time_s (self);

  if (forgives (self, now))
    seen.lost_pkts = 0;
  rc_arc_measure_use (self, 0, now);
  if (feedback->restarted) {
    rc_winmin_init (&self->base_owd, self->base_owd.window);
    rc_delivery_restart (&self->delivery);
  }
  if (feedback->bandwidth_bps > 0)
    self->b_bps = (double) feedback->bandwidth_bps;
  rc_delivery_add (&self->delivery, feedback, rc_time_from_s (self->params.delivery));
  rc_arc_measure_delay (self, feedback, now);
  rebase_window (self, old_time_s);
  rc_arc_watch_route (self, feedback, now);
  rc_arc_measure_queue (self);
  rc_arc_measure_usual (self, now);
  rc_arc_measure_loss (self, feedback, now);
  self->outstanding_bits = (double) feedback->outstanding_bytes * 8;
  self->unreported_bits = 0;
  self->paid_at = RC_TIME_NONE;
  end_timeouts (self, was_stopped, now);
  rc_arc_update_window (self, feedback, now);
  decide_rate (self);
  return decide (self, now);
}

static bool
stat (const RcController *controller, unsigned index, const char **name, double *value)
{
  const RcArc *self = &controller->u.arc;
  const struct { const char *name; double value; } stats[] = {
    {"window-bits", self->w_bits},
    {"backlog-bits", self->q_bits},
    {"queueing-delay-s", rc_time_to_s (self->tq)},
    {"threshold-s", rc_arc_threshold_s (self)},
    {"base-rtt-s", rc_arc_base_rtt_s (self)},
    {"bandwidth-bps", self->b_bps},
    {"delivery-bps", self->delivery.bps},
    {"loss-ratio", self->loss_ratio},
    {"growth-gain", self->growth_gain},
    {"starting", self->starting},
    {"competing", self->competing},
    {"route-changes", self->routes},
    {"network-limited", rc_arc_network_limited (self)},
    {"timeouts", self->timeouts},
  };

  if (index >= sizeof stats / sizeof stats[0])
    return false;
  *name = stats[index].name;
  *value = stats[index].value;
  return true;
}

const RcLaw rc_arc_law = {
  "arc", "ARC: rate from estimated bandwidth and backlog", rc_arc_params, defaults, params_of, start, set_limits,
  on_sent, on_feedback, on_timer, stat
};
