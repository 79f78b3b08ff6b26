/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RMC and time in which nothing left: pauses, suspends, and packets that what follows held. */

#include <math.h>
#include <rc/pace/rmc.h>

#include "claim.h"

#define MTU 1500

CLAIM (test_no_burst_after_a_pause)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 0;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 1000000, 0);
  rc_rmc_set_idle (&rmc, now);
  now = 10 * RC_SECOND;
  fail_unless (rc_rmc_due_at (&rmc, MTU, now) == now, "the first packet waits for nothing");
  rc_rmc_on_sent (&rmc, MTU, now);
  fail_unless (rc_rmc_due_at (&rmc, MTU, now) >= now + 12 * RC_MSEC - 1, "the second at its time");
}

CLAIM (test_suspend_and_clock_jumps_earn_no_flood)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 3600 * RC_SECOND;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 8000000, 0);
  rc_rmc_due_at (&rmc, MTU, 0);
  rc_rmc_due_at (&rmc, MTU, now);
  fail_unless (rmc.credit_bytes <= 250e3 + 3 * MTU);
  while (rc_rmc_due_at (&rmc, MTU, now) <= now)
    rc_rmc_on_sent (&rmc, MTU, now);
  rc_rmc_reset (&rmc, now);
  now -= 1000 * RC_SECOND;      /* and back: neither a debt of 1000 s nor silence for as long */
  fail_unless (rc_rmc_due_at (&rmc, MTU, now) <= now + 2 * RC_MSEC);
  fail_unless (rc_rmc_due_at (&rmc, MTU, now + 2 * RC_MSEC) <= now + 2 * RC_MSEC);
}

/* Sends the packets that are due from `now` on, until `end`; returns how many. */
static unsigned
send_until (RcRmc *rmc, RcTime now, RcTime end)
{
  unsigned n = 0;
  RcTime due_at;

  while ((due_at = rc_rmc_due_at (rmc, MTU, now)) < end) {
    now = due_at;
    rc_rmc_on_sent (rmc, MTU, now);
    n++;
  }
  return n;
}

/* 100 Mbit/s, and nobody wakes for 10 ms. The 83 packets that are missing follow within 100 ms on
 * an L4S path, and within 2 ms elsewhere. */
CLAIM (test_on_an_l4s_path_a_stall_is_repaid_at_hardly_more_than_the_rate)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  for (unsigned gentle = 0; gentle < 2; gentle++) {
    RcTime end = 0;
    unsigned first, then;
    RcRmc rmc;

    rc_rmc_init (&rmc, &params, 100000000, 0);
    rc_rmc_set_gentle (&rmc, gentle);
    rc_rmc_due_at (&rmc, MTU, 0);
    end = 10 * RC_MSEC;         /* 10 ms are 83 packets */
    first = send_until (&rmc, end, end + 2 * RC_MSEC);
    then = send_until (&rmc, end + 2 * RC_MSEC, end + 120 * RC_MSEC);
    if (gentle)
      fail_unless (first <= 30, "%u packets in 2 ms", first);
    else
      fail_unless (first >= 83, "%u packets in 2 ms", first);
    fail_unless (first + then >= 1075 && first + then <= 1100, "%u of 1083", first + then);
  }
}

/* A packet takes 12 ms. What follows holds one for 150 ms: the next ones leave at the rate. A late
 * wake-up of the same length is made up for. */
CLAIM (test_what_follows_may_hold_a_packet_and_earns_no_burst)
{
  const RcTime hold = 150 * RC_MSEC, span = 60 * RC_MSEC;
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  for (int held = 0; held < 3; held++) {
    RcRmc rmc;
    unsigned n;

    rc_rmc_init (&rmc, &params, 1000000, 0);
    rc_rmc_due_at (&rmc, MTU, 0);
    rc_rmc_due_at (&rmc, MTU, 12 * RC_MSEC);
    rc_rmc_on_sent (&rmc, MTU, 12 * RC_MSEC);
    if (held == 2)              /* somebody asked meanwhile */
      rc_rmc_due_at (&rmc, MTU, 12 * RC_MSEC + hold / 2);
    if (held)
      rc_rmc_on_blocked (&rmc, MTU, 12 * RC_MSEC, 12 * RC_MSEC + hold);
    n = send_until (&rmc, 12 * RC_MSEC + hold, 12 * RC_MSEC + hold + span);
    if (held)
      fail_unless (n >= 4 && n <= 5, "%u", n);
    else
      fail_unless (n > 10, "%u", n);
  }
}

/* Each push takes 1 ms of the 12 that a packet has. */
CLAIM (test_what_holds_packets_for_less_than_their_own_time_costs_no_rate)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 0, due_at;
  unsigned n = 0;
  RcRmc rmc;

  rc_rmc_init (&rmc, &params, 1000000, now);
  while (now < 12 * RC_SECOND) {
    if ((due_at = rc_rmc_due_at (&rmc, MTU, now)) > now) {
      now = due_at;
      continue;
    }
    rc_rmc_on_sent (&rmc, MTU, now);
    rc_rmc_on_blocked (&rmc, MTU, now, now + RC_MSEC);
    now += RC_MSEC;
    n++;
  }
  fail_unless (n >= 998 && n <= 1001, "%u", n);
}
