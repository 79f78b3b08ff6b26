/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the window, the rate that it makes (eq. 1), the threshold of congestion, reductions (eq. 2). */
#pragma once

#include <rc/law/arclive.h>

/* mRTT + 1/k: bits of window for each bit/s of rate. */
double rc_arclive_window_time_s (const RcArcLive *self);
/* [ARC eq. 2] */
double rc_arclive_window_for (const RcArcLive *self, double bps);
/* The window never strays further from what the limits allow than the backlog explains. */
void rc_arclive_set_window (RcArcLive *self, double w_bits);
/* [ARC eq. 1] */
void rc_arclive_decide_rate (RcArcLive *self);
/* Queueing delay that is congestion. */
double rc_arclive_threshold_s (const RcArcLive *self);
/* Does the network set the rate, or the source? */
bool rc_arclive_network_limited (const RcArcLive *self);
/* To gain times what eq. 2 gives. */
void rc_arclive_cut (RcArcLive *self, double gain, RcTime now);
