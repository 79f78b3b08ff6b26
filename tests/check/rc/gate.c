/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Frames that leave faster than the rate. */
#include <rc/sender/gate.h>

#include "claim.h"

#define BYTES 1000
#define RATE_BPS 8000000        /* a packet each ms */
#define GAIN 8

static RcGate gate;
static RcTime now;

BEFORE_EACH
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  now = 50 * RC_SECOND;
  rc_gate_init (&gate, &params, RATE_BPS, now);
  rc_gate_set_gain (&gate, GAIN, now);
}

/* Returns when the last of them left. */
static RcTime
send_packets (unsigned n)
{
  for (RcTime due_at; n > 0; n--) {
    while ((due_at = rc_gate_due_at (&gate, BYTES, now)) > now)
      now = due_at;
    rc_gate_reserve (&gate, BYTES, now);
  }
  return now;
}

CLAIM (test_frames_leave_in_an_eighth_of_their_time_and_the_rate_is_kept)
{
  for (RcTime frame_at = now; frame_at < 60 * RC_SECOND; frame_at += 33 * RC_MSEC) {
    now = frame_at;
    fail_unless (send_packets (32) - frame_at <= 5 * RC_MSEC);
    rc_gate_on_idle (&gate, now);
  }
}

CLAIM (test_a_source_that_always_has_more_is_held_to_the_rate)
{
  RcTime began_at = now;

  fail_unless (send_packets (10000) - began_at >= 9890 * RC_MSEC);
  fail_unless (rc_gate_pace_bps (&gate) == RATE_BPS);
}

CLAIM (test_after_a_pause_frames_leave_faster_again)
{
  RcTime frame_at;

  send_packets (1000);
  rc_gate_on_idle (&gate, now);
  now += 100 * RC_MSEC;
  frame_at = now;
  fail_unless (send_packets (32) - frame_at <= 5 * RC_MSEC);
}

CLAIM (test_what_did_not_leave_is_not_ahead)
{
  for (int i = 0; i < 1000; i++) {
    rc_gate_reserve (&gate, BYTES, now);
    rc_gate_release (&gate, BYTES);
  }
  rc_gate_due_at (&gate, BYTES, now);
  fail_unless (rc_gate_pace_bps (&gate) == (uint64_t) GAIN * RATE_BPS);
}
