/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "bbr.h"

#include <math.h>

#define HIGH_GAIN 2.885         /* 2/ln 2 */
#define PROBE_CWND_GAIN 2
#define PHASES 8
#define FULL_GROWTH 1.25
#define FULL_ROUNDS 3
#define INITIAL_WINDOW 10       /* RFC 6928 */
#define LEAST_WINDOW 4
#define QUANTA 3                /* segments more than the gain says, for delayed acknowledgements */
#define FIRST_RTT RC_MSEC       /* a guess, for the first window */
#define PACING_MARGIN 0.99      /* as Linux has it */
#define RTT_AGES (10 * RC_SECOND)
#define PROBE_RTT_TIME (200 * RC_MSEC)

static const double phase_gains[PHASES] = { 1.25, 0.75, 1, 1, 1, 1, 1, 1 };

void
bbr_init (Bbr *self)
{
  *self = (Bbr) {
    .cwnd = INITIAL_WINDOW, .pacing_gain = HIGH_GAIN, .cwnd_gain = HIGH_GAIN,
    .rate_ps = HIGH_GAIN * INITIAL_WINDOW / rc_time_to_s (FIRST_RTT), .least_rtt = RC_TIME_NONE,
    .probe_rtt_end = RC_TIME_NONE,
  };
}

/* --- the model of the path --- */

static double
bandwidth_ps (const Bbr *self)
{
  double most = 0;

  for (unsigned i = 0; i < BBR_ROUNDS; i++)
    most = fmax (most, self->delivered_ps[i]);
  return most;
}

static double
in_flight_at (const Bbr *self, double gain)
{
  if (self->least_rtt == RC_TIME_NONE)
    return INITIAL_WINDOW;
  return gain * bandwidth_ps (self) * rc_time_to_s (self->least_rtt);
}

static void
take_rate (Bbr *self, const BbrAck *ack)
{
  double *most;

  self->round_began = ack->sent_at >= self->round_end;
  if (self->round_began) {
    self->round_end = ack->delivered;
    self->round++;
    self->delivered_ps[self->round % BBR_ROUNDS] = 0;
  }
  most = &self->delivered_ps[self->round % BBR_ROUNDS];
  if (ack->interval > 0 && ack->interval >= self->least_rtt)
    *most = fmax (*most, (double) ack->segments / rc_time_to_s (ack->interval));
}

/* Returns whether the one before was too old. */
static bool
take_rtt (Bbr *self, RcTime rtt, RcTime now)
{
  bool expired = self->least_rtt != RC_TIME_NONE && now > self->least_rtt_at + RTT_AGES;

  if (self->least_rtt == RC_TIME_NONE || rtt <= self->least_rtt || expired) {
    self->least_rtt = rtt;
    self->least_rtt_at = now;
  }
  return expired;
}

/* --- states --- */

static void
enter_startup (Bbr *self)
{
  self->state = BBR_STARTUP;
  self->pacing_gain = self->cwnd_gain = HIGH_GAIN;
}

static void
enter_phase (Bbr *self, unsigned phase, RcTime now)
{
  self->phase = phase % PHASES;
  self->phase_at = now;
  self->pacing_gain = phase_gains[self->phase];
}

/* In any phase but the one that drains. */
static void
enter_probe_bw (Bbr *self, RcTime now)
{
  self->state = BBR_PROBE_BW;
  self->cwnd_gain = PROBE_CWND_GAIN;
  enter_phase (self, 2 + (unsigned) (now / RC_MSEC % (PHASES - 1)), now);
}

static void
look_whether_full (Bbr *self)
{
  double bps = bandwidth_ps (self);

  if (self->is_full || !self->round_began)
    return;
  if (bps >= FULL_GROWTH * self->full_ps) {
    self->full_ps = bps;
    self->full_rounds = 0;
    return;
  }
  self->is_full = ++self->full_rounds >= FULL_ROUNDS;
}

static bool
phase_is_over (const Bbr *self, const BbrAck *ack, RcTime now)
{
  bool lasted = now - self->phase_at > self->least_rtt;
  double in_flight = (double) (ack->in_flight + 1);     /* before this acknowledgement */

  if (self->pacing_gain > 1)
    return lasted && (ack->lost > 0 || in_flight >= in_flight_at (self, self->pacing_gain));
  return lasted || (self->pacing_gain < 1 && in_flight <= in_flight_at (self, 1));
}

