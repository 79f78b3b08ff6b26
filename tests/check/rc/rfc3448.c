/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The paper's contrast in virtual time: the loops of RFC 3448 lose what a coarse timer or a late
 * wake-up takes, RMC does not. Wake-ups are rounded up to the timer's granularity and then late
 * by an exponential time from a fixed seed. */

#include <math.h>
#include <rc/pace/rmc.h>

#include "claim.h"
#include "rfc3448.h"

#define MTU 1500
#define MTU_BITS (MTU * 8.0)
#define LENGTH (10 * RC_SECOND)

typedef struct
{
  RcTime granularity;           /* of the real timer; 1 ns: exact */
  RcTime late;                  /* mean lateness of a wake-up */
  guint32 seed;
} Machine;

static const double rates[] = { 1e6, 10e6, 100e6, 200e6, 400e6, 500e6, 600e6, 1e9, 2e9 };

static RcTime
sleep_until (Machine * machine, RcTime due)
{
  RcTime tick = machine->granularity;

  machine->seed = machine->seed * 1664525 + 1013904223;
  return (due + tick - 1) / tick * tick
      + (RcTime) (-log (1 - (machine->seed >> 8) / 16777216.0) * machine->late);
}

/* Mean rate, bit/s, over N - 1 intervals. */
static double
run_rfc3448 (RcRfc3448Params params, double rate, Machine machine)
{
  RcTime now = 0, due, last = 0;
  guint64 n = 0;
  RcRfc3448 loop;

  rc_rfc3448_init (&loop, &params, (guint64) rate, now);
  while (now < LENGTH) {
    if ((due = rc_rfc3448_due_at (&loop, MTU, now)) > now) {
      now = sleep_until (&machine, due);
      continue;
    }
    rc_rfc3448_on_sent (&loop, MTU, now);
    last = now;
    n++;
  }
  return (n - 1) * MTU_BITS / rc_time_to_s (last);
}

static double
run_rmc (double rate, Machine machine)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;
  RcTime now = 0, due, first = -1, last = 0;
  guint64 n = 0;
  RcRmc loop;

  /* The paper knows no limit; a coarse timer needs more than its own length. */
  params.burst_time = 40 * RC_MSEC;
  rc_rmc_init (&loop, &params, (guint64) rate, now);
  while (now < LENGTH) {
    if ((due = rc_rmc_due_at (&loop, MTU, now)) > now) {
      now = sleep_until (&machine, due);
      continue;
    }
    rc_rmc_on_sent (&loop, MTU, now);
    if (first < 0)
      first = now;
    last = now;
    n++;
  }
  return (n - 1) * MTU_BITS / rc_time_to_s (last - first);
}

static RcRfc3448Params
with (RcRfc3448Bursts bursts)
{
  RcRfc3448Params params = RC_RFC3448_PARAMS_DEFAULT;

  params.bursts = bursts;
  return params;
}

static double
error_percent (double rate, double wanted)
{
  return 100 * (wanted - rate) / wanted;
}

/* [RMC eq. 2] */
CLAIM (test_packet_may_go_early_by_half_the_smaller_of_interval_and_granularity)
{
  RcRfc3448Params params = RC_RFC3448_PARAMS_DEFAULT;
  RcRfc3448 loop;

  rc_rfc3448_init (&loop, &params, 1000000, 0);
  rc_rfc3448_on_sent (&loop, MTU, 0);
  fail_unless_equals_int64 (rc_rfc3448_due_at (&loop, MTU, 11500 * RC_USEC), 12 * RC_MSEC);
  fail_unless_equals_int64 (rc_rfc3448_due_at (&loop, MTU, 11500 * RC_USEC + 1),
      11500 * RC_USEC + 1);
  rc_rfc3448_init (&loop, &params, 100000000, 0);
  rc_rfc3448_on_sent (&loop, MTU, 0);
  fail_unless_equals_int64 (rc_rfc3448_due_at (&loop, MTU, 60 * RC_USEC), 120 * RC_USEC);
  fail_unless_equals_int64 (rc_rfc3448_due_at (&loop, MTU, 61 * RC_USEC), 61 * RC_USEC);
}

/* [RMC eq. 3] r_max = p / t_g: 12 Mbit/s with 1 ms, 1.2 Mbit/s with 10 ms whatever is wanted */
CLAIM (test_one_packet_a_timer_carries_no_more_than_packet_over_granularity)
{
  static const RcTime ticks[] = { RC_MSEC, 4 * RC_MSEC, 10 * RC_MSEC };

  for (guint i = 0; i < G_N_ELEMENTS (ticks); i++) {
    Machine machine = { ticks[i], 50 * RC_USEC, 1 };
    double most = MTU_BITS / rc_time_to_s (ticks[i]);
    double rate = run_rfc3448 (with (RC_RFC3448_NO_BURSTS), 500e6, machine);

    fail_unless (rate <= most * 1.0001 && rate > most * 0.95, "%g of %g", rate, most);
    fail_unless (error_percent (rate, 500e6) > 97.5);
  }
}

