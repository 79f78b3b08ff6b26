/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sender/ecn.h>

#include <string.h>

static void
enter (RcEcn *self, RcEcnState state, RcTime since)
{
  *self = (RcEcn) { .state = state, .since = since, .on_at = since };
}

void
rc_ecn_init (RcEcn *self)
{
  enter (self, RC_ECN_UNKNOWN, RC_TIME_NONE);
}

RcEcnBits
rc_ecn_bits (const RcEcn *self)
{
  bool capable = self->state == RC_ECN_ON
      || (self->state == RC_ECN_TRIAL && self->trial_pkts < RC_ECN_TRIAL_PKTS);

  return capable ? RC_ECN_BITS_ECT_0 : RC_ECN_BITS_NOT_ECT;
}

void
rc_ecn_on_sent (RcEcn *self, uint32_t pkts, RcTime now)
{
  if (self->state != RC_ECN_TRIAL || self->trial_pkts >= RC_ECN_TRIAL_PKTS)
    return;
  self->trial_pkts += pkts;
  self->since = now;
}

static void
count (RcEcn *self, const RcFeedback *feedback)
{
  self->received_pkts += feedback->received_pkts;
  self->capable_pkts += feedback->ecn_pkts;
  self->ce_pkts += feedback->ce_pkts;
}

/* Once a packet of after the trial was told of, all of the trial that arrived were. */
static void
judge_trial (RcEcn *self, const RcFeedback *feedback, RcTime now)
{
  count (self, feedback);
  if (self->trial_pkts < RC_ECN_TRIAL_PKTS || feedback->sent_at == RC_TIME_NONE
      || feedback->sent_at <= self->since)
    return;
  enter (self, 2 * self->capable_pkts >= self->trial_pkts ? RC_ECN_ON : RC_ECN_FAILED, now);
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
    enter (self, RC_ECN_FAILED, now);
    return;
  }
  self->received_pkts = self->capable_pkts = self->ce_pkts = 0;
  self->since = now;
}

void
rc_ecn_on_feedback (RcEcn *self, RcFeedback *feedback, RcTime now)
{
  bool believed = self->state == RC_ECN_TRIAL || self->state == RC_ECN_ON;

  if (feedback->restarted)
    rc_ecn_init (self);
  else if (self->state == RC_ECN_TRIAL)
    judge_trial (self, feedback, now);
  else if (self->state == RC_ECN_ON)
    judge_window (self, feedback, now);
  if (feedback->ecn_read && (self->state == RC_ECN_UNKNOWN
          || (self->state == RC_ECN_FAILED && now - self->since >= RC_ECN_RETRY)))
    enter (self, RC_ECN_TRIAL, now);
  if (!believed)
    feedback->ce_pkts = 0;
}

const char *
rc_ecn_state_name (RcEcnState state)
{
  static const char *const names[] = { "unknown", "trial", "on", "failed" };

  return names[state];
}
