/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Trials: whose queue is it, and whose losses?
 * ============================================
 *
 * Two rates follow each other, and what is told of the packets that left at either is compared.
 *
 * Whose queue
 * -----------
 *
 * In a nutshell: the rate is lowered and raised again. If other flows share the queue, what is
 * delivered falls and rises with it. If the queue is our own, what is delivered is the capacity,
 * whatever we send.
 *
 *   alone, while a queue is left     B = C
 *   beside others that send o        B = C r / (r + o)                     first in, first out
 *   the trial       r_1 = B_0 / 2 for T_p, then r_2 = B_0 for T_p
 *   its answer      B_1, B_2: delivered of the packets that left in either half
 *   others' queue   B_1 < F min (B_0, B_2)
 *
 *   T_p = 0.15 s, and at least 4 packets at r_1
 *   at the floor there is no lower rate: r_1 = B_0, r_2 = 2 r_1, and B_0 does not count. The floor
 *   is the user's, at least 4 packets / 1 s: fewer show no rate
 *
 * Why both halves: a capacity that falls lowers B_1 as others do, and one that rises makes B_2 the
 * larger of the two as others do. But the first lowers B_2 as well, and the second does not lower
 * B_1 below B_0. One half alone took a falling capacity for a competitor, and 37 s of queue
 * followed (loop-sets falls).
 *
 * Why T_p does not grow with the queue: TCP sends what its acknowledgements allow. A queue later it
 * fills what the low half left free, and the high half would be measured against more of it.
 *
 * A flow that has the share s of the capacity sees B_1 / B_2 = 1 / (2 - s).
 *
 * An own queue may empty in the low half. From then on B = r, which looks as if others were there.
 * So only packets that waited count in the low half. If the queue is gone before they show a B_1
 * below F B_0, it was our own.
 *
 * Limits: flows of ours that share a queue see each other as others, unless their trials overlap.
 *
 * Source: the pulses are those of Nimbus (P. Goyal et al., Elasticity Detection, SIGCOMM 2022),
 * which looks for their frequency in the cross traffic; two halves need less than a second.
 *
 * Inputs: departures and arrivals, time. Output: the rate meanwhile, a verdict.
 *
 * Rejected as signs of others: the share of time for which the queue is deep, since the queue of
 * a TCP flow that came first is in our least delay; pairs of packets, since links that aggregate
 * deliver pairs faster than their capacity.
 *
 * A drain is the low half alone, at 0.8 B. A flow that adapts, as TCP does, takes what we leave
 * within a round trip, and d does not fall. Flows of ours that kept the queue together leave it
 * together, and UDP of a constant rate takes no more than it has.
 *
 * Whose losses
 * ------------
 *
 * Problem: losses of a radio come without a queue, and so do those of a policer or of a tiny
 * buffer. A radio loses the share p of whatever is sent, so a lower rate only costs quality; a
 * policer of C loses 1 - C / x, and a lower rate loses less. Rule: where packets get lost without a
 * queue, x is lowered for a moment, and what is lost then says whose loss it was.
 *
 *   due       p > LEAST_RATIO, at x a slot has EVENTS losses, and either the pause is over, or
 *             p > p_r (1 + MORE) + LEAST_RATIO
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
 * 0.5 Mbit/s count few losses in a slot and lose 5 %, and a policer of 2 Mbit/s behind a radio of
 * 5 % loses 20 (loop-sets -r -n 20 loss). Where many flows of others fill a tiny buffer, ours
 * changes nothing: their losses count as the radio's. A policer that TCP shares leaves TCP little,
 * since its windows come in bursts.
 *
 * Rejected: to lower x by half, which video sees as a queue of 130 ms; to rest at the mean of
 * x_0 and what came through; to ignore losses up to a fixed share and cut above it, which used
 * .03 of a link with 20 % random loss. */
#include <rc/law/trial.h>

#include <math.h>

enum { OVER = 2 };              /* as a half */

/* --- two halves --- */

void
rc_trial_init (RcTrial *self)
{
  *self = (RcTrial) { .half = OVER, .level = 1 };
}

void
rc_trial_abort (RcTrial *self)
{
  self->half = OVER;
}

static void
enter (RcTrial *self, unsigned half, RcTime now)
{
  self->half = half;
  self->halves[half] = (RcTrialHalf) { .begun_at = now, .from = RC_TIME_NONE, .until = now };
}

