/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A trial that tells losses of the radio from those of a policer or of a tiny buffer.
 *
 * Problem: neither has a queue. A radio loses the share p of whatever is sent, so a lower rate only
 * costs quality; a policer of C loses 1 - C / x, and a lower rate loses less. Rule: where packets
 * get lost without a queue, x is lowered for a moment, and what is lost then says whose loss it
 * was.
 *
 *   due       p > LEAST_RATIO, and p > p_r (1 + MORE) + LEAST_RATIO or the pause since the last one
 *             is over
 *   HOLD      x stays at x_0, and p_0 is counted: a mean over seconds would be that of other rates
 *   LOWER     x_1 = x_0 (1 - min (DEPTH p_0, MOST_DEPTH)), and p_1 is counted
 *   verdict   a policer would lose p_c = (p_0 - delta) / (1 - delta) at x_1 = x_0 (1 - delta). Ours
 *             if p_1 < p_0 - SHARE (p_0 - p_c) and that is more than chance. Else the radio's: x
 *             returns to x_0, and p_r = p_0 or p_1, whichever is less.
 *   pause     PAUSE_LEAST, doubled with each verdict of the radio up to PAUSE_MOST
 *
 * Either count begins a reaction after its rate. That of HOLD ends with LOST_PKTS losses in EVENTS
 * reports, since losses of one burst are one event, or after SPAN_MOST. That of LOWER ends with as
 * many packets, or sooner, when the verdict is certain.
 *
 * Several flows of ours behind one policer try one by one; DEPTH > 1 makes the half of two show.
 *
 * Inputs: losses told, times. Output: a rate, a verdict.
 * Source: ours. Like PCC (Dong et al., NSDI 2015) it asks the path by a trial of rates.
 * Limits: by chance some trials say "ours" of losses in bursts; x is then back soon. Where many
 * flows of others fill a tiny buffer, ours changes nothing: their losses count as the radio's. */
#include <rc/law/losstrial.h>

#include <math.h>

#define LEAST_RATIO 0.02
#define MORE 0.5
#define DEPTH 1.5
#define MOST_DEPTH 0.25
#define LOST_PKTS 16
#define EVENTS 12
#define SPAN_MOST (3 * RC_SECOND)
#define SHARE 0.42
#define DEVIATIONS 2.1          /* of so many losses, which vary by chance */
#define PAUSE_LEAST (5 * RC_SECOND)
#define PAUSE_MOST (20 * RC_SECOND)

void
rc_losstrial_init (RcLossTrial *self)
{
  *self = (RcLossTrial) {.again_at = RC_TIME_NONE,.pause = PAUSE_LEAST };
}

bool
rc_losstrial_is_due (const RcLossTrial *self, double loss_ratio, RcTime now)
{
  if (self->state != RC_LOSSTRIAL_IDLE || loss_ratio <= LEAST_RATIO)
    return false;
  return self->again_at == RC_TIME_NONE || now >= self->again_at
      || loss_ratio > self->radio_ratio * (1 + MORE) + LEAST_RATIO;
}

static void
enter (RcLossTrial *self, RcLossTrialState state, RcTime now)
{
  self->state = state;
  self->since = now;
  self->lost_pkts = self->told_pkts = 0;
  self->events = 0;
}

void
rc_losstrial_begin (RcLossTrial *self, double bps, RcTime now)
{
  self->before_bps = bps;
  enter (self, RC_LOSSTRIAL_HOLD, now);
}

void
rc_losstrial_abort (RcLossTrial *self)
{
  self->state = RC_LOSSTRIAL_IDLE;
}

/* delta */
static double
depth (const RcLossTrial *self)
{
  return fmin (DEPTH * self->before_ratio, MOST_DEPTH);
}

double
rc_losstrial_rate_bps (const RcLossTrial *self)
{
  return self->state == RC_LOSSTRIAL_LOWER ? self->before_bps * (1 - depth (self))
      : self->before_bps;
}

double
rc_losstrial_capacity_bps (const RcLossTrial *self)
{
  return self->before_bps * (1 - self->before_ratio);
}

/* What a policer would lose at x_1, and the share of the way to it that says "ours". */
static double
least_radio_ratio (const RcLossTrial *self)
{
  double policed = fmax (0, (self->before_ratio - depth (self)) / (1 - depth (self)));

  return self->before_ratio - SHARE * (self->before_ratio - policed);
}

/* p_1 is known. */
static RcLossTrialVerdict
judge (RcLossTrial *self, double ratio, RcTime now)
{
  double expected_pkts = self->before_ratio * self->told_pkts;
  double fewer_pkts = expected_pkts - self->lost_pkts;

  self->state = RC_LOSSTRIAL_IDLE;
  if (ratio < least_radio_ratio (self) && fewer_pkts > DEVIATIONS * sqrt (expected_pkts)) {
    self->radio_ratio = ratio;
    self->pause = PAUSE_LEAST;
    self->again_at = now;
    return RC_LOSSTRIAL_OURS;
  }
  self->radio_ratio = fmin (ratio, self->before_ratio);
  self->again_at = now + self->pause;
  self->pause = self->pause < PAUSE_MOST / 2 ? 2 * self->pause : PAUSE_MOST;
  return RC_LOSSTRIAL_RADIO;
}

RcLossTrialVerdict
rc_losstrial_on_report (RcLossTrial *self, double lost_pkts, double received_pkts,
    double reaction_s, RcTime now)
{
  RcTime counted = now - self->since - rc_time_from_s (reaction_s);
  double ratio;

  if (self->state == RC_LOSSTRIAL_IDLE || counted < 0)
    return RC_LOSSTRIAL_PENDING;
  self->lost_pkts += lost_pkts;
  self->told_pkts += lost_pkts + received_pkts;
  self->events += lost_pkts > 0;
  ratio = self->lost_pkts / fmax (self->told_pkts, 1);
  if (self->state == RC_LOSSTRIAL_LOWER) {
    if (self->told_pkts >= self->before_pkts || counted >= SPAN_MOST
        || self->lost_pkts >= least_radio_ratio (self) * self->before_pkts)
      return judge (self, ratio, now);
  } else if ((self->lost_pkts >= LOST_PKTS && self->events >= EVENTS) || counted >= SPAN_MOST) {
    self->before_ratio = ratio;
    self->before_pkts = self->told_pkts;
    enter (self, ratio > LEAST_RATIO ? RC_LOSSTRIAL_LOWER : RC_LOSSTRIAL_IDLE, now);
  }
  return RC_LOSSTRIAL_PENDING;
}
