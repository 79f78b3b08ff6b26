/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Pacing in virtual time: exact, quick, the same on every machine. Prints one line of JSON a
 * result.
 *
 *   model granularity   loops x rates x timer granularity; wake-ups late, most in the middle
 *   model sleep         a packet each t, timer of 1 ms: the error against t
 *   model clock         RMC on clocks of 1/HZ, and with spans cut to ms, as in notes on CCID-3
 *   model gain          settling time after a step of the rate; how errors grow around k_r = 2 */
#include "sendloop.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MTU 1500
#define MTU_BITS (MTU * 8.0)
#define COUNT(a) (sizeof (a) / sizeof (a)[0])
#define LATE_IDLE (50 * RC_USEC)
#define LATE_LOADED (1 * RC_MSEC)

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
  static const char *names[] = { "rmc-loop", "rmc", "no-bursts", "bursts", "nominal" };
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
    double naive = run_timers ("no-bursts", rate, RC_MSEC, 60 * RC_SECOND, false);
    double rmc = run_timers ("rmc-loop", rate, RC_MSEC, 60 * RC_SECOND, false);

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
  static const char *names[] = { "rmc-loop", "rmc" }, *clocks[] = { "ticks", "ms", "ms-spans" };
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

/* An actuator without packets: sends what the sample asks for. */
static double
sample (SendLoop *loop, RcTime now)
{
  double y;

  send_loop_due_at (loop, 1, now);
  y = loop->rmc.budget_bytes;
  if (y < 1)
    return 0;
  send_loop_on_sent (loop, (uint32_t) (y + 0.5), now);
  return y;
}

static int
settling_samples (double kr, double from_bps, double to_bps)
{
  const RcTime ts = 20 * RC_MSEC;
  double want = to_bps / 8 * rc_time_to_s (ts);
  int settled = -1;
  RcTime now = 0;
  SendLoop loop;

  send_loop_init_step (&loop, kr, ts, (uint64_t) from_bps, now);
  send_loop_due_at (&loop, 1, now);
  for (int i = 0; i < 400; i++)
    sample (&loop, now += ts);
  send_loop_step (&loop, (uint64_t) to_bps);
  for (int i = 1; i <= 400; i++)
    if (fabs (sample (&loop, now += ts) / want - 1) > 0.05)
      settled = -1;
    else if (settled < 0)
      settled = i;
  return settled;
}

/* By how much an error of 1 % is multiplied each sample, |1 - kr| in theory. The law refuses kr
 * >= 2, so set after. */
static double
error_growth (double kr)
{
  const RcTime ts = 20 * RC_MSEC;
  const double want = 100e6 / 8 * rc_time_to_s (ts);
  double first = 0, last = 0;
  const int n = 20;
  RcTime now = 0;
  SendLoop loop;

  send_loop_init_step (&loop, 1, ts, 100000000, now);
  send_loop_due_at (&loop, 1, now);
  for (int i = 0; i < 10; i++)
    sample (&loop, now += ts);
  loop.rmc.params.kr_gain = kr;
  loop.rmc.credit_bytes = want / kr - want + 0.01 * want; /* the steady state and a bit more */
  for (int i = 0; i <= n; i++) {
    last = fabs (sample (&loop, now += ts) - want);
    if (i == 0)
      first = last;
  }
  return pow (last / first, 1.0 / n);
}

static void
print_gain (void)
{
  static const double around_two[] = { 1.8, 1.9, 1.95, 2.0, 2.02, 2.05 };

  for (int k = 1; k <= 19; k++) {
    int up = settling_samples (k / 10.0, 10e6, 100e6),
        down = settling_samples (k / 10.0, 100e6, 10e6);

    printf ("{\"kr\": %.1f, \"up_samples\": %d, \"down_samples\": %d}\n", k / 10.0, up, down);
  }
  for (size_t i = 0; i < COUNT (around_two); i++)
    printf ("{\"kr\": %g, \"growth_per_sample\": %.4f}\n", around_two[i],
        error_growth (around_two[i]));
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
    {"gain", print_gain}
  };

  for (size_t i = 0; i < COUNT (sections); i++)
    if (argc == 2 && strcmp (argv[1], sections[i].name) == 0) {
      sections[i].print ();
      return 0;
    }
  fprintf (stderr, "usage: %s granularity|sleep|clock|gain\n", argv[0]);
  return 2;
}
