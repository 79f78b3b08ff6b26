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
 *   w   = B (mRTT + 1/k)            after a loss or a timeout        [ARC eq. 2]   window_for ()
 *   w   = w(t0) + (t - t0) / alpha  no loss and q < qthresh          [ARC eq. 3]   grow ()
 *   q   = B Tq,  Tq = RTT - mRTT                                     [ARC 3.1.1]   measure_queue ()
 *   w is held while q > qthresh without a loss                       [ARC 3.1.2]
 *   timeout: no report for 2 SRTT                                    [ARC 3.1.4]   on_timer ()
 *
 *   [w_bits] [q_bits] [outstanding_bits] w, q and the integral, in bits (the paper counts packets)   [rate_bps] r   [base_rtt] mRTT
 *
 * Steady state without a queue: r = w / (mRTT + 1/k); slope of eq. 3: packet / (alpha (mRTT + 1/k)).
 *
 *            first sign                       queue not low for `compete` s
 *   start-up ----------> avoiding congestion <----------------------------> competing (eq. 1..3 as they stand)
 *      ^                      |                       queue low again
 *      +-- reports return after two timeouts
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC. See docs/papers.md.
 *
 * Where `live` differs from the paper, and why (each by its parameter; `paper` has them off):
 *   startup      the paper starts by eq. 3 alone: 19 kbit/s more each second, whatever the path
 *   drain        the paper holds w on backlog: 10 packets are a standing queue of 120 ms at 1 Mbit/s. We empty it, as eq. 2 does
 *                after a loss
 *   qthresh, tq_min, tq_max, qthresh_scale   lower, and between packets and time: a threshold in packets of one's own backlog lets
 *                flows converge to equal rates (the larger one sees congestion first) but is a long delay at low rates; in time
 *                alone they do not converge
 *   add, add_double, add_max   growth in rate, faster the longer no congestion is seen: eq. 3 takes minutes
 *   used, used_start   w must not grow by what the encoder does not use: on an idle path it would grow without bound
 *   loss_high    a loss without a queue is the radio's, not congestion's
 *   owd          a queue on the way back is in the RTT and must not count; the smaller of both delays is also immune to clock skew:
 *                one of them always is right (a receiver's clock that drifts up spoils the one-way delay, not the RTT; one that
 *                drifts down renews its own minimum)
 *   delivery     B as filtered by tau lags a step; arrival times of the receiver give it exactly over 0.1 s
 *   base_window  routes change: a minimum is forgotten after so long; our own queue is empty more often
 *   compete      beside loss-based flows the queue never empties, whatever we leave: then take part as the paper does
 *   outstanding  eq. 1's text integrates all that is in flight. With k raised the backlog in it counts twice and the rate oscillates;
 *                control theory's Smith predictor means the propagation part, r mRTT
 *   timeout_min, timeout_halve, stop   lost reports, dead receivers
 *
 * Limits: w is bounded by the user's limits; nothing here is NaN or infinite for any feedback.
 */
#include <rc/controller.h>
#include <rc/receiver.h>

#include <math.h>
#include <string.h>

#define INITIAL_RTT RC_SECOND   /* RFC 8085 3.1.1 */
#define SRTT_GAIN 8             /* RFC 6298 */
#define LOSS_SPAN_S 2.0         /* hundreds of packets at video rates: 10 % is then known to 2 % */
#define LOSS_LEAST_PKTS 40      /* a loss among fewer says little about the ratio */
#define STARTUP_MIN_RTT_S 0.1   /* a doubling is never faster than the encoder and B can follow */
#define USED_SPAN_S 0.5         /* several frames, and an encoder's lag */
#define RANDOM_LOSS_MOST 0.3    /* of a loss ratio, this much is made up for when B is measured behind a lossy hop */
#define UNUSED_CUT_GAIN 0.85    /* step down of a rate that the source does not use */
#define TIMEOUT_REPORTS 4       /* with 30 % of the reports lost, four in a row are one in 120 */
#define COMPETE_QUEUES 4        /* thresholds: more than several of our own flows ever keep up */
#define COMPETE_OVER 1.5        /* thresholds: our own flows are below, most of the time */
#define COMPETE_ENTER 0.5       /* share of the time with a deep queue; our own flows make less than a tenth */
#define COMPETE_LEAVE 0.25
#define COMPETE_RTTS 10         /* a flow of long RTT needs many seconds to empty even its own queue */
#define COMPETE_PKTS 10         /* [ARC 3.1.2] */
#define COMPETE_PROBE_GAIN 0.75
#define COMPETE_PROBE_SRTTS 3   /* SRTT has the queue in it: time for a third of it to go */
#define RECOVER_BELOW 1.1
#define USUAL_SPAN_S 2.0        /* what is delivered, over a span that short flows of others do not fill */
#define ROUTE_SRTTS 1.5
#define ROUTE_MIN_SPAN (250 * RC_MSEC)
#define OUTAGE_MIN_SPAN (250 * RC_MSEC)
#define OUTAGE_TIMEOUTS 2       /* after so many the path was gone: start up again when it returns */

