/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Pacing in virtual time: exact, quick, the same on every machine. Prints one line of JSON a
 * result.
 *
 *   model granularity   loops x rates x timer granularity; wake-ups late, most in the middle
 *   model sleep         a packet each t, timer of 1 ms: the error against t
 *   model clock         clocks of 1/HZ, and with spans cut to ms, as in the notes on CCID-3
 *   model gain          settling time after a step of the rate; how errors grow around k_r = 2
 *   model constant      the paper's loop at constant rates for each k_r, and after a disturbance
 *   model burst         the largest burst against T_s, and after a stall
 *   model samples       T_s against what a coarse clock costs, as the notes on CCID-3 hope */
#include "sendloop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MTU 1500
#define MTU_BITS (MTU * 8.0)
#define COUNT(a) (sizeof (a) / sizeof (a)[0])
#define LATE_IDLE (50 * RC_USEC)
#define LATE_LOADED (1 * RC_MSEC)
#define STEP_TS (20 * RC_MSEC)

typedef struct
{
  uint64_t n;
  RcTime first_at, last_at;
} Sent;

static uint32_t seed;

static RcTime
lateness (RcTime mean)
{
  seed = seed * 1664525 + 1013904223;
  return (RcTime) (-log (1 - (seed >> 8) / 16777216.0) * (double) mean);
}

static RcTime
round_up (RcTime at, RcTime tick)
{
  return tick > 0 ? (at + tick - 1) / tick * tick : at;
}

static void
count (Sent *sent, RcTime at)
{
  if (sent->n++ == 0)
    sent->first_at = at;
  sent->last_at = at;
}

/* Over N - 1 intervals. */
static double
mean_bps (const Sent *sent)
{
  return sent->n < 2
      ? 0 : (double) (sent->n - 1) * MTU_BITS / rc_time_to_s (sent->last_at - sent->first_at);
}

/* --- granularity, sleep --- */

static double
run_timers (const char *name, double rate, RcTime tick, RcTime length, bool loaded)
{
  Sent sent = { 0, 0, 0 };
  RcTime now = 0, due;
  SendLoop loop;

  seed = 1;
  send_loop_init (&loop, name, (uint64_t) rate, now);
  while (now < length) {
    due = send_loop_due_at (&loop, MTU, now);
    if (due > now && send_loop_stays_awake (&loop, due - now)) {
      now = due;
      continue;
    }
    if (due > now) {
      bool busy = loaded && due >= length / 3 && due < 2 * length / 3;

      now = round_up (due, tick) + lateness (busy ? LATE_LOADED : LATE_IDLE);
      continue;
    }
    send_loop_on_sent (&loop, MTU, now);
    count (&sent, now);
  }
  return mean_bps (&sent);
}

static void
print_granularity (void)
{
  static const char *names[] = { "rmc-literal", "rmc-bounded", "rmc", "rfc3448", "rfc3448-bursts",
    "rfc3448-nominal"
  };
  static const double rates[] = { 1e6, 10e6, 100e6, 200e6, 400e6, 500e6, 600e6, 1e9, 2e9 };
  static const int ticks_ms[] = { 0, 1, 4, 10 };

  for (size_t t = 0; t < COUNT (ticks_ms); t++)
    for (size_t n = 0; n < COUNT (names); n++)
      for (size_t r = 0; r < COUNT (rates); r++) {
        double bps = run_timers (names[n], rates[r], ticks_ms[t] * RC_MSEC, 60 * RC_SECOND, true);

        printf ("{\"tick_ms\": %d, \"contender\": \"%s\", \"wanted_bps\": %.0f, "
            "\"rate_bps\": %.1f, \"error_percent\": %.5f}\n", ticks_ms[t], names[n], rates[r],
            bps, 100 * (rates[r] - bps) / rates[r]);
      }
}