static void
advance (Bbr *self, const BbrAck *ack, RcTime now)
{
  if (self->state == BBR_STARTUP && self->is_full) {
    self->state = BBR_DRAIN;
    self->pacing_gain = 1 / HIGH_GAIN;
  }
  if (self->state == BBR_DRAIN && (double) ack->in_flight <= in_flight_at (self, 1))
    enter_probe_bw (self, now);
  if (self->state == BBR_PROBE_BW && phase_is_over (self, ack, now))
    enter_phase (self, self->phase + 1, now);
}

static void
begin_probe_rtt (Bbr *self)
{
  self->state = BBR_PROBE_RTT;
  self->pacing_gain = self->cwnd_gain = 1;
  if (!self->recovers)
    self->prior_cwnd = self->cwnd;
  self->probe_rtt_end = RC_TIME_NONE;
}

static void
run_probe_rtt (Bbr *self, const BbrAck *ack, RcTime now)
{
  if (self->probe_rtt_end == RC_TIME_NONE) {
    if (ack->in_flight > LEAST_WINDOW)
      return;
    self->probe_rtt_end = now + PROBE_RTT_TIME;
    self->probe_rtt_round = false;
    self->round_end = ack->delivered;
    return;
  }
  self->probe_rtt_round = self->probe_rtt_round || self->round_began;
  if (!self->probe_rtt_round || now <= self->probe_rtt_end)
    return;
  self->least_rtt_at = now;
  self->cwnd = fmax (self->cwnd, self->prior_cwnd);
  if (self->is_full)
    enter_probe_bw (self, now);
  else
    enter_startup (self);
}

/* --- losses --- */

void
bbr_on_loss (Bbr *self, uint64_t in_flight, uint64_t delivered)
{
  if (!self->recovers && self->state != BBR_PROBE_RTT)
    self->prior_cwnd = self->cwnd;
  self->recovers = self->conserves = true;
  self->cwnd = (double) in_flight + 1;
  self->round_end = delivered;
}

void
bbr_on_recovered (Bbr *self)
{
  if (self->recovers)
    self->cwnd = fmax (self->cwnd, self->prior_cwnd);
  self->recovers = self->conserves = false;
}

void
bbr_on_timeout (Bbr *self)
{
  if (!self->recovers && self->state != BBR_PROBE_RTT)
    self->prior_cwnd = self->cwnd;
  self->recovers = true;
  self->conserves = false;
  self->cwnd = 1;
}

/* --- what the sender may do --- */

static void
set_cwnd (Bbr *self, const BbrAck *ack)
{
  double target = in_flight_at (self, self->cwnd_gain) + QUANTA;

  self->conserves = self->conserves && !self->round_began;
  self->cwnd = fmax (self->cwnd - ack->lost, 1);
  if (self->conserves)
    self->cwnd = fmax (self->cwnd, (double) ack->in_flight + 1);
  else if (self->is_full)
    self->cwnd = fmin (self->cwnd + 1, target);
  else if (self->cwnd < target || ack->delivered < INITIAL_WINDOW)
    self->cwnd += 1;
  if (!self->conserves)
    self->cwnd = fmax (self->cwnd, LEAST_WINDOW);
  if (self->state == BBR_PROBE_RTT)
    self->cwnd = fmin (self->cwnd, LEAST_WINDOW);
}

static void
set_rate (Bbr *self)
{
  double rate_ps = self->pacing_gain * bandwidth_ps (self) * PACING_MARGIN;

  if (self->is_full || rate_ps > self->rate_ps)
    self->rate_ps = rate_ps;
}

void
bbr_on_ack (Bbr *self, const BbrAck *ack, RcTime now)
{
  bool expired;

  if (self->least_rtt == RC_TIME_NONE)
    self->rate_ps = HIGH_GAIN * INITIAL_WINDOW / rc_time_to_s (ack->rtt);
  take_rate (self, ack);
  look_whether_full (self);
  expired = take_rtt (self, ack->rtt, now);
  advance (self, ack, now);
  if (expired && self->state != BBR_PROBE_RTT)
    begin_probe_rtt (self);
  if (self->state == BBR_PROBE_RTT)
    run_probe_rtt (self, ack, now);
  set_rate (self);
  set_cwnd (self, ack);
}
