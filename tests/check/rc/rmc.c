/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/pace/rmc.h>

#include "claim.h"

#define MTU 1500

static RcRmc rmc;
static RcRmcParams params;

BEFORE_EACH
{
  params = RC_RMC_PARAMS_DEFAULT;
}

static void
begin_unbounded (double kr, RcTime ts, double bps)
{
  params.kr_gain = kr;
  params.ts_min = ts;
  params.burst_bytes = UINT32_MAX;
  params.catchup_gain = 1e9;
  params.smooth_time = 0;
  params.memory = 1000 * RC_SECOND;
  rc_rmc_init (&rmc, &params, (uint64_t) bps, 0);
}

/* Takes everything that a sample asks for, each Ts: the paper's ideal actuator. Returns bytes
 * sent at t_k. */
static double
sample_and_send (RcTime now)
{
  double y;

  rc_rmc_due_at (&rmc, 1, now);
  y = rmc.budget_bytes;
  if (y < 1)
    return 0;
  rc_rmc_on_sent (&rmc, (uint32_t) (y + 0.5), now);
  return y;
}

/* Settling after a step of the rate: samples until re stays within 5 % of the new rate. */
static int
settle (double kr, double from_bps, double to_bps)
{
  const RcTime ts = 10 * RC_MSEC;
  RcTime now = 0;
  double want = to_bps / 8 * rc_time_to_s (ts);
  int settled = -1;

  begin_unbounded (kr, ts, from_bps);
  rc_rmc_due_at (&rmc, 1, now);
  for (int i = 0; i < 400; i++)
    sample_and_send (now += ts);
  /* not set_rate: it would forfeit credit, and the paper's loop does not */
  rmc.rate_bps = (uint64_t) to_bps;
  for (int i = 0; i < 400; i++) {
    double error = fabs (sample_and_send (now += ts) / want - 1);

    if (error > 0.05)
      settled = -1;
    else if (settled < 0)
      settled = i + 1;
  }
  return settled;
}

/* A greedy sender until `end`. Returns the bytes that left. */
static double
send_greedy (RcTime now, RcTime end)
{
  double sent = 0;
  RcTime due;

  while (now < end)
    if ((due = rc_rmc_due_at (&rmc, MTU, now)) > now) {
      now = due;
    } else {
      rc_rmc_on_sent (&rmc, MTU, now);
      sent += MTU;
    }
  return sent;
}

/* [RMC eq. 8] [RMC eq. 9] */
CLAIM (test_credit_is_the_integral_of_the_rate_minus_what_went)
{
  begin_unbounded (1, RC_MSEC, 8e6);
  rc_rmc_due_at (&rmc, MTU, 0);
  rc_rmc_due_at (&rmc, MTU, 10 * RC_MSEC);
  fail_unless (fabs (rmc.credit_bytes - 10000) < 1e-6);
  rc_rmc_on_sent (&rmc, MTU, 10 * RC_MSEC);
  fail_unless (fabs (rmc.credit_bytes - 8500) < 1e-6);
  /* the old rate counts up to the change, the new from it */
  rc_rmc_set_rate (&rmc, 16000000, 20 * RC_MSEC);
  rc_rmc_due_at (&rmc, MTU, 30 * RC_MSEC);
  fail_unless (fabs (rmc.credit_bytes - 38500) < 1e-6);
}

/* [RMC eq. 10] */
CLAIM (test_a_sample_asks_for_kr_times_the_credit)
{
  begin_unbounded (0.5, RC_MSEC, 8e6);
  rc_rmc_due_at (&rmc, 1, 0);
  rc_rmc_due_at (&rmc, 1, 10 * RC_MSEC);
  fail_unless (fabs (rmc.budget_bytes - 5000) < 1e-6);
}

