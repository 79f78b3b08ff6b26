/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PIQI-RCP
 * ========
 *
 * In a nutshell: QI-RCP's router with a proportional part, and sources that approach the rate instead of jumping to it:
 * flows that join at once no longer fill the queue.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   R(t)   = R(t - T) [1 + kappa1 e(t) + kappa2 e(t - T)]                   [PIQI eq. 18]   rc_piqircp_rate ()
 *   x(t)   = x(t - T) + tau1 (R - x(t - T)) + tau2 (R - R of T before)      [PIQI eq. 19]   rc_piqircp_source ()
 *   kappa* = sin (pi / (2 (2 D^ - 1))), kappa1 = kappa2, D^ = max RTT / T   [PIQI eq. 20]   rc_piqircp_bound ()
 *   kappa* = T / (2 (T + D))                                                [PIQI eq. 35]   rc_piqircp_simple_bound ()
 *
 *   e as in qircp.c   [x_bps] x   [explicit_bps, explicit_before_bps] R as the source knows it, and the one before
 *
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - Eq. 20 is not the limit: the roots of the closed loop leave the circle between 0.64 and more than 2 of it,
 *     depending on tau1, tau2 and D^ (0.80 with the paper's 0.01 and 0.1 at D^ = 71). Eq. 35 was inside for every
 *     combination scanned: it is the default.
 *   - A source hears of R less often than each T. Between two times R stands still, so that `steps` of eq. 19 in a row
 *     come to 1 - (1 - tau1)^steps, and R - R of before counts once: exact for whole steps, smooth in between. */
#include <rc/router/piqircp.h>
#include <rc/router/qircp.h>

#include <math.h>

double
rc_piqircp_rate (double rate_bps, double kappa1, double kappa2, double error, double error_before)
{
  return rate_bps * (1 + kappa1 * error + kappa2 * error_before);
}

double
rc_piqircp_bound (double delay_intervals)
{
  return rc_qircp_bound (delay_intervals) / 2;
}

double
rc_piqircp_simple_bound (double interval, double delay)
{
  return interval / (2 * (interval + delay));
}

double
rc_piqircp_source (double x_bps, double explicit_bps, double explicit_before_bps, double steps, double tau1,
    double tau2)
{
  double approach = 1 - pow (1 - tau1, steps);

  return x_bps + approach * (explicit_bps - x_bps) + tau2 * (explicit_bps - explicit_before_bps);
}
