/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

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
#include <rc/router/rcp.h>

double
rc_rcp_rate (double rate_bps, const RcRcpSample *sample, double alpha, double beta)
{
  double c = sample->capacity_bps, d = sample->mean_rtt_s;
  double spare_bps = alpha * (c - sample->arrival_bps) - beta * sample->queue_bits / d;

  return rate_bps * (1 + sample->interval_s / d / c * spare_bps);
}