/* [RMC prop. 1] pole at 1 - kr: after a step the rate error shrinks by |1 - kr| each sample */
CLAIM (test_step_response_has_its_pole_at_one_minus_kr)
{
  static const double gains[] = { 0.2, 0.5, 0.8, 1.0, 1.3, 1.8 };

  for (guint g = 0; g < G_N_ELEMENTS (gains); g++) {
    const RcTime ts = 10 * RC_MSEC;
    double want = 1e9 / 8 * 0.01, pole = 1 - gains[g];

    begin_unbounded (gains[g], ts, 1e9);
    rc_rmc_due_at (&rmc, 1, 0);
    for (int k = 0; k < 20; k++) {
      double y = sample_and_send ((k + 1) * ts);

      fail_unless (fabs (y / want - (1 - pow (pole, k + 1))) < 1e-4,
          "kr %g sample %d: %g", gains[g], k, y / want);
    }
  }
}

/* Settling in samples: ceil (ln (0.05 / |step / final|) / ln |1 - kr|); Fig. 13's shape, least at
 * kr = 1. */
CLAIM (test_settling_is_shortest_at_kr_one)
{
  fail_unless_equals_int (settle (1.0, 10e6, 100e6), 1);
  fail_unless_equals_int (settle (1.0, 100e6, 10e6), 1);
  fail_unless_equals_int (settle (0.2, 10e6, 100e6), 13);
  fail_unless_equals_int (settle (0.2, 100e6, 10e6), 24);
  fail_unless_equals_int (settle (1.8, 10e6, 100e6), 13);
}

/* [RMC prop. 1] */
CLAIM_OF_SIGNAL (test_kr_two_is_refused, SIGABRT)
{
  params.kr_gain = 2;
  rc_rmc_init (&rmc, &params, 1000000, 0);
}

/* Runs a greedy sender whose wake-ups come late by an exponential time of mean `late`. Returns
 * the bytes sent. */
static double
run_late (RcTime late, RcTime length, double *largest_burst)
{
  RcTime now = 0, due;
  double sent = 0, burst = 0;
  guint32 seed = 1;

  *largest_burst = 0;
  while (now < length) {
    due = rc_rmc_due_at (&rmc, MTU, now);
    if (due > now) {
      seed = seed * 1664525 + 1013904223;
      now = due + (RcTime) (-log (1 - (seed >> 8) / 16777216.0) * late);
      burst = 0;
      continue;
    }
    rc_rmc_on_sent (&rmc, MTU, now);
    sent += MTU;
    burst += MTU;
    *largest_burst = MAX (*largest_burst, burst);
  }
  return sent;
}

/* [RMC prop. 2] and the paper's Fig. 7: a disturbed CPU does not change the rate */
CLAIM (test_late_wakeups_do_not_change_the_rate)
{
  static const double rates[] = { 1e5, 1e6, 10e6, 100e6, 600e6 };

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++) {
    double most, sent, bound = MAX (3.0 * MTU, rates[i] / 8 * 1e-3);

    rc_rmc_init (&rmc, &params, (guint64) rates[i], 0);
    sent = run_late (200 * RC_USEC, 60 * RC_SECOND, &most);
    fail_unless (fabs (sent * 8 / 60 / rates[i] - 1) < 0.0006 + MTU * 8 / 60 / rates[i],
        "%g: %g", rates[i], sent * 8 / 60);
    fail_unless (most <= bound + MTU, "burst %g at %g", most, rates[i]);
  }
}

/* A greedy sender for a minute; of its wake-ups the share `disturbed` comes late by up to
 * `late`. Returns the share of packets with no neighbour within a quarter of the ideal gap. */
static double
share_alone (double rate_bps, double disturbed, RcTime late, double *sent_bps)
{
  const RcTime length = 60 * RC_SECOND, near = (RcTime) (MTU * 8e9 / rate_bps / 4);
  RcTime now = 0, due, last = -RC_SECOND, last_gap = RC_SECOND;
  guint32 seed = 1;
  guint n = 0, alone = 0;

  rc_rmc_init (&rmc, &params, (guint64) rate_bps, 0);
  while (now < length) {
    due = rc_rmc_due_at (&rmc, MTU, now);
    if (due > now) {
      seed = seed * 1664525 + 1013904223;
      now = due + ((seed >> 8) / 16777216.0 < disturbed ? (seed >> 4) % late : 0);
      continue;
    }
    rc_rmc_on_sent (&rmc, MTU, now);
    alone += last_gap > near && now - last > near;
    last_gap = now - last;
    last = now;
    n++;
  }
  *sent_bps = n * MTU * 8 / rc_time_to_s (length);
  return (double) alone / n;
}

