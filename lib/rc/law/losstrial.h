/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Whose losses are they, ours or the radio's? The model is in losstrial.c. Times are UTC. */
#pragma once

#include <rc/base/types.h>

typedef enum
{
  RC_LOSSTRIAL_PENDING,
  RC_LOSSTRIAL_OURS,            /* fewer are lost at the lower rate */
  RC_LOSSTRIAL_RADIO,           /* as many are lost */
  RC_LOSSTRIAL_UNKNOWN,         /* either, by chance */
} RcLossTrialVerdict;

typedef enum
{
  RC_LOSSTRIAL_IDLE,
  RC_LOSSTRIAL_HOLD,            /* counts at x_0 */
  RC_LOSSTRIAL_LOWER,           /* counts at x_1 */
} RcLossTrialState;

typedef struct
{
  RcLossTrialState state;
  double before_bps;            /* x_0 */
  double before_ratio;          /* p_0 */
  double received_bps;          /* without what was repaired */
  double before_event_pkts;     /* lost in a report that has losses */
  RcTime since;                 /* the state began */
  RcTime reported_at;           /* last */
  RcTime counted_from;          /* what left at its rate, RC_TIME_NONE: nothing yet ... */
  double lost_pkts, told_pkts, received_bits;   /* ... and was told since then */
  unsigned events;              /* reports with losses */
  double radio_ratio;           /* p_r: known to be the radio's */
  bool policed;                 /* the last verdict was "ours" */
  RcTime policed_at;            /* then */
  unsigned level;               /* each 2^level-th even slot has a trial */
} RcLossTrial;

void rc_losstrial_init (RcLossTrial *self);
/* Should a share of so many losses be tried? */
bool rc_losstrial_is_due (const RcLossTrial *self, double loss_ratio, RcTime utc);
/* A verdict said of so many that they are the radio's. */
bool rc_losstrial_knows (const RcLossTrial *self, double loss_ratio);
/* bps: x, which stays until rc_losstrial_rate_bps() says otherwise. */
void rc_losstrial_begin (RcLossTrial *self, double bps, RcTime utc);
/* Something else lowers the rate. */
void rc_losstrial_abort (RcLossTrial *self);
/* A report. reaction_s: so long after a change its effect is told. When it is not pending, the
 * trial has ended. */
RcLossTrialVerdict rc_losstrial_on_report (RcLossTrial *self, double lost_pkts,
    double received_pkts, double received_bits, double reaction_s, RcTime utc);
/* x while it runs. */
double rc_losstrial_rate_bps (const RcLossTrial *self);
/* What comes through, as the last trial saw it. */
double rc_losstrial_capacity_bps (const RcLossTrial *self);
/* x does not grow beyond it: it was found just now. */
bool rc_losstrial_rests (const RcLossTrial *self, RcTime utc);
/* So near to what a policer lets through that growth must not double. */
bool rc_losstrial_is_near (const RcLossTrial *self, double bps, double loss_ratio);
