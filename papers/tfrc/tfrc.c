/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* TFRC, TCP Friendly Rate Control
 * ===============================
 *
 * In a nutshell: the sender computes how fast a TCP would send that sees the same loss event rate
 * and round trip, and sends at that rate, but at no more than twice what arrives. Before the first
 * loss the rate doubles in each round trip. TFRC is the baseline of the ARC paper.
 *
 * Model, in the RFC's symbols (code names in brackets):
 *
 *   [RFC 5348 4.3]   R      = q R + (1 - q) R_sample, q = 0.9                  measure_rtt ()
 *   [RFC 5348 3.1]   X_calc = s / (R sqrt (2 p / 3) + 4 R (3 sqrt (3 p / 8)) p (1 + 32 p^2))
 *                                                                              tcpequation.h
 *   [RFC 5348 4.3]   X      = max (min (X_calc, recv_limit), s / t_mbi)        decide_rate ()
 *                             for p > 0
 *   [RFC 5348 4.3]   X      = max (min (2 X, recv_limit), W_init / R)          slow start
 *                             for p = 0, once there is an R
 *   [RFC 5348 4.3]   recv_limit = 2 max (X_recv_set), the X_recv of two R      receive_limit ()
 *   [RFC 5348 4.4]   no report for max (4 R, 2 s / X): halve                   on_silence ()
 *   [RFC 5348 4.5]   X_inst = X R_sqmean / sqrt (R_sample)                     allowed_rate ()
 *                             with R_sqmean filtered as R
 *   [RFC 5348 4.2]   W_init = min (4 s, max (2 s, 4380 bytes))
 *
 *   [x_bps] X   [x_calc_bps] X_calc   [x_recv_bps] X_recv   [rtt_s] R   [packet_bits] s
 *   [doubled_at] tld
 *
 *             first loss event
 *   slow start ---------------> X follows the equation
 *
 * Inputs: reports, the loss event ratio beside them (lossevents.c at the receiver), bytes sent,
 * time. Output: RcDecision.
 * Source: RFC 5348. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - X starts at the user's start-bitrate, not at one packet a second, which no video can use.
 *     After the first report slow start goes on from there.
 *   - The user's min-bitrate replaces s / t_mbi (one packet in 64 s), and X never exceeds
 *     max-bitrate.
 *   - X_recv is measured here, over the last R, from the cumulative bytes and arrival times of the
 *     reports. The RFC's receiver measures it. The number is the same, and it survives lost
 *     reports.
 *   - A source counts as data-limited when, since the last report, it sent less than USED of what X
 *     allowed.
 *   - `self_clocking` is the variant that the ARC paper calls enhanced TFRC, from the study of
 *     slowly responsive algorithms by Bansal et al. (conservative_ in ns-2). After slow start X <=
 *     X_recv for one R after a loss, and X <= C X_recv otherwise. Bansal et al. have C = 1.1; the
 *     default of ns-2 (scmult_) is 1.5.
 *   - `paper` has the values of ns-2, since the ARC paper takes "the parameters suggested in the
 *     ns-2 package": C = 1.5, q = 0.95 (df_), and the reduction of oscillation (ca_). `live` is the
 *     plain RFC, in which that reduction is optional.
 *   - The no-feedback timer also starts again with the first packet after a report or an expiry.
 *     Reason: a black picture sends less than one packet in the time of the timer, and its own
 *     pauses would halve X.
 *   - A report without new packets does not count as feedback. The RFC's receiver sends no such
 *     report.
 *   - After `stop` seconds without a report media stops (silence.c), as under every law here.
 *
 * Limits: X is bounded by the user's limits; nothing here is NaN or infinite for any feedback. */
#include "tfrc.h"

#include "tcpequation.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <rc/feedback/feedback.h>

/* Share of what X allows; a source that sends less is the limit, not the network. */
#define USED 0.9
#define DATA_LIMITED_LOSS_GAIN 0.85     /* [RFC 5348 4.3] */
#define INITIAL_TIMER RC_SECOND * 2     /* [RFC 5348 4.2] */
#define INITIAL_PACKET_BITS (1200 * 8.0)        /* until the first packet was sent */
#define PACKET_GAIN 0.05        /* of a packet in s: some frames */
#define TIMER_RTTS 4
#define TIMER_PACKETS 2

