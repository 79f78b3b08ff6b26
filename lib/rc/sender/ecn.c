/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/ecn.h>

#include <rc/feedback/feedback.h>

static void
enter (RcEcn *self, RcEcnState state, RcEcnBits bits, RcTime since)
{
  *self = (RcEcn) { .scalable = self->scalable, .state = state, .bits = bits, .since = since,
    .on_at = since };
}

void
rc_ecn_init (RcEcn *self, bool scalable)
{
  self->scalable = scalable;
  enter (self, RC_ECN_UNKNOWN, RC_ECN_BITS_NOT_ECT, RC_TIME_NONE);
}

RcEcnBits
rc_ecn_bits (const RcEcn *self)
{
  bool capable = self->state == RC_ECN_ON
      || (self->state == RC_ECN_TRIAL && self->trial_pkts < RC_ECN_TRIAL_PKTS);

  return capable ? self->bits : RC_ECN_BITS_NOT_ECT;
}

bool
rc_ecn_finds_l4s (const RcEcn *self)
{
  return self->state == RC_ECN_ON && self->bits == RC_ECN_BITS_ECT_1 && self->marked;
}

static void
try (RcEcn *self, RcEcnBits bits, RcTime now)
{
  enter (self, RC_ECN_TRIAL, bits, now);
}

/* The path does not carry these bits: the next best. */
static void
fall_back (RcEcn *self, RcTime now)
{
  if (self->bits == RC_ECN_BITS_ECT_1)
    try (self, RC_ECN_BITS_ECT_0, now);
  else
    enter (self, RC_ECN_FAILED, RC_ECN_BITS_NOT_ECT, now);
}

void
rc_ecn_on_sent (RcEcn *self, uint32_t pkts, RcTime now)
{
  if (self->state != RC_ECN_TRIAL || self->trial_pkts >= RC_ECN_TRIAL_PKTS)
    return;
  self->trial_pkts += pkts;
  self->since = now;
}

/* What came as it left, or marked. */
static void
count (RcEcn *self, const RcFeedback *feedback)
{
  self->received_pkts += feedback->received_pkts;
  self->capable_pkts += self->bits == RC_ECN_BITS_ECT_1 ? feedback->ect1_pkts + feedback->ce_pkts
      : feedback->ecn_pkts;
  self->ce_pkts += feedback->ce_pkts;
  self->marked |= feedback->ce_pkts > 0;
}

/* Once a packet sent after the trial was reported, all of the trial that arrived were. */
static void
judge_trial (RcEcn *self, const RcFeedback *feedback, RcTime now)
{
  count (self, feedback);
  if (self->trial_pkts < RC_ECN_TRIAL_PKTS || feedback->sent_at == RC_TIME_NONE
      || feedback->sent_at <= self->since)
    return;
  if (2 * self->capable_pkts >= self->trial_pkts)
    enter (self, RC_ECN_ON, self->bits, now);
  else
    fall_back (self, now);
}

static void
judge_window (RcEcn *self, const RcFeedback *feedback, RcTime now)
{
  if (feedback->sent_at == RC_TIME_NONE || feedback->sent_at <= self->on_at)
    return;
  count (self, feedback);
  if (now - self->since < RC_ECN_WINDOW || self->received_pkts < RC_ECN_WINDOW_PKTS)
    return;
  if (2 * (uint64_t) self->capable_pkts < self->received_pkts
      || self->ce_pkts >= self->capable_pkts) {
    fall_back (self, now);
    return;
  }
  self->received_pkts = self->capable_pkts = self->ce_pkts = 0;
  self->since = now;
}

void
rc_ecn_on_feedback (RcEcn *self, RcFeedback *feedback, RcTime now)
{
  bool believed = self->state == RC_ECN_TRIAL || self->state == RC_ECN_ON;

  feedback->left_as_ect1 = self->state == RC_ECN_ON && self->bits == RC_ECN_BITS_ECT_1;
  if (feedback->restarted)
    rc_ecn_init (self, self->scalable);
  else if (self->state == RC_ECN_TRIAL)
    judge_trial (self, feedback, now);
  else if (self->state == RC_ECN_ON)
    judge_window (self, feedback, now);
  if (feedback->ecn_read && (self->state == RC_ECN_UNKNOWN
          || (self->state == RC_ECN_FAILED && now - self->since >= RC_ECN_RETRY)))
    try (self, self->scalable ? RC_ECN_BITS_ECT_1 : RC_ECN_BITS_ECT_0, now);
  if (!believed)
    feedback->ce_pkts = 0;
}

const char *
rc_ecn_state_name (const RcEcn *self)
{
  static const char *const names[] = { "unknown", "trial", "on", "failed" };

  if (self->state == RC_ECN_ON && self->bits == RC_ECN_BITS_ECT_1)
    return "l4s";
  return names[self->state];
}
