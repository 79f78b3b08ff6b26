/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much latency a jitter buffer needs so that retransmission repairs nearly every loss. The
 * model is in repairtime.c. */
#pragma once

#include <rc/base/types.h>

/* A time that varies: its mean and its mean deviation, as RFC 6298 2 smooths them. */
typedef struct
{
  RcTime mean, deviation;
  bool known;
} RcVaryingTime;

/* The largest of the last 5 to 10 s. */
typedef struct
{
  RcTime most[2];               /* of this half, of the one before; RC_TIME_NONE: none */
  RcTime since;                 /* this half began; RC_TIME_NONE: never */
} RcLargestTime;

typedef struct
{
  RcVaryingTime ask, answer;
  RcLargestTime first;          /* F */
  double loss_ratio;
} RcRepairTime;

void rc_repairtime_init (RcRepairTime *self);
/* A packet came, and `lost` others were found lost by that. */
void rc_repairtime_on_packet (RcRepairTime *self, uint32_t lost_pkts);
/* One that counted as lost came by itself: it was only late, or the sender knew. */
void rc_repairtime_on_late (RcRepairTime *self);
/* One that had been lost came, and was asked for once at most; or it could not, and would have come
 * then. lateness: after it should have come. */
void rc_repairtime_on_first (RcRepairTime *self, RcTime lateness, RcTime now);
/* A packet was asked for, so long after it should have come. */
void rc_repairtime_on_asked (RcRepairTime *self, RcTime delay);
/* One came that was asked for once, so long ago. */
void rc_repairtime_on_repair (RcRepairTime *self, RcTime waited);
/* How long after a request its answer is overdue; 0: not known. */
RcTime rc_repairtime_answer (const RcRepairTime *self, RcTime rtt);
/* How long it takes at the most; 0: not known. */
RcTime rc_repairtime_latest_answer (const RcRepairTime *self, RcTime rtt);
/* rtt: RC_TIME_NONE: unknown. Returns RC_TIME_NONE while the latency is unknown. */
RcTime rc_repairtime_latency (const RcRepairTime *self, RcTime rtt, RcTime now);
