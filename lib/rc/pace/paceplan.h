/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets leave, by what the path is known to bear: paceplan.c. */
#pragma once

#include <rc/base/types.h>
#include <rc/base/winmin.h>

/* Why frames leave as they do. */
typedef enum
{
  RC_PACE_UNKNOWN,              /* nothing is known of the path yet */
  RC_PACE_RATE,                 /* the law needs its rate as it is */
  RC_PACE_L4S,                  /* the queue marks what waits for 1 ms */
  RC_PACE_LOSS,                 /* more was lost while frames left faster */
  RC_PACE_QUEUE,                /* frames began to wait behind themselves */
  RC_PACE_FREE,                 /* the path has carried frames that left faster */
  RC_PACE_N,
} RcPaceCause;

/* What a report, and the law, say of the path. */
typedef struct
{
  bool exact;                   /* the rate is the user's own, whatever the path is */
  bool l4s;                     /* its queue marks what waits for 1 ms */
  uint64_t rate_bps;            /* the law's; not 0 */
  uint32_t received_pkts, lost_pkts;    /* since the last report */
  bool bound;                   /* the law does not look for the capacity: the rate is bound */
  RcTime queueing_delay;        /* RC_TIME_NONE: unknown */
  bool has_delays;              /* these two are known: one-way delays of the report */
  RcTime least_remote, mean_remote;
  RcTime srtt;
} RcPaceFacts;

/* Of packets that left at one gain; halved now and then. */
typedef struct
{
  double lost, told;
} RcPaceLoss;

typedef struct
{
  double gain;                  /* frames leave at so many times the rate */
  RcTime slot;                  /* for rc_rmc_set_slot () */
  RcPaceCause cause;
  RcWinMin least;               /* OWD */
  double spread_s, own_spread_s;        /* mean OWD - least OWD: now; without gain */
  unsigned followers;           /* packets that left behind others since the last report */
  RcTime told_at;               /* the last report came */
  RcTime plain_since;           /* g has been 1; RC_TIME_NONE: it is not */
  RcTime lowered_at;            /* RC_TIME_NONE: never */
  RcTime lost_at;               /* RC_TIME_NONE: nothing was lost yet */
  RcPaceLoss plain_loss, gain_loss;
  RcTime held_until, hold;      /* losses: so long the gain is 1, and for how long the last time */
} RcPacePlan;

void rc_paceplan_init (RcPacePlan *self, RcTime now);
/* A packet left; backlogged: more were waiting. */
void rc_paceplan_on_sent (RcPacePlan *self, bool backlogged);
void rc_paceplan_on_report (RcPacePlan *self, const RcPaceFacts *facts, RcTime now);
/* The law needs its rate as it is. */
void rc_paceplan_stop (RcPacePlan *self, RcTime now);
/* The receiver is another one, or its clock. */
void rc_paceplan_forget_clock (RcPacePlan *self);
/* As users read it, such as "free". */
const char *rc_pace_cause_name (RcPaceCause cause);
