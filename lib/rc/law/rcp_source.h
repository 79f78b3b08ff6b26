/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sending laws `rcp`, `qi-rcp` and `piqi-rcp`: see rcp_source.c for the models. The routers'
 * side is in rc/router. */
#pragma once

#include <rc/law/explicit.h>

extern const RcLaw rc_rcp_law, rc_qircp_law, rc_piqircp_law;

/* x(t) from x `steps` (of T, >= 0, any fraction) ago, with the last two R [PIQI eq. 19]; 0 <
 * tau1 < 1, 0 < tau1 + 2 tau2 < 2. One step is the paper's. */
double rc_piqircp_source (double x_bps, double explicit_bps, double explicit_before_bps,
    double steps, double tau1, double tau2);