CLAIM (test_a_busy_cpu_leaves_single_packets_at_video_rates)
{
  static const struct { double rate; RcTime late; } rows[] = {
    {1e6, 20 * RC_MSEC}, {2e6, 6 * RC_MSEC}, {5e6, 6 * RC_MSEC}, {20e6, 6 * RC_MSEC},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    double alone, sent_bps;

    params = RC_RMC_PARAMS_DEFAULT;
    alone = share_alone (rows[i].rate, 0.05, rows[i].late, &sent_bps);
    fail_unless (alone >= 0.99, "%g alone at %g", alone, rows[i].rate);
    fail_unless (fabs (sent_bps / rows[i].rate - 1) < 0.0006, "%g at %g", sent_bps, rows[i].rate);
    params.smooth_time = 0;
    fail_unless (share_alone (rows[i].rate, 0.05, rows[i].late, &sent_bps) < 0.99,
        "this load does not test it");
  }
}

/* Each wake-up 4 ms late on average, and 2.4 ms from packet to packet: singles cannot keep up,
 * bursts of three can. */
CLAIM (test_bursts_keep_the_rate_when_single_packets_cannot)
{
  double sent_bps;

  share_alone (5e6, 1, 8 * RC_MSEC, &sent_bps);
  fail_unless (fabs (sent_bps / 5e6 - 1) < 0.0006, "%g", sent_bps);
  params.smooth_time = RC_SECOND;
  share_alone (5e6, 1, 8 * RC_MSEC, &sent_bps);
  fail_unless (sent_bps < 4e6, "%g: this load does not test it", sent_bps);
}

/* The loop that RMC replaces: send, sleep p / r: re = p / (t + late) */
CLAIM (test_loop_without_compensation_loses_what_rmc_keeps)
{
  const double rate = 10e6, interval = MTU * 8 / rate, late = 0.6e-3;
  double naive = MTU * 8 / (interval + late), most, sent;

  rc_rmc_init (&rmc, &params, (guint64) rate, 0);
  sent = run_late ((RcTime) (late * 1e9), 10 * RC_SECOND, &most) * 8 / 10;
  fail_unless (naive < 0.7 * rate);
  fail_unless (sent > 0.999 * rate);
}

CLAIM (test_video_rates_leave_single_packets_evenly)
{
  RcTime now = 0, last = -1, due;

  rc_rmc_init (&rmc, &params, 2000000, 0);
  for (int i = 0; i < 1000; i++) {
    while ((due = rc_rmc_due_at (&rmc, MTU, now)) > now)
      now = due;
    if (last >= 0)
      fail_unless (ABS (now - last - 6 * RC_MSEC) <= 2, "gap %" G_GINT64_FORMAT, now - last);
    last = now;
    rc_rmc_on_sent (&rmc, MTU, now);
  }
}

CLAIM (test_a_stall_is_repaid_in_bounded_bursts)
{
  const RcTime stall = 50 * RC_MSEC;
  double sent = 0, burst = 0;
  RcTime now = stall, due;

  params.catchup_gain = 2;
  params.smooth_time = 0;
  rc_rmc_init (&rmc, &params, 8000000, 0);
  rc_rmc_due_at (&rmc, MTU, 0);
  while (now < stall + 120 * RC_MSEC) {
    if ((due = rc_rmc_due_at (&rmc, MTU, now)) > now) {
      now = due;
      burst = 0;
      continue;
    }
    rc_rmc_on_sent (&rmc, MTU, now);
    sent += MTU;
    burst += MTU;
    fail_unless (burst <= 3 * MTU);
    /* never faster than catchup_gain times the rate, but for one burst */
    fail_unless (sent <= rc_time_to_s (now - stall) * 2e6 + 6 * MTU, "%g", sent);
  }
  fail_unless (fabs (sent - 170e3) <= 2 * MTU, "%g of what 170 ms are worth", sent);
}

