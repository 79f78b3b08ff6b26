/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PIQI-RCP, the router
 * ====================
 *
 * In a nutshell: QI-RCP's router with a proportional part. Its sources approach the rate instead of
 * jumping to it, so that flows that join at once no longer fill the queue (law/rcp_source.c).
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   eq. 18   R(t)   = R(t - T) [1 + kappa1 e(t) + kappa2 e(t - T)]     rc_piqircp_rate ()
 *   eq. 19   x(t)   = x(t - T) + tau1 (R - x(t - T)) + tau2 (R - R of T before)
 *                                                                      law/rcp_source.c
 *   eq. 20   kappa* = sin (pi / (2 (2 D^ - 1))), kappa1 = kappa2, D^ = max RTT / T
 *                                                                      rc_piqircp_bound ()
 *   eq. 35   kappa* = T / (2 (T + D))                                  rc_piqircp_simple_bound ()
 *
 *   e as in qircp.c
 *
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - Eq. 20 is not the limit. The roots of the closed loop leave the unit circle at 0.64 to more
 *     than 2 times kappa*, depending on tau1, tau2 and D^ (at 0.80 with the paper's 0.01 and 0.1
 *     and D^ = 71). Eq. 35 was inside the limit for every combination that was tried, so it is the
 *     default. */
#include <rc/router/piqircp.h>
#include <rc/router/qircp.h>

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
