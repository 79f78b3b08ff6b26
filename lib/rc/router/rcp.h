/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RCP, Rate Control Protocol: the rate that a router offers to each flow. The model
 * is in rcp.c, the sender's side in lib/rc/law/rcp_source.c. */
#pragma once

#include <rc/base/types.h>

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