static double
clamp_rate (const Tfrc *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* W_init / R [RFC 5348 4.2] */
static double
initial_rate (const Tfrc *self)
{
  double s = self->packet_bits, window = rc_clampd (4380 * 8, 2 * s, 4 * s);

  return window / self->rtt_s;
}

/* --- measurements --- */

static void
measure_rtt (Tfrc *self, const RcFeedback *feedback)
{
  double sample = rc_time_to_s (feedback->rtt), q = self->params.rtt_gain;

  if (feedback->rtt == RC_TIME_NONE)
    return;
  if (sample < 1e-6)
    sample = 1e-6;
  self->rtt_s = self->rtt_s > 0 ? q * self->rtt_s + (1 - q) * sample : sample;
  self->rtt_root = self->rtt_root > 0 ? q * self->rtt_root + (1 - q) * sqrt (sample)
      : sqrt (sample);
  self->instant_gain = self->params.oscillation > 0 ? self->rtt_root / sqrt (sample) : 1;
}

/* X_inst [RFC 5348 4.5] */
static double
allowed_rate (const Tfrc *self)
{
  return clamp_rate (self, self->x_bps * self->instant_gain);
}

static void
measure_use (Tfrc *self, RcTime now)
{
  if (now > self->used_at)
    self->allowed_bits += allowed_rate (self) * rc_time_to_s (now - self->used_at);
  self->used_at = now;
}

/* One packet is always under way: between two reports close together none may have left. */
static bool
data_limited (const Tfrc *self)
{
  return self->sent_bits + self->packet_bits < USED * self->allowed_bits;
}

/* --- X_recv_set [RFC 5348 4.3] --- */

static double
recv_max (const Tfrc *self)
{
  double most = 0;

  for (unsigned i = 0; i < self->n_recv_set; i++)
    if (self->recv_set[i].bps > most)
      most = self->recv_set[i].bps;
  return most;
}

static void
recv_set_only (Tfrc *self, double bps, RcTime now)
{
  self->recv_set[0].bps = bps;
  self->recv_set[0].at = now;
  self->n_recv_set = 1;
}

/* Adds, and forgets what is older than two R. */
static void
recv_set_add (Tfrc *self, double bps, RcTime now)
{
  RcTime oldest = now - rc_time_from_s (2 * self->rtt_s);
  unsigned n = 0;

  for (unsigned i = self->n_recv_set == TFRC_RECV_SET; i < self->n_recv_set; i++)
    if (self->recv_set[i].at >= oldest)
      self->recv_set[n++] = self->recv_set[i];
  self->recv_set[n].bps = bps;
  self->recv_set[n].at = now;
  self->n_recv_set = n + 1;
}

static double
receive_limit (Tfrc *self, bool new_loss, RcTime now)
{
  double x_recv = self->x_recv_bps, most;

  if (!data_limited (self)) {
    recv_set_add (self, x_recv, now);
    return 2 * recv_max (self);
  }
  if (new_loss) {
    for (unsigned i = 0; i < self->n_recv_set; i++)
      self->recv_set[i].bps /= 2;
    x_recv *= DATA_LIMITED_LOSS_GAIN;
  }
  most = recv_max (self);
  recv_set_only (self, x_recv > most ? x_recv : most, now);
  return (new_loss ? 1 : 2) * recv_max (self);
}

/* --- the rate --- */

/* [RFC 5348 4.3], step 5. recv_limit_bps: HUGE_VAL while nothing was received. */
static void
decide_rate (Tfrc *self, double recv_limit_bps, RcTime now)
{
  double x = self->x_bps;

  if (self->p > 0) {
    self->x_calc_bps = tcp_equation_bps (self->packet_bits, self->rtt_s, self->p);
    x = fmin (self->x_calc_bps, recv_limit_bps);
    self->cause = recv_limit_bps < self->x_calc_bps ? RC_CAUSE_APPLICATION : RC_CAUSE_LOSS;
  } else if (self->doubled_at == RC_TIME_NONE
      || rc_time_to_s (now - self->doubled_at) >= self->rtt_s) {
    x = fmax (fmin (2 * x, recv_limit_bps), initial_rate (self));
    self->doubled_at = now;
    self->cause = RC_CAUSE_START;
  }
  self->x_bps = clamp_rate (self, x);
}

/* The self-clocking of the "enhanced" TFRC; of no use where the source is the limit. */
static void
clock_rate (Tfrc *self, RcTime now)
{
  bool loss = self->lost_at != RC_TIME_NONE && rc_time_to_s (now - self->lost_at) < self->rtt_s;
  double most = (loss ? 1 : self->params.self_clocking) * self->x_recv_bps;

  if (self->params.self_clocking > 0 && self->p > 0 && self->x_bps > most)
    self->x_bps = clamp_rate (self, most);
}

static RcTime
timer_span (const Tfrc *self)
{
  double s = fmax (TIMER_RTTS * self->rtt_s, TIMER_PACKETS * self->packet_bits / self->x_bps);

  return rc_time_from_s (fmax (s, self->params.timeout_min));
}

/* The timer's part of [RFC 5348 4.4]: X_recv is taken as half the limit, so that reports to come do
 * not lift X at once. */
static void
limit_to (Tfrc *self, double bps, RcTime now)
{
  recv_set_only (self, clamp_rate (self, bps) / 2, now);
  self->x_bps = clamp_rate (self, fmin (self->x_bps, bps));
}

/* The no-feedback timer expired [RFC 5348 4.4]. */
static void
on_silence (Tfrc *self, RcTime now)
{
  double most = recv_max (self);
  bool idle = self->sent_bits <= 0;

  self->sent_bits = self->allowed_bits = 0;     /* idle is asked since the timer was set */
  self->timer_at = now + timer_span (self);
  self->cause = RC_CAUSE_TIMEOUT;
  if (self->rtt_s <= 0) {
    self->x_bps = clamp_rate (self, self->x_bps / 2);
    return;
  }
  if (idle && (self->p > 0 ? most < initial_rate (self) : self->x_bps < 2 * initial_rate (self)))
    return;
  if (self->p <= 0)
    self->x_bps = clamp_rate (self, self->x_bps / 2);
  else if (self->x_calc_bps > 2 * most)
    limit_to (self, most, now);
  else
    limit_to (self, self->x_calc_bps / 2, now);
}

/* --- the law --- */

static RcTime
report_interval (const Tfrc *self)
{
  return rc_time_from_s (rc_clampd (self->params.report * self->rtt_s, self->params.report_min,
          self->params.report_max));
}

static RcDecision
decide (const Tfrc *self)
{
  return (RcDecision) {
    .rate_bps = (uint64_t) (allowed_rate (self) + 0.5),
    .cause = rc_law_cause (&self->limits, allowed_rate (self), self->cause),
    .next_at = self->timer_at,
    .report_interval = report_interval (self),
  };
}

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  Tfrc *self = state;
  TfrcParams params = self->params;
  const double *told = self->told;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->told = told;
  self->path = path;
  self->limits = *limits;
  self->x_bps = (double) limits->start_bps;
  self->packet_bits = INITIAL_PACKET_BITS;
  self->instant_gain = 1;
  self->lost_at = self->doubled_at = self->timer_at = RC_TIME_NONE;
  self->used_at = now;
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  Tfrc *self = state;

  measure_use (self, now);
  self->limits = *limits;
  self->x_bps = clamp_rate (self, self->x_bps);
}