CLAIM (test_behind_is_more_credit_than_a_burst)
{
  rc_rmc_init (&rmc, &params, 8000000, 0);
  rc_rmc_due_at (&rmc, MTU, 0);
  fail_if (rc_rmc_is_behind (&rmc));
  rc_rmc_due_at (&rmc, MTU, 4 * RC_MSEC);
  fail_if (rc_rmc_is_behind (&rmc));
  rc_rmc_due_at (&rmc, MTU, 20 * RC_MSEC);
  fail_if (rc_rmc_is_behind (&rmc), "single packets repay it");
  rc_rmc_due_at (&rmc, MTU, 40 * RC_MSEC);
  fail_unless (rc_rmc_is_behind (&rmc));
  rc_rmc_set_idle (&rmc, 40 * RC_MSEC);
  fail_if (rc_rmc_is_behind (&rmc));
}

/* Whoever stays awake while it is behind must not be so always: waiting for one packet is not
 * being behind. */
CLAIM (test_small_bursts_and_gains_alone_are_not_behind)
{
  RcRmcParams small = RC_RMC_PARAMS_DEFAULT, weak = RC_RMC_PARAMS_DEFAULT;
  RcTime interval = rc_time_of_bytes (MTU, 8000000), now;
  guint sent = 0;

  small.burst_bytes = 1;
  small.burst_time = 0;
  rc_rmc_init (&rmc, &small, 8000000, 0);
  for (now = 0; now < 2 * interval; now += interval / 10)
    if (rc_rmc_due_at (&rmc, MTU, now) == now)
      rc_rmc_on_sent (&rmc, MTU, now);
    else
      fail_if (rc_rmc_is_behind (&rmc));
  weak.kr_gain = 0.1;
  rc_rmc_init (&rmc, &weak, 8000000, 0);
  for (now = 0; now < 9 * interval; now += interval / 10)
    if (rc_rmc_due_at (&rmc, MTU, now) == now) {
      rc_rmc_on_sent (&rmc, MTU, now);
      sent++;
    } else {
      fail_if (rc_rmc_is_behind (&rmc));
    }
  fail_unless (sent >= 8, "%u packets in nine intervals", sent);
}

/* Packets that left in `length`, of those that always wait; the rate swings by a fifth each
 * 20 ms, if asked. */
static guint
count_sent (guint64 rate_bps, guint32 size_bytes, gboolean swings, RcTime length)
{
  RcTime now = 0, swing_at = 20 * RC_MSEC, due;
  gboolean high = FALSE;
  guint n = 0;

  rc_rmc_init (&rmc, &params, rate_bps, now);
  while (now < length) {
    due = rc_rmc_due_at (&rmc, size_bytes, now);
    if (due <= now) {
      rc_rmc_on_sent (&rmc, size_bytes, now);
      n++;
    } else if (swings && due > swing_at) {
      now = swing_at;
      swing_at += 20 * RC_MSEC;
      high = !high;
      rc_rmc_set_rate (&rmc, high ? rate_bps * 6 / 5 : rate_bps, now);
    } else {
      now = due;
    }
  }
  return n;
}

CLAIM (test_every_gain_size_and_burst_leaves_at_the_rate)
{
  static const double gains[] = { 0.05, 0.1, 0.5, 1, 1.5, 1.95 };
  static const guint64 rates[] = { 8000, 30000, 100000, 500000, 2000000 };
  static const guint32 sizes[] = { 100, 1228, 9056, 30028, 65535 }, bursts[] = { 1, 4500 };
  enum { N = 50 };

  for (guint i = 0; i < 6 * 5 * 5 * 2; i++) {
    double gain = gains[i % 6];
    guint64 rate = rates[i / 6 % 5];
    guint32 size = sizes[i / 30 % 5], burst = bursts[i / 150];
    RcTime length = rc_time_of_bytes (N * (guint64) size, rate) + 1;
    guint n, swinging;

    params = RC_RMC_PARAMS_DEFAULT;
    params.kr_gain = gain;
    params.burst_bytes = burst;
    if (burst == 1)
      params.burst_time = 0;
    n = count_sent (rate, size, FALSE, length);
    fail_unless (n >= N - 1 && n <= N + 1, "gain %g, %u bytes at %g bit/s, burst %u: %u packets",
        gain, size, (double) rate, burst, n);
    swinging = count_sent (rate, size, TRUE, length);
    fail_unless (swinging >= N - 1 && swinging <= N * 1.2 + 1,
        "gain %g, %u bytes at %g bit/s that swing, burst %u: %u packets", gain, size, (double) rate,
        burst, swinging);
  }
}

