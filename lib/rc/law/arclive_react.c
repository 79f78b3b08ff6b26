/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: how the window grows and when it is reduced, by mode. The model is in arclive.c. */
#include "arclive_react.h"

#include "arclive_window.h"

#include <math.h>

#define STARTUP_MIN_RTT_S 0.1   /* a doubling is never faster than the encoder and B can follow */
#define COMPETE_QUEUES 4        /* thresholds: more than several of our own flows ever keep up */
#define COMPETE_OVER 1.5        /* thresholds: our own flows are below, most of the time */
#define COMPETE_ENTER 0.5       /* share of the time with a deep queue; our own flows make less than a tenth */
#define COMPETE_LEAVE 0.25      /* below it a lost rate may be recovered: beside long TCP flows it was theirs too */
#define COMPETE_RTTS 10         /* a flow of long RTT needs many seconds to empty even its own queue */
#define COMPETE_PKTS 10         /* [ARC 3.1.2] */
#define COMPETE_PROBE_GAIN 0.75
#define COMPETE_PROBE_SRTTS 3   /* SRTT has the queue in it: time for a third of it to go */
#define RECOVER_BELOW 1.1

/* At most one reduction an SRTT: the effect of the last one must be seen first. A shallow queue is
 * given `rest` to drain, so that a flow of short RTT is not reduced many times by the same queue. */
static bool
may_cut (const RcArcLive *self, RcTime now)
{
  double rest = rc_path_srtt_s (&self->path);

  if (self->params.rest > rest && rc_time_to_s (self->path.tq) < 2 * rc_arclive_threshold_s (self))
    rest = self->params.rest;
  return self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) > rest;
}

/* Let the queue drain before growing again. Exception: if the queue has vanished while our rate is
 * well below the one before the reduction, another flow had built that queue, and waiting for
 * longer than an SRTT would gain nothing. */
static bool
resting (const RcArcLive *self, RcTime now)
{
  double rest = fmax (2 * rc_path_srtt_s (&self->path), self->params.rest);

  if (self->cut_at == RC_TIME_NONE || rc_time_to_s (now - self->cut_at) >= rest)
    return false;
  return rc_time_to_s (self->path.tq) > rc_arclive_threshold_s (self) / 2
      || self->known_bps < RECOVER_BELOW * self->rate_bps
      || rc_time_to_s (now - self->cut_at) < rc_path_srtt_s (&self->path);
}

/* Growth to begin with, bit/s a second. */
static double
first_growth_bps_s (const RcArcLive *self)
{
  return fmax (self->params.add, self->pushed_bps_s);
}

/* An excess shows only a round trip later, so growth is gentler on long paths. It shrinks with the
 * root of the RTT only, so that flows on long paths are not left behind. */
static double
growth_bps_s (const RcArcLive *self)
{
  double base_rtt_s = rc_path_base_rtt_s (&self->path);
  double slower = self->params.add_rtt > 0 ? sqrt (fmin (1, self->params.add_rtt / base_rtt_s)) : 1;

  return first_growth_bps_s (self) * self->growth_gain * slower;
}

/* The bound of growth rises with the rate: a growth that is fast at 2 Mbit/s takes minutes at high
 * rates. */
static double
most_growth_gain (const RcArcLive *self)
{
  return fmax (self->params.add_max, self->params.add_ratio * self->rate_bps / first_growth_bps_s (self));
}

/* [ARC eq. 3], or its live forms. */
static void
grow (RcArcLive *self, RcTime now)
{
  double dt = rc_time_to_s (now - self->updated_at);
  double srtt = rc_path_srtt_s (&self->path);

  if (self->params.used > 0 && !rc_arclive_network_limited (self))
    return;
  if (self->starting) {
    double rtt = srtt > STARTUP_MIN_RTT_S ? srtt : STARTUP_MIN_RTT_S;

    rc_arclive_set_window (self, self->w_bits * exp2 (dt / (self->params.startup * rtt)));
  } else {
    if (resting (self, now))
      return;
    self->growth_gain = fmin (self->growth_gain * exp2 (dt / self->params.add_double), most_growth_gain (self));
    if (self->known_bps > 0 && self->rate_bps >= self->params.approach * self->known_bps) {
      self->growth_gain = 1;    /* nothing is known of higher rates */
      self->known_bps = 0;
    }
    if (self->known_bps > 0 && self->deep_ratio < COMPETE_LEAVE)
      self->growth_gain = fmax (self->growth_gain, self->params.recover);
    rc_arclive_set_window (self, self->w_bits + rc_arclive_window_for (self, growth_bps_s (self) * dt));
  }
}