static RcDecision
on_timer (void *state, RcTime now)
{
  Tfrc *self = state;

  measure_use (self, now);
  if (self->timer_at != RC_TIME_NONE && now >= self->timer_at && !self->path->silence.stopped)
    on_silence (self, now);
  return decide (self);
}

static RcDecision
on_sent (void *state, const RcSent *sent, RcTime now)
{
  Tfrc *self = state;
  double bits = sent->size_bytes * 8.0;

  measure_use (self, now);
  if (self->timer_at == RC_TIME_NONE) {
    self->timer_at = now + INITIAL_TIMER;
    self->packet_bits = bits;
  }
  if (self->sent_bits <= 0 && self->rtt_s > 0)
    self->timer_at = now + timer_span (self);
  self->packet_bits += PACKET_GAIN * (bits - self->packet_bits);
  self->sent_bits += bits;
  return decide (self);
}

static void
resume (Tfrc *self, RcTime now)
{
  self->x_bps = clamp_rate (self, fmin (self->x_bps, (double) self->limits.start_bps));
  self->n_recv_set = 0;
  rc_delivery_restart (&self->delivery, now);
}

static void
measure_delivery (Tfrc *self, const RcFeedback *feedback)
{
  RcTime arrived_at_remote = feedback->owd_remote + feedback->sent_at;

  self->received_bytes += feedback->received_bytes;
  if (feedback->rtt != RC_TIME_NONE && feedback->sent_at != RC_TIME_NONE
      && feedback->received_pkts > 0)
    rc_delivery_add (&self->delivery, arrived_at_remote, self->received_bytes,
        rc_time_from_s (self->rtt_s));
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  Tfrc *self = state;
  double p = self->told ? rc_clampd (*self->told, 0, 1) : 0;
  bool new_loss = p > self->p;

  measure_use (self, now);
  if (self->path->resumed)
    resume (self, now);
  if (feedback->restarted)
    rc_delivery_restart (&self->delivery, now);
  measure_rtt (self, feedback);
  measure_delivery (self, feedback);
  self->x_recv_bps = self->delivery.bps;
  self->p = p;
  if (feedback->received_pkts == 0)
    return decide (self);  /* the RFC's receiver sends none */
  if (feedback->lost_pkts + feedback->ce_pkts > 0)
    self->lost_at = now;
  if (self->rtt_s > 0) {
    decide_rate (self, self->x_recv_bps > 0 ? receive_limit (self, new_loss, now) : HUGE_VAL, now);
    if (self->x_recv_bps > 0 && !data_limited (self))
      clock_rate (self, now);
  }
  self->sent_bits = self->allowed_bits = 0;
  if (self->timer_at != RC_TIME_NONE)
    self->timer_at = now + timer_span (self);
  return decide (self);
}