static double
clamp_rate (const RcArc *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

static double
base_rtt_s (const RcArc *self)
{
  int64_t rtt;

  return rc_time_to_s (rc_winmin_get (&self->base_rtt, &rtt) ? rtt : INITIAL_RTT);
}

static double
srtt_s (const RcArc *self)
{
  return rc_time_to_s (self->srtt == RC_TIME_NONE ? INITIAL_RTT : self->srtt);
}

/* mRTT + 1/k: bits of window for each bit/s of rate. */
static double
window_time_s (const RcArc *self)
{
  return base_rtt_s (self) + 1 / self->params.k;
}

/* [ARC eq. 2] */
static double
window_for (const RcArc *self, double bps)
{
  return bps * window_time_s (self);
}

/* [ARC eq. 1]. outstanding = 0 takes the integral as r mRTT and solves for r. */
static void
decide_rate (RcArc *self)
{
  double r = self->params.outstanding > 0 ?
      self->params.k * (self->w_bits - self->q_bits - self->outstanding_bits) :
      (self->w_bits - self->q_bits) / window_time_s (self);

  self->rate_bps = clamp_rate (self, r > 0 ? r : 0);
}

/* The window never strays further from what the limits allow than the backlog explains. */
static void
set_window (RcArc *self, double w_bits)
{
  double low = window_for (self, (double) self->limits.min_bps);
  double high = window_for (self, (double) self->limits.max_bps) + self->q_bits;

  if (self->params.outstanding > 0)
    high += self->outstanding_bits;
  self->w_bits = rc_clampd (w_bits, low, high);
}

/* B for the law: the delivery rate if it is on and known, else what the receiver filtered. */
static double
bandwidth (const RcArc *self)
{
  return self->params.delivery > 0 && self->delivery.bps > 0 ? self->delivery.bps : self->b_bps;
}

double
rc_arc_threshold_s (const RcArc *self)
{
  double b = bandwidth (self) > 1e3 ? bandwidth (self) : 1e3;
  double at_1m = self->params.qthresh * self->params.packet * 8 / 1e6;

  return rc_clampd (at_1m * pow (1e6 / b, self->params.qthresh_scale), self->params.tq_min, self->params.tq_max);
}

/* --- measurements --- */

/* Tq [ARC 3.1.1] and SRTT. */
static void
measure_delay (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  int64_t base;
  RcTime tq;

  self->last_tq = self->tq;
  if (feedback->rtt == RC_TIME_NONE)
    return;
  self->srtt = self->srtt == RC_TIME_NONE ? feedback->rtt : self->srtt + (feedback->rtt - self->srtt) / SRTT_GAIN;
  rc_winmin_add (&self->base_rtt, feedback->rtt, now);
  rc_winmin_add (&self->base_owd, feedback->owd_remote, now);
  rc_winmin_get (&self->base_rtt, &base);
  tq = feedback->rtt - base;
  if (self->params.owd > 0 && rc_winmin_get (&self->base_owd, &base) && feedback->owd_remote - base < tq)
    tq = feedback->owd_remote - base;
  self->tq = tq;
}

static void
measure_queue (RcArc *self)
{
  self->q_bits = bandwidth (self) * rc_time_to_s (self->tq);
}

static void
measure_usual (RcArc *self, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->updated_at) / USUAL_SPAN_S);

  self->usual_bps = self->usual_bps * keep + bandwidth (self) * (1 - keep);
}

/* A delay that jumps and then stays where it is though we drain is the route's: mRTT is what is seen now. A queue climbs, even that of a TCP
 * flow with a full window, which stays as well. */
