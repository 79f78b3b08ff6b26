/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC, Adaptive Rate Control, as published
 * ========================================
 *
 * In a nutshell: the rate is in proportion to what remains of a window w after two subtractions:
 * the backlog q in the network, and what was sent during the last RTT. w grows linearly while the
 * path shows no congestion. After a loss w is set from the used bandwidth B, so that the queue
 * empties. The receiver reports B and losses; q comes from the RTT above its minimum.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   r   = k [w - q - integral of r over the last RTT]+               [ARC eq. 1]   decide_rate ()
 *   w   = B (mRTT + 1/k)            after a loss or a timeout        [ARC eq. 2]   reduce ()
 *   w   = w(t0) + (t - t0) / alpha  no loss and q < qthresh          [ARC eq. 3]   update_window ()
 *   q   = B Tq,  Tq = RTT - mRTT                                     [ARC 3.1.1]   path.h
 *   w is held while q >= qthresh without a loss                      [ARC 3.1.2]   update_window ()
 *   timeout: no report for 2 SRTT                                    [ARC 3.1.4]   on_timer ()
 *
 *   [w_bits] [q_bits] [outstanding_bits] w, q and the integral, in bits: the paper counts packets
 *   [rate_bps] r   [limits] our bounds of r, which the paper does not have
 *
 * Steady state without a queue: r = w / (mRTT + 1/k).
 * Slope of eq. 3: packet / (alpha (mRTT + 1/k)).
 *
 * Inputs: reports (RcFeedback), bytes sent, time. Output: RcDecision.
 * Source: L. A. Grieco, S. Mascolo, L. De Cicco, ARC. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - r and w stay within what the user's limits allow; the paper's simulations have none.
 *   - There is at most one reduction an SRTT, because the reports of one round trip reflect the
 *     same congestion.
 *   - Until the first RTT sample mRTT is 1 s [RFC 8085 3.1.1]. At the first sample w is scaled so
 *     that the rate stays.
 *   - The integral of eq. 1 is taken as r mRTT, which is what a Smith predictor of control theory
 *     means, and solved for r: so more of the paper's claims hold (docs/arc-figures.md). The
 *     parameter outstanding = 1 takes it as the paper's text says: all that is in flight, which
 *     counts what waits in the queue twice.
 *   - After `stop` seconds without a report media stops (silence.h), as under every law here. The
 *     paper's simulated receiver never dies.
 *
 * Limits: nothing here is NaN or infinite for any feedback. */
#include <rc/law/arc.h>

#include <rc/feedback/feedback.h>
#include <string.h>

static double
clamp_rate (const RcArc *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* mRTT + 1/k: bits of window for each bit/s of rate. */
static double
window_time_s (const RcArc *self)
{
  return self->base_rtt_s + 1 / self->params.k;
}

/* [ARC eq. 1] */
static void
decide_rate (RcArc *self)
{
  double r = self->params.outstanding > 0 ? self->params.k * (self->w_bits - self->q_bits
      - self->outstanding_bits) : (self->w_bits - self->q_bits) / window_time_s (self);

  self->rate_bps = clamp_rate (self, r > 0 ? r : 0);
}

/* The window never strays further from what the limits allow than the backlog explains. */
static void
set_window (RcArc *self, double w_bits)
{
  double low = (double) self->limits.min_bps * window_time_s (self);
  double high = (double) self->limits.max_bps * window_time_s (self) + self->q_bits;

  if (self->params.outstanding > 0)
    high += self->outstanding_bits;
  self->w_bits = rc_clampd (w_bits, low, high);
}

/* [ARC eq. 2] */
static void
reduce (RcArc *self, RcCause cause, RcTime now)
{
  self->cause = cause;
  set_window (self, self->path->bandwidth_bps * window_time_s (self));
  self->reduced_at = now;
}

/* [ARC eq. 3, 3.1.2] */
static void
update_window (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  double packet_bits = self->params.packet * 8;
  bool seen = self->reduced_at == RC_TIME_NONE
      || rc_time_to_s (now - self->reduced_at) > rc_path_srtt_s (self->path);

  if (feedback->lost_pkts + feedback->ce_pkts > 0) {
    if (seen)
      reduce (self, feedback->lost_pkts > 0 ? RC_CAUSE_LOSS : RC_CAUSE_MARK, now);
  } else if (self->q_bits < self->params.qthresh * packet_bits) {
    self->cause = RC_CAUSE_GROWTH;
    set_window (self,
        self->w_bits + rc_time_to_s (now - self->updated_at) / self->params.alpha * packet_bits);
  } else {
    self->cause = RC_CAUSE_QUEUE;
  }
  self->updated_at = now;
}

static RcTime
report_interval (const RcArc *self)
{
  double s = self->path->srtt
      == RC_TIME_NONE ? 0 : self->params.report * rc_path_srtt_s (self->path);

  return rc_time_from_s (rc_clampd (s, self->params.report_min, self->params.report_max));
}

/* [ARC 3.1.4] */
static RcTime
timeout_at (const RcArc *self)
{
  return rc_path_timeout_after (self->path,
      self->params.timeout * rc_path_srtt_s (self->path), self->timeouts);
}

static RcDecision
decide (const RcArc *self)
{
  return (RcDecision) {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .cause = rc_law_cause (&self->limits, self->rate_bps, self->cause),
    .next_at = timeout_at (self),
    .report_interval = report_interval (self),
  };
}

/* --- the law's interface --- */

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  RcArc *self = state;
  RcArcParams params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->path = path;
  self->limits = *limits;
  self->reduced_at = RC_TIME_NONE;
  self->base_rtt_s = rc_path_base_rtt_s (path);
  self->updated_at = now;
  set_window (self, (double) limits->start_bps * window_time_s (self));
  decide_rate (self);
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  RcArc *self = state;

  self->limits = *limits;
  set_window (self, self->w_bits);
  decide_rate (self);
}

