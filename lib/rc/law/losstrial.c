/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A trial that tells losses of the radio from those of a policer or of a tiny buffer.
 *
 * Problem: neither has a queue. A radio loses the share p of whatever is sent, so a lower rate only
 * costs quality; a policer of C loses 1 - C / x, and a lower rate loses less. Rule: where packets
 * get lost without a queue, x is lowered for a moment, and what is lost then says whose loss it
 * was.
 *
 *   due       p > LEAST_RATIO, and either the pause is over, or p > p_r (1 + MORE) + LEAST_RATIO
 *   HOLD      x stays at x_0, and p_0 is counted: a mean over seconds would be that of other rates.
 *             Fewer than EVENTS losses end the trial.
 *   LOWER     x_1 = x_0 (1 - min (DEPTH p_0, MOST_DEPTH)), and p_1 is counted
 *   verdict   ours if p_1 < p_0 by more than chance. A policer would lose (p_0 - delta) /
 *             (1 - delta) at x_0 (1 - delta). The radio's if p_1 is less by CERTAIN of that effect
 *             at most: then p_r = p_0 or p_1, whichever is less. Between them nothing is known, and
 *             the pause stays as it was. x returns to x_0.
 *
 * Either count begins a reaction after its rate. Losses come in events of b, as many as a report
 * with losses has in the mean: n of them vary by sqrt (n b), and chance is DEVIATIONS times that.
 *
 * Problem: several flows of ours behind one policer. When one of them lowers x, the losses become
 * fewer by its share only, or by nothing if another grows: two flows lost 19 %, four 31. Rule: time
 * is cut into slots of UTC. HOLD lasts to the end of an odd one, and LOWER takes the even one
 * behind it, so that all flows lower x at once. The pause is so long that their trials meet: each
 * 2^level-th even slot has one, with level 0 after "ours", 1 where nothing is known, and one more
 * with each verdict of the radio, up to LEVEL_MOST. After "ours" the first of these is not
 * believed: a flow that lowers x alone, or while another grows, sees as much lost as before. It
 * took that for the radio's and grew, and so spoiled the trials of the others.
 *
 * Problem: a policer gives no sign before its loss, and growth that doubles is far beyond it when
 * the reports tell. Rule: after "ours" x rests for REST at what came through in HOLD, in bits: x_0
 * (1 - p_0) is too much where the source makes less than x. Then growth is linear while packets get
 * lost, and up to NEAR times what came through. The rest halves what is lost.
 *
 * Inputs: losses and bits told, times in UTC. Output: a rate, a verdict.
 * Source: ours. Like PCC (Dong et al., NSDI 2015) it asks the path by a trial of rates.
 * Limits: by chance some trials say "ours" of losses in bursts; x is then back soon. Four flows of
 * 0.5 Mbit/s count few losses in a slot and lose 4 %, and a policer of 2 Mbit/s behind a radio of
 * 5 % loses 16. Where many flows of others fill a tiny buffer, ours changes nothing: their losses
 * count as the radio's. A policer that TCP shares leaves TCP little, since its windows come in
 * bursts.
 *
 * Rejected: to lower x by half, which video sees as a queue of 130 ms; to rest at the mean of
 * x_0 and what came through; to ignore losses up to a fixed share and cut above it, which used
 * .03 of a link with 20 % random loss. */
#include <rc/law/losstrial.h>

#include <math.h>

#define SLOT (1500 * RC_MSEC)
#define LEAST_RATIO 0.02
#define MORE 0.5
#define DEPTH 1.5
#define MOST_DEPTH 0.25
#define EVENTS 6                /* reports with losses; fewer tell nothing */
#define DEVIATIONS 2.1          /* of so many events, which vary by chance */
#define CERTAIN 0.35            /* at 1 four flows lose 12 %, not 4; at .15 20 % random get .86 */
#define LEVEL_MOST 4
#define REST (6 * RC_SECOND)
#define NEAR 1.2

void
rc_losstrial_init (RcLossTrial *self)
{
  *self = (RcLossTrial) { .level = 1 };
}

static int64_t
slot_at (RcTime utc)
{
  return utc / SLOT;
}

static double
most_of_radio (const RcLossTrial *self)
{
  return self->radio_ratio * (1 + MORE) + LEAST_RATIO;
}

bool
rc_losstrial_is_due (const RcLossTrial *self, double loss_ratio, RcTime utc)
{
  if (self->state != RC_LOSSTRIAL_IDLE || loss_ratio <= LEAST_RATIO)
    return false;
  return (slot_at (utc) + 1) % (2 << self->level) == 0
      || loss_ratio > most_of_radio (self);
}