/* length: INT64_MAX if a half ends otherwise. */
static void
begin (RcTrial *self, double before_bps, RcTime length, RcTime now)
{
  self->before_bps = before_bps;
  self->length = length;
  self->of_losses = self->drains = false;
  self->halves[OVER].from = RC_TIME_NONE;
  enter (self, 0, now);
}

double
rc_trial_rate_bps (RcTrial *self, RcTime now)
{
  if (self->half < OVER && now - self->halves[self->half].begun_at >= self->length)
    enter (self, self->half + 1, now);
  if (self->half == OVER)
    return 0;
  return (self->half == 0) == self->of_losses ? self->high_bps : self->low_bps;
}

/* Below 0: not known. */
static double
delivered_bps (const RcTrialHalf *half)
{
  if (half->from == RC_TIME_NONE || half->until <= half->from || half->received_bits < 0)
    return -1;
  return half->received_bits / rc_time_to_s (half->until - half->from);
}

/* --- whose queue --- */

/* F: shares of up to 0.8 pass. Of the noise of B a sixth is left out. */
#define FOLLOWS 0.85
#define LENGTH_S 0.15           /* four to six reports */
#define DRAIN_SHARE 0.8         /* of B; with half of the link ours, d falls by 0.1 s each second */
#define DRAIN_CHECK (250 * RC_MSEC)     /* d falls by more than its noise */

void
rc_trial_begin_queue (RcTrial *self, double before_bps, double floor_bps, RcTime now)
{
  double least_bps = fmax (floor_bps, RC_TRIAL_LEAST_BPS);
  bool drains = RC_TRIAL_LOW_SHARE * before_bps > least_bps;
  double low_bps = drains ? RC_TRIAL_LOW_SHARE * before_bps : fmax (before_bps, least_bps);

  begin (self, before_bps, rc_time_from_s (fmax (LENGTH_S, RC_TRIAL_LEAST_BPS / low_bps)), now);
  self->drains = drains;
  self->low_bps = low_bps;
  self->high_bps = drains ? before_bps : low_bps / RC_TRIAL_LOW_SHARE;
}

void
rc_trial_add_packet (RcTrial *self, RcTime sent_at, RcTime arrived_at_remote,
    uint64_t received_bytes, bool queued)
{
  RcTrialHalf *half = &self->halves[self->half];

  while (half > self->halves && sent_at < half->begun_at)
    half--;
  if (sent_at < half->begun_at || (half == self->halves && self->drains && !queued))
    return;
  if (half->from == RC_TIME_NONE) {
    half->from = arrived_at_remote;
    half->first_bytes = received_bytes;
  }
  half->until = arrived_at_remote;
  half->received_bits = ((double) received_bytes - (double) half->first_bytes) * 8;
}

RcTrialVerdict
rc_trial_queue_verdict (const RcTrial *self, bool queued)
{
  double low_bps = delivered_bps (&self->halves[0]), high_bps = delivered_bps (&self->halves[1]);
  double reference_bps = self->drains ? fmin (self->before_bps, high_bps) : high_bps;

  if (self->drains && !queued && (low_bps < 0 || low_bps > FOLLOWS * self->before_bps))
    return RC_TRIAL_EMPTY;
  if (self->halves[OVER].from == RC_TIME_NONE)
    return RC_TRIAL_PENDING;
  return low_bps > 0 && high_bps > 0 && low_bps < FOLLOWS * reference_bps
      ? RC_TRIAL_SHARED : RC_TRIAL_OURS;
}

void
rc_trial_begin_drain (RcTrial *self, double before_bps, double delay_s, RcTime now)
{
  begin (self, before_bps, INT64_MAX, now);
  self->low_bps = DRAIN_SHARE * before_bps;
  self->delay_s = delay_s;
}

RcTrialVerdict
rc_trial_add_delay (RcTrial *self, double delay_s, bool queued, double rtt_s, RcTime now)
{
  RcTrialHalf *half = &self->halves[0];

  if (now - half->until < DRAIN_CHECK)
    return RC_TRIAL_PENDING;
  if (queued && delay_s >= self->delay_s && now - half->begun_at > rc_time_from_s (rtt_s))
    return RC_TRIAL_SHARED;
  half->until = now;
  self->delay_s = delay_s;
  return RC_TRIAL_PENDING;
}

