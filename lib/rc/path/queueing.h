/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much of the delay is a queue, and how much is noise. The model is in queueing.c. */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/base/winmin.h>
#include <rc/path/ring.h>

/* Delays of a flow without noise differ so much, by timers and frame edges. */
#define RC_QUEUEING_PACED_S 0.002
/* Of late: so long a queue of TCP, which comes and goes with its window, is remembered as well. */
#define RC_QUEUEING_RECENT_SPAN (5 * RC_SECOND)
/* Our own queue hardly spreads delays within it. Reports are no further apart. */
#define RC_QUEUEING_SHORT_SPAN (50 * RC_MSEC)

typedef struct
{
  RcTime at;
  uint32_t pkts;
  RcTime mean_remote, least_remote;     /* OWD of the report's packets */
  RcTime least_rtt;             /* the RTT that the packet with the least OWD would have had */
} RcQueueingSample;

/* The least of a delay for long, and of the last seconds. */
typedef struct
{
  RcWinMin lasting, recent;
} RcBase;

typedef struct
{
  RcQueueingSample samples[RC_RING];
  RcRing ring;                  /* of samples */
  RcBase owd, rtt;
  double spread_long_s, spread_short_s;
  double noise_s;               /* n: that jitter adds to the mean delay */
  double window_s;              /* W: so long the least delay is looked for */
  double delay_s, before_s;     /* d, now and at the report before */
  RcTime last_remote;           /* OWD of the last packet of the last report */
  bool gap;                     /* the delay rose much between the last two reports: a stall */
  bool rises; /* the least OWD of the last report is not below that of the one before */
} RcQueueing;

void rc_queueing_init (RcQueueing *self);
/* Another receiver: another clock. */
void rc_queueing_forget_clock (RcQueueing *self);
/* One report with a sample. packet_s: what one packet takes at B. hold_base: the least delay
 * must not be forgotten now, since a queue that never empties hides it. */
void rc_queueing_add (RcQueueing *self, const RcFeedback *feedback, double packet_s, bool hold_base,
    RcTime now);
/* The delay seen now is that of a new route: there is no queue. */
void rc_queueing_take_route (RcQueueing *self, RcTime now);
/* mRTT; RC_TIME_NONE: not known yet. */
RcTime rc_queueing_base_rtt (const RcQueueing *self);