/* As behind a scheduler: a small packet each 20 ms goes before a large one that waits for more
 * credit than the memory holds. */
CLAIM (test_small_packets_that_overtake_do_not_cost_the_large_one_its_credit)
{
  enum { LARGE = 30028, SMALL = 100 };
  RcTime now = 0, small_at = 0, due;
  guint large = 0, small = 0;

  rc_rmc_init (&rmc, &params, 500000, 0);
  while (now < 10 * RC_SECOND) {
    gboolean is_small = now >= small_at;

    due = rc_rmc_due_at (&rmc, is_small ? SMALL : LARGE, now);
    if (due > now) {
      now = is_small ? due : MIN (due, small_at);
      continue;
    }
    rc_rmc_on_sent (&rmc, is_small ? SMALL : LARGE, now);
    if (is_small)
      small_at += 20 * RC_MSEC;
    small += is_small;
    large += !is_small;
  }
  fail_unless (small >= 490, "%u of 500 small ones", small);
  fail_unless (large >= 18, "%u of 19 in 10 s", large);
}

/* A stall at 100 Mbit/s earns 250 kB; at 1 Mbit/s that would be two seconds of flood. */
CLAIM (test_a_lower_rate_acts_on_the_next_packet)
{
  RcTime now = 20 * RC_MSEC;
  double sent;

  rc_rmc_init (&rmc, &params, 100000000, 0);
  rc_rmc_due_at (&rmc, MTU, 0);
  rc_rmc_set_rate (&rmc, 1000000, now);
  sent = send_greedy (now, now + 200 * RC_MSEC);
  fail_unless (sent <= 25000 + 4 * MTU, "%g bytes in 200 ms at 1 Mbit/s", sent);
}

CLAIM (test_rate_zero_sends_nothing_and_recovers)
{
  rc_rmc_init (&rmc, &params, 0, 0);
  fail_unless (rc_rmc_due_at (&rmc, MTU, RC_SECOND) == RC_TIME_NONE);
  rc_rmc_set_rate (&rmc, 1000000, 2 * RC_SECOND);
  fail_unless (rc_rmc_due_at (&rmc, MTU, 2 * RC_SECOND) <= 2 * RC_SECOND + 12 * RC_MSEC);
}

/* 32-bit counters wrapped after 2 GiB; ours hold for days */
CLAIM (test_a_week_does_not_drift)
{
  RcTime now = 7 * 86400 * RC_SECOND;

  rc_rmc_init (&rmc, &params, 2000000000, now);
  fail_unless (fabs (send_greedy (now, now + 12 * RC_SECOND) * 8 / 12 / 2e9 - 1) < 1e-4);
}

/* Sends urgent packets as fast as they may go; returns how many have left by `until`. */
static guint
send_urgent (RcTime from, RcTime until)
{
  RcTime now = from, due;
  guint n = 0;

  while ((due = rc_rmc_urgent_at (&rmc, MTU, now)) < until) {
    if (due > now) {
      now = due;
      continue;
    }
    rc_rmc_lend (&rmc, MTU, now);
    rc_rmc_on_sent (&rmc, MTU, now);
    n++;
  }
  return n;
}

static void
send_media (RcTime from, RcTime until, guint * n)
{
  RcTime now = from, due;

  while ((due = rc_rmc_due_at (&rmc, MTU, now)) < until) {
    if (due > now) {
      now = due;
      continue;
    }
    rc_rmc_on_sent (&rmc, MTU, now);
    (*n)++;
  }
}

