/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What one real-rate flow needs, inferred from the fill level of its queue. See ramp.c for the
 * model. */
#pragma once

#include <rc/sched/pid.h>

typedef struct
{
  RcPidParams pid;              /* L, P, I, D; the paper's */
  double loop_gain;             /* bytes per sample for an output of 1 byte: g */
  RcTime interval;              /* between samples */
  RcTime freeze_after; /* a flow without packets for so long has stopped: its state waits for it */
  RcTime rate_tau;              /* of the arrival rate, which makes bytes of a target in time */
  /* a new flow's requirement is its arrival rate for so long; 0: starts at nothing, as the paper */
  RcTime learning;
} RcRampMonitorParams;

/* g: the paper gives none. With 0.27 and no dead time: response 150 ms, settling below 1 s,
 * overshoot 10 %; 0.12 with a dead time of 15 samples gives the paper's figures. */
#define RC_RAMP_MONITOR_PARAMS_DEFAULT \
    ((RcRampMonitorParams) { { 0.5, 0.35, 0.005, 0.01 }, 0.27, 10 * RC_MSEC, 250 * RC_MSEC, \
        500 * RC_MSEC, 250 * RC_MSEC })
#define RC_RAMP_MONITOR_PARAMS_PAPER \
    ((RcRampMonitorParams) { { 0.5, 0.35, 0.005, 0.01 }, 0.27, 10 * RC_MSEC, 250 * RC_MSEC, \
        500 * RC_MSEC, 0 })

/* Fill level to keep: bytes, or the delay that they are at the flow's rate. The other is 0. */
typedef struct
{
  uint32_t bytes;
  RcTime delay;
} RcRampTarget;

/* Of one sample. */
typedef struct
{
  uint64_t waiting_bytes;       /* in the queue now */
  uint64_t arrived_bytes, dropped_bytes;        /* since the sample before */
  double allocation_bps;        /* that held meanwhile */
  bool limited;                 /* less than was required */
  bool borrows; /* packets may have left before the allocation would have sent them */
  /* of the arrived ones: each for the part of the span that it was there; if it borrows */
  double mean_arrived_bytes;
  RcTime span;                  /* since the sample before */
} RcRampReading;

typedef struct
{
  RcPid pid;
  /* What waits; if it borrows, what would wait had it got its allocation only, or more. */
  double fill_bytes;
  double arrival_bps;
  double requirement_bps;
  RcTime quiet;                 /* since the last packet; RC_TIME_NONE: there was none yet */
  RcTime age;                   /* since the first */
} RcRampMonitor;

void rc_ramp_monitor_init (RcRampMonitor *self);
/* As if the flow had been at this rate, and its fill level on target, for long. */
void rc_ramp_monitor_preload (RcRampMonitor *self, const RcRampMonitorParams *params,
    const RcRampTarget *target, double rate_bps);
/* One sample; returns the requirement: >= 0, at most max_bps. */
double rc_ramp_monitor_sample (RcRampMonitor *self, const RcRampMonitorParams *params,
    const RcRampTarget *target, const RcRampReading *reading, double max_bps);
