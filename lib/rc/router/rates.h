/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rate that a router offers to each flow, by three laws: RCP (Rate Control Protocol), QI-RCP
 * (Queue Independent RCP: from utilisation alone) and PIQI-RCP (Proportional Integral QI-RCP). The
 * models are in rates.c, the sender's side in lib/rc/law/rcp_source.c. */
#pragma once

/* --- RCP --- */

/* What a router measured over its last interval. */
typedef struct
{
  double interval_s;            /* T */
  double capacity_bps;          /* C */
  double arrival_bps;           /* y: all that arrived, dropped or not */
  double queue_bits;            /* q, at the end of the interval */
  double mean_rtt_s;            /* d; > 0 */
} RcRcpSample;

/* R(t) from R(t - T) [PIQI eq. 1]; may be negative: the router clamps. */
double rc_rcp_rate (double rate_bps, const RcRcpSample *sample, double alpha, double beta);

/* --- QI-RCP --- */

/* e(t), at most 1 [PIQI eq. 3]; 0 < gamma < 1. */
double rc_qircp_error (double arrival_bps, double gamma, double capacity_bps);
/* R(t) from R(t - T) [PIQI eq. 4]; may be negative: the router clamps. */
double rc_qircp_rate (double rate_bps, double kappa, double error);
/* kappa* for loops of at most delay_intervals (>= 1) times T [PIQI eq. 6]. */
double rc_qircp_bound (double delay_intervals);

/* --- PIQI-RCP --- */

/* R(t) from R(t - T), with e of now and of T ago (rc_qircp_error) [PIQI eq. 18]; may be
 * negative: the router clamps. */
double rc_piqircp_rate (double rate_bps, double kappa1, double kappa2, double error,
    double error_before);
/* kappa* for loops of at most delay_intervals (>= 1) times T [PIQI eq. 20]. */
double rc_piqircp_bound (double delay_intervals);
/* The simpler and lower bound [PIQI eq. 35]; interval > 0 and delay in the same unit. */
double rc_piqircp_simple_bound (double interval, double delay);
