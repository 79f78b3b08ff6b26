/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The slow law
 * ============
 *
 * In a nutshell: a plain RTP receiver reports each half to seven seconds (RFC 3550). Its report
 * has how much came, how much was lost, and one round trip time. The rate grows by so little
 * between two reports that a queue which this builds stays short, and falls to what arrived, and
 * below it by what drains the queue, when a report shows a queue or many losses.
 *
 *   T   time between two reports [interval_s, smoothed]
 *   B   what arrived between them, bit/s                           [arrived_bps]
 *   f   share that was lost of what was sent between them          [loss_ratio]
 *   q   round trip time less its least in BASE_WINDOW              [queueing_delay]
 *   c   B at the last congestion                                   [ceiling_bps]
 *
 * At each report the first line that holds decides:
 *
 *   q > threshold, f > cut_loss    r = min (r, max (r (1 - 2 f), LEAST_SHARE B)), c = B    fall ()
 *   q > threshold                  c = min (r, B), r = c (MARGIN - q / T)                 drain ()
 *   f > cut_loss                   c = r = min (r, max (B, r (1 - f)))                    shed ()
 *   f > hold_loss                  r stays
 *   else                           r = r (1 + g), but at most GROWTH_OVER B               grow ()
 *
 *   fall ()   The capacity fell, on average in the middle of T: then half of T lost 2 f of what
 *             was sent in it.
 *   drain ()  B is the capacity, since the queue kept it busy. Sending q / T less drains q by the
 *             next report.
 *   shed ()   Losses without a queue. Not at the report after fall (), which still contains losses
 *             from before the rate fell.
 *   grow ()   g = min (start T, step) before the first congestion. After it, g = min (growth T,
 *             step) up to NEAR c; from there at most min (near T, NEAR_QUEUE_S / T), which builds
 *             a queue of NEAR_QUEUE_S until the next report, and doubled at each report beyond c.
 *   A queue that stays: STAYING_CUTS cuts in a row did not shorten q. It is another flow's, or the
 *             route is longer, and its delay becomes the least.
 *
 * Without reports r halves at PATIENCE T (at least LEAST_PATIENCE_S), and media stops after 15 s or
 * more: three RTCP intervals of 5 s [RFC 8083 4.1]. A report without a new packet is no answer. Two
 * breakers stand above the law (controller.c, breaker.c): media that does not arrive stops [RFC
 * 8083 4.2]; and losses at a rate far above TCP's bring r to a tenth, and then end media for a
 * minute [RFC 8083 4.3]. With `stop` 0 media never stops.
 *
 * Source: the loss ratios 2 and 10 % are those of the loss-based controller of Google congestion
 * control (draft-ietf-rmcat-gcc-02 section 6), which was made for receiver reports. The rest is
 * ours. Rejected: TFRC (tfrc.c) on the loss of receiver reports. It needs loss events, and reports
 * give only the number of lost packets; it takes no delay for congestion, so that it fills a
 * drop-tail queue; and it expects a report in each round trip. ARC (arclive.c) needs the delays of
 * single packets. Figures: docs/guide/plain-receivers.md.
 *
 * Limits: after a fall of the capacity nothing is known until the next report, and the queue is
 * full until then. Beside flows that fill the queue it gives way until the queue counts as theirs.
 */
#include <rc/law/slow.h>

#include <math.h>
#include <rc/feedback/feedback.h>
#include <string.h>

#define BASE_WINDOW (100 * RC_SECOND)   /* a route that became longer is known for one by then */
#define MARGIN 0.95             /* B is what arrived: a little below it, so that the queue falls */
#define LEAST_SHARE 0.5         /* of B, which is above the capacity: no report cuts deeper */
#define GROWTH_OVER 1.5         /* of B: a source that sends less than r does not let r grow */
#define NEAR 0.96               /* of c: leaves the queue room to drain */
#define NEAR_QUEUE_S 0.05
#define MOST_DOUBLINGS 5        /* 32 times: more than any other bound of a step lets through */
#define STAYING_CUTS 4
#define STAYING_SHARE 0.7       /* of q when the cuts began */
#define INTERVAL_GAIN 0.25      /* RTCP intervals are random, from 0.5 to 1.5 of their mean */
#define LONGEST_INTERVAL_S 7.5  /* RFC 3550 6.3.1: 1.5 times 5 s */
#define PATIENCE 2.5            /* T: two reports were lost, or the receiver is gone */
#define LEAST_PATIENCE_S 2.0
#define REPORT_INTERVAL RC_SECOND       /* has no effect: the receiver does not know infos */

