/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Traces of a cellular or Wi-Fi link that are made, not recorded: times at which the link can send
 * 1504 bytes, as in the files of mahimahi.
 *
 *   rate(t) = median exp (x(t)),  x an Ornstein-Uhlenbeck process of deviation sd and time
 *                                 constant tau, in steps of 100 ms
 *
 * Outages of exponential length, 10 s at most, come at exponential intervals; in them one
 * opportunity comes each second. Else the link serves in a millisecond with probability `busy`,
 * so that the rate comes in bursts.
 *
 * The cellular models follow traces recorded in LTE and EVDO networks in their mean rate, the
 * quantiles and the autocorrelation of the rate in 100 ms, the share of busy milliseconds, and the
 * number and length of gaps above 100 ms. They have no diurnal or local trends: a recorded minute
 * differs more from the next one than a made minute does. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  const char *name;
  double median_bps, sd, tau_s;
  double outage_each_s, outage_s;       /* means, the latter without the cut */
  double busy_ratio;
} CellModel;

extern const CellModel cell_models[], wifi_models[];    /* end with a NULL name */

/* Fills at[] with the opportunities of the first length_s seconds, at most `most` of them. Returns
 * how many. */
uint32_t cell_model_make (const CellModel *self, uint64_t seed, double length_s, RcTime *at,
    uint32_t most);
