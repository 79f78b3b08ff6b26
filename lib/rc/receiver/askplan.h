/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which missing packets are asked for, and when. The rules are in askplan.c. */
#pragma once

#include <rc/base/types.h>

#define RC_ASKPLAN_MAX 128      /* missing packets: 500 ms of 3 Mbit/s */

typedef struct
{
  uint32_t ssrc, seq;           /* extended */
  RcTime missed_at;             /* when it should have come */
  RcTime until;                 /* a packet that comes later is of no use */
  RcTime asked_at;              /* last; RC_TIME_NONE: not yet */
} RcMissingPacket;

typedef struct
{
  RcMissingPacket missing[RC_ASKPLAN_MAX];
  unsigned n;
} RcAskPlan;

/* How long an answer takes, usually and at the most, which is not less; and the round trip. */
typedef struct
{
  RcTime answer, latest_answer, rtt;
} RcAskTimes;

void rc_askplan_init (RcAskPlan *self);
/* A packet did not come when it should have. Nothing happens if it is known, or if there are too
 * many. */
void rc_askplan_on_missing (RcAskPlan *self, uint32_t ssrc, uint32_t seq, RcTime missed_at,
    RcTime until);
/* It came. */
void rc_askplan_on_came (RcAskPlan *self, uint32_t ssrc, uint32_t seq);
/* Somebody asked for it now. */
void rc_askplan_on_asked (RcAskPlan *self, uint32_t ssrc, uint32_t seq, RcTime now);
/* When there is something to take; RC_TIME_NONE: nothing is missing. */
RcTime rc_askplan_due_at (const RcAskPlan *self, const RcAskTimes *times);
/* How long after a request of this packet the next one is worth its price. */
RcTime rc_askplan_patience (const RcAskPlan *self, uint32_t ssrc, uint32_t seq,
    const RcAskTimes *times);
/* A packet that is to be asked for now, which rc_askplan_on_asked() then notes. false: none is. */
bool rc_askplan_take_due (RcAskPlan *self, const RcAskTimes *times, RcTime now,
    RcMissingPacket *packet);
/* One that will not come in time any more, and is forgotten. false: there is none. */
bool rc_askplan_take_hopeless (RcAskPlan *self, const RcAskTimes *times, RcTime now,
    RcMissingPacket *packet);