static void
watch_route (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arc_threshold_s (self);
  RcTime tolerance = rc_time_from_s (threshold);
  RcTime span = rc_time_from_s (ROUTE_SRTTS * srtt_s (self));
  bool settled = self->cut_at != RC_TIME_NONE && rc_time_to_s (now - self->cut_at) > srtt_s (self);

  if (self->last_tq < tolerance)
    self->jumped_tq = self->tq;
  if (self->params.route <= 0 || self->competing || fabs (rc_time_to_s (self->tq - self->jumped_tq)) > threshold || feedback->rtt == RC_TIME_NONE || feedback->lost_pkts > 0
      || rc_time_to_s (self->tq) < threshold || !(settled || self->route.from != RC_TIME_NONE)) {
    rc_routewatch_restart (&self->route);
    return;
  }
  if (!rc_routewatch_add (&self->route, feedback->rtt, self->rate_bps / fmax (bandwidth (self), 1), tolerance,
          span > ROUTE_MIN_SPAN ? span : ROUTE_MIN_SPAN, now))
    return;
  rc_winmin_init (&self->base_rtt, self->base_rtt.window);
  rc_winmin_init (&self->base_owd, self->base_owd.window);
  measure_delay (self, feedback, now);
  self->deep_ratio = 0;
  self->routes++;
}

/* Leaky integrals of what was allowed and what was sent. */
static void
measure_use (RcArc *self, double sent_bits, RcTime now)
{
  double dt = rc_time_to_s (now - self->used_at);
  double keep;

  if (dt > 0) {
    keep = exp (-dt / USED_SPAN_S);
    self->sent_bits *= keep;
    self->allowed_bits = self->allowed_bits * keep + self->rate_bps * USED_SPAN_S * (1 - keep);
    self->used_at = now;
  }
  self->sent_bits += sent_bits;
}

/* Does the network set the rate, or the source? */
static bool
network_limited (const RcArc *self)
{
  return self->sent_bits >= (self->starting ? self->params.used_start : self->params.used) * self->allowed_bits;
}

/* Over LOSS_SPAN_S of packets, so that the ratio of a few does not look like congestion. */
static void
measure_loss (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double keep = exp (-rc_time_to_s (now - self->loss_at) / LOSS_SPAN_S);

  self->lost_pkts = self->lost_pkts * keep + feedback->lost_pkts;
  self->loss_pkts = self->loss_pkts * keep + feedback->lost_pkts + feedback->received_pkts;
  self->loss_ratio = self->lost_pkts / fmax (self->loss_pkts, LOSS_LEAST_PKTS);
  self->loss_at = now;
}

/* --- the window --- */

/* At most one reduction an SRTT: the effect of the last one must be seen first. A shallow queue is given `rest` to drain, so that a flow of
 * short RTT is not reduced many times by the same queue. */
static bool
may_cut (const RcArc *self, RcTime now)
{
  double rest = srtt_s (self);

  if (self->params.rest > rest && rc_time_to_s (self->tq) < 2 * rc_arc_threshold_s (self))
    rest = self->params.rest;
  return self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) > rest;
}

/* B for a reduction. Where the queue is not deep, B may be less than the path gives for two reasons that are not congestion: packets lost
 * on the radio, and a source that does not use its rate. Then step down, do not fall to it. */
static double
bandwidth_at_cut (const RcArc *self)
{
  double b = bandwidth (self), lost = self->loss_ratio < RANDOM_LOSS_MOST ? self->loss_ratio : RANDOM_LOSS_MOST;

  if (rc_time_to_s (self->tq) > 2 * rc_arc_threshold_s (self))
    return b;
  if (self->params.delivery > 0)
    b /= 1 - lost;
  if (self->params.used > 0 && !network_limited (self) && b < self->rate_bps * UNUSED_CUT_GAIN)
    b = self->rate_bps * UNUSED_CUT_GAIN;
  return b;
}

static void
cut (RcArc *self, double gain, RcTime now)
{
  double b = bandwidth_at_cut (self);
  bool was_recovering = self->known_bps > 0;

  set_window (self, window_for (self, b) * gain);
  if (was_recovering)
    self->usual_bps = b;
  self->known_bps = self->params.recover > 0 ? fmax (b, self->usual_bps) : b;
  self->cut_at = now;
  self->growth_gain = 1;
  self->starting = false;
}

/* Let the queue drain before growing again. One that is gone while we are far below what is usual was not ours. */
static bool
resting (const RcArc *self, RcTime now)
{
  double rest = fmax (2 * srtt_s (self), self->params.rest);

  if (self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) >= rest)
    return false;
  return rc_time_to_s (self->tq) > rc_arc_threshold_s (self) / 2 || self->known_bps < RECOVER_BELOW * self->rate_bps
      || rc_time_to_s (now - self->cut_at) < srtt_s (self);
}

