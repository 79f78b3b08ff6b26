/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* AIMD of a rate, of papers/arc. */

#include <aimd.h>

#include "claim.h"

#include <rc/feedback/feedback.h>
#include <math.h>

#define RTT (100 * RC_MSEC)
#define PACKET 1500

static const RcLimits limits = { 10000, 500000, 100000000 };
static RcController law;
static RcDecision decision;
static RcTime now;

BEFORE_EACH
{
  now = 0;
  rc_controller_init (&law, &aimd_law, RC_PROFILE_PAPER);
  decision = rc_controller_start (&law, &limits, now);
}

static void
report (RcTime span, guint32 lost)
{
  RcFeedback feedback = {.rtt = RTT,.received_pkts = 10,.received_bytes = 10 * PACKET,
      .lost_pkts = lost };

  now += span;
  feedback.sent_at = now - RTT;
  decision = rc_controller_on_feedback (&law, &feedback, now);
}

CLAIM (test_rate_grows_by_a_packet_a_round_trip)
{
  double before;

  report (RTT, 0);
  before = (double) decision.rate_bps;
  report (RTT, 0);
  fail_unless (fabs ((double) decision.rate_bps - before - PACKET * 8 / 0.1) < 2);
}

CLAIM (test_loss_halves_the_rate_once_a_round_trip)
{
  double before;

  for (guint i = 0; i < 10; i++)
    report (RTT, 0);
  before = (double) decision.rate_bps;
  report (RTT, 1);
  fail_unless (fabs ((double) decision.rate_bps / before - 0.5) < 1e-3);
  report (RTT / 2, 3);
  fail_unless (fabs ((double) decision.rate_bps / before - 0.5) < 1e-3, "once");
}

CLAIM (test_silence_halves_the_rate)
{
  RcSent sent = { PACKET, true };
  double before;

  report (RTT, 0);
  before = (double) decision.rate_bps;
  rc_controller_on_sent (&law, &sent, now);
  for (guint i = 0; i < 40; i++)
    decision = rc_controller_on_timer (&law, now += RTT / 10);
  fail_unless ((double) decision.rate_bps < 0.6 * before, "%g", (double) decision.rate_bps);
}
