/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RAMP, rate-matching packet scheduler
 * ====================================
 *
 * In a nutshell: flows do not declare their rate; the scheduler infers it. Each flow has a queue. A
 * rising fill level shows that the flow gets too little, a falling one that it gets too much. A PID
 * controller turns the distance from a target level into a rate, and the dispatcher reserves that
 * rate. So each flow gets what it needs, and greedy flows get the rest. When the needs exceed the
 * budget, the sources are notified of their shares.
 *
 * Model (the paper numbers no equations; these are in the order of its text, code names in
 * brackets):
 *
 *   p = fill - target                         [RAMP eq. 1]   pressure: ramp_monitor.c
 *   f = L p + (1 - L) f                       [RAMP eq. 2]   low pass: pid.c
 *   u = P f + I sum (f) + D (f - f before)    [RAMP eq. 3]   g u bytes a sample: pid.c
 *   sum of requirements > budget              [RAMP eq. 4]   QoS exception: judge_overload ()
 *   budget in a period = proportion x period, [RAMP eq. 5]   edf.c
 *     deadline = its end; earliest first
 *
 *   fill   >-(+)-> low pass --> PID --> requirement --> share --> allocation --> EDF dispatcher -+
 *   target >-(-)                                                                                 |
 *     ^------------------------------- per-flow queue <---------------- packets leave -----------+
 *
 *   [monitor.requirement_bps] u as a rate   [allocation_bps] what is reserved
 *   [need_bps] requirement, smoothed        [share_bps] what the source may make
 *
 * Loop: the queue integrates the difference between arrivals and u. So the bandwidth of the loop is
 * g P / interval, and its time constant is the inverse, 106 ms.
 *
 * Inputs: packets that arrive, go, are dropped; budget; time. Outputs: whose packet is next,
 * allocations, shares, overload.
 * Source: K. Li, J. Walpole et al., A rate-matching packet scheduler for real-rate applications,
 * SPIE 4312, 2001.
 *
 * Where we differ, and why (rampscheduler's profile=paper has the paper's form of target, fill,
 * learning, period, and of the class that a flow has by default):
 *   target     A target may be a time, as the paper plans: 16 kB are 64 ms at 2 Mbit/s and 850 ms
 *              at 150 kbit/s.
 *   fill       The fill level counts what spare bandwidth let go early (ramp_monitor.c). The
 *              paper's flows wait though the link is free; ours do not (`borrow`), and show their
 *              need all the same.
 *   wind-up    The integral stops where the allocation ends, at 0, and in overload. It also stands
 *              still while a flow is silent, so that a flow that returns starts at its old rate.
 *   learning   The requirement of a new flow is its arrival rate for a quarter of a second.
 *   period     The period is a quarter of the target delay, because EDF adds part of a period to
 *              the delay. A target delay of 20 ms or less gets the paper's period of 0.1 ms.
 *              Reason: on a slow link one packet of video takes longer than a quarter of 10 ms, so
 *              audio would wait for each packet whose period happens to end sooner. With 0.1 ms
 *              audio waits only for the packet that is being sent.
 *              The paper names a period that is controlled as its future work. Here it is the time
 *              that a mean burst of the flow takes on the whole link, and at most the above
 *              (`dynamic_period`): the smaller the burst, the sooner its deadline. So small packets
 *              of any kind pass frames of video, as the shortest job first, and nothing has to say
 *              that they are sound. A frame, which takes longer than a quarter of its target, keeps
 *              the period it had.
 *   dispatcher A packet is never cut. Credit goes negative, and later periods repay it.
 *   overload   The paper leaves the policy open. Ours is weighted max-min fairness above minimums
 *              (ramp_share.c).
 *   shares     A share is the rate that a source may make: what it makes now and a quarter more. If
 *              the shares do not all fit, they are levelled by weight; if rate is left, it is given
 *              on top. So a source that does not use its share cedes it. Problem: an encoder at a
 *              low rate produces as little as 0.7 of its target, so 25 % headroom would never let
 *              it grow. Rule: the reported share is, if larger, the one that the source would get
 *              if each source could double its output and a new source had no limit. The reported
 *              shares may briefly exceed the budget.
 *
 * Limits: 0 <= allocation <= max; the allocations never exceed the budget; nothing is NaN. A sample
 * is O(n), in overload O(50 n); a packet O(log n).
 */
#include <rc/sched/ramp.h>

#include <assert.h>
#include <math.h>

#define TURN_UNIT 1024.0        /* of virtual time for each byte at weight 1: fractions count */
#define PERIODS 4               /* in a target delay */
#define URGENT_DELAY (20 * RC_MSEC)
#define MIN_PERIOD (100 * RC_USEC)      /* the paper's */
#define MAX_PERIOD (20 * RC_MSEC)
#define GROWTH 2.0              /* what a source may want to make, to what it makes */
#define NEW_TIME RC_SECOND      /* until the output rate of a new source is known */

