/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A router's side of the explicit rate laws
 * =========================================
 *
 * In a nutshell: once in each interval T the router knows how much arrived, how much waits, and
 * which RTTs the packets claim. From these the law computes the next value of R, the rate that the
 * router offers to every flow.
 *
 *   y   bytes that arrived in the interval / T
 *   d   mean of the RTTs by bytes, smoothed over an RTT (gain T/d)   for RCP
 *   D   longest RTT of the last `rtt_memory`, plus T   for bounds on kappa [PIQI eq. 6, 20, 35]
 *   R   within [min_bps, gamma C]
 *
 * Inputs: packets with claims of RTT, queue length, time. Output: R. Source: S. Jain, D. Loguinov,
 * PIQI-RCP; d and the limits of R as in the ns-2 code of RCP. See docs/papers.md.
 *
 * Where we differ from the paper, and why:
 *   - D includes T. The theorems count the delay from a rate to the load that it causes. y is a
 *     mean over the last T, so the router sees a load that is one T older. With RTT / T alone,
 *     kappa = 0.99 of eq. 6 is not stable for packets.
 *   - R stays at most gamma C. Sources that do not use their rate would otherwise let R grow
 *     without bound.
 *   - The longest RTT is that of the last second, not of one T, because a video flow may not send
 *     in each T.
 *   - Claimed RTTs are clamped to [T, max_rtt] and forgotten. So a false claim makes R slower only
 *     while its sender sends.
 *   - An interval that ends late, because the thread slept, is one step with the mean y, not
 *     several steps.
 *
 * Limits: R is within its limits and finite for any arrivals and claims. */
#include <rc/router/rates.h>
#include <rc/router/rcprouter.h>

#include <assert.h>
#include <string.h>

static void
set_rate (RcRouter *self, double bps)
{
  double most = self->params.gamma_ratio * self->capacity_bps,
      least = (double) self->params.min_bps;

  self->rate_bps = rc_clampd (bps, least < most ? least : most, most);
}

void
rc_router_init (RcRouter *self, const RcRouterParams *params, uint64_t capacity_bps, RcTime now)
{
  assert (capacity_bps > 0 && params->gamma_ratio > 0 && params->gamma_ratio <= 1
      && params->kappa_ratio > 0);
  assert (params->interval > 0 && params->max_rtt >= params->interval);
  memset (self, 0, sizeof *self);
  self->params = *params;
  self->capacity_bps = (double) capacity_bps;
  self->stepped_at = now;
  rc_winmin_init (&self->longest, params->rtt_memory);
  set_rate (self, params->first_ratio * self->capacity_bps);
}

void
rc_router_set_capacity (RcRouter *self, uint64_t capacity_bps)
{
  double before = self->capacity_bps;

  assert (capacity_bps > 0);
  self->capacity_bps = (double) capacity_bps;
  set_rate (self, self->rate_bps * (self->capacity_bps / before));
}

/* --- measurements --- */

static RcTime
clamp_claim (RcRouter *self, RcTime rtt)
{
  if (rtt < self->params.interval)
    return self->params.interval;
  if (rtt <= self->params.max_rtt)
    return rtt;
  self->clamped_claims++;
  return self->params.max_rtt;
}

void
rc_router_on_arrival (RcRouter *self, uint32_t size_bytes, RcTime rtt, RcTime now)
{
  self->arrived_bytes += size_bytes;
  if (rtt <= 0)
    return;
  rtt = clamp_claim (self, rtt);
  self->claimed_rtt_s += rc_time_to_s (rtt) * size_bytes;
  self->claimed_bytes += size_bytes;
  rc_winmin_add (&self->longest, -rtt, now);
}

static void
measure_rtt (RcRouter *self, double interval_s)
{
  double sample, gain;

  if (self->claimed_bytes <= 0)
    return;
  sample = self->claimed_rtt_s / self->claimed_bytes;
  gain = self->mean_rtt_s > interval_s ? interval_s / self->mean_rtt_s : 1;
  self->mean_rtt_s += gain * (sample - self->mean_rtt_s);
  self->claimed_rtt_s = self->claimed_bytes = 0;
}

RcTime
rc_router_loop_delay (const RcRouter *self)
{
  int64_t longest;

  return self->params.interval + (rc_winmin_get (&self->longest,
          &longest) ? -longest : self->params.max_rtt);
}

/* --- the laws --- */

static double
rcp_rate (const RcRouter *self, double interval_s, double queue_bits)
{
  RcRcpSample sample = { interval_s, self->capacity_bps, self->arrival_bps, queue_bits,
      self->mean_rtt_s };

  if (sample.mean_rtt_s <= 0)
    sample.mean_rtt_s = rc_time_to_s (self->params.max_rtt);
  return rc_rcp_rate (self->rate_bps, &sample, self->params.alpha_gain, self->params.beta_gain);
}

static double
bound (const RcRouter *self)
{
  double t = (double) self->params.interval, d = (double) rc_router_loop_delay (self);

  if (self->params.law == RC_ROUTER_QI_RCP)
    return rc_qircp_bound (d / t);
  return self->params.exact_bound ? rc_piqircp_bound (d / t) : rc_piqircp_simple_bound (t, d);
}

static void
step (RcRouter *self, double interval_s, double queue_bits)
{
  double error = rc_qircp_error (self->arrival_bps, self->params.gamma_ratio, self->capacity_bps);

  self->kappa = self->params.kappa_ratio * bound (self);
  if (self->params.law == RC_ROUTER_RCP)
    set_rate (self, rcp_rate (self, interval_s, queue_bits));
  else if (self->params.law == RC_ROUTER_QI_RCP)
    set_rate (self, rc_qircp_rate (self->rate_bps, self->kappa, error));
  else
    set_rate (self,
        rc_piqircp_rate (self->rate_bps, self->kappa, self->kappa, error, self->error_before));
  self->error_before = error;
}

RcTime
rc_router_update (RcRouter *self, uint64_t queue_bytes, RcTime now)
{
  double interval_s = rc_time_to_s (now - self->stepped_at);

  if (now - self->stepped_at < self->params.interval)
    return self->stepped_at + self->params.interval;
  self->arrival_bps = (double) self->arrived_bytes * 8 / interval_s;
  measure_rtt (self, interval_s);
  step (self, rc_time_to_s (self->params.interval), (double) queue_bytes * 8);
  self->arrived_bytes = 0;
  self->stepped_at = now;
  return now + self->params.interval;
}

uint64_t
rc_router_rate_bps (const RcRouter *self)
{
  return self->rate_bps < 1 ? 1 : (uint64_t) (self->rate_bps + 0.5);
}
