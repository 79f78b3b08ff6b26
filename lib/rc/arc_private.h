/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Between the files of ARC. */
#pragma once

#include <rc/controller.h>

/* arc.c: the window and what it makes */
double rc_arc_base_rtt_s (const RcArc *self);
double rc_arc_srtt_s (const RcArc *self);
/* mRTT + 1/k: bits of window for each bit/s of rate. */
double rc_arc_window_time_s (const RcArc *self);
/* [ARC eq. 2] */
double rc_arc_window_for (const RcArc *self, double bps);
/* The window never strays further from what the limits allow than the backlog explains. */
void rc_arc_set_window (RcArc *self, double w_bits);
/* B for the law: the delivery rate if it is on and known, else what the receiver filtered. */
double rc_arc_bandwidth_bps (const RcArc *self);

/* arc_measure.c */
void rc_arc_measure_delay (RcArc *self, const RcFeedback *feedback, RcTime now);
void rc_arc_measure_queue (RcArc *self);
void rc_arc_measure_usual (RcArc *self, RcTime now);
void rc_arc_measure_loss (RcArc *self, const RcFeedback *feedback, RcTime now);
/* sent_bits: just now; 0 lets time pass. */
void rc_arc_measure_use (RcArc *self, double sent_bits, RcTime now);
/* Does the network set the rate, or the source? */
bool rc_arc_network_limited (const RcArc *self);
/* After rc_arc_measure_delay(): may take a longer route for what it is. */
void rc_arc_watch_route (RcArc *self, const RcFeedback *feedback, RcTime now);

/* arc_window.c */
/* To gain times what eq. 2 gives. */
void rc_arc_cut (RcArc *self, double gain, RcTime now);
/* One report. */
void rc_arc_update_window (RcArc *self, const RcFeedback *feedback, RcTime now);