static bool
is_greedy (const RcRampFlow *flow)
{
  return flow->params.flow_class == RC_RAMP_GREEDY;
}

static bool
is_active (const RcRamp *self, const RcRampFlow *flow)
{
  RcTime quiet = flow->monitor.quiet;

  return flow->waiting_bytes > 0 || (quiet != RC_TIME_NONE && quiet < self->params.idle_after);
}

/* The output rate of its source is not known yet: it has just begun, or is about to begin. */
static bool
is_new (const RcRamp *self, const RcRampFlow *flow)
{
  return !is_active (self, flow) || flow->active_time < NEW_TIME;
}

static double
budget (const RcRamp *self)
{
  return self->budget_bps > 0 ? (double) self->budget_bps : 1e15;
}

/* --- flows --- */

RcTime
rc_ramp_period (RcTime target_delay)
{
  if (target_delay <= URGENT_DELAY)
    return MIN_PERIOD;
  return target_delay / PERIODS < MAX_PERIOD ? target_delay / PERIODS : MAX_PERIOD;
}

/* That of the flow's reservation now. */
static RcTime
flow_period (const RcRamp *self, const RcRampFlow *flow)
{
  RcTime burst;

  if (!self->params.dynamic_period || self->budget_bps == 0 || flow->burst.mean_bytes <= 0)
    return flow->params.period;
  burst = rc_time_of_bytes ((uint64_t) flow->burst.mean_bytes, self->budget_bps);
  burst = burst > MIN_PERIOD ? burst : MIN_PERIOD;
  return burst < flow->params.period ? burst : flow->params.period;
}

void
rc_ramp_init (RcRamp *self, const RcRampParams *params, uint64_t budget_bps, RcTime now)
{
  *self = (RcRamp) { .params = *params, .budget_bps = budget_bps, .sampled_at = now };
  rc_edf_init (&self->edf);
  rc_edf_server_init (&self->greedy, 0, params->greedy_period, now);
}

void
rc_ramp_set_params (RcRamp *self, const RcRampParams *params)
{
  self->params = *params;
}

void
rc_ramp_add (RcRamp *self, RcRampFlow *flow, const RcRampFlowParams *params, RcTime now)
{
  assert (params->weight > 0 && params->period > 0 && params->min_bps <= params->max_bps);
  *flow = (RcRampFlow) { .params = *params, .next = self->flows };
  if (self->flows)
    self->flows->prev = flow;
  self->flows = flow;
  rc_ramp_monitor_init (&flow->monitor);
  rc_burst_init (&flow->burst);
  rc_edf_server_init (&flow->server, (double) params->min_bps, params->period, now);
}

static void
sleep_flow (RcRamp *self, RcRampFlow *flow)
{
  if (!is_greedy (flow)) {
    rc_edf_sleep (&self->edf, &flow->server);
    return;
  }
  rc_heap_remove (&self->turns, &flow->server.node);
  if (!self->turns.root)
    rc_edf_sleep (&self->edf, &self->greedy);
}

static void
wake_flow (RcRamp *self, RcRampFlow *flow, RcTime now)
{
  if (!is_greedy (flow)) {
    rc_edf_wake (&self->edf, &flow->server, now);
    return;
  }
  if (flow->turn < self->turn)
    flow->turn = self->turn;    /* it was absent: nothing is owed for that */
  rc_heap_insert (&self->turns, &flow->server.node, flow->turn);
  rc_edf_wake (&self->edf, &self->greedy, now);
}

void
rc_ramp_remove (RcRamp *self, RcRampFlow *flow)
{
  if (flow->waiting_bytes > 0)
    sleep_flow (self, flow);
  if (flow->prev)
    flow->prev->next = flow->next;
  else
    self->flows = flow->next;
  if (flow->next)
    flow->next->prev = flow->prev;
}

void
rc_ramp_set_flow (RcRamp *self, RcRampFlow *flow, const RcRampFlowParams *params, RcTime now)
{
  assert (params->weight > 0 && params->period > 0 && params->min_bps <= params->max_bps);
  assert (flow->waiting_bytes == 0 || params->flow_class == flow->params.flow_class);
  flow->params = *params;
  if (!is_greedy (flow))
    rc_edf_reserve (&self->edf, &flow->server, flow->server.rate_bps,
        flow_period (self, flow), now);
}

/* --- packets --- */

void
rc_ramp_on_arrived (RcRamp *self, RcRampFlow *flow, uint32_t bytes, RcTime now)
{
  bool was_empty = flow->waiting_bytes == 0;

  flow->waiting_bytes += bytes;
  flow->arrived_bytes += bytes;
  rc_burst_on_packet (&flow->burst, bytes, now);
  flow->arrived_byte_ns += bytes * (double) (now - self->sampled_at);
  if (was_empty && bytes > 0)
    wake_flow (self, flow, now);
}