#define PARAM(field, unit, low, high, live, paper, doc) \
    { #field, unit, doc, low, high, live, paper, offsetof (Tfrc, params.field) }

static const RcParam params[] = {
  /* [RFC 5348 4.3]; ns-2 df_ */
  PARAM (rtt_gain, "", 0, 0.999, 0.9, 0.95, "weight of the old round trip time in the new one"),
  /* ns-2 scmult_ */
  PARAM (self_clocking, "", 0, 10, 0, 1.5,
      "most that the rate is of the receive rate; 0: RFC 5348"),
  /* the RFC says MAY; ns-2 ca_ */
  PARAM (oscillation, "0|1", 0, 1, 0, 1, "1: lower rate while the RTT is above its mean"),
  PARAM (report, "RTT", 0.05, 10, 1, 1, "time between reports"),        /* [RFC 5348 6] */
  PARAM (report_min, "s", 0.001, 1, 0.020, 0.001, "shortest time between reports"),
  PARAM (report_max, "s", 0.001, 1, 1, 1, "longest time between reports"),
  /* a trickle is reported each 250 ms only */
  PARAM (timeout_min, "s", 0, 60, 0.5, 0, "shortest no-feedback timer"),
  {NULL}
};

const RcLaw tfrc_law = {
  .name = "tfrc", .doc = "TFRC: the rate of a TCP flow with the same loss (RFC 5348)",
  .state_bytes = sizeof (Tfrc), .params = params, .start = start,
  .set_limits = set_limits,
  .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer
};

void
tfrc_listen (RcController *controller, const double *ratio)
{
  assert (controller->law == &tfrc_law);
  ((Tfrc *) controller->state.bytes)->told = ratio;
}