static double
clamp_rate (const RcSlow *self, double bps)
{
  return rc_clampd (bps, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

/* --- measurements --- */

static void
measure_delay (RcSlow *self, const RcFeedback *feedback, RcTime now)
{
  int64_t base;

  if (feedback->rtt == RC_TIME_NONE)
    return;
  rc_winmin_add (&self->base_rtt, feedback->rtt, now);
  rc_winmin_get (&self->base_rtt, &base);
  self->queueing_delay = feedback->rtt - base;
}

/* Returns the time since the last report with news; 0: this is the first. */
static double
measure_rates (RcSlow *self, const RcFeedback *feedback, RcTime now)
{
  double pkts = (double) feedback->received_pkts + feedback->lost_pkts, since_s = 0;

  self->loss_ratio = (feedback->lost_pkts + feedback->ce_pkts) / pkts;
  if (feedback->bandwidth_bps > 0)
    self->arrived_bps = (double) feedback->bandwidth_bps;
  if (self->reported_at != RC_TIME_NONE) {
    since_s = rc_clampd (rc_time_to_s (now - self->reported_at), 0, LONGEST_INTERVAL_S);
    self->interval_s = self->interval_s > 0 ? self->interval_s + INTERVAL_GAIN * (since_s
        - self->interval_s) : since_s;
  }
  self->reported_at = now;
  return since_s;
}

/* --- the rate --- */

static void
set_ceiling (RcSlow *self, double bps)
{
  self->ceiling_bps = bps;
  self->beyond = 0;
}

static void
fall (RcSlow *self)
{
  double bps = fmax (self->rate_bps * (1 - 2 * self->loss_ratio), LEAST_SHARE * self->arrived_bps);

  set_ceiling (self, self->arrived_bps);
  self->rate_bps = fmin (self->rate_bps, bps);
  self->cause = RC_CAUSE_FALL;
  self->fell = true;
}

static void
drain (RcSlow *self)
{
  double q_s = rc_time_to_s (self->queueing_delay), span_s = fmax (self->interval_s, 0.5);
  double share = fmax (MARGIN - q_s / span_s, 0.5);

  set_ceiling (self, fmin (self->arrived_bps, self->rate_bps));
  self->rate_bps = share * self->ceiling_bps;
  self->cause = RC_CAUSE_QUEUE;
}

static void
shed (RcSlow *self)
{
  double bps = fmax (self->arrived_bps, self->rate_bps * (1 - self->loss_ratio));

  self->rate_bps = fmin (self->rate_bps, bps);
  self->cause = RC_CAUSE_LOSS;
  set_ceiling (self, self->rate_bps);
}

/* At once to NEAR c. From there by what builds no queue above NEAR_QUEUE_S until the next report;
 * beyond c, which has then grown, by twice as much at each report. */
static void
grow (RcSlow *self, double since_s)
{
  const RcSlowParams *p = &self->params;
  double r = self->rate_bps, near_bps = NEAR * self->ceiling_bps;
  double most_bps = GROWTH_OVER * self->arrived_bps;
  double step = fmin ((near_bps > 0 ? p->growth : p->start) * since_s, p->step);

  if (near_bps > 0 && r >= near_bps)
    step = fmin (step, (double) (1U << self->beyond) * fmin (p->near * since_s,
            NEAR_QUEUE_S / fmax (self->interval_s, since_s)));
  else if (near_bps > 0)
    most_bps = fmin (most_bps, near_bps);
  if (r > self->ceiling_bps && self->beyond < MOST_DOUBLINGS)
    self->beyond++;
  self->cause = r < near_bps ? RC_CAUSE_KNOWN_CAPACITY
      : most_bps <= r ? RC_CAUSE_APPLICATION : RC_CAUSE_GROWTH;
  self->rate_bps = fmax (r, fmin (r * (1 + step), most_bps));
}

/* The cuts did not shorten the queue: it is another's, or a longer route. */
static bool
stays (RcSlow *self, RcTime now)
{
  if (self->cuts++ == 0)
    self->cut_delay = self->queueing_delay;
  if ((double) self->queueing_delay < STAYING_SHARE * (double) self->cut_delay)
    self->cuts = 0;
  if (self->cuts < STAYING_CUTS)
    return false;
  rc_winmin_init (&self->base_rtt, BASE_WINDOW);
  self->queueing_delay = 0;
  self->cuts = 0;
  return true;
}

static void
decide_rate (RcSlow *self, double since_s, RcTime now)
{
  bool queue = self->queueing_delay != RC_TIME_NONE
      && rc_time_to_s (self->queueing_delay) > self->params.threshold;
  bool fell = self->fell;

  self->fell = false;
  if (self->arrived_bps <= 0)
    return;
  if (!queue)
    self->cuts = 0;
  if (queue && self->loss_ratio > self->params.cut_loss)
    fall (self);
  else if (queue && !stays (self, now))
    drain (self);
  else if (self->loss_ratio > self->params.cut_loss && !fell)
    shed (self);
  else if (self->loss_ratio <= self->params.hold_loss)
    grow (self, since_s);
  else
    self->cause = RC_CAUSE_LOSS;
  self->rate_bps = clamp_rate (self, self->rate_bps);
}

/* --- the law --- */

static RcTime
patience (const RcSlow *self)
{
  double interval_s = self->interval_s > 0 ? self->interval_s : LONGEST_INTERVAL_S;

  return rc_time_from_s (fmax (PATIENCE * interval_s, LEAST_PATIENCE_S));
}

static void
reduce (void *state, double share)
{
  RcSlow *self = state;

  self->rate_bps = clamp_rate (self, share * self->rate_bps);
  self->cause = RC_CAUSE_BREAKER;
  if (share > 0)                /* else the breaker closes, and nothing is congested */
    set_ceiling (self, self->rate_bps);
}

static RcTime
queueing_delay (const void *state)
{
  return ((const RcSlow *) state)->queueing_delay;
}

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  RcSlow *self = state;
  RcSlowParams params = self->params;

  memset (self, 0, sizeof *self);
  self->params = params;
  self->path = path;
  self->limits = *limits;
  self->rate_bps = (double) limits->start_bps;
  self->queueing_delay = self->reported_at = self->halve_at = RC_TIME_NONE;
  rc_winmin_init (&self->base_rtt, BASE_WINDOW);
}

static void
set_limits (void *state, const RcLimits *limits, RcTime now)
{
  RcSlow *self = state;

  self->limits = *limits;
  self->rate_bps = clamp_rate (self, self->rate_bps);
}

static RcDecision
on_timer (void *state, RcTime now)
{
  RcSlow *self = state;

  if (self->halve_at != RC_TIME_NONE && now >= self->halve_at && !self->path->silence.stopped) {
    self->rate_bps = clamp_rate (self, self->rate_bps / 2);
    self->cause = RC_CAUSE_TIMEOUT;
    self->halve_at = now + patience (self);
  }
  return (RcDecision) {
    .rate_bps = (uint64_t) (self->rate_bps + 0.5),
    .cause = rc_law_cause (&self->limits, self->rate_bps, self->cause),
    .next_at = self->halve_at,
    .report_interval = REPORT_INTERVAL,
  };
}

static RcDecision
on_sent (void *state, const RcSent *sent, RcTime now)
{
  RcSlow *self = state;

  if (self->halve_at == RC_TIME_NONE)
    self->halve_at = now + patience (self);
  return on_timer (self, now);
}

static RcDecision
on_feedback (void *state, const RcFeedback *feedback, RcTime now)
{
  RcSlow *self = state;

  measure_delay (self, feedback, now);
  if (feedback->received_pkts + feedback->lost_pkts > 0) {
    double since_s = measure_rates (self, feedback, now);

    self->halve_at = RC_TIME_NONE;
    decide_rate (self, since_s, now);
  }
  return on_timer (self, now);
}

static const RcFact facts[] = {
  {"arrived-rate", "bit/s", "slow: B between the last two reports"},
  {"loss-ratio", "ratio", "share of the packets that is lost"},
  {"report-interval", "s", "slow: between reports; 0: unknown"},
  {"ceiling-rate", "bit/s", "slow: rate of the last congestion; 0: none yet"},
  {NULL}
};

static void
measure (const void *state, double *values)
{
  const RcSlow *self = state;

  RC_LAW_TELL (values, facts, self->arrived_bps, self->loss_ratio, self->interval_s,
      self->ceiling_bps);
}

#define PARAM(field, unit, low, high, value, doc) \
    { #field, unit, doc, low, high, value, value, offsetof (RcSlow, params.field) }

static const RcParam params[] = {
  /* One sample: most of the jitter of a wireless link is below it. */
  PARAM (threshold, "s", 0.001, 10, 0.04, "queueing delay that counts as congestion"),
  PARAM (start, "1/s", 0, 10, 0.2, "growth until the first congestion"),
  PARAM (growth, "1/s", 0, 10, 0.12, "growth far from the last congestion"),
  PARAM (near, "1/s", 0, 10, 0.02, "growth near the last congestion"),
  PARAM (step, "", 0, 1, 0.25, "most growth at one report"),
  /* draft-ietf-rmcat-gcc-02 section 6, both */
  PARAM (hold_loss, "", 0, 1, 0.02, "loss ratio above which the rate does not grow"),
  PARAM (cut_loss, "", 0, 1, 0.10, "loss ratio above which the rate falls"),
  {NULL}
};

const RcLaw rc_slow_law = {
  .name = "slow", .doc = "For RTCP receiver reports alone, which come every 1 to 5 s",
  .state_bytes = sizeof (RcSlow), .params = params, .start = start,
  .set_limits = set_limits, .on_sent = on_sent, .on_feedback = on_feedback, .on_timer = on_timer,
  .facts = facts, .measure = measure, .queueing_delay = queueing_delay, .reduce = reduce
};