static RcDecision
on_timer (void *state, RcTime now)
{
  RcArc *self = state;
  RcTime at = timeout_at (self);

  if (at != RC_TIME_NONE && now >= at) {
    if (self->timeouts++ == 0 && self->path->bandwidth_bps > 0)
      reduce (self, RC_CAUSE_TIMEOUT, now);
    decide_rate (self);
  }
  return decide (self);
}

static RcDecision
on_sent (void *state, const RcSent *sent, RcTime now)
{
  RcArc *self = state;

  self->outstanding_bits += rc_sent_bytes (sent) * 8.0;
  if (self->params.outstanding > 0)
    decide_rate (self);
  return decide (self);
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  RcArc *self = state;
  double window_time_before_s = window_time_s (self);

  self->timeouts = 0;
  self->base_rtt_s = rc_path_base_rtt_s (self->path);
  set_window (self, self->w_bits * window_time_s (self) / window_time_before_s);
  self->q_bits = self->path->bandwidth_bps * rc_time_to_s (self->path->tq);    /* [ARC 3.1.1] */
  self->outstanding_bits = (double) feedback->outstanding_bytes * 8;
  update_window (self, feedback, now);
  decide_rate (self);
  return decide (self);
}

static const RcFact facts[] = {
  {"backlog", "bits", "q, our estimated backlog in the queue"},
  {"base-rtt", "s", "least round trip of late"},
  {"bandwidth", "bit/s", "B, used bandwidth"},
  {"loss-ratio", "ratio", "share of the packets that is lost"},
  {"timeouts", "", "number of report timeouts"},
  {NULL}
};

static void
measure (const void *state, double *values)
{
  const RcArc *self = state;

  RC_LAW_TELL (values, facts, self->q_bits, rc_path_base_rtt_s (self->path),
      self->path->bandwidth_bps, self->path->loss_ratio, self->timeouts);
}

#define PARAM(field, unit, low, high, value, doc) \
    { #field, unit, doc, low, high, value, value, offsetof (RcArc, params.field) }

static const RcParam params[] = {
  PARAM (k, "1/s", 0.01, 100, 0.5, "gain from window to rate [ARC eq. 1]"),     /* [ARC 3.2] */
  PARAM (alpha, "s", 0.001, 100, 0.3,
      "time in which the window grows by one packet [ARC eq. 3]"),      /* [ARC 3.1.2] */
  PARAM (packet, "bytes", 40, 65535, 1500,
      "packet that alpha and qthresh count in"),        /* [ARC 3.2] */
  PARAM (qthresh, "packets", 0.1, 10000, 10,
      "own backlog beyond which the window is held"),   /* [ARC 3.1.2] */
  PARAM (outstanding, "0|1", 0, 1, 0,
      "integral of ARC eq. 1; 0: what propagation holds, 1: all that is in flight"),
  PARAM (timeout, "SRTT", 0.5, 100, 2, "time without a report that is a timeout"),      /* 3.1.4 */
  PARAM (report, "SRTT", 0.05, 10, 1, "time between reports"),  /* [ARC 3.1.3] */
  PARAM (report_min, "s", 0.001, 1, 0.001, "shortest time between reports"),
  PARAM (report_max, "s", 0.001, 1, 1, "longest time between reports"),
  {NULL}
};

const RcLaw rc_arc_law = {
  .name = "arc", .doc = "ARC as published",
  .state_bytes = sizeof (RcArc), .params = params, .start = start,
  .set_limits = set_limits,
  .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer,
  .facts = facts, .measure = measure
};
