/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the reports show of the path: round trip, queueing delay, used bandwidth, loss.
 *
 * Laws own one, feed it and read it; it knows nothing of laws.
 *
 *   mRTT = min RTT                                        [ARC 3.1.1]   [base_rtt]
 *   Tq   = RTT - mRTT                                     [ARC 3.1.1]   [tq]
 *   B    as the receiver filters it                       [ARC 3.1.3]   [bandwidth_bps]
 *   SRTT with the gain of RFC 6298 */
#pragma once

#include <rc/base/types.h>
#include <rc/base/winmin.h>

typedef struct
{
  RcTime srtt;                  /* RC_TIME_NONE before the first sample */
  RcTime tq;                    /* of the last report */
  RcTime rtt;                   /* the last sample; RC_TIME_NONE: the last report had none */
  RcWinMin base_rtt;            /* the least RTT ever seen */
  double bandwidth_bps;         /* as the receiver filters it */
  double lost_pkts, told_pkts;  /* leaky sums over RC_PATH_LOSS_SPAN_S: lost; lost and received */
  double loss_ratio;
  RcTime loss_at;
} RcPath;

#define RC_PATH_INITIAL_RTT RC_SECOND   /* RFC 8085 3.1.1 */
/* Hundreds of packets at video rates: a ratio of 10 % is then known to 2 %. */
#define RC_PATH_LOSS_SPAN_S 2.0

void rc_path_init (RcPath *self, RcTime now);
void rc_path_on_feedback (RcPath *self, const RcFeedback *feedback, RcTime now);
double rc_path_srtt_s (const RcPath *self);
/* mRTT */
double rc_path_base_rtt_s (const RcPath *self);
