/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose queue is it, ours alone or one that others fill as well? The model is in queuetrial.c. */
#pragma once

#include <rc/base/types.h>

/* Four packets of 1200 bytes in the longest trial, a second: the least that shows a rate. */
#define RC_QUEUETRIAL_LEAST_BPS 38400.0

typedef enum
{
  RC_QUEUETRIAL_PENDING,
  RC_QUEUETRIAL_EMPTY,          /* the queue is gone: it was our own */
  RC_QUEUETRIAL_OWN,
  RC_QUEUETRIAL_SHARED,
} RcQueueTrialVerdict;

/* What was delivered of the packets that left in one half. */
typedef struct
{
  unsigned n_samples;
  RcTime first_at, last_at;     /* arrivals; remote clock */
  uint64_t first_bytes, last_bytes;     /* received until then */
} RcQueueTrialHalf;

typedef struct
{
  double before_bps;            /* B_0 */
  double low_bps, high_bps;     /* r_1, r_2 */
  RcTime length;                /* T_p */
  RcTime begun_at, raised_at, ended_at; /* RC_TIME_NONE: not yet */
  RcQueueTrialHalf low, high;
  bool drains;                  /* r_1 < B_0, so an own queue can drain */
  bool answered;                /* a packet came that left after the trial */
} RcQueueTrial;

/* floor_bps: r_1 is no lower; a floor below RC_QUEUETRIAL_LEAST_BPS counts as that. */
void rc_queuetrial_begin (RcQueueTrial *self, double before_bps, double floor_bps, double rtt_s,
    RcTime now);
/* Call with each report. The rate to send at until the next one, or 0: the trial only waits. */
double rc_queuetrial_rate_bps (RcQueueTrial *self, RcTime now);
/* One packet: when it left, when it came on the remote clock, what had been received then.
 * queued: it waited in a queue. */
void rc_queuetrial_add (RcQueueTrial *self, RcTime sent_at, RcTime arrived_at_remote,
    uint64_t received_bytes, bool queued);
/* queued: as above, of the newest packet. */
RcQueueTrialVerdict rc_queuetrial_verdict (const RcQueueTrial *self, bool queued);