/* The paper's threshold, 10 packets of own backlog, unless the profile has its own. */
static double
hold_threshold_s (const RcArcLive *self)
{
  return self->competing ? COMPETE_PKTS * self->params.packet * 8 / rc_path_bandwidth_bps (&self->path) : rc_arclive_threshold_s (self);
}

/* As the paper: w from eq. 2 on a loss, held on backlog, else eq. 3. */
static void
update_window_paper (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  if (feedback->lost_pkts + feedback->ce_pkts > 0) {
    if (may_cut (self, now))
      rc_arclive_cut (self, self->competing ? self->params.compete_cut : 1, now);
  } else if (rc_time_to_s (self->path.tq) < hold_threshold_s (self)) {
    grow (self, now);
  }
}

/* Empties the queue at the first clear sign. */
static void
update_window_draining (RcArcLive *self, const RcFeedback *feedback, RcTime now)
{
  double threshold = rc_arclive_threshold_s (self), tq = rc_time_to_s (self->path.tq);
  bool loss_counts = feedback->lost_pkts > 0 && (tq > threshold / 2 || self->path.loss_ratio > self->params.loss_high);
  bool sign = tq > threshold || loss_counts || feedback->ce_pkts > 0;

  if (!sign) {
    self->signs = 0;
    grow (self, now);
    return;
  }
  if (tq >= rc_time_to_s (self->path.last_tq))
    self->signs++;              /* a queue that falls by itself was somebody's burst */
  if ((self->signs >= (self->starting ? 1 : 2) || feedback->lost_pkts + feedback->ce_pkts > 0) && may_cut (self, now))
    rc_arclive_cut (self, self->params.drain, now);
}

/* The queueing delay that our own flows do not cause. They empty the queue at the threshold, so a
 * queue of COMPETE_QUEUES thresholds belongs to another flow. At low rates no queue is as long as
 * that. There compete_tq is enough, if it is well over the threshold. */
static double
foreign_queue_s (const RcArcLive *self)
{
  double threshold = rc_arclive_threshold_s (self), most = COMPETE_QUEUES * threshold;

  if (self->params.compete_tq <= 0)
    return most;
  return fmin (most, fmax (COMPETE_OVER * threshold, self->params.compete_tq));
}

/* Problem: the queue of a loss-based flow swings and may look empty now and then, above all if the
 * true minimum of the delay was never seen. Rule: what counts is the share of the time that the
 * queue is deep. */
static void
update_mode (RcArcLive *self, RcTime now)
{
  double span = fmax (self->params.compete, COMPETE_RTTS * rc_path_base_rtt_s (&self->path));
  double keep = exp (-rc_time_to_s (now - self->updated_at) / span);
  bool deep = !self->starting && rc_time_to_s (self->path.tq) >= foreign_queue_s (self);

  self->deep_ratio = self->deep_ratio * keep + (deep ? 1 - keep : 0);
  if (!self->competing)
    self->probing_since = RC_TIME_NONE;
  self->competing = self->params.compete > 0
      && self->deep_ratio > (self->competing ? COMPETE_LEAVE : COMPETE_ENTER);
}

/* Whose queue is it? The queue of a loss-based flow overflows now and then. So if nothing was lost
 * for long, the window is lowered by a quarter for a moment. If the queue halves, it was our own;
 * if not, the window returns to what it was. */
static void
probe_queue (RcArcLive *self, RcTime now)
{
  double span = COMPETE_PROBE_SRTTS * rc_path_srtt_s (&self->path);

  if (self->probing_since != RC_TIME_NONE && rc_time_to_s (now - self->probing_since) > span) {
    if (self->path.tq > self->probed_tq / 2)
      rc_arclive_set_window (self, fmax (self->w_bits, self->probed_w_bits));
    self->probing_since = RC_TIME_NONE;
    self->cut_at = now;
  } else if (self->probing_since == RC_TIME_NONE && self->cut_at != RC_TIME_NONE
      && rc_time_to_s (now - self->cut_at) > self->params.compete_probe) {
    self->probing_since = now;
    self->probed_tq = self->path.tq;
    self->probed_w_bits = self->w_bits;
    rc_arclive_set_window (self, self->w_bits * COMPETE_PROBE_GAIN);
  }
}

void
rc_arclive_react (RcArcLive *self, const RcFeedback *feedback, RcTime now)
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
