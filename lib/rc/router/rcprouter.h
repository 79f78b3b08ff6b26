/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A router's side of the explicit rate laws: packets and queue in, the rate to stamp out. See
 * rcprouter.c for the model. Constant memory: no flow table. Each packet carries its flow's RTT. */
#pragma once

#include <rc/base/types.h>
#include <rc/base/winmin.h>

typedef enum
{
  RC_ROUTER_RCP,
  RC_ROUTER_QI_RCP,
  RC_ROUTER_PIQI_RCP,
} RcRouterLaw;

typedef struct
{
  RcRouterLaw law;
  double gamma_ratio;           /* gamma: share of the capacity to aim at, 0..1; with RCP 1 */
  double kappa_ratio;           /* of the bound on kappa (QI: eq. 6, PIQI: eq. 35) */
  bool exact_bound;             /* PIQI: of eq. 20 instead, for experiments */
  double alpha_gain, beta_gain; /* of RCP */
  RcTime interval;              /* T */
  /* A claim beyond it is taken as this: one flow must not slow down all others at will. */
  RcTime max_rtt;
  RcTime rtt_memory;            /* a claim holds so long */
  double first_ratio;           /* R of the beginning, as a share of the capacity */
  uint64_t min_bps;             /* R never falls below: from 0 it could not rise again */
} RcRouterParams;

/* What a user may set. RCP's gains are stable for small ones only: the paper has alpha 0.4 in its
 * simulations, 0.1 on Linux, and beta 1. Beyond 1 kappa_ratio is beyond the bound; the paper's
 * Linux runs have that of eq. 20, 2.1 times eq. 35 at 50 ms. */
#define RC_ROUTER_LEAST_GAIN 0.001
#define RC_ROUTER_MOST_GAIN 10
#define RC_ROUTER_LEAST_KAPPA 0.01
#define RC_ROUTER_MOST_KAPPA 3

/* The paper's values where it gives some: T = 10 ms, gamma = 0.95, 0.95 of eq. 35, alpha = 0.4,
 * beta = 1. The first R is ns-2's. */
#define RC_ROUTER_PARAMS_DEFAULT \
    ((RcRouterParams) { RC_ROUTER_PIQI_RCP, 0.95, 0.95, false, 0.4, 1, 10 * RC_MSEC, RC_SECOND, \
        RC_SECOND, 0.05, 10000 })

typedef struct
{
  RcRouterParams params;
  double capacity_bps;
  double rate_bps;              /* R */
  double error_before;          /* e(t - T) */
  double arrival_bps;           /* y of the last interval */
  double kappa;
  RcTime stepped_at;
  uint64_t arrived_bytes;       /* since then */
  /* Of them, sum of RTT x bytes and bytes, of those that stated an RTT. */
  double claimed_rtt_s, claimed_bytes;
  double mean_rtt_s;            /* d; 0: unknown yet */
  RcWinMin longest;             /* - RTT: the longest */
  uint64_t clamped_claims;
} RcRouter;

/* Asserts: capacity > 0, 0 < gamma <= 1, kappa_ratio > 0, interval > 0, max_rtt >= interval. */
void rc_router_init (RcRouter *self, const RcRouterParams *params, uint64_t capacity_bps,
    RcTime now);
/* R keeps its share of the capacity. */
void rc_router_set_capacity (RcRouter *self, uint64_t capacity_bps);
/* Any packet that arrived for the link, at the network layer, stamped or not, dropped or not.
 * rtt: as its sender claims; RC_TIME_NONE or 0: it claims none. */
void rc_router_on_arrival (RcRouter *self, uint32_t size_bytes, RcTime rtt, RcTime now);
/* Call it each T or so, with what waits: a new R if an interval is over. Returns when the next
 * one is. */
RcTime rc_router_update (RcRouter *self, uint64_t queue_bytes, RcTime now);
/* To stamp into what leaves now; > 0. */
uint64_t rc_router_rate_bps (const RcRouter *self);
/* D of the loop: the longest RTT claimed lately, or max_rtt if none is, and T. */
RcTime rc_router_loop_delay (const RcRouter *self);
