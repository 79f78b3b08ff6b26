/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose queue is it?
 * ==================
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
 *   T_p = 0.3 RTT, at least 0.15 s and 4 packets at r_1, at most 1 s
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
 * deliver pairs faster than their capacity. */
#include <rc/law/queuetrial.h>

#include <math.h>

#define LOW_SHARE 0.5           /* shows plainly in B, and two halves cost a quarter of T_p */
#define FLOOR_RAISE 2
/* F: shares of up to 0.8 pass. Of the noise of B a sixth is left out. */
#define FOLLOWS 0.85
#define LENGTH_RTTS 0.3
#define LENGTH_LEAST_S 0.15     /* four to six reports */
#define LENGTH_MOST_S 1.0

void
rc_queuetrial_begin (RcQueueTrial *self, double before_bps, double floor_bps, double rtt_s,
    RcTime now)
{
  double least_bps = fmax (floor_bps, RC_QUEUETRIAL_LEAST_BPS);
  bool drains = LOW_SHARE * before_bps > least_bps;
  double low_bps = drains ? LOW_SHARE * before_bps : fmax (before_bps, least_bps);
  double packets_s = LENGTH_MOST_S * RC_QUEUETRIAL_LEAST_BPS / low_bps;

  *self = (RcQueueTrial) {
    .before_bps = before_bps,
    .drains = drains,
    .low_bps = low_bps,
    .high_bps = drains ? before_bps : FLOOR_RAISE * low_bps,
    .length = rc_time_from_s (rc_clampd (LENGTH_RTTS * rtt_s, fmax (LENGTH_LEAST_S, packets_s),
            LENGTH_MOST_S)),
    .begun_at = now,
    .raised_at = RC_TIME_NONE,
    .ended_at = RC_TIME_NONE,
  };
}

double
rc_queuetrial_rate_bps (RcQueueTrial *self, RcTime now)
{
  if (self->raised_at == RC_TIME_NONE) {
    if (now - self->begun_at < self->length)
      return self->low_bps;
    self->raised_at = now;
  }
  if (self->ended_at == RC_TIME_NONE) {
    if (now - self->raised_at < self->length)
      return self->high_bps;
    self->ended_at = now;
  }
  return 0;
}

void
rc_queuetrial_add (RcQueueTrial *self, RcTime sent_at, RcTime arrived_at_remote,
    uint64_t received_bytes, bool queued)
{
  bool low = self->raised_at == RC_TIME_NONE || sent_at < self->raised_at;
  RcQueueTrialHalf *half = low ? &self->low : &self->high;

  if (sent_at < self->begun_at || (low && self->drains && !queued))
    return;
  if (!low && self->ended_at != RC_TIME_NONE && sent_at >= self->ended_at) {
    self->answered = true;
    return;
  }
  if (half->n_samples++ == 0) {
    half->first_at = arrived_at_remote;
    half->first_bytes = received_bytes;
  }
  half->last_at = arrived_at_remote;
  half->last_bytes = received_bytes;
}

/* Below 0: not known. */
static double
delivered_bps (const RcQueueTrialHalf *half)
{
  if (half->last_at <= half->first_at || half->last_bytes < half->first_bytes)
    return -1;
  return (double) (half->last_bytes - half->first_bytes) * 8
      / rc_time_to_s (half->last_at - half->first_at);
}

RcQueueTrialVerdict
rc_queuetrial_verdict (const RcQueueTrial *self, bool queued)
{
  double low_bps = delivered_bps (&self->low), high_bps = delivered_bps (&self->high);
  double reference_bps = self->drains ? fmin (self->before_bps, high_bps) : high_bps;

  if (self->drains && !queued && (low_bps < 0 || low_bps > FOLLOWS * self->before_bps))
    return RC_QUEUETRIAL_EMPTY;
  if (!self->answered)
    return RC_QUEUETRIAL_PENDING;
  return low_bps > 0 && high_bps > 0 && low_bps < FOLLOWS * reference_bps
      ? RC_QUEUETRIAL_SHARED : RC_QUEUETRIAL_OWN;
}