static void
print_sleep (void)
{
  static const double sleeps_ms[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20 };

  for (size_t i = 0; i < COUNT (sleeps_ms); i++) {
    double rate = MTU_BITS / (sleeps_ms[i] * 1e-3);
    double naive = run_timers ("rfc3448", rate, RC_MSEC, 60 * RC_SECOND, false);
    double rmc = run_timers ("rmc-literal", rate, RC_MSEC, 60 * RC_SECOND, false);

    printf ("{\"sleep_ms\": %g, \"error_percent\": %.4f, \"rmc_error_percent\": %.4f}\n",
        sleeps_ms[i], 100 * (rate - naive) / rate, 100 * (rate - rmc) / rate);
  }
}

/* --- clock --- */

typedef enum
{ CLOCK_TICKS, CLOCK_MS, CLOCK_MS_SPANS } Clock;

/* What the sender reads at a true time. */
static RcTime
read_clock (Clock clock, int hz, RcTime at)
{
  int64_t jiffies = at / (RC_SECOND / hz);

  if (clock == CLOCK_TICKS)
    return jiffies * (RC_SECOND / hz);
  if (clock == CLOCK_MS)
    return jiffies * 1000 / hz * RC_MSEC;
  return jiffies * (1000 / hz) * RC_MSEC;       /* each span truncated before it is added up */
}

/* A sender that sleeps sees its clock move by whole ticks only. */
static double
run_clock (const char *name, Clock clock, int hz, double rate, double *peak_bps)
{
  const RcTime tick = RC_SECOND / hz, length = 20 * RC_SECOND, window = 100 * RC_MSEC;
  RcTime at = 0, due, window_at = 0;
  double in_window = 0;
  Sent sent = { 0, 0, 0 };
  SendLoop loop;

  *peak_bps = 0;
  send_loop_init (&loop, name, (uint64_t) rate, 0);
  for (at = 0; at < length;) {
    RcTime now = read_clock (clock, hz, at);

    due = send_loop_due_at (&loop, MTU, now);
    if (due > now) {
      at += tick;
      continue;
    }
    send_loop_on_sent (&loop, MTU, now);
    count (&sent, at);
    if (at >= window_at + window) {
      window_at += (at - window_at) / window * window;
      in_window = 0;
    }
    in_window += MTU_BITS;
    *peak_bps = fmax (*peak_bps, in_window / rc_time_to_s (window));
  }
  return mean_bps (&sent);
}

static void
print_clock (void)
{
  static const char *names[] = { "rmc-literal", "rmc-bounded", "rfc3448-nominal" };
  static const char *clocks[] = { "ticks", "ms", "ms-spans" };
  static const double rates[] = { 1e5, 1e6, 2e6, 5e6, 10e6, 20e6, 50e6, 100e6, 200e6 };
  static const int hz[] = { 100, 250, 300, 1000 };

  for (size_t n = 0; n < COUNT (names); n++)
    for (size_t c = 0; c < COUNT (clocks); c++)
      for (size_t h = 0; h < COUNT (hz); h++)
        for (size_t r = 0; r < COUNT (rates); r++) {
          double peak_bps, bps = run_clock (names[n], (Clock) c, hz[h], rates[r], &peak_bps);

          printf ("{\"contender\": \"%s\", \"clock\": \"%s\", \"hz\": %d, \"wanted_bps\": "
              "%.0f, \"rate_bps\": %.1f, \"peak_bps\": %.0f}\n", names[n], clocks[c], hz[h],
              rates[r], bps, peak_bps);
        }
}

/* --- gain --- */

/* An actuator without packets: sends what the sample asks for, to the byte. */
static double
sample (RmcLiteral *loop, RcTime now)
{
  double y;

  rmc_literal_due_at (loop, 1, now);
  y = loop->to_send_bytes;
  if (y >= 1)
    rmc_literal_on_sent (loop, (uint32_t) (y + 0.5));
  rmc_literal_due_at (loop, 1, now);
  return y >= 1 ? y : 0;
}