/* What is too much shows a round trip later: the longer that is, the gentler; by the root, so that long paths are not left behind. */
static double
growth_bps_s (const RcArc *self)
{
  double slower = self->params.add_rtt > 0 ? sqrt (fmin (1, self->params.add_rtt / base_rtt_s (self))) : 1;

  return self->params.add * self->growth_gain * slower;
}

/* [ARC eq. 3], or its live forms. */
static void
grow (RcArc *self, RcTime now)
{
  double dt = rc_time_to_s (now - self->updated_at);
  double srtt = srtt_s (self);

  if (self->params.used > 0 && !network_limited (self))
    return;
  if (self->starting) {
    double rtt = srtt > STARTUP_MIN_RTT_S ? srtt : STARTUP_MIN_RTT_S;

    set_window (self, self->w_bits * exp2 (dt / (self->params.startup * rtt)));
  } else if (self->params.add > 0) {
    if (resting (self, now))
      return;
    self->growth_gain = fmin (self->growth_gain * exp2 (dt / self->params.add_double), self->params.add_max);
    if (self->known_bps > 0 && self->rate_bps >= self->params.approach * self->known_bps) {
      self->growth_gain = 1;    /* beyond is unknown again */
      self->known_bps = 0;
    }
    if (self->known_bps > 0)
      self->growth_gain = fmax (self->growth_gain, self->params.recover);
    set_window (self, self->w_bits + window_for (self, growth_bps_s (self) * dt));
  } else {
    set_window (self, self->w_bits + dt / self->params.alpha * self->params.packet * 8);
  }
}

/* The paper's threshold, 10 packets of own backlog, unless the profile has its own. */
static double
hold_threshold_s (const RcArc *self)
{
  return self->competing ? COMPETE_PKTS * self->params.packet * 8 / bandwidth (self) : rc_arc_threshold_s (self);
}

/* As the paper: w from eq. 2 on a loss, held on backlog, else eq. 3. */
static void
update_window_paper (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  if (feedback->lost_pkts + feedback->ce_pkts > 0) {
    if (may_cut (self, now))
      cut (self, 1, now);
  } else if (rc_time_to_s (self->tq) < hold_threshold_s (self)) {
    grow (self, now);
  }
}

/* Empties the queue at the first clear sign. */
static void
update_window_draining (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arc_threshold_s (self), tq = rc_time_to_s (self->tq);
  bool loss_counts = feedback->lost_pkts > 0 && (tq > threshold / 2 || self->loss_ratio > self->params.loss_high);
  bool sign = tq > threshold || loss_counts || feedback->ce_pkts > 0;

  if (!sign) {
    self->signs = 0;
    grow (self, now);
    return;
  }
  if (tq >= rc_time_to_s (self->last_tq))
    self->signs++;              /* a queue that falls by itself was somebody's burst */
  if ((self->signs >= (self->starting ? 1 : 2) || feedback->lost_pkts + feedback->ce_pkts > 0) && may_cut (self, now))
    cut (self, self->params.drain, now);
}

/* Our own flows empty the queue at its threshold; one that stays COMPETE_QUEUES of it deep for long is someone else's. At low rates so many
 * thresholds are more than any queue holds: then compete_tq is enough, if it is over the threshold at all. */
static double
foreign_queue_s (const RcArc *self)
{
  double threshold = rc_arc_threshold_s (self), most = COMPETE_QUEUES * threshold;

  if (self->params.compete_tq <= 0)
    return most;
  return fmin (most, fmax (COMPETE_OVER * threshold, self->params.compete_tq));
}

/* The queue of a loss-based flow swings and may look empty now and then, the more as the minimum delay was perhaps never seen: what counts is
 * the share of the time that it is deep. */
static void
update_mode (RcArc *self, RcTime now)
{
  double span = fmax (self->params.compete, COMPETE_RTTS * base_rtt_s (self));
  double keep = exp (-rc_time_to_s (now - self->updated_at) / span);
  bool deep = !self->starting && rc_time_to_s (self->tq) >= foreign_queue_s (self);

  self->deep_ratio = self->deep_ratio * keep + (deep ? 1 - keep : 0);
  if (!self->competing)
    self->probing_since = RC_TIME_NONE;
  self->competing = self->params.compete > 0
      && self->deep_ratio > (self->competing ? COMPETE_LEAVE : COMPETE_ENTER);
}