/* --- whose losses --- */

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

static double
most_of_radio (const RcTrial *self)
{
  return self->radio_ratio * (1 + MORE) + LEAST_RATIO;
}

bool
rc_trial_is_due (const RcTrial *self, double loss_ratio, double pkts_per_s, RcTime utc)
{
  return loss_ratio > LEAST_RATIO && loss_ratio * pkts_per_s * rc_time_to_s (SLOT) >= EVENTS
      && ((utc / SLOT + 1) % (2 << self->level) == 0
      || loss_ratio > most_of_radio (self));
}

bool
rc_trial_knows (const RcTrial *self, double loss_ratio)
{
  return self->radio_ratio > LEAST_RATIO && loss_ratio <= most_of_radio (self);
}

/* HOLD */
void
rc_trial_begin_losses (RcTrial *self, double bps, RcTime utc)
{
  begin (self, bps, INT64_MAX, utc);
  self->of_losses = true;
  self->low_bps = 0;
  self->high_bps = bps;
}

bool
rc_trial_rests (const RcTrial *self, RcTime utc)
{
  return self->policed && utc - self->policed_at < REST;
}

bool
rc_trial_is_near (const RcTrial *self, double bps, double loss_ratio)
{
  return self->policed && (loss_ratio > LEAST_RATIO || bps < NEAR * self->passed_bps);
}

static double
lost_ratio (const RcTrialHalf *half)
{
  return half->lost_pkts / fmax (half->told_pkts, 1);
}

/* p_1 is known. */
static RcTrialVerdict
judge (RcTrial *self)
{
  const RcTrialHalf *hold = &self->halves[0], *lower = &self->halves[1];
  double before_ratio = lost_ratio (hold), ratio = lost_ratio (lower);
  double expected_pkts = before_ratio * lower->told_pkts;
  double policed_pkts = fmax (before_ratio - self->depth, 0) / (1 - self->depth) * lower->told_pkts;
  double event_pkts = hold->lost_pkts / fmax (hold->events, 1);
  double chance_pkts = DEVIATIONS * sqrt (expected_pkts * event_pkts);
  double fewer_pkts = expected_pkts - lower->lost_pkts;

  rc_trial_abort (self);
  self->policed = fewer_pkts > chance_pkts;
  if (self->policed) {
    self->policed_at = lower->until;
    self->radio_ratio = ratio;
    self->level = 0;
    return RC_TRIAL_OURS;
  }
  if (fewer_pkts > CERTAIN * (expected_pkts - policed_pkts))
    return RC_TRIAL_UNKNOWN;
  self->level = self->level < LEVEL_MOST ? self->level + 1 : LEVEL_MOST;
  if (self->level > 1)
    self->radio_ratio = fmin (ratio, before_ratio);
  return RC_TRIAL_RADIO;
}

static void
end_hold (RcTrial *self, RcTime utc)
{
  const RcTrialHalf *hold = &self->halves[0];
  double ratio = lost_ratio (hold);
  bool tells = ratio > LEAST_RATIO && hold->events >= EVENTS;

  self->passed_bps = fmax (delivered_bps (hold), 0);
  self->depth = fmin (DEPTH * ratio, MOST_DEPTH);
  self->low_bps = self->high_bps * (1 - self->depth);
  enter (self, tells ? 1 : OVER, utc);
}

RcTrialVerdict
rc_trial_add_losses (RcTrial *self, double lost_pkts, double received_pkts,
    double received_bits, double reaction_s, RcTime utc)
{
  RcTrialHalf *half = &self->halves[self->half];
  RcTime counted = utc - half->begun_at - rc_time_from_s (reaction_s);
  bool turns = utc / SLOT != half->until / SLOT;

  if (counted >= 0) {
    if (half->from == RC_TIME_NONE)
      half->from = half->until;
    half->received_bits += received_bits;
    half->lost_pkts += lost_pkts;
    half->told_pkts += lost_pkts + received_pkts;
    half->events += lost_pkts > 0;
  }
  half->until = utc;
  if (!turns)
    return RC_TRIAL_PENDING;
  if (self->half == 1)
    return counted < SLOT / 2 ? RC_TRIAL_PENDING : judge (self);
  if (self->half == 0 && utc / SLOT % 2 == 0 && counted >= 0)
    end_hold (self, utc);
  return RC_TRIAL_PENDING;
}