static int
settling_samples (double kr, double from_bps, double to_bps)
{
  double want = to_bps / 8 * rc_time_to_s (STEP_TS);
  int settled = -1;
  RcTime now = 0;
  RmcLiteral loop;

  rmc_literal_init (&loop, kr, STEP_TS, (uint64_t) from_bps, now);
  for (int i = 0; i < 400; i++)
    sample (&loop, now += STEP_TS);
  loop.rate_bps = (uint64_t) to_bps;
  for (int i = 1; i <= 400; i++)
    if (fabs (sample (&loop, now += STEP_TS) / want - 1) > 0.05)
      settled = -1;
    else if (settled < 0)
      settled = i;
  return settled;
}

/* By how much an error of 1 % is multiplied each sample, |1 - kr| in theory. */
static double
error_growth (double kr)
{
  const double want = 100e6 / 8 * rc_time_to_s (STEP_TS);
  double first = 0, last = 0;
  const int n = 20;
  RcTime now = 0;
  RmcLiteral loop;

  rmc_literal_init (&loop, kr, STEP_TS, 100000000, now);
  loop.calc_bytes = want / kr - want + 0.01 * want;     /* the steady state and a bit more */
  for (int i = 0; i <= n; i++) {
    last = fabs (sample (&loop, now += STEP_TS) - want);
    if (i == 0)
      first = last;
  }
  return pow (last / first, 1.0 / n);
}

static void
print_gain (void)
{
  static const double around_two[] = { 0.1, 0.2, 1.8, 1.9, 1.95, 2.0, 2.02, 2.05 };

  for (int k = 1; k <= 19; k++) {
    int up = settling_samples (k / 10.0, 10e6, 100e6),
        down = settling_samples (k / 10.0, 100e6, 10e6);

    printf ("{\"kr\": %.1f, \"up_samples\": %d, \"down_samples\": %d}\n", k / 10.0, up, down);
  }
  for (size_t i = 0; i < COUNT (around_two); i++)
    printf ("{\"kr\": %g, \"growth_per_sample\": %.4f}\n", around_two[i],
        error_growth (around_two[i]));
}

/* --- constant, burst --- */

/* The paper's loop; each wake-up late by idle, from the middle on by loaded. Returns the error over
 * the time from `from` on. */
static double
constant_error_percent (double kr, double rate, RcTime idle, RcTime loaded, RcTime from)
{
  const RcTime length = 20 * RC_SECOND;
  Sent sent = { 0, 0, 0 };
  RcTime now = 0, due;
  RmcLiteral loop;

  rmc_literal_init (&loop, kr, RMC_LITERAL_TS, (uint64_t) rate, now);
  while (now < length) {
    due = rmc_literal_due_at (&loop, MTU, now);
    if (due > now) {
      now = due + (due < length / 2 ? idle : loaded);
      continue;
    }
    rmc_literal_on_sent (&loop, MTU);
    if (now >= from)
      count (&sent, now);
  }
  return 100 * (rate - mean_bps (&sent)) / rate;
}

static void
print_constant (void)
{
  static const double gains[] = { 0.1, 0.2, 0.6, 1, 1.4, 1.8, 1.9 };
  static const double rates[] = { 1e6, 10e6, 100e6, 500e6 };

  for (size_t g = 0; g < COUNT (gains); g++)
    for (size_t r = 0; r < COUNT (rates); r++)
      printf ("{\"kr\": %g, \"wanted_bps\": %.0f, \"error_percent\": %.5f, "
          "\"disturbed_percent\": %.5f}\n", gains[g], rates[r],
          constant_error_percent (gains[g], rates[r], LATE_IDLE, LATE_IDLE, RC_SECOND),
          constant_error_percent (gains[g], rates[r], 0, LATE_LOADED, 15 * RC_SECOND));
}

