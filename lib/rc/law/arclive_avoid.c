/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: START and AVOID. The model is in arclive.c. */
#include "arclive_avoid.h"

#include "arclive_marks.h"
#include "arclive_rate.h"

#include <math.h>

#define DELIVERY_LEAST (50 * RC_MSEC)   /* after a stall B says nothing before */
#define RANDOM_LOSS 0.15        /* a higher ratio is congestion, even without a queue */
#define RANDOM_LOSS_MOST 0.3
#define USED_START 0.4          /* a slow encoder follows a doubling late */
#define UNUSED_SPAN (2 * RC_SECOND)
#define DRAIN 0.97              /* eq. 2 leaves 3 % for the rest of the queue */
/* What is too much shows a round trip later: longer paths grow slower, by the root. */
#define GROWTH_RTT_S 0.1
#define GROWTH_POWER 0.25       /* growth by the rate */
#define DOUBLE_MIN_S 0.5        /* time in which g doubles */
#define DOUBLE_REACTIONS 2.5
#define DOUBLE_POWER (-0.125)
#define GROWTH_MOST 0.5         /* of x, each second */
#define RECOVER_S 0.5           /* back to K */
#define BUSY_GAIN 1.1           /* what leaves a queue is capacity: K, if it is news */

/* [ARC eq. 2]. Where the queue is short, B lacks what the radio lost. */
static void
cut (RcArcLive *self, RcTime now)
{
  double b = rc_arclive_bandwidth_bps (self);

  if (self->queueing.delay_s <= 2 * rc_arclive_threshold_s (self))
    b /= 1 - fmin (self->path.loss_ratio, RANDOM_LOSS_MOST);
  rc_arclive_set_x (self, fmin (self->x_bps, DRAIN * b));
  self->known_bps = b;
  self->growth_gain = fmax (1, self->growth_gain / 2);
  self->cut_at = now;
}

/* A source that does not use its rate must not make it grow without bound. */
static void
grow_start (RcArcLive *self, double dt_s, RcTime now)
{
  double sent_bps = self->use.sent_bits / RC_USE_SPAN_S;

  if (rc_use_reaches (&self->use, USED_START)) {
    self->used_at = now;
    rc_arclive_set_x (self,
        self->x_bps * exp2 (dt_s / (self->params.startup * rc_arclive_reaction_s (self))));
  } else if (now - self->used_at > UNUSED_SPAN) {
    rc_arclive_set_x (self,
        fmin (self->x_bps, fmax ((double) self->limits.start_bps, sent_bps / self->params.used)));
  }
}

static double
first_growth_bps_s (const RcArcLive *self)
{
  double slower = sqrt (fmin (1, GROWTH_RTT_S / rc_arclive_base_rtt_s (self)));

  return fmax (self->params.growth * pow (self->x_bps / 1e6, GROWTH_POWER) * slower,
      self->pushed_bps_s);
}

/* [ARC eq. 3] in rate. Up to K the way is known; beyond it growth begins anew. */
static void
grow_avoid (RcArcLive *self, double dt_s)
{
  double wait_s = rc_arclive_base_rtt_s (self) + RC_ARCLIVE_REACTION_MIN_S
      + self->queueing.window_s;
  double double_s = fmax (DOUBLE_MIN_S, DOUBLE_REACTIONS * wait_s) * pow (self->x_bps / 1e6,
      DOUBLE_POWER);
  double slope;

  if (!rc_use_reaches (&self->use, self->params.used))
    return;
  if (self->known_bps > 0 && self->rate_bps >= self->known_bps) {
    self->growth_gain = 1;
    self->known_bps = 0;
  }
  slope = fmin (first_growth_bps_s (self) * self->growth_gain, GROWTH_MOST * self->x_bps);
  if (slope < GROWTH_MOST * self->x_bps)
    self->growth_gain *= exp2 (dt_s / double_s);
  slope = fmax (slope, rc_arclive_scalable_growth_bps_s (self));
  rc_arclive_set_x (self,
      self->x_bps + fmax (slope, (self->known_bps - self->x_bps) / RECOVER_S) * dt_s);
}

static bool
congested (RcArcLive *self, const RcFeedback *feedback, bool scalable_marks)
{
  double d = self->queueing.delay_s, threshold = rc_arclive_threshold_s (self);

  if (d <= threshold || self->queueing.jumped)
    self->signs = 0;
  else if (self->queueing.rises)
    self->signs++;
  if (self->delivery.covered < DELIVERY_LEAST)
    return false;
  return self->signs >= (self->state == RC_ARCLIVE_START ? 1 : 2)
      || (feedback->ce_pkts > 0 && (!scalable_marks || self->state == RC_ARCLIVE_START))
      || (feedback->lost_pkts > 0 && (d > threshold / 2 || self->path.loss_ratio > RANDOM_LOSS));
}

/* START and AVOID differ in how they grow, and in how many signs they wait for. */
void
rc_arclive_react_avoid (RcArcLive *self, const RcFeedback *feedback, double dt_s, RcTime now)
{
  double b = rc_arclive_bandwidth_bps (self);
  bool scalable_marks = rc_arclive_answer_marks (self, feedback, now);
  bool is_congested = congested (self, feedback, scalable_marks),
      queue = self->queueing.delay_s > rc_arclive_threshold_s (self);

  if (self->queueing.delay_s > rc_arclive_threshold_s (self) / 2
      && b > fmax (BUSY_GAIN * self->x_bps, self->known_bps))
    self->known_bps = b;
  if (is_congested) {
    if (rc_arclive_may_cut (self, now))
      cut (self, now);
    if (!scalable_marks)
      rc_arclive_forget_marks (self);
    if (self->state == RC_ARCLIVE_START)
      rc_arclive_enter (self, RC_ARCLIVE_AVOID, now);
  } else if (!queue) {
    if (self->state == RC_ARCLIVE_START)
      grow_start (self, dt_s, now);
    else
      grow_avoid (self, dt_s);
  }
}
