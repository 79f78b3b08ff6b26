/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When a receiver calls the sender whose media it wants (call.h). Neither need be there first, and
 * each may begin anew:
 *   - until it is accepted it calls each 100 ms at first, and each 500 ms at last
 *   - a cookie is brought back at once
 *   - once accepted it is silent as long as media comes. After RC_CALLER_PATIENCE without any it
 *     calls again: the sender may have begun anew, or a NAT on the way may have given us another
 *     address, which the sender learns by that call
 *   - a refusal is final. Who is told to call later calls on. */
#pragma once

#include <rc/feedback/call.h>

#define RC_CALLER_PATIENCE RC_SECOND

typedef enum
{
  RC_CALLER_CALLS,
  RC_CALLER_ACCEPTED,
  RC_CALLER_REFUSED,
} RcCallerState;

typedef struct
{
  RcCallerState state;
  uint64_t number, cookie;      /* cookie: 0: none yet */
  RcTime call_at, interval;     /* of the next call, if no media comes */
  RcTime cookie_at;             /* one was brought back last; RC_TIME_NONE: never */
} RcCaller;

/* number: random, > 0. */
void rc_caller_init (RcCaller *self, uint64_t number, RcTime now);
/* true: call now; it counts as done. media_at: the last media, or RC_TIME_NONE. *next_at: when to
 * ask again. */
bool rc_caller_must_call (RcCaller *self, RcTime media_at, RcTime now, RcTime *next_at);
/* true: it is for us and the state is another one, or a call is due at once. */
bool rc_caller_on_answer (RcCaller *self, const RcAnswer *answer, RcTime now);