/* Whose queue is it? A foreign one overflows now and then; if nothing was lost for long, leave a quarter of the rate for a moment: our own
 * queue falls then, else the window is as before. */
static void
probe_queue (RcArc *self, RcTime now)
{
  double span = COMPETE_PROBE_SRTTS * srtt_s (self);

  if (self->probing_since != RC_TIME_NONE && rc_time_to_s (now - self->probing_since) > span) {
    if (self->tq > self->probed_tq / 2)
      set_window (self, fmax (self->w_bits, self->probed_w_bits));
    self->probing_since = RC_TIME_NONE;
    self->cut_at = now;
  } else if (self->probing_since == RC_TIME_NONE && self->cut_at != RC_TIME_NONE
      && rc_time_to_s (now - self->cut_at) > self->params.compete_probe) {
    self->probing_since = now;
    self->probed_tq = self->tq;
    self->probed_w_bits = self->w_bits;
    set_window (self, self->w_bits * COMPETE_PROBE_GAIN);
  }
}

static void
update_window (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  update_mode (self, now);
  if (self->competing && self->params.compete_probe > 0)
    probe_queue (self, now);
  if (self->params.drain <= 0 || self->competing)
    update_window_paper (self, feedback, now);
  else
    update_window_draining (self, feedback, now);
  self->updated_at = now;
}

/* --- timeouts --- */

static RcTime
report_interval (const RcArc *self)
{
  double s = self->params.report * (self->srtt == RC_TIME_NONE ? self->params.report_min : srtt_s (self));

  return rc_time_from_s (rc_clampd (s, self->params.report_min, self->params.report_max));
}

/* When the next timeout strikes, if no report comes: each one after the same span again. Until enough was sent to pay for a report the
 * receiver stretches them, so the watch starts anew then. */
static RcTime
timeout_at (const RcArc *self)
{
  double span = self->params.timeout * srtt_s (self), reports = rc_time_to_s (report_interval (self));

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
    if (bandwidth (self) > 0)
      cut (self, 1, now);
  } else if (self->params.timeout_halve > 0) {
    set_window (self, self->w_bits / 2);
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
      set_window (self, window_for (self, (double) self->limits.start_bps));
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
  set_window (self, window_for (self, (double) limits->start_bps));
  decide_rate (self);
}

static void
set_limits (RcController *controller, const RcLimits *limits, RcTime now)
{
  RcArc *self = &controller->u.arc;

  measure_use (self, 0, now);
  self->limits = *limits;
  set_window (self, self->w_bits);
  decide_rate (self);
}

static RcDecision
on_timer (RcController *controller, RcTime now)
{
  RcArc *self = &controller->u.arc;
  RcTime at = timeout_at (self);

  measure_use (self, 0, now);
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

  measure_use (self, sent->size_bytes * 8.0, now);
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
  set_window (self, self->w_bits * window_time_s (self) / old_time_s);
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
  double old_time_s = window_time_s (self);

  if (forgives (self, now))
    seen.lost_pkts = 0;
  measure_use (self, 0, now);
  if (feedback->restarted) {
    rc_winmin_init (&self->base_owd, self->base_owd.window);
    rc_delivery_restart (&self->delivery);
  }
  if (feedback->bandwidth_bps > 0)
    self->b_bps = (double) feedback->bandwidth_bps;
  rc_delivery_add (&self->delivery, feedback, rc_time_from_s (self->params.delivery));
  measure_delay (self, feedback, now);
  rebase_window (self, old_time_s);
  watch_route (self, feedback, now);
  measure_queue (self);
  measure_usual (self, now);
  measure_loss (self, feedback, now);
  self->outstanding_bits = (double) feedback->outstanding_bytes * 8;
  self->unreported_bits = 0;
  self->paid_at = RC_TIME_NONE;
  end_timeouts (self, was_stopped, now);
  update_window (self, feedback, now);
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
    {"base-rtt-s", base_rtt_s (self)},
    {"bandwidth-bps", self->b_bps},
    {"delivery-bps", self->delivery.bps},
    {"loss-ratio", self->loss_ratio},
    {"growth-gain", self->growth_gain},
    {"starting", self->starting},
    {"competing", self->competing},
    {"route-changes", self->routes},
    {"network-limited", network_limited (self)},
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
