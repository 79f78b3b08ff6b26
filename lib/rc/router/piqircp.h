/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PIQI-RCP, Proportional Integral Queue Independent RCP: a router's rate. See piqircp.c for the
 * model. */
#pragma once

/* R(t) from R(t - T), with e of now and of T ago (rc_qircp_error) [PIQI eq. 18]; may be
 * negative: the router clamps. */
double rc_piqircp_rate (double rate_bps, double kappa1, double kappa2, double error,
    double error_before);
/* kappa* for loops of at most delay_intervals (>= 1) times T [PIQI eq. 20]. */
double rc_piqircp_bound (double delay_intervals);
/* The simpler and lower bound [PIQI eq. 35]; interval > 0 and delay in the same unit. */
double rc_piqircp_simple_bound (double interval, double delay);
