/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC: how the window grows and is reduced, and whose queue it is. The model is in arc.c. */
#include "arc_private.h"

#include <math.h>

#define STARTUP_MIN_RTT_S 0.1   /* a doubling is never faster than the encoder and B can follow */
#define RANDOM_LOSS_MOST 0.3    /* of a loss ratio, this much is made up for when B is measured behind a lossy hop */
#define UNUSED_CUT_GAIN 0.85    /* step down of a rate that the source does not use */
#define COMPETE_QUEUES 4        /* thresholds: more than several of our own flows ever keep up */
#define COMPETE_OVER 1.5        /* thresholds: our own flows are below, most of the time */
#define COMPETE_ENTER 0.5       /* share of the time with a deep queue; our own flows make less than a tenth */
#define COMPETE_LEAVE 0.25      /* below it what was usual may be recovered: beside long TCP flows it was theirs as well */
#define COMPETE_RTTS 10         /* a flow of long RTT needs many seconds to empty even its own queue */
#define COMPETE_PKTS 10         /* [ARC 3.1.2] */
#define COMPETE_PROBE_GAIN 0.75
#define COMPETE_PROBE_SRTTS 3   /* SRTT has the queue in it: time for a third of it to go */
#define RECOVER_BELOW 1.1

/* At most one reduction an SRTT: the effect of the last one must be seen first. A shallow queue is given `rest` to drain, so that a flow of
 * short RTT is not reduced many times by the same queue. */
static bool
may_cut (const RcArc *self, RcTime now)
{
  double rest = rc_arc_srtt_s (self);

  if (self->params.rest > rest && rc_time_to_s (self->tq) < 2 * rc_arc_threshold_s (self))
    rest = self->params.rest;
  return self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) > rest;
}

/* B for a reduction. Where the queue is not deep, B may be less than the path gives for two reasons that are not congestion: packets lost
 * on the radio, and a source that does not use its rate. Then step down, do not fall to it. */
static double
bandwidth_at_cut (const RcArc *self)
{
  double b = rc_arc_bandwidth_bps (self), lost = self->loss_ratio < RANDOM_LOSS_MOST ? self->loss_ratio : RANDOM_LOSS_MOST;

  if (rc_time_to_s (self->tq) > 2 * rc_arc_threshold_s (self))
    return b;
  if (self->params.delivery > 0)
    b /= 1 - lost;
  if (self->params.used > 0 && !rc_arc_network_limited (self) && b < self->rate_bps * UNUSED_CUT_GAIN)
    b = self->rate_bps * UNUSED_CUT_GAIN;
  return b;
}

void
rc_arc_cut (RcArc *self, double gain, RcTime now)
{
  double b = bandwidth_at_cut (self);
  bool was_recovering = self->known_bps > 0;

  rc_arc_set_window (self, gain * rc_arc_window_for (self, b));
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
  double rest = fmax (2 * rc_arc_srtt_s (self), self->params.rest);

  if (self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) >= rest)
    return false;
  return rc_time_to_s (self->tq) > rc_arc_threshold_s (self) / 2 || self->known_bps < RECOVER_BELOW * self->rate_bps
      || rc_time_to_s (now - self->cut_at) < rc_arc_srtt_s (self);
}

/* What is too much shows a round trip later: the longer that is, the gentler; by the root, so that long paths are not left behind. */
static double
growth_bps_s (const RcArc *self)
{
  double slower = self->params.add_rtt > 0 ? sqrt (fmin (1, self->params.add_rtt / rc_arc_base_rtt_s (self))) : 1;

  return self->params.add * self->growth_gain * slower;
}

/* At high rates what is a fast growth at 2 Mbit/s would take minutes. */
static double
most_growth_gain (const RcArc *self)
{
  return fmax (self->params.add_max, self->params.add_ratio * self->rate_bps / self->params.add);
}

/* [ARC eq. 3], or its live forms. */
static void
grow (RcArc *self, RcTime now)
{
  double dt = rc_time_to_s (now - self->updated_at);
  double srtt = rc_arc_srtt_s (self);

  if (self->params.used > 0 && !rc_arc_network_limited (self))
    return;
  if (self->starting) {
    double rtt = srtt > STARTUP_MIN_RTT_S ? srtt : STARTUP_MIN_RTT_S;

    rc_arc_set_window (self, self->w_bits * exp2 (dt / (self->params.startup * rtt)));
  } else if (self->params.add > 0) {
    if (resting (self, now))
      return;
    self->growth_gain = fmin (self->growth_gain * exp2 (dt / self->params.add_double), most_growth_gain (self));
    if (self->known_bps > 0 && self->rate_bps >= self->params.approach * self->known_bps) {
      self->growth_gain = 1;    /* beyond is unknown again */
      self->known_bps = 0;
    }
    if (self->known_bps > 0 && self->deep_ratio < COMPETE_LEAVE)
      self->growth_gain = fmax (self->growth_gain, self->params.recover);
    rc_arc_set_window (self, self->w_bits + rc_arc_window_for (self, growth_bps_s (self) * dt));
  } else {
    rc_arc_set_window (self, self->w_bits + dt / self->params.alpha * self->params.packet * 8);
  }
}

/* The paper's threshold, 10 packets of own backlog, unless the profile has its own. */
static double
hold_threshold_s (const RcArc *self)
{
  return self->competing ? COMPETE_PKTS * self->params.packet * 8 / rc_arc_bandwidth_bps (self) : rc_arc_threshold_s (self);
}

/* As the paper: w from eq. 2 on a loss, held on backlog, else eq. 3. */
static void
update_window_paper (RcArc *self, const RcFeedback *feedback, RcTime now)
{
  if (feedback->lost_pkts + feedback->ce_pkts > 0) {
    if (may_cut (self, now))
      rc_arc_cut (self, self->competing ? self->params.compete_cut : 1, now);
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
    rc_arc_cut (self, self->params.drain, now);
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
  double span = fmax (self->params.compete, COMPETE_RTTS * rc_arc_base_rtt_s (self));
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
  double span = COMPETE_PROBE_SRTTS * rc_arc_srtt_s (self);

  if (self->probing_since != RC_TIME_NONE && rc_time_to_s (now - self->probing_since) > span) {
    if (self->tq > self->probed_tq / 2)
      rc_arc_set_window (self, fmax (self->w_bits, self->probed_w_bits));
    self->probing_since = RC_TIME_NONE;
    self->cut_at = now;
  } else if (self->probing_since == RC_TIME_NONE && self->cut_at != RC_TIME_NONE
      && rc_time_to_s (now - self->cut_at) > self->params.compete_probe) {
    self->probing_since = now;
    self->probed_tq = self->tq;
    self->probed_w_bits = self->w_bits;
    rc_arc_set_window (self, self->w_bits * COMPETE_PROBE_GAIN);
  }
}

void
rc_arc_update_window (RcArc *self, const RcFeedback *feedback, RcTime now)
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