bool
rc_losstrial_knows (const RcLossTrial *self, double loss_ratio)
{
  return self->radio_ratio > LEAST_RATIO && loss_ratio <= most_of_radio (self);
}

static void
enter (RcLossTrial *self, RcLossTrialState state, RcTime utc)
{
  self->state = state;
  self->since = utc;
  self->lost_pkts = self->told_pkts = self->received_bits = 0;
  self->counted_from = RC_TIME_NONE;
  self->events = 0;
}

void
rc_losstrial_begin (RcLossTrial *self, double bps, RcTime utc)
{
  self->before_bps = bps;
  self->reported_at = utc;
  enter (self, RC_LOSSTRIAL_HOLD, utc);
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
  return self->received_bps;
}

bool
rc_losstrial_rests (const RcLossTrial *self, RcTime utc)
{
  return self->policed && utc - self->policed_at < REST;
}

bool
rc_losstrial_is_near (const RcLossTrial *self, double bps, double loss_ratio)
{
  return self->policed
      && (loss_ratio > LEAST_RATIO || bps < NEAR * rc_losstrial_capacity_bps (self));
}

/* What a policer would have lost in LOWER. */
static double
policed_pkts (const RcLossTrial *self)
{
  return fmax (self->before_ratio - depth (self), 0) / (1 - depth (self)) * self->told_pkts;
}

/* p_1 is known. */
static RcLossTrialVerdict
judge (RcLossTrial *self)
{
  double ratio = self->lost_pkts / fmax (self->told_pkts, 1);
  double expected_pkts = self->before_ratio * self->told_pkts;
  double chance_pkts = DEVIATIONS * sqrt (expected_pkts * self->before_event_pkts);
  double fewer_pkts = expected_pkts - self->lost_pkts;

  self->state = RC_LOSSTRIAL_IDLE;
  self->policed = fewer_pkts > chance_pkts;
  if (self->policed) {
    self->policed_at = self->reported_at;
    self->radio_ratio = ratio;
    self->level = 0;
    return RC_LOSSTRIAL_OURS;
  }
  if (fewer_pkts > CERTAIN * (expected_pkts - policed_pkts (self)))
    return RC_LOSSTRIAL_UNKNOWN;
  self->level = self->level < LEVEL_MOST ? self->level + 1 : LEVEL_MOST;
  if (self->level > 1)
    self->radio_ratio = fmin (ratio, self->before_ratio);
  return RC_LOSSTRIAL_RADIO;
}

static void
end_hold (RcLossTrial *self, RcTime utc)
{
  bool tells;

  self->before_ratio = self->lost_pkts / fmax (self->told_pkts, 1);
  self->before_event_pkts = self->lost_pkts / fmax (self->events, 1);
  self->received_bps = self->counted_from == RC_TIME_NONE ? 0
      : self->received_bits / fmax (rc_time_to_s (utc - self->counted_from), 1e-3);
  tells = self->before_ratio > LEAST_RATIO && self->events >= EVENTS;
  enter (self, tells ? RC_LOSSTRIAL_LOWER : RC_LOSSTRIAL_IDLE, utc);
}

RcLossTrialVerdict
rc_losstrial_on_report (RcLossTrial *self, double lost_pkts, double received_pkts,
    double received_bits, double reaction_s, RcTime utc)
{
  RcTime counted = utc - self->since - rc_time_from_s (reaction_s);
  bool turns = slot_at (utc) != slot_at (self->reported_at);

  if (counted >= 0 && self->counted_from == RC_TIME_NONE)
    self->counted_from = self->reported_at;
  self->reported_at = utc;
  if (self->state == RC_LOSSTRIAL_IDLE)
    return RC_LOSSTRIAL_PENDING;
  if (counted >= 0) {
    self->received_bits += received_bits;
    self->lost_pkts += lost_pkts;
    self->told_pkts += lost_pkts + received_pkts;
    self->events += lost_pkts > 0;
  }
  if (!turns)
    return RC_LOSSTRIAL_PENDING;
  if (self->state == RC_LOSSTRIAL_LOWER)
    return counted < SLOT / 2 ? RC_LOSSTRIAL_PENDING : judge (self);
  if (slot_at (utc) % 2 == 0 && counted >= 0)
    end_hold (self, utc);
  return RC_LOSSTRIAL_PENDING;
}
