/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The common part of the sending laws that obey the rate which relays stamp into packets: rcp,
 * qi-rcp, piqi-rcp. See explicit.c for the model. */
#pragma once

#include <rc/law/arclive.h>
#include <rc/law/law.h>

typedef struct
{
  double tau1, tau2;            /* eq. 19, piqi-rcp only */
  double interval;              /* s: T, how often x is brought up to date */
  double hold;                  /* s: an explicit rate holds so long */
  /* S: while one holds, ARC takes only such a queue for congestion; 0: ARC has no say. */
  double guard;
  double growth;                /* 1/s: how much of its rate ARC then adds each second, at first */
  double report_max;            /* s: longest time between reports while one holds */
  double stop;                  /* s of silence after which media stops; 0: never */
} RcExplicitParams;

/* How x follows R: what is a law's own. */
typedef struct
{
  /* x when R is heard; `before` is the R heard before, or R itself the first time. */
  double (*heard) (double x_bps, double explicit_bps, double before_bps,
      const RcExplicitParams *params);
  /* x `steps` of T later (any fraction), with R as it is. NULL: x changes only when R is heard. */
  double (*between) (double x_bps, double explicit_bps, double steps,
      const RcExplicitParams *params);
} RcExplicitSource;

typedef struct
{
  RcExplicitParams params;      /* first: RcLaw.params point into it */
  const RcExplicitSource *source;
  RcArcLive arc;
  RcLimits limits;
  double x_bps;                 /* x */
  double explicit_bps;          /* R as heard last, within the limits; 0: none holds */
  double rate_bps;              /* decided last */
  RcTime stepped_at, heard_at;  /* x; R */
  RcTime sent_at;               /* RC_TIME_NONE: never */
} RcExplicit;

/* tau1 and tau2 stay 0: a law that needs them sets them. */
void rc_explicit_defaults (RcExplicit *self, const RcExplicitSource *source, RcProfile profile);

void rc_explicit_start (void *state, const RcLimits *limits, RcTime now);
void rc_explicit_set_limits (void *state, const RcLimits *limits, RcTime now);
RcDecision rc_explicit_on_sent (void *state, const RcSent *sent, RcTime now);
RcDecision rc_explicit_on_feedback (void *state, const RcFeedback *feedback, RcTime now);
RcDecision rc_explicit_on_timer (void *state, RcTime now);
bool rc_explicit_stat (const void *state, unsigned index, RcFact *fact);

/* Rows of RcLaw.params: one, and those that all these laws have. */
#define RC_EXPLICIT_PARAM(field, unit, low, high, doc) \
    { #field, unit, doc, low, high, offsetof (RcExplicit, params.field) }
#define RC_EXPLICIT_SHARED_PARAMS \
    RC_EXPLICIT_PARAM (hold, "s", 0.1, 60, "an explicit rate holds so long; then ARC alone"), \
    RC_EXPLICIT_PARAM (guard, "s", 0, 10, \
        "queue that ARC takes for congestion while an explicit rate holds; 0: ARC has no say"), \
    RC_EXPLICIT_PARAM (growth, "1/s", 0, 10, \
        "of its rate that ARC adds each second while an explicit rate holds, at first"), \
    RC_EXPLICIT_PARAM (report_max, "s", 0.001, 1, \
        "longest time between reports while an explicit rate holds"), \
    RC_EXPLICIT_PARAM (stop, "s", 0, 3600, \
        "silence of the receiver after which no media leaves; 0: never")

/* The fields of RcLaw that all these laws have. */
#define RC_EXPLICIT_LAW \
    .state_bytes = sizeof (RcExplicit), .set_limits = rc_explicit_set_limits, \
    .on_sent = rc_explicit_on_sent, .on_feedback = rc_explicit_on_feedback, \
    .on_timer = rc_explicit_on_timer, .stat = rc_explicit_stat, .wants_stamps = true