/* Fig. 4: 53 % as the sleep comes down to the granularity */
CLAIM (test_error_rises_to_half_as_the_sleep_reaches_the_granularity)
{
  Machine machine = { RC_MSEC, 50 * RC_USEC, 1 };
  double at_20_ms = error_percent (run_rfc3448 (with (RC_RFC3448_NO_BURSTS), MTU_BITS / 20e-3,
          machine), MTU_BITS / 20e-3);
  double at_5_ms = error_percent (run_rfc3448 (with (RC_RFC3448_NO_BURSTS), MTU_BITS / 5e-3,
          machine), MTU_BITS / 5e-3);
  double at_1_ms = error_percent (run_rfc3448 (with (RC_RFC3448_NO_BURSTS), MTU_BITS / 1e-3,
          machine), MTU_BITS / 1e-3);

  fail_unless (at_20_ms < 6 && at_5_ms > at_20_ms && at_1_ms > at_5_ms,
      "%g %g %g", at_20_ms, at_5_ms, at_1_ms);
  fail_unless (at_1_ms > 49 && at_1_ms < 54, "%g", at_1_ms);
}

/* Fig. 10b: 492 of 500 Mbit/s; Fig. 7b: at most 4 % */
CLAIM (test_bursts_lose_what_is_no_whole_packet)
{
  Machine exact = { 1, 0, 1 };

  fail_unless (fabs (run_rfc3448 (with (RC_RFC3448_BURSTS), 500e6, exact) - 492e6) < 1e5);
  fail_unless (fabs (run_rfc3448 (with (RC_RFC3448_BURSTS), 100e6, exact) - 96e6) < 1e5);
  fail_unless (fabs (run_rfc3448 (with (RC_RFC3448_BURSTS), 600e6, exact) - 600e6) < 1e5);
}

/* Fig. 7a: up to 95 % */
CLAIM (test_bursts_lose_more_the_coarser_the_timer)
{
  Machine coarse = { 10 * RC_MSEC, 50 * RC_USEC, 1 }, finer = { RC_MSEC, 50 * RC_USEC, 1 };
  double at_10_ms = error_percent (run_rfc3448 (with (RC_RFC3448_BURSTS), 500e6, coarse), 500e6);
  double at_1_ms = error_percent (run_rfc3448 (with (RC_RFC3448_BURSTS), 500e6, finer), 500e6);

  fail_unless (at_10_ms > 89 && at_10_ms < 95, "%g", at_10_ms);
  fail_unless (at_1_ms > 49 && at_1_ms < 55, "%g", at_1_ms);
}

CLAIM (test_bursts_as_printed_send_far_more_than_wanted)
{
  Machine exact = { 1, 0, 1 };

  fail_unless (run_rfc3448 (with (RC_RFC3448_BURSTS_AS_PRINTED), 100e6, exact) > 700e6);
  fail_unless (fabs (run_rfc3448 (with (RC_RFC3448_BURSTS_AS_PRINTED), 10e6, exact) - 10e6) < 1e5,
      "no bursts here");
}

/* The paper's re = p / (t + tw) */
CLAIM (test_lateness_adds_up_unless_the_schedule_is_kept)
{
  Machine late = { 1, 300 * RC_USEC, 1 };
  RcRfc3448Params nominal = with (RC_RFC3448_NO_BURSTS);
  double from_sent = run_rfc3448 (nominal, 10e6, late);

  nominal.nominal = true;
  fail_unless (fabs (from_sent / (MTU_BITS / (1.2e-3 + 0.3e-3)) - 1) < 0.02, "%g", from_sent);
  fail_unless (fabs (run_rfc3448 (nominal, 10e6, late) / 10e6 - 1) < 0.001);
}

/* Fig. 7: less than 0.06 % whatever the rate and the kernel */
CLAIM (test_rmc_keeps_the_rate_where_the_others_lose_it)
{
  static const RcTime ticks[] = { 1, RC_MSEC, 4 * RC_MSEC, 10 * RC_MSEC };

  for (guint t = 0; t < G_N_ELEMENTS (ticks); t++)
    for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
      Machine machine = { ticks[t], 200 * RC_USEC, 1 };
      /* where the run begins and ends within an interval between wake-ups */
      double edge = 100 * rc_time_to_s (ticks[t]) / rc_time_to_s (LENGTH) + 100 * MTU_BITS
          / rates[i] / 10;
      double error = error_percent (run_rmc (rates[i], machine), rates[i]);

      fail_unless (fabs (error) < 0.06 + edge,
          "%g bit/s, timer %" G_GINT64_FORMAT " ns: %g %%", rates[i], ticks[t], error);
    }
}

CLAIM (test_rate_zero_sends_nothing_and_recovers)
{
  RcRfc3448Params params = RC_RFC3448_PARAMS_DEFAULT;
  RcRfc3448 loop;

  rc_rfc3448_init (&loop, &params, 0, 0);
  fail_unless (rc_rfc3448_due_at (&loop, MTU, RC_SECOND) == RC_TIME_NONE);
  rc_rfc3448_set_rate (&loop, 1000000);
  fail_unless (rc_rfc3448_due_at (&loop, MTU, RC_SECOND) == RC_SECOND);
}
