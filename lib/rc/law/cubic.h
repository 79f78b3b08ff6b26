/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The window of a CUBIC flow [RFC 9438], for a law that has to share a queue with TCP. */
#pragma once

#include <rc/base/types.h>

/* packets/s^3, twice that of RFC 9438 5.1: the queue trials of arclive.c cost a third of the share,
 * and a late start costs some. */
#define RC_CUBIC_C 0.8
#define RC_CUBIC_BETA 0.7       /* [RFC 9438 4.6] */

/* All zeros: no loss yet, and slow start. */
typedef struct
{
  double c;                     /* C of this epoch, packets/s^3 */
  bool grows;                   /* by the window below; else slow start leads to w_max_pkts */
  double w_max_pkts;            /* W_max; 0: no loss yet */
  double w_est_pkts;            /* W_est, the window of a Reno flow */
  double k_s;                   /* K */
  RcTime epoch_at, updated_at;
} RcCubic;

/* A loss or a mark with so much in flight. */
void rc_cubic_on_congestion (RcCubic *self, double flight_pkts, RcTime now);
/* The window begins by slow start; the largest one is known still. */
void rc_cubic_start_slowly (RcCubic *self);
/* A new epoch from here; the largest window is known still. */
void rc_cubic_resume (RcCubic *self, double window_pkts, RcTime now);
/* The window now; call at each report. */
double rc_cubic_window (RcCubic *self, double srtt_s, RcTime now);
