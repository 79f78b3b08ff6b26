/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RCP, QI-RCP and PIQI-RCP, the sources
 * =====================================
 *
 * In a nutshell: RCP's source sends at the smallest rate that the relays of its path offer, at
 * once. QI-RCP changes only what routers compute; its law has a name of its own so that a sender
 * names the routers that it expects. PIQI-RCP's source approaches the rate instead of jumping to
 * it: flows that join at once then no longer fill the queue.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   x(t) = min over the path of R(t - D<-)                               [PIQI eq. 2]   heard ()
 *   x(t) = x(t - T) + tau1 (R - x(t - T)) + tau2 (R - R of T before)
 *                                        [PIQI eq. 19]      rc_piqircp_source ()
 *   stable for 0 < tau1 < 1 and 0 < tau1 + 2 tau2 < 2
 *                                        [PIQI theorem 2]   start_piqircp ()
 *
 *   [x_bps] x   [explicit_bps, explicit_before_bps] R as the source knows it, the smallest, and the
 *   one before   [interval] T   [tau1, tau2]
 *
 * Source: N. Dukkipati's RCP as given in S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md. The
 * router's side is in rc/router; what these laws share, with ARC beside, is in explicit.c.
 *
 * Where we differ, and why:
 *   - A source hears of R less often than each T. Between two times R stands still, so that `steps`
 *     of eq. 19 in a row come to 1 - (1 - tau1)^steps, and R - R of before counts once: exact for
 *     whole steps, smooth in between.
 *   - In `live` tau2 is 0.9, not 0.1. Ten sources that join through one relay of 100 Mbit/s then
 *     make a queue of 130 packets instead of 750.
 *
 * Limits: how fast the routers may react also depends on tau1 and tau2, which the paper's
 * theorem 2 misses. See rc/router/rates.c. */
#include <rc/law/rcp_source.h>

#include <math.h>

/* --- RCP and QI-RCP --- */

/* [PIQI eq. 2] */
static double
heard (double x_bps, double explicit_bps, double before_bps, const RcExplicitParams *params)
{
  return explicit_bps;
}

static void
start (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  static const RcExplicitSource source = {.heard = heard };

  rc_explicit_start (state, &source, path, limits, now);
}

static const RcParam shared_params[] = { RC_EXPLICIT_SHARED_PARAMS, {NULL} };

const RcLaw rc_rcp_law = {
  RC_EXPLICIT_LAW,
  .name = "rcp", .doc = "RCP: takes the rate stamped by relays, or ARC's if lower",
  .params = shared_params, .start = start
};

const RcLaw rc_qircp_law = {
  RC_EXPLICIT_LAW,
  .name = "qi-rcp", .doc = "QI-RCP: the same source as rcp",
  .params = shared_params, .start = start
};

/* --- PIQI-RCP --- */

#define MOST_TAU2(tau1) (0.999 * (2 - (tau1)) / 2)      /* tau1 + 2 tau2 < 2 [PIQI theorem 2] */

/* [PIQI eq. 19] */
double
rc_piqircp_source (double x_bps, double explicit_bps, double explicit_before_bps, double steps,
    double tau1, double tau2)
{
  double approach = 1 - pow (1 - tau1, steps);

  return x_bps + approach * (explicit_bps - x_bps) + tau2 * (explicit_bps - explicit_before_bps);
}

static double
approach (double x_bps, double explicit_bps, double before_bps, const RcExplicitParams *params)
{
  return rc_piqircp_source (x_bps, explicit_bps, before_bps, 0, params->tau1, params->tau2);
}

static double
between (double x_bps, double explicit_bps, double steps, const RcExplicitParams *params)
{
  return rc_piqircp_source (x_bps, explicit_bps, explicit_bps, steps, params->tau1, 0);
}

static void
start_piqircp (void *state, const RcPath *path, const RcLimits *limits, RcTime now)
{
  static const RcExplicitSource source = {.heard = approach,.between = between };
  RcExplicit *self = state;

  self->params.tau2 = fmin (self->params.tau2, MOST_TAU2 (self->params.tau1));
  rc_explicit_start (self, &source, path, limits, now);
}

static const RcParam piqircp_params[] = {
  /* the paper's Linux experiments: 1 s to approach */
  RC_EXPLICIT_PARAM (tau1, "ratio", 0.0001, 0.99, 0.01, 0.01,
      "of the way to the explicit rate that is made each interval"),
  /* the same; live sources come down with the rate, or a join would fill the queue for a second */
  RC_EXPLICIT_PARAM (tau2, "ratio", 0, 0.999, 0.9, 0.1,
      "of a change of the explicit rate that is made at once"),
  /* the paper's T */
  RC_EXPLICIT_PARAM (interval, "s", 0.001, 1, 0.010, 0.010, "interval of the source"),
  RC_EXPLICIT_SHARED_PARAMS,
  {NULL}
};

const RcLaw rc_piqircp_law = {
  RC_EXPLICIT_LAW,
  .name = "piqi-rcp",
  .doc = "PIQI-RCP: approaches the rate stamped by relays, or ARC's if lower",
  .params = piqircp_params, .start = start_piqircp
};
