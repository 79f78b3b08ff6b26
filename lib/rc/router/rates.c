/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/router/rates.h>

#include <math.h>

/* RCP
 * ===
 *
 * In a nutshell: a router offers one rate R to all flows. It grows by what is left of the capacity
 * and shrinks by what the queue needs to drain within an RTT. Sources send at the smallest R of
 * their path, at once.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   R(t) = R(t - T) [1 + (T/d)/C (alpha (C - y(t)) - beta q(t)/d)]   [PIQI eq. 1] rc_rcp_rate ()
 *   x(t) = min over the path of R(t - D<-)                           [PIQI eq. 2] law/rcp_source.c
 *
 *   [rate_bps] R   [interval_s] T   [mean_rtt_s] d, mean of all flows   [capacity_bps] C
 *   [arrival_bps] y   [queue_bits] q
 *
 * Inputs: what rcprouter.c measured. Source: N. Dukkipati's RCP as given in S. Jain, D. Loguinov,
 * PIQI-RCP. See docs/papers.md.
 *
 * Limits: no stability proof; unstable where d, the mean of all flows, is far from the RTT of those
 * that obey this router. All flows that join at once send R each for one RTT: the queue grows with
 * their number. Here as the baseline.
 */

double
rc_rcp_rate (double rate_bps, const RcRcpSample *sample, double alpha, double beta)
{
  double c = sample->capacity_bps, d = sample->mean_rtt_s;
  double spare_bps = alpha * (c - sample->arrival_bps) - beta * sample->queue_bits / d;

  return rate_bps * (1 + sample->interval_s / d / c * spare_bps);
}

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
 *   e as in QI-RCP
 *
 * Source: S. Jain, D. Loguinov, PIQI-RCP. See docs/papers.md.
 *
 * Where we differ, and why:
 *   - Eq. 20 is not the limit. The roots of the closed loop leave the unit circle at 0.64 to more
 *     than 2 times kappa*, depending on tau1, tau2 and D^ (at 0.80 with the paper's 0.01 and 0.1
 *     and D^ = 71). Eq. 35 was inside the limit for every combination that was tried, so it is the
 *     default. */

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
