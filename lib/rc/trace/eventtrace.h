/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The event trace: what one path of a sender saw and decided, whenever that is news. A shell looks
 * after each of its inputs to the sender, and hands what it gets to a writer (qlog.h). The same
 * record comes from rmcsink, the closed loop and ns-3.
 *
 * News is a report, another cause, another media target, media that stops or goes on, or a rate
 * that differs by 2 %. */
#pragma once

#include <rc/lanes/lanechoice.h>
#include <rc/law/law.h>
#include <rc/sender/sender.h>

typedef struct
{
  RcTime at;
  unsigned lane;                /* of the sender */
  const RcLaw *law;
  const char *state;            /* of the law, "stopped" or "" */
  bool reported;                /* feedback came since the record before */
  bool stopped;                 /* no media may leave by this lane */
  /* of the lane */
  RcCause cause;                /* of its rate */
  uint64_t rate_bps, sent_bps;  /* sent: over the last second */
  RcTime queueing_delay, latest_rtt, smoothed_rtt, least_rtt;   /* RC_TIME_NONE: unknown */
  RcTime one_way;       /* of the last report that told one, above the least so far; RC_TIME_NONE */
  uint64_t received_pkts, lost_pkts, marked_pkts;       /* reported since the record before */
  unsigned n_facts;
  double facts[RC_LAW_MAX_FACTS];       /* rc_controller_measure () */
  /* of the sender */
  RcCause target_cause;
  uint32_t target_bps;
  uint64_t made_bps;            /* by the encoders, over the last second */
  uint64_t waiting_bytes;       /* in the shell's queue */
  uint64_t bound_bps;           /* of the receiver; 0: none */
} RcTraceRecord;

/* What news is found by. */
typedef struct
{
  bool any, stopped;
  RcCause cause;
  uint64_t rate_bps, n_feedback, received_pkts, lost_pkts, marked_pkts;
  RcTime least_remote;          /* one-way delay, in two clocks */
  uint32_t target_bps;
} RcTraceState;

typedef struct
{
  RcTraceState before[RC_LANES_MAX];    /* of each lane, when it was looked at last with news */
} RcEventTrace;

void rc_eventtrace_init (RcEventTrace *self);
/* true: there is news of this lane of the sender, and the record has it. */
bool rc_eventtrace_look (RcEventTrace *self, RcSender *sender, unsigned index, RcLane *lane,
    uint64_t queue_bytes, RcTime now, RcTraceRecord *record);
