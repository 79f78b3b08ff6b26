/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* QI-RCP, Queue Independent RCP: the router's rate from utilisation alone. The model is in qircp.c,
 * the sender's side in lib/rc/law/rcp_source.c. */
#pragma once

/* e(t), at most 1 [PIQI eq. 3]; 0 < gamma < 1. */
double rc_qircp_error (double arrival_bps, double gamma, double capacity_bps);
/* R(t) from R(t - T) [PIQI eq. 4]; may be negative: the router clamps. */
double rc_qircp_rate (double rate_bps, double kappa, double error);
/* kappa* for loops of at most delay_intervals (>= 1) times T [PIQI eq. 6]. */
double rc_qircp_bound (double delay_intervals);
