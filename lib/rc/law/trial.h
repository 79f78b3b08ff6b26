/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two rates, one after the other: what is told of either shows whose a queue is, or whose losses
 * are. The model is in trial.c. Times of a trial of losses are UTC. */
#pragma once

#include <rc/base/types.h>

#define RC_TRIAL_LOW_SHARE 0.5  /* shows plainly in B, and two halves cost a quarter of T_p */
/* Four packets of 1200 bytes in the longest half, a second: the least that shows a rate. */
#define RC_TRIAL_LEAST_BPS 38400.0

typedef enum
{
  RC_TRIAL_PENDING,
  RC_TRIAL_OURS,                /* fewer are lost at the lower rate; the queue is our own */
  RC_TRIAL_EMPTY,               /* the queue is gone: it was our own */
  RC_TRIAL_SHARED,              /* others fill the queue as well */
  RC_TRIAL_RADIO,               /* as many are lost */
  RC_TRIAL_UNKNOWN,             /* either, by chance */
} RcTrialVerdict;

/* What was told of the packets that left in one half. */
typedef struct
{
  RcTime begun_at;
  RcTime from, until;           /* counted; arrivals by the remote clock where a queue is tried */
  uint64_t first_bytes;         /* received until then */
  double received_bits;         /* between the two, without what was repaired */
  double lost_pkts, told_pkts;
  unsigned events;              /* reports with losses */
} RcTrialHalf;

typedef struct
{
  unsigned half;                /* 0, 1; 2: over, or there was none */
  RcTrialHalf halves[3];
  RcTime length;                /* T_p */
  double before_bps;            /* B_0 or x_0 */
  double low_bps, high_bps;     /* first low, then high; of losses the other way round */
  double depth;                 /* delta */
  bool of_losses;
  bool drains;                  /* r_1 < B_0, so an own queue can drain */
  double delay_s;               /* d at the last look at a drain */
  /* what trials of losses have found */
  double passed_bps;            /* what comes through, by the last one */
  double radio_ratio;           /* p_r: known to be the radio's */
  bool policed;                 /* the last verdict was "ours" */
  RcTime policed_at;            /* then */
  unsigned level;               /* each 2^level-th even slot has one */
} RcTrial;

void rc_trial_init (RcTrial *self);
/* Something else lowers the rate. */
void rc_trial_abort (RcTrial *self);
/* Call with each report. The rate to send at until the next one, or 0: the trial only waits, or
 * there is none. */
double rc_trial_rate_bps (RcTrial *self, RcTime now);

/* floor_bps: r_1 is no lower; a floor below RC_TRIAL_LEAST_BPS counts as that. */
void rc_trial_begin_queue (RcTrial *self, double before_bps, double floor_bps, RcTime now);
/* One packet: when it left, when it came on the remote clock, what had been received then.
 * queued: it waited in a queue. */
void rc_trial_add_packet (RcTrial *self, RcTime sent_at, RcTime arrived_at_remote,
    uint64_t received_bytes, bool queued);
/* queued: as above, of the newest packet. */
RcTrialVerdict rc_trial_queue_verdict (const RcTrial *self, bool queued);
/* The low half alone. delay_s: d */
void rc_trial_begin_drain (RcTrial *self, double before_bps, double delay_s, RcTime now);
/* queued: d is that of a queue. Pending also when nothing is left: that is not the trial's. */
RcTrialVerdict rc_trial_add_delay (RcTrial *self, double delay_s, bool queued, double rtt_s,
    RcTime now);

/* Should a share of so many losses be tried? pkts_per_s: at x. A trial holds x, so one that would
 * count too few losses is not worth it. */
bool rc_trial_is_due (const RcTrial *self, double loss_ratio, double pkts_per_s, RcTime utc);
/* A verdict said of so many that they are the radio's. */
bool rc_trial_knows (const RcTrial *self, double loss_ratio);
/* bps: x. */
void rc_trial_begin_losses (RcTrial *self, double bps, RcTime utc);
/* A report while it is on. reaction_s: so long after a change its effect is told. A verdict ends
 * the trial. */
RcTrialVerdict rc_trial_add_losses (RcTrial *self, double lost_pkts, double received_pkts,
    double received_bits, double reaction_s, RcTime utc);
/* x does not grow beyond passed_bps: it was found just now. */
bool rc_trial_rests (const RcTrial *self, RcTime utc);
/* So near to what a policer lets through that growth must not double. */
bool rc_trial_is_near (const RcTrial *self, double bps, double loss_ratio);
