/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The latency that repair by retransmission needs.
 *
 *   L = F + (n - 1) A + M
 *
 *   F  from when a packet should have come until its first repair does: the largest of the last
 *      seconds. Without one W + A.
 *   W  from when a packet should have come until it is asked for: the jitter buffer waits for
 *      reordered packets. Measured by the jitter buffer; before that WAIT.
 *   A  from the request to the repair: the round trip, and what sender and receiver add.
 *      Measured; before that the round trip.
 *   n  how often a packet is asked for: the least n for which p^(n+1) <= UNREPAIRED, where p is the
 *      share of packets that are lost, because each copy is lost with the same chance.
 *   M  MARGIN
 *
 * F is a largest value, since what comes later is of no use; and it ends with its cause. W and A
 * vary. Of each the mean and the mean deviation count, as RFC 6298 2 smooths them, with the same
 * gains. What is longer than MOST_TIME is none of them.
 *
 * Problem: mean and four deviations of both, added up, asked for 140 to 180 ms where 90 repaired
 * all; and where a stream comes by several paths, a jitter buffer asks for what is only late, and
 * the time that such requests were held counted as W: 320 to 400 ms without any loss. Rule: F; and
 * a packet that comes by itself was not lost.
 *
 * Inputs: packets, losses, requests, repairs. Output: a latency.
 * Source: RFC 6298 for W and A; the rest is ours.
 * Limits: losses in bursts are not independent, so a burst that is as long as A needs one try more.
 * The request of the next try is taken to leave when the answer of the one before is overdue by its
 * variation, which rtpjitterbuffer does. */
#include <rc/receiver/repairtime.h>

#define WAIT (20 * RC_MSEC)     /* rtpjitterbuffer's, until it has measured jitter */
#define MARGIN (10 * RC_MSEC)   /* to wake up and to decode */
/* One packet in 5000: at 20 packets a frame, one frame in 250 is broken. */
#define UNREPAIRED 0.0002
#define MOST_TRIES 4            /* beyond it a lower rate helps more */
#define LOSS_GAIN (1.0 / 1024)  /* 10 s of 1 Mbit/s */
#define MEAN_GAIN 8             /* RFC 6298 2: 1/8 */
#define DEVIATION_GAIN 4        /* 1/4 */
#define DEVIATIONS 4            /* K */
#define MOST_TIME RC_SECOND     /* longer is a pause of the stream: one of 10 s told 12 for long */
/* A few losses at one in a thousand packets; a queue that stays is a transit of its own by then. */
#define HALF (5 * RC_SECOND)

void
rc_repairtime_init (RcRepairTime *self)
{
  *self = (RcRepairTime) { .first = { { RC_TIME_NONE, RC_TIME_NONE }, RC_TIME_NONE } };
}

static RcTime
larger (RcTime a, RcTime b)
{
  return b == RC_TIME_NONE || (a != RC_TIME_NONE && a > b) ? a : b;
}

static RcTime
largest (const RcLargestTime *self, RcTime now)
{
  if (self->since == RC_TIME_NONE || now - self->since >= 2 * HALF)
    return RC_TIME_NONE;
  return now - self->since >= HALF ? self->most[0] : larger (self->most[0], self->most[1]);
}

void
rc_repairtime_on_first (RcRepairTime *self, RcTime lateness, RcTime now)
{
  RcLargestTime *first = &self->first;

  if (lateness > MOST_TIME)
    return;
  if (first->since == RC_TIME_NONE || now - first->since >= HALF) {
    first->most[1] = largest (first, now);
    first->most[0] = RC_TIME_NONE;
    first->since = now;
  }
  first->most[0] = larger (lateness > 0 ? lateness : 0, first->most[0]);
}

void
rc_repairtime_on_late (RcRepairTime *self)
{
  self->loss_ratio = rc_clampd (self->loss_ratio - LOSS_GAIN, 0, 1);
}

void
rc_repairtime_on_packet (RcRepairTime *self, uint32_t lost_pkts)
{
  double now = lost_pkts / (lost_pkts + 1.0);

  self->loss_ratio += (now - self->loss_ratio) * LOSS_GAIN * (lost_pkts + 1.0);
  self->loss_ratio = rc_clampd (self->loss_ratio, 0, 1);
}

static void
add (RcVaryingTime *self, RcTime time)
{
  RcTime error = time - self->mean;

  if (time > MOST_TIME)
    return;
  if (!self->known) {
    *self = (RcVaryingTime) { time, time / 8, true };
    return;
  }
  self->deviation += ((error < 0 ? -error : error) - self->deviation) / DEVIATION_GAIN;
  self->mean += error / MEAN_GAIN;
}

void
rc_repairtime_on_asked (RcRepairTime *self, RcTime delay)
{
  add (&self->ask, delay);
}

void
rc_repairtime_on_repair (RcRepairTime *self, RcTime waited)
{
  add (&self->answer, waited);
}

static RcTime
latest (const RcVaryingTime *self)
{
  return self->mean + DEVIATIONS * self->deviation;
}

/* One deviation and not four: to ask too soon costs a packet, to ask late may cost a frame. */
RcTime
rc_repairtime_answer (const RcRepairTime *self, RcTime rtt)
{
  if (self->answer.known)
    return self->answer.mean + self->answer.deviation;
  return rtt == RC_TIME_NONE ? 0 : rtt;
}

RcTime
rc_repairtime_latest_answer (const RcRepairTime *self, RcTime rtt)
{
  if (self->answer.known)
    return latest (&self->answer);
  return rtt == RC_TIME_NONE ? 0 : 2 * rtt;
}

static unsigned
tries (const RcRepairTime *self)
{
  double lost = self->loss_ratio * self->loss_ratio;
  unsigned n = 1;

  for (; lost > UNREPAIRED && n < MOST_TRIES; n++)
    lost *= self->loss_ratio;
  return n;
}

RcTime
rc_repairtime_latency (const RcRepairTime *self, RcTime rtt, RcTime now)
{
  RcTime ask = self->ask.known ? self->ask.mean + self->ask.deviation : WAIT;
  RcTime answer = rc_repairtime_answer (self, rtt), first = largest (&self->first, now);

  if (!self->answer.known && rtt == RC_TIME_NONE)
    return RC_TIME_NONE;
  if (first == RC_TIME_NONE)
    first = ask + answer;
  return first + (RcTime) (tries (self) - 1) * answer + MARGIN;
}
