/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/keyframe/keywish.h>

#include <string.h>

void
rc_keywish_init (RcKeyWish *self)
{
  *self = (RcKeyWish) {.asked_at = RC_TIME_NONE,.loss_asked_at = RC_TIME_NONE };
}

void
rc_keywish_want (RcKeyWish *self)
{
  self->wanted = true;
}

void
rc_keywish_on_lost (RcKeyWish *self, uint32_t seq, RcTime now)
{
  if (self->n_lost == RC_KEYWISH_MAX_LOST)
    return;
  self->lost[self->n_lost].seq = seq;
  self->lost[self->n_lost++].at = now;
}

void
rc_keywish_on_came (RcKeyWish *self, uint32_t seq)
{
  unsigned i = 0;

  while (i < self->n_lost && self->lost[i].seq != seq)
    i++;
  if (i < self->n_lost)
    memmove (&self->lost[i], &self->lost[i + 1], (--self->n_lost - i) * sizeof self->lost[0]);
}

void
rc_keywish_on_hopeless (RcKeyWish *self, uint32_t seq, RcTime repair_time, RcTime now)
{
  RcTime at = now - repair_time;

  rc_keywish_on_came (self, seq);
  if (self->n_lost == RC_KEYWISH_MAX_LOST)
    self->n_lost--;
  memmove (&self->lost[1], &self->lost[0], self->n_lost * sizeof self->lost[0]);
  self->lost[0].seq = seq;
  if (self->n_lost++ == 0 || self->lost[1].at >= at)
    self->lost[0].at = at;
}

void
rc_keywish_on_keyframe (RcKeyWish *self)
{
  self->wanted = false;
  self->requests = 0;
  self->n_lost = 0;
}

bool
rc_keywish_watches (const RcKeyWish *self)
{
  return self->wanted || self->n_lost > 0;
}

static RcTime
later (RcTime a, RcTime b)
{
  return a > b ? a : b;
}

static RcTime
repeat_interval (const RcKeyWish *self, RcTime rtt)
{
  RcTime interval = (rtt == RC_TIME_NONE ? RC_KEYWISH_UNKNOWN_RTT : rtt) + RC_KEYWISH_ANSWER_TIME;
  RcTime most = later (interval, RC_KEYWISH_MAX_INTERVAL);

  for (unsigned i = 1; i < self->requests && interval < most; i++)
    interval *= 2;
  return interval < most ? interval : most;
}

RcTime
rc_keywish_due_at (const RcKeyWish *self, RcTime rtt, RcTime repair_time, RcTime now)
{
  RcTime at;

  if (self->requests > 0)
    return self->asked_at + repeat_interval (self, rtt);
  if (self->wanted)
    at = now;
  else if (self->n_lost > 0)
    at = self->lost[0].at + repair_time;
  else
    return RC_TIME_NONE;
  if (self->asked_at != RC_TIME_NONE)
    at = later (at, self->asked_at + later (rtt == RC_TIME_NONE ? 0 : rtt,
            RC_KEYWISH_MIN_INTERVAL));
  if (!self->wanted && self->loss_asked_at != RC_TIME_NONE && repair_time == 0)
    at = later (at, self->loss_asked_at + RC_KEYWISH_LOSS_INTERVAL);
  return at;
}

void
rc_keywish_on_asked (RcKeyWish *self, RcTime now)
{
  if (!self->wanted)
    self->loss_asked_at = now;
  if (self->requests == 0)
    self->number++;
  self->wanted = !self->blind;
  self->requests = self->blind ? 0 : self->requests + 1;
  self->asked_at = now;
  self->n_lost = 0;
}