static void
take_away (RcRamp *self, RcRampFlow *flow, uint64_t bytes)
{
  assert (bytes <= flow->waiting_bytes);
  flow->waiting_bytes -= bytes;
  if (flow->waiting_bytes == 0 && bytes > 0)
    sleep_flow (self, flow);
}

void
rc_ramp_on_dropped (RcRamp *self, RcRampFlow *flow, uint64_t bytes)
{
  flow->dropped_bytes += bytes;
  take_away (self, flow, bytes);
}

RcRampFlow *
rc_ramp_next (RcRamp *self, RcTime now)
{
  RcEdfServer *server = rc_edf_pick (&self->edf, now);

  if (!server && self->params.borrow)
    server = rc_edf_pick_early (&self->edf, &self->greedy, now);
  if (server && server != &self->greedy)
    return (RcRampFlow *) server;
  return (RcRampFlow *) self->turns.root;
}

RcTime
rc_ramp_next_at (const RcRamp *self)
{
  return rc_edf_next_at (&self->edf);
}

/* What the class gets beyond its reservation is not charged: it would starve once the real-rate
 * flows need more. */
static void
charge_greedy (RcRamp *self, RcRampFlow *flow, uint32_t bytes, RcTime now)
{
  if (self->greedy.state == RC_EDF_READY)
    rc_edf_charge (&self->edf, &self->greedy, bytes, now);
  self->turn = flow->turn;
  flow->turn += (RcTime) (bytes * TURN_UNIT / flow->params.weight);
  rc_heap_remove (&self->turns, &flow->server.node);
  rc_heap_insert (&self->turns, &flow->server.node, flow->turn);
}

void
rc_ramp_on_sent (RcRamp *self, RcRampFlow *flow, uint32_t bytes, RcTime now)
{
  flow->sent_bytes += bytes;
  if (is_greedy (flow))
    charge_greedy (self, flow, bytes, now);
  else
    rc_edf_charge (&self->edf, &flow->server, bytes, now);
  take_away (self, flow, bytes);
}

/* --- control --- */

/* Smoothed over need_tau. */
static double
smooth (const RcRamp *self, double old, double new, RcTime span)
{
  return old + (1 - exp (-(double) span / (double) self->params.need_tau)) * (new - old);
}

static void
monitor_flow (RcRamp *self, RcRampFlow *flow, RcTime span)
{
  RcRampReading reading = {
    .waiting_bytes = flow->waiting_bytes, .arrived_bytes = flow->arrived_bytes - flow->seen_arrived,
    .dropped_bytes = flow->dropped_bytes - flow->seen_dropped,
    .allocation_bps = flow->allocation_bps,
    .limited = flow->allocation_bps < flow->monitor.requirement_bps, .borrows = self->params.borrow,
    .span = span
  };
  double sent_bps = (double) (flow->sent_bytes - flow->seen_sent) * 8 / rc_time_to_s (span);

  reading.mean_arrived_bytes = (double) reading.arrived_bytes - flow->arrived_byte_ns
      / (double) span;
  flow->arrived_byte_ns = 0;
  flow->seen_arrived = flow->arrived_bytes;
  flow->seen_dropped = flow->dropped_bytes;
  flow->seen_sent = flow->sent_bytes;
  flow->sent_bps = smooth (self, flow->sent_bps, sent_bps, span);
  rc_ramp_monitor_sample (&flow->monitor, &self->params.monitor, &flow->params.target, &reading,
      (double) flow->params.max_bps);
  flow->need_bps = is_active (self, flow) ? smooth (self, flow->need_bps,
      flow->monitor.requirement_bps, span) : 0;
  flow->active_time = is_active (self, flow) ? flow->active_time + span : 0;
}

static void
set_claim (RcRampClaim *claim, const RcRampFlow *flow, double want_bps)
{
  claim->weight = flow->params.weight;
  claim->want_bps = rc_clampd (want_bps, (double) flow->params.min_bps,
      (double) flow->params.max_bps);
  claim->floor_bps = (double) flow->params.min_bps;
}