/* Most that goes at one time; one wake-up of an exact timer is late by `stall`. */
static double
largest_burst_bytes (SendLoop *loop, RcTime stall)
{
  const RcTime length = RC_SECOND;
  double burst = 0, largest = 0;
  bool stalled = false;
  RcTime now = 0, due;

  while (now < length) {
    due = send_loop_due_at (loop, MTU, now);
    if (due > now) {
      now = due;
      if (!stalled && due >= length / 2) {
        stalled = true;
        now += stall;
      }
      burst = 0;
      continue;
    }
    send_loop_on_sent (loop, MTU, now);
    burst += MTU;
    largest = fmax (largest, burst);
  }
  return largest;
}

static void
print_burst (void)
{
  static const char *names[] = { "rmc-literal", "rmc-bounded", "rmc" };
  static const int ts_ms[] = { 1, 2, 5, 10, 20 };
  const uint64_t rate = 100000000;
  SendLoop loop;

  for (size_t i = 0; i < COUNT (ts_ms); i++) {
    send_loop_init (&loop, "rmc-literal", rate, 0);
    loop.literal.ts = ts_ms[i] * RC_MSEC;
    printf ("{\"ts_ms\": %d, \"largest_bytes\": %.0f}\n", ts_ms[i], largest_burst_bytes (&loop, 0));
  }
  for (size_t i = 0; i < COUNT (names); i++) {
    send_loop_init (&loop, names[i], rate, 0);
    printf ("{\"contender\": \"%s\", \"stall_ms\": 50, \"largest_bytes\": %.0f}\n", names[i],
        largest_burst_bytes (&loop, 50 * RC_MSEC));
  }
}

/* --- samples --- */

/* The paper's loop with a sample each T_s or the next tick of 1/HZ after it, late by LATE_LOADED in
 * the mean. It is told the sum of its spans: each cut to whole ms, or whole. */
static double
sampled_bps (bool cut, int hz, RcTime ts, double rate, double *largest_bytes)
{
  const RcTime tick = RC_SECOND / hz, length = 400 * RC_SECOND;
  RcTime at = 0, told = 0;
  double sent_bytes = 0;
  RmcLiteral loop;

  seed = 1;
  *largest_bytes = 0;
  rmc_literal_init (&loop, 1, 1, (uint64_t) rate, 0);
  while (at < length) {
    RcTime span = round_up (ts + lateness (LATE_LOADED), tick);
    double bytes = 0;

    at += span;
    told += cut ? span / RC_MSEC * RC_MSEC : span;
    while (rmc_literal_due_at (&loop, MTU, told) <= told) {
      rmc_literal_on_sent (&loop, MTU);
      bytes += MTU;
    }
    sent_bytes += bytes;
    *largest_bytes = fmax (*largest_bytes, bytes);
  }
  return sent_bytes * 8 / rc_time_to_s (at);
}

static void
print_samples (void)
{
  static const int ts_ms[] = { 1, 10, 100, 1000, 10000 };
  const double rate = 100e6;

  for (size_t i = 0; i < COUNT (ts_ms); i++)
    for (int cut = 0; cut < 2; cut++) {
      double largest, bps = sampled_bps (cut, 300, ts_ms[i] * RC_MSEC, rate, &largest);

      printf ("{\"ts_ms\": %d, \"cut\": %s, \"error_percent\": %.4f, \"largest_bytes\": "
          "%.0f}\n", ts_ms[i], cut ? "true" : "false", 100 * (rate - bps) / rate, largest);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*print) (void);
  } sections[] = {
    {"granularity", print_granularity}, {"sleep", print_sleep}, {"clock", print_clock},
    {"gain", print_gain}, {"constant", print_constant}, {"burst", print_burst},
    {"samples", print_samples}
  };

  for (size_t i = 0; i < COUNT (sections); i++)
    if (argc == 2 && strcmp (argv[1], sections[i].name) == 0) {
      sections[i].print ();
      return 0;
    }
  fprintf (stderr, "usage: %s granularity|sleep|clock|gain|constant|burst|samples\n", argv[0]);
  return 2;
}
