/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the reports show of the path: round trip, queueing delay, used bandwidth, loss.
 *
 * Laws own one, feed it and read it; it knows nothing of laws.
 *
 *   mRTT = min RTT over `base_window`                     [ARC 3.1.1]   [base_rtt]
 *   Tq   = RTT - mRTT                                     [ARC 3.1.1]   [tq]
 *   B    as the receiver filters it                       [ARC 3.1.3]   [bandwidth_bps]
 *   SRTT with the gain of RFC 6298
 *
 * Where we differ from the paper, if the law asks for it:
 *   one_way         Tq is the smaller of the RTT's and the forward one-way delay's distance from its
 *                   minimum. A queue on the way back is in the RTT only. A drifting receiver clock
 *                   spoils the one-way delay only while it runs fast; while it runs slow the minimum
 *                   renews itself. So one of the two is always right.
 *   delivery_span   B comes from the receiver's arrival times over this span, without the filter's
 *                   lag: a step of capacity is known after 0.1 s. */
#pragma once

#include <rc/path/delivery.h>
#include <rc/base/types.h>
#include <rc/base/winmin.h>

typedef struct
{
  RcTime base_window;           /* age at which a minimum delay is forgotten; 0: never */
  RcTime delivery_span;         /* 0: B as the receiver filters it */
  bool one_way;
} RcPathParams;

typedef struct
{
  RcPathParams params;
  RcTime srtt;                  /* RC_TIME_NONE before the first sample */
  RcTime tq, last_tq;           /* of the last report and the one before */
  RcTime rtt, owd_remote;       /* the last samples; rtt RC_TIME_NONE: the last report had none */
  RcWinMin base_rtt, base_owd;
  double bandwidth_bps;         /* as the receiver filters it */
  RcDelivery delivery;
  double lost_pkts, told_pkts;  /* leaky sums over RC_PATH_LOSS_SPAN_S: lost; lost and received */
  double loss_ratio;
  RcTime loss_at;
} RcPath;

#define RC_PATH_INITIAL_RTT RC_SECOND   /* RFC 8085 3.1.1 */
/* Hundreds of packets at video rates: a ratio of 10 % is then known to 2 %. */
#define RC_PATH_LOSS_SPAN_S 2.0

void rc_path_init (RcPath *self, const RcPathParams *params, RcTime now);
void rc_path_on_feedback (RcPath *self, const RcFeedback *feedback, RcTime now);
/* The delay seen last is that of a new route: minima begin with it, and there is no queue. */
void rc_path_take_route (RcPath *self, RcTime now);
/* After an outage: B stays, but what it came from is forgotten. */
void rc_path_restart (RcPath *self);
double rc_path_srtt_s (const RcPath *self);
/* mRTT */
double rc_path_base_rtt_s (const RcPath *self);
/* B: the delivery rate if it is asked for and known, else as the receiver filters it. */
double rc_path_bandwidth_bps (const RcPath *self);