/* 1.2 Mbit/s: a packet each 10 ms; the loan is 6 packets. */
CLAIM (test_urgent_packets_leave_at_three_times_the_rate_on_loan)
{
  guint n;

  rc_rmc_init (&rmc, &params, 1200000, 0);
  send_media (0, RC_SECOND, &(guint) { 0 });
  n = send_urgent (RC_SECOND, RC_SECOND + 21 * RC_MSEC);
  fail_unless (n >= 6 && n <= 8, "%u", n);
  n += send_urgent (RC_SECOND + 21 * RC_MSEC, 2 * RC_SECOND);
  fail_unless (n >= 105 && n <= 108, "%u", n);
}

CLAIM (test_media_goes_on_while_the_loan_is_repaid_and_the_mean_is_exact)
{
  guint urgent, soon = 0, all = 0;

  rc_rmc_init (&rmc, &params, 1200000, 0);
  send_media (0, RC_SECOND, &(guint) { 0 });
  urgent = send_urgent (RC_SECOND, RC_SECOND + 15 * RC_MSEC);
  fail_unless (urgent >= 4, "%u", urgent);
  send_media (RC_SECOND + 15 * RC_MSEC, RC_SECOND + 50 * RC_MSEC, &all);
  fail_unless (all >= 2, "%u", all);
  send_media (RC_SECOND + 50 * RC_MSEC, RC_SECOND + 150 * RC_MSEC, &soon);
  fail_unless (soon >= 7 && soon <= 9, "%u", soon);
  send_media (RC_SECOND + 150 * RC_MSEC, 11 * RC_SECOND, &all);
  all += soon + urgent;
  fail_unless (all >= 999 && all <= 1001, "%u", all);
}

CLAIM (test_what_did_not_leave_is_no_debt)
{
  guint n = 0;

  rc_rmc_init (&rmc, &params, 1200000, 0);
  send_media (0, RC_SECOND, &(guint) { 0 });
  for (guint i = 0; i < 1000; i++) {
    rc_rmc_lend (&rmc, MTU, RC_SECOND);
    rc_rmc_on_sent (&rmc, MTU, RC_SECOND);
    rc_rmc_on_unsent (&rmc, MTU);
  }
  send_media (RC_SECOND, RC_SECOND + 20 * RC_MSEC, &n);
  fail_unless (n >= 1 && n <= 3, "%u", n);
  send_media (RC_SECOND + 20 * RC_MSEC, 11 * RC_SECOND, &n);
  fail_unless (n >= 999 && n <= 1002, "%u", n);
}

/* A loan of 60 packets at 12 Mbit/s, and then a tenth of the rate. */
CLAIM (test_a_loan_shrinks_with_the_rate)
{
  guint n = 0;

  rc_rmc_init (&rmc, &params, 12000000, 0);
  send_media (0, RC_SECOND, &(guint) { 0 });
  fail_unless (send_urgent (RC_SECOND, RC_SECOND + 21 * RC_MSEC) > 50);
  rc_rmc_set_rate (&rmc, 1200000, RC_SECOND + 21 * RC_MSEC);
  send_media (RC_SECOND + 21 * RC_MSEC, RC_SECOND + 121 * RC_MSEC, &n);
  fail_unless (n <= 12, "%u", n);
}

/* As the credit does not. */
CLAIM (test_no_loan_is_left_for_a_burst_behind_a_pause)
{
  RcTime begin = RC_SECOND + 15 * RC_MSEC, end = begin + 60 * RC_MSEC;
  guint n = 0;

  rc_rmc_init (&rmc, &params, 1200000, 0);
  send_media (0, RC_SECOND, &(guint) { 0 });
  send_urgent (RC_SECOND, begin);
  rc_rmc_set_idle (&rmc, begin);
  send_media (end, end + RC_MSEC, &n);
  fail_unless (n >= 1 && n <= 2, "%u", n);
}
