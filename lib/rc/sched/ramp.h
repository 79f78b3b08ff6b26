/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rate-matching packet scheduler: which of many flows sends next, and how much of the budget each
 * may use. See ramp.c for the model and where we differ. The caller owns packets and flows; bytes
 * are at the network layer.
 *
 * Order: init; add; then on_arrived, next + on_sent, on_dropped as packets come and go, and
 * sample each interval. `now` must not run backwards. */
#pragma once

#include <rc/sched/burst.h>
#include <rc/sched/edf.h>
#include <rc/sched/ramp_monitor.h>
#include <rc/sched/ramp_share.h>

typedef enum
{
  RC_RAMP_REAL_RATE,            /* needs a rate of its own and no more */
  RC_RAMP_GREEDY,               /* takes what is left; the paper's default */
} RcRampClass;

typedef struct
{
  RcRampClass flow_class;
  RcRampTarget target;          /* fill level to keep; real-rate flows */
  RcTime period;                /* > 0: a reservation holds over so long; at most, if dynamic */
  double weight; /* > 0, share when not all fits, and of what greedy flows have together */
  uint64_t min_bps, max_bps;    /* of the allocation, while the flow is active; min <= max */
} RcRampFlowParams;

/* The paper: 16 kB, period 0.1 ms. In time, 50 ms is what one video frame and a half take, so
 * that frames that come at once are no mismatch; a quarter of it as period bounds what EDF adds. */
#define RC_RAMP_FLOW_PARAMS_PAPER \
    ((RcRampFlowParams) { RC_RAMP_GREEDY, { 16384, 0 }, 100 * RC_USEC, 1.0, \
        0, UINT64_C (1000000000000) })
#define RC_RAMP_FLOW_PARAMS_DEFAULT \
    ((RcRampFlowParams) { RC_RAMP_REAL_RATE, { 0, 50 * RC_MSEC }, 12500 * RC_USEC, 1.0, \
        0, UINT64_C (1000000000000) })

typedef struct
{
  RcRampMonitorParams monitor;
  /* spare bandwidth serves real-rate flows that wait, before greedy ones; off: the paper */
  bool borrow;
  bool dynamic_period;          /* it follows the bursts of each flow; off: the paper */
  uint64_t greedy_min_bps;      /* reserved for all greedy flows together */
  RcTime greedy_period;
  RcTime need_tau;              /* of the smoothed requirement: a keyframe is no overload */
  RcTime idle_after;            /* without a packet for so long a flow claims nothing */
  /* >= 1: a share is at most so much over what the source makes, if others can use it; see
   * ramp.c. */
  double headroom_gain;
  /* Overload is over when the requirements fall below this part of the budget. */
  double relief_ratio;
} RcRampParams;

#define RC_RAMP_PARAMS_DEFAULT \
    ((RcRampParams) { RC_RAMP_MONITOR_PARAMS_DEFAULT, true, true, 100000, 20 * RC_MSEC, \
        250 * RC_MSEC, RC_SECOND, 1.25, 0.95 })
/* As published: a real-rate flow gets its allocation and no more. */
#define RC_RAMP_PARAMS_PAPER \
    ((RcRampParams) { RC_RAMP_MONITOR_PARAMS_PAPER, false, false, 100000, 100 * RC_USEC, \
        250 * RC_MSEC, RC_SECOND, 1.25, 0.95 })

typedef struct RcRampFlow RcRampFlow;
struct RcRampFlow
{
  RcEdfServer server;           /* must stay first; of a greedy flow only its node is used */
  RcRampFlow *prev, *next;      /* of all flows */
  RcRampFlowParams params;
  RcRampMonitor monitor;
  RcBurst burst;
  RcRampClaim claim, potential, growth;
  uint64_t waiting_bytes, arrived_bytes, dropped_bytes, sent_bytes; /* the last three only grow */
  uint64_t seen_arrived, seen_dropped, seen_sent;       /* at the last sample */
  double arrived_byte_ns;       /* since then: bytes times when they came in the span */
  double need_bps;              /* requirement, smoothed */
  double sent_bps;              /* smoothed alike */
  double allocation_bps;        /* what is reserved now; of a greedy flow what it got */
  RcTime active_time;           /* since the flow came, or came back */
  double share_bps;             /* what its source may make: [RAMP 3.2.1] QoS exception */
  RcTime turn;                  /* greedy: virtual time, bytes over weight */
};

typedef struct
{
  RcRampParams params;
  uint64_t budget_bps;          /* 0: not known, unlimited */
  RcEdf edf;
  RcEdfServer greedy;           /* all greedy flows */
  RcHeap turns;                 /* those of them that wait, by turn */
  RcTime turn;                  /* of the one served last */
  RcRampClaim greedy_claim;
  RcRampFlow *flows;
  RcTime sampled_at;
  double need_bps;              /* sum over all */
  bool overloaded;
} RcRamp;

/* The period that serves a target delay > 0: see ramp.c. */
RcTime rc_ramp_period (RcTime target_delay);

void rc_ramp_init (RcRamp *self, const RcRampParams *params, uint64_t budget_bps, RcTime now);
/* The flow stays where it is until it is removed. */
void rc_ramp_add (RcRamp *self, RcRampFlow *flow, const RcRampFlowParams *params, RcTime now);
void rc_ramp_remove (RcRamp *self, RcRampFlow *flow);
/* The class may change only while nothing of the flow waits. */
void rc_ramp_set_flow (RcRamp *self, RcRampFlow *flow, const RcRampFlowParams *params, RcTime now);
/* Other parameters for all flows, from the next sample on. */
void rc_ramp_set_params (RcRamp *self, const RcRampParams *params);
/* 0: unlimited. Holds from the next sample; a lower one at once. */
void rc_ramp_set_budget (RcRamp *self, uint64_t budget_bps, RcTime now);

void rc_ramp_on_arrived (RcRamp *self, RcRampFlow *flow, uint32_t bytes, RcTime now);
/* Of what waits, so much will never be sent. */
void rc_ramp_on_dropped (RcRamp *self, RcRampFlow *flow, uint64_t bytes);
/* The flow whose oldest packet goes now, or NULL: nothing waits, or nothing is allowed to go before
 * rc_ramp_next_at(). */
RcRampFlow *rc_ramp_next (RcRamp *self, RcTime now);
RcTime rc_ramp_next_at (const RcRamp *self);
/* Right after rc_ramp_next() returned the flow, and with the same `now`. */
void rc_ramp_on_sent (RcRamp *self, RcRampFlow *flow, uint32_t bytes, RcTime now);

/* Monitors, controls and allocates; call it each params.monitor.interval, or later. TRUE:
 * `overloaded` has changed. */
bool rc_ramp_sample (RcRamp *self, RcTime now);
RcTime rc_ramp_sample_at (const RcRamp *self);
