/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RMC, Rate Mismatch Controller
 * =============================
 *
 * In a nutshell: the pacer adds up how many bytes the wanted rate should have sent by now, and
 * subtracts how many it did send. The difference is a credit, and a packet may leave when the
 * credit covers it. A wake-up that comes late finds more credit, so the delays of the CPU scheduler
 * do not add up.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   d_c(t_k) = d_c(t_k-1) + (t_k - t_k-1) r_c        data that should have gone   [RMC eq. 8]
 *   d_e(t_k) = d_e(t_k-1) + b_s(t_k)                 data that did go             [RMC eq. 9]
 *   y(t_k)   = k_r (d_c(t_k) - d_e(t_k-1))           data to send in this sample  [RMC eq. 10]
 *   T_s      = max (RTT_min / N, T_s,min)            time between samples
 *
 *   [credit_bytes] = d_c - d_e    [budget_bytes] = what is left of y(t_k)    [sampled_at] = t_k
 *   Closed loop: pole at z = 1 - k_r; stable for 0 < k_r < 2 [RMC prop. 1]; k_r = 1 settles in
 *   one sample.
 *
 * Inputs: wanted rate, sizes, times. Output: when the next packet may go.
 * Source: L. De Cicco, S. Mascolo, ICNP 2009. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - T_s is not fixed. The next sample is when the next packet will be due, but no sooner than
 *     T_s,min. At video rates packets therefore leave one by one; bursts form only where p / r_c <
 *     T_s,min, p being the size of a packet.
 *   - Only the difference d_c - d_e is kept, as a double. The paper's two totals grow for ever:
 *     integers would overflow (G. Renker's notes on CCID-3) and doubles would lose precision after
 *     days. The difference is bounded.
 *   - A new r_c counts from the instant when it was set. The paper's backward Euler would apply it
 *     to the past interval.
 *   - Credit does not grow while nothing waits (set_idle). The paper's sources always have data;
 *     video does not.
 *   - One sample sends at most one burst. Problem: after a stall the whole backlog of credit would
 *     leave at once. Rule: credit is repaid at catchup_gain times the rate, and what exceeds
 *     `memory` is forfeited. The mean over a long time is exact otherwise.
 *   - At video rates a backlog of up to smooth_time is repaid packet by packet, at smooth_gain
 *     times the rate. A loaded CPU then makes no bursts on the network. If that is too slow for the
 *     load, the backlog grows and bursts repay it.
 *   - Problem: an L4S queue marks what waits for 1 ms, so the burst after a stall of 10 ms costs
 *     the rate more than the stall did. Rule: on such a path (gentle) credit is repaid at 1.1 times
 *     the rate [RFC 9331 4.3: bursts are to be limited].
 *   - Problem: above 10 Mbit/s a wake-up for each packet costs the sender more than the packet
 *     does, and no queue of 1 ms or more can tell packets from bursts of 1 ms. Rule: on a path of
 *     which that is known, what is not due yet leaves at multiples of a slot (set_slot), which are
 *     the same for all sessions, so that these wake up together. Without slots nothing changes.
 *   - Problem: a frame that leaves within a slot is two wake-ups, since its first packet leaves
 *     alone. Rule: where the path is known to bear frames that leave faster than the rate, a slot's
 *     share of what follows a pause leaves at once [begins_with_slot].
 *   - A lower rate forfeits the credit that the higher rate earned, so that it acts on the next
 *     packet.
 *   - With k_r < 1 a packet leaves as soon as the whole credit covers it. A packet cannot leave in
 *     parts, so k_r of the credit would mean a delay of up to 1 / k_r packets, and for ever where
 *     no bound holds that much credit.
 *   - Problem: a packet that is sent again has a deadline, and a burst of losses asks for many. At
 *     the rate the last of ten would leave 60 ms late, and all media behind it. Rule: urgent
 *     packets go at smooth_gain times the rate, up to loan_time of the rate ahead of what is
 *     earned [loan_bytes]. repay_ratio of the rate repays the loan, and media has the rest
 *     meanwhile. The mean over a long time is exact.
 *   - No bound of the credit is below the largest packet that waits, whatever the rate, the burst
 *     and the memory are.
 *
 * Limits: credit is exact to about 1e-9 bytes at any rate up to 1 Tbit/s. Where frames may leave
 * faster than the law's rate is paceplan.c's. */
#include <rc/pace/rmc.h>

#include <assert.h>
#include <math.h>

/* Rounding of a due time to whole nanoseconds must not delay a packet by one more wake-up. */
#define EPSILON_BYTES 1e-3
/* A law leaves some percent of the link free. With pauses of 10 ms each 100 ms (loop-sets l4s) a
 * flow uses .85, without this .38. */
#define GENTLE_GAIN 1.1

static double
bytes_in (uint64_t rate_bps, RcTime span)
{
  return (double) rate_bps * (double) span / 8e9;
}

/* A slot's burst, and the same again for half of a slot that a wake-up came late. */
#define SLOT_BURST 1.5

static double
burst_limit (const RcRmc *self)
{
  double by_time = fmax (bytes_in (self->rate_bps, self->params.burst_time),
      SLOT_BURST * bytes_in (self->rate_bps, self->slot));

  return by_time > self->params.burst_bytes ? by_time : self->params.burst_bytes;
}

/* What is earned, and what is not repaid yet. */
static double
available (const RcRmc *self)
{
  return self->credit_bytes + self->loan_bytes;
}

/* [RMC eq. 8], with the old rate for the past interval. */
static void
advance (RcRmc *self, RcTime now)
{
  double most;

  if (now <= self->at) {
    self->at = now;             /* a clock that ran backwards earns nothing */
    return;
  }
  self->credit_bytes += bytes_in (self->rate_bps, now - self->at);
  self->loan_bytes -= fmin (self->loan_bytes,
      self->params.repay_ratio * bytes_in (self->rate_bps, now - self->at));
  self->at = now;
  most = fmax (bytes_in (self->rate_bps, self->params.memory) + burst_limit (self),
      self->largest_bytes);
  if (self->credit_bytes > most)
    self->credit_bytes = most;
}

static double
smooth_gain (const RcRmc *self)
{
  return self->gentle ? GENTLE_GAIN : self->params.smooth_gain;
}

/* Whether the timer can follow single packets at smooth_gain times the rate: then a late wake-up
 * need not make a burst. */
static bool
repays_smoothly (const RcRmc *self, uint32_t size_bytes)
{
  double late_bytes = available (self) - size_bytes;
  RcTime apart = self->slot > self->params.ts_min ? self->slot : self->params.ts_min;

  return self->params.smooth_time > 0
      && late_bytes <= bytes_in (self->rate_bps, self->params.smooth_time)
      && size_bytes >= smooth_gain (self) * bytes_in (self->rate_bps, apart);
}

static RcTime
next_sample_at (const RcRmc *self)
{
  bool smoothly = self->gentle || repays_smoothly (self, self->head_bytes);
  double gain = smoothly ? smooth_gain (self) : self->params.catchup_gain;
  RcTime spacing = (RcTime) (self->sample_sent_bytes * 8e9 / ((double) self->rate_bps * gain));

  return self->sampled_at + (spacing > self->params.ts_min ? spacing : self->params.ts_min);
}

/* y(t_k) [RMC eq. 10], bounded by one burst. */
static void
sample (RcRmc *self, uint32_t size_bytes, RcTime now)
{
  double most = burst_limit (self);

  if (most < size_bytes || repays_smoothly (self, size_bytes))
    most = size_bytes;
  self->budget_bytes = self->params.kr_gain * available (self);
  if (self->params.kr_gain < 1 && self->budget_bytes < size_bytes
      && available (self) + EPSILON_BYTES >= size_bytes)
    self->budget_bytes = size_bytes;
  if (self->budget_bytes > most)
    self->budget_bytes = most;
  self->sampled_at = now;
  self->sample_sent_bytes = 0;
}

void
rc_rmc_reset (RcRmc *self, RcTime now)
{
  self->credit_bytes = self->loan_bytes = self->budget_bytes = self->sample_sent_bytes = 0;
  self->at = now;
  self->sampled_at = now - self->params.ts_min;
  self->idle = true;
}

void
rc_rmc_init (RcRmc *self, const RcRmcParams *params, uint64_t rate_bps, RcTime now)
{
  assert (params->kr_gain > 0 && params->kr_gain < 2 && params->catchup_gain > 1
      && params->smooth_gain > 1);
  self->params = *params;
  self->rate_bps = rate_bps;
  self->gentle = false;
  rc_rmc_set_slot (self, 0, false);
  rc_rmc_reset (self, now);
}

void
rc_rmc_set_gentle (RcRmc *self, bool gentle)
{
  self->gentle = gentle;
}

void
rc_rmc_set_slot (RcRmc *self, RcTime slot, bool begins)
{
  self->slot = slot;
  self->begins_with_slot = begins;
}

/* The end of the slot in which `at` is. */
static RcTime
slot_of (const RcRmc *self, RcTime at)
{
  RcTime into = self->slot > 0 ? at % self->slot : 0;

  return into > 0 ? at + self->slot - into : at;
}

void
rc_rmc_set_rate (RcRmc *self, uint64_t rate_bps, RcTime now)
{
  bool lower = rate_bps < self->rate_bps;

  if (rate_bps == self->rate_bps)
    return;
  advance (self, now);
  self->rate_bps = rate_bps;
  if (lower) {
    double most = fmax (burst_limit (self), self->largest_bytes);

    self->credit_bytes = rc_clampd (self->credit_bytes, -most, most);
    self->loan_bytes = fmin (self->loan_bytes, most);
    if (self->budget_bytes > most)
      self->budget_bytes = most;
  }
}

void
rc_rmc_set_idle (RcRmc *self, RcTime now)
{
  advance (self, now);
  self->idle = true;
}

static void
end_pause (RcRmc *self, uint32_t size_bytes)
{
  double most = size_bytes;

  if (self->begins_with_slot)
    most = fmax (most, bytes_in (self->rate_bps, self->slot));
  self->idle = false;
  self->credit_bytes = fmin (self->credit_bytes, most);
  self->loan_bytes = fmin (self->loan_bytes, fmax (size_bytes - self->credit_bytes, 0));
}

RcTime
rc_rmc_due_at (RcRmc *self, uint32_t size_bytes, RcTime now)
{
  double missing_bytes;
  RcTime earned_at, sample_at;

  self->head_bytes = size_bytes;
  if (self->idle || size_bytes > self->largest_bytes)
    self->largest_bytes = size_bytes;
  if (self->rate_bps == 0)
    return RC_TIME_NONE;
  advance (self, now);
  if (self->idle)
    end_pause (self, size_bytes);
  /* Of the packets of one instant only the first can begin a sample. */
  if (self->sampled_at > now
      || (now - self->sampled_at >= self->params.ts_min && now >= next_sample_at (self)))
    sample (self, size_bytes, now);
  if (self->budget_bytes + EPSILON_BYTES >= size_bytes)
    return now;
  missing_bytes = size_bytes / fmax (self->params.kr_gain, 1) - available (self);
  earned_at = missing_bytes > 0 ?
      slot_of (self, now + (RcTime) ceil (missing_bytes * 8e9 / (double) self->rate_bps)) : now;
  sample_at = next_sample_at (self);
  return earned_at > sample_at ? earned_at : sample_at;
}

/* At least one packet, however low the rate is. */
static double
most_loan (const RcRmc *self, uint32_t size_bytes)
{
  return fmax (bytes_in (self->rate_bps, self->params.loan_time), size_bytes);
}

RcTime
rc_rmc_urgent_at (RcRmc *self, uint32_t size_bytes, RcTime now)
{
  RcTime due_at = rc_rmc_due_at (self, size_bytes, now), spaced_at;
  double missing_bytes = size_bytes - self->credit_bytes - most_loan (self, size_bytes);

  if (due_at == RC_TIME_NONE || due_at <= now)
    return due_at;
  if (missing_bytes > 0)
    return rc_sooner (due_at, now + (RcTime) ceil (missing_bytes * 8e9 / (double) self->rate_bps));
  spaced_at = self->sampled_at
      + (RcTime) (self->sample_sent_bytes * 8e9 / ((double) self->rate_bps * smooth_gain (self)));
  if (spaced_at > now)
    return rc_sooner (due_at, spaced_at);
  self->sampled_at = now;
  self->sample_sent_bytes = 0;
  return now;
}

bool
rc_rmc_is_behind (const RcRmc *self)
{
  double most = burst_limit (self);

  if (most < self->head_bytes)
    most = self->head_bytes;
  return !self->idle && self->params.kr_gain * available (self) > most
      && !repays_smoothly (self, self->head_bytes);
}

/* [RMC eq. 9] */
void
rc_rmc_on_sent (RcRmc *self, uint32_t size_bytes, RcTime now)
{
  advance (self, now);
  self->credit_bytes -= size_bytes;
  self->budget_bytes -= size_bytes;
  self->sample_sent_bytes += size_bytes;
}

void
rc_rmc_lend (RcRmc *self, uint32_t size_bytes, RcTime now)
{
  advance (self, now);
  self->loan_bytes = fmin (self->loan_bytes + size_bytes, most_loan (self, size_bytes));
}

void
rc_rmc_on_unsent (RcRmc *self, uint32_t size_bytes)
{
  self->credit_bytes += size_bytes;
  self->loan_bytes -= fmin (self->loan_bytes, size_bytes);
  self->budget_bytes += size_bytes;
  self->sample_sent_bytes -= size_bytes;
}

void
rc_rmc_on_blocked (RcRmc *self, uint32_t size_bytes, RcTime since, RcTime now)
{
  if (bytes_in (self->rate_bps, now - since) <= size_bytes)
    return;
  if (self->at > since)         /* others asked meanwhile: what was earned is taken back */
    self->credit_bytes -= bytes_in (self->rate_bps, (self->at < now ? self->at : now) - since);
  self->credit_bytes = rc_clampd (self->credit_bytes, -(double) self->largest_bytes,
      self->largest_bytes);
  if (self->at < now)
    self->at = now;
  self->sampled_at = self->at - self->params.ts_min;
  self->budget_bytes = self->sample_sent_bytes = 0;
}
