/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a missing packet is asked for.
 *
 *   at once             as soon as it is known to be missing
 *   again               P after it was asked for last, as long as there is no answer
 *   no more             when the answer could not come in time:  now + R > e
 *   hopeless            when it is asked for no more, and what was asked last is overdue: A' after
 *                       it, or at e, whichever is sooner
 *
 *   e  when a jitter buffer gives it up               R  round trip; no answer is faster
 *   A  mean time of an answer and one deviation       A' mean and four
 *   a  when it was asked for last                     n  tries that are left, (e - R - a) / A
 *
 *   P = (e - A' - a) / min (n, TRIES),  at least A and at most A';  for n < 2:  A
 *
 * An answer takes longer than A in one case of four, and what is asked for meanwhile comes twice.
 * So a request waits for the latest answer, unless this would cost one of the last TRIES, or the
 * time in which the last of them can be answered. The last try does not wait.
 *
 * Problem: rtpjitterbuffer asks when a timer of twice the jitter says so, 30 to 60 ms late behind a
 * burst of losses, and again each 40 ms. At a round trip of 200 ms and a latency of 300 that is too
 * late for a second of the burst's packets. Rule: as above.
 *
 * Limits: RC_ASKPLAN_MAX packets; the work for a call grows with their number.
 *
 * Rejected: a last try that waits too. Behind bursts it then comes too late. */
#include <rc/receiver/askplan.h>

#include <string.h>

/* At 20 % of loss one packet in 3000 gets lost in all of them. */
#define TRIES 4

void
rc_askplan_init (RcAskPlan *self)
{
  self->n = 0;
}

static RcMissingPacket *
find (RcAskPlan *self, uint32_t ssrc, uint32_t seq)
{
  for (unsigned i = 0; i < self->n; i++)
    if (self->missing[i].ssrc == ssrc && self->missing[i].seq == seq)
      return &self->missing[i];
  return NULL;
}

static void
forget (RcAskPlan *self, RcMissingPacket *packet)
{
  size_t behind = (size_t) (&self->missing[self->n] - packet) - 1;

  memmove (packet, packet + 1, behind * sizeof *packet);
  self->n--;
}

void
rc_askplan_on_missing (RcAskPlan *self, uint32_t ssrc, uint32_t seq, RcTime missed_at,
    RcTime until)
{
  if (self->n < RC_ASKPLAN_MAX && !find (self, ssrc, seq))
    self->missing[self->n++] = (RcMissingPacket) { ssrc, seq, missed_at, until, RC_TIME_NONE };
}

void
rc_askplan_on_came (RcAskPlan *self, uint32_t ssrc, uint32_t seq)
{
  RcMissingPacket *packet = find (self, ssrc, seq);

  if (packet)
    forget (self, packet);
}

void
rc_askplan_on_asked (RcAskPlan *self, uint32_t ssrc, uint32_t seq, RcTime now)
{
  RcMissingPacket *packet = find (self, ssrc, seq);

  if (packet)
    packet->asked_at = now;
}

/* P */
static RcTime
patience (const RcMissingPacket *packet, const RcAskTimes *times)
{
  RcTime left = packet->until - times->rtt - packet->asked_at;
  RcTime tries = times->answer > 0 ? left / times->answer : 0;

  if (tries < 2)
    return times->answer;
  tries = tries < TRIES ? tries : TRIES;
  left = (packet->until - times->latest_answer - packet->asked_at) / tries;
  return left < times->answer ? times->answer : rc_sooner (times->latest_answer, left);
}

RcTime
rc_askplan_patience (const RcAskPlan *self, uint32_t ssrc, uint32_t seq, const RcAskTimes *times)
{
  const RcMissingPacket *packet = find ((RcAskPlan *) self, ssrc, seq);

  return packet && packet->asked_at != RC_TIME_NONE ? patience (packet, times) : times->answer;
}

/* When it is asked for next; RC_TIME_NONE: no more. */
static RcTime
ask_at (const RcMissingPacket *packet, const RcAskTimes *times)
{
  RcTime at = packet->asked_at == RC_TIME_NONE ? packet->missed_at
      : packet->asked_at + patience (packet, times);

  return at + times->rtt <= packet->until ? at : RC_TIME_NONE;
}

static RcTime
hopeless_at (const RcMissingPacket *packet, const RcAskTimes *times)
{
  if (packet->asked_at == RC_TIME_NONE)
    return packet->until - times->rtt;
  return rc_sooner (packet->asked_at + times->latest_answer, packet->until);
}

RcTime
rc_askplan_due_at (const RcAskPlan *self, const RcAskTimes *times)
{
  RcTime at = RC_TIME_NONE;

  for (unsigned i = 0; i < self->n; i++) {
    RcTime ask = ask_at (&self->missing[i], times);

    at = rc_sooner (at, ask != RC_TIME_NONE ? ask : hopeless_at (&self->missing[i], times));
  }
  return at;
}

bool
rc_askplan_take_due (RcAskPlan *self, const RcAskTimes *times, RcTime now, RcMissingPacket *packet)
{
  for (unsigned i = 0; i < self->n; i++) {
    RcTime at = ask_at (&self->missing[i], times);

    if (at == RC_TIME_NONE || at > now || now + times->rtt > self->missing[i].until)
      continue;
    *packet = self->missing[i];
    self->missing[i].asked_at = now;
    return true;
  }
  return false;
}

bool
rc_askplan_take_hopeless (RcAskPlan *self, const RcAskTimes *times, RcTime now,
    RcMissingPacket *packet)
{
  for (unsigned i = 0; i < self->n; i++) {
    RcMissingPacket *missing = &self->missing[i];
    RcTime at = ask_at (missing, times);

    if (at != RC_TIME_NONE && now + times->rtt <= missing->until)
      continue;
    if (hopeless_at (missing, times) > now)
      continue;
    *packet = *missing;
    forget (self, missing);
    return true;
  }
  return false;
}
