/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A delay that jumped: is it a stall, a longer route, or a queue? The model is in
 * delayjump.c. */
#pragma once

#include <rc/feedback/reports.h>

typedef struct
{
  bool pending;                 /* it is not known yet; nothing below is valid without */
  bool climbs;                  /* more than a jump: a queue as well */
  double level_s;               /* the delay, until it changes */
  double bps;                   /* B when it jumped: later B only shows what we sent */
  double drained_s;             /* what a queue would have fallen by since, once it shows */
  RcTime shows_at;              /* that it would be enough; RC_TIME_NONE: it is not yet */
  RcTime at;                    /* of the last report */
} RcDelayJump;

/* Does a report tell of one? rise_s: of the queueing delay since the report before. */
bool rc_delayjump_is_one (const RcDelays *delays, double rise_s, double tolerance_s);
void rc_delayjump_begin (RcDelayJump *self, double delay_s, double bps, RcTime now);
/* The delay is a stall's or a route's as far as is known. */
bool rc_delayjump_holds (const RcDelayJump *self);
/* While it holds: the rate that soon shows which. */
double rc_delayjump_rate_bps (const RcDelayJump *self, double tolerance_s);
/* One report while it is pending. true: the delay is a route's, and nothing is pending. */
bool rc_delayjump_is_route (RcDelayJump *self, double delay_s, double tolerance_s, double rate_bps,
    RcTime rtt, RcTime now);