/* Claims of all flows; the greedy ones have one together. Returns the sum of needs. */
static double
collect_claims (RcRamp *self, RcRampClaim **claims, RcRampClaim **potentials)
{
  double needs = 0;
  RcRampClaim *greedy = &self->greedy_claim;
  RcRampFlow *flow;

  *greedy = (RcRampClaim) { .weight = 1 };
  *claims = *potentials = NULL;
  for (flow = self->flows; flow; flow = flow->next) {
    if (is_greedy (flow)) {
      if (is_active (self, flow))
        greedy->want_bps = greedy->floor_bps = (double) self->params.greedy_min_bps;
      continue;
    }
    flow->claim = flow->potential = (RcRampClaim) { .weight = flow->params.weight };
    if (is_active (self, flow)) {
      set_claim (&flow->claim, flow, flow->monitor.requirement_bps);
      set_claim (&flow->potential, flow, flow->monitor.arrival_bps * self->params.headroom_gain);
      needs += flow->need_bps;
    }
    flow->claim.next = *claims;
    *claims = &flow->claim;
    flow->potential.next = *potentials;
    *potentials = &flow->potential;
  }
  needs += greedy->want_bps;
  greedy->next = *claims;
  *claims = greedy;
  return needs;
}

/* What each would get if it grew. */
static void
share_growth (RcRamp *self, double budget_bps)
{
  RcRampClaim *growths = NULL;
  RcRampFlow *flow;

  for (flow = self->flows; flow; flow = flow->next) {
    if (is_greedy (flow))
      continue;
    set_claim (&flow->growth, flow,
        is_new (self, flow) ? (double) flow->params.max_bps : GROWTH * flow->monitor.arrival_bps);
    flow->growth.next = growths;
    growths = &flow->growth;
  }
  rc_ramp_share (growths, budget_bps);
}

/* What the wants leave goes to the active flows in proportion to what they make, so that it is not
 * a microphone's, as far as max_bps allows. */
static void
share_out (RcRamp *self, RcRampClaim *potentials)
{
  double real_rate_bps = fmax (budget (self) - self->greedy_claim.got_bps, 0);
  double left_bps = rc_ramp_share (potentials, real_rate_bps);
  RcRampFlow *flow;

  for (flow = self->flows; left_bps > 0 && flow; flow = flow->next) {
    flow->potential.floor_bps = flow->potential.got_bps;
    flow->potential.weight = fmax (flow->potential.got_bps, 1);
    if (is_active (self, flow))
      flow->potential.want_bps = (double) flow->params.max_bps;
  }
  if (left_bps > 0)
    rc_ramp_share (potentials, real_rate_bps);
  share_growth (self, real_rate_bps);
  for (flow = self->flows; flow; flow = flow->next)
    if (!is_greedy (flow))
      flow->share_bps = fmax (flow->potential.got_bps, flow->growth.got_bps);
}

/* Greedy flows may make what is left now, divided by weight. */
static void
share_rest (RcRamp *self, double rest_bps)
{
  double weights = 0;
  RcRampFlow *flow;

  for (flow = self->flows; flow; flow = flow->next)
    weights += is_greedy (flow) && is_active (self, flow) ? flow->params.weight : 0;
  for (flow = self->flows; flow; flow = flow->next) {
    if (!is_greedy (flow))
      continue;
    flow->allocation_bps = flow->sent_bps;
    flow->share_bps = fmin (rest_bps * flow->params.weight / fmax (weights, flow->params.weight),
        (double) flow->params.max_bps);
  }
}

static void
allocate (RcRamp *self, RcTime now)
{
  RcRampClaim *claims, *potentials;
  double rest_bps;
  RcRampFlow *flow;

  self->need_bps = collect_claims (self, &claims, &potentials);
  rest_bps = rc_ramp_share (claims, budget (self)) + self->greedy_claim.got_bps;
  rc_edf_reserve (&self->edf, &self->greedy, self->greedy_claim.got_bps, self->params.greedy_period,
      now);
  for (flow = self->flows; flow; flow = flow->next) {
    if (is_greedy (flow))
      continue;
    flow->allocation_bps = flow->claim.got_bps;
    rc_edf_reserve (&self->edf, &flow->server, flow->allocation_bps,
        flow_period (self, flow), now);
  }
  share_out (self, potentials);
  share_rest (self, rest_bps);
}

/* [RAMP eq. 4] */
static bool
judge_overload (RcRamp *self)
{
  bool was = self->overloaded;
  double limit = was ? self->params.relief_ratio * budget (self) : budget (self);

  self->overloaded = self->need_bps > limit;
  return self->overloaded != was;
}

void
rc_ramp_set_budget (RcRamp *self, uint64_t budget_bps, RcTime now)
{
  bool lower = budget_bps > 0 && budget_bps < budget (self);

  self->budget_bps = budget_bps;
  if (lower)
    allocate (self, now);
}

bool
rc_ramp_sample (RcRamp *self, RcTime now)
{
  RcTime span = now - self->sampled_at;
  RcRampFlow *flow;

  if (span <= 0)
    return false;
  self->sampled_at = now;
  for (flow = self->flows; flow; flow = flow->next)
    monitor_flow (self, flow, span);
  allocate (self, now);
  return judge_overload (self);
}

RcTime
rc_ramp_sample_at (const RcRamp *self)
{
  return self->sampled_at + self->params.monitor.interval;
}
