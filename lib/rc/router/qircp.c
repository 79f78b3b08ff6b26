/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* QI-RCP
 * ======
 *
 * In a nutshell: RCP without the queue and without the mean RTT, aimed at a little less than the
 * capacity, so that what is left drains the queue. Stable for any mix of RTTs as long as the gain
 * stays under a bound of the longest.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   e(t)   = 1 - y(t) / (gamma C)                                  [PIQI eq. 3]   rc_qircp_error ()
 *   R(t)   = R(t - T) [1 + kappa e(t)]                             [PIQI eq. 4]   rc_qircp_rate ()
 *   kappa* = 2 sin (pi / (2 (2 D^ - 1))),  D^ = max RTT / T        [PIQI eq. 6]   rc_qircp_bound ()
 *
 * kappa < kappa* is sufficient, and necessary if all RTTs are equal: exact, as the roots of the
 * closed loop show. The loop
 *   R(t) = R(t - T) [1 + kappa (1 - sum of R (t - Di) / (gamma C))]        [PIQI eq. 5]
 * counts as Di all the time from one rate to the load that it causes: if y is a mean over T, T
 * belongs to it (rcprouter.c).
 *
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Limits: the source is RCP's, so flows that join at once still fill the queue. */
#include <rc/router/qircp.h>

#include <math.h>

#define PI 3.14159265358979323846

double
rc_qircp_error (double arrival_bps, double gamma, double capacity_bps)
{
  return 1 - arrival_bps / (gamma * capacity_bps);
}

double
rc_qircp_rate (double rate_bps, double kappa, double error)
{
  return rate_bps * (1 + kappa * error);
}

double
rc_qircp_bound (double delay_intervals)
{
  return 2 * sin (PI / (2 * (2 * delay_intervals - 1)));
}
