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
  double hold;                  /* s: time for which an explicit rate remains in effect */
  /* S: while one holds, ARC takes only such a queue for congestion; 0: ARC has no say. */
  double guard;
  double growth;                /* 1/s: how much of its rate ARC then adds each second, at first */
  double report_max;            /* s: upper limit of the wanted report interval meanwhile */
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
  const RcPath *path;
  RcArcLive arc;
  RcLimits limits;
  double x_bps;                 /* x */
  double explicit_bps;          /* R as heard last, within the limits; 0: none holds */
  double rate_bps;              /* decided last */
  RcTime stepped_at, heard_at;  /* x; R */
  RcTime sent_at;               /* RC_TIME_NONE: never */
} RcExplicit;

void rc_explicit_start (RcExplicit *self, const RcExplicitSource *source, const RcPath *path,
    const RcLimits *limits, RcTime now);
void rc_explicit_set_limits (void *state, const RcLimits *limits, RcTime now);
RcDecision rc_explicit_on_sent (void *state, const RcSent *sent, RcTime now);
RcDecision rc_explicit_on_feedback (void *state, const RcFeedback *feedback, RcTime now);
RcDecision rc_explicit_on_timer (void *state, RcTime now);
RcTime rc_explicit_queueing_delay (const void *state);
extern const RcFact rc_explicit_facts[];
void rc_explicit_measure (const void *state, double *values);

/* Rows of RcLaw.params: one, and those that all these laws have. */
#define RC_EXPLICIT_PARAM(field, unit, low, high, live, paper, doc) \
    { #field, unit, doc, low, high, live, paper, offsetof (RcExplicit, params.field) }
#define RC_EXPLICIT_SHARED_PARAMS \
    /* reports are 250 ms apart at the most */ \
    RC_EXPLICIT_PARAM (hold, "s", 0.1, 60, 1, 1, \
        "time for which a relay's rate remains in effect. A source that was idle for longer " \
        "restarts at the start bitrate"), \
    /* five times what a relay's queue and a thread that woke late make */ \
    RC_EXPLICIT_PARAM (guard, "s", 0, 10, 0.050, 0, \
        "queue that ARC takes for congestion while a relay's rate is in effect; 0: ARC has no " \
        "say"), \
    /* twice the rate after 2 s, with ARC's own acceleration */ \
    RC_EXPLICIT_PARAM (growth, "1/s", 0, 10, 0.25, 0.25, \
        "share of its rate that ARC adds each second while a relay's rate is in effect, at " \
        "first"), \
    RC_EXPLICIT_PARAM (report_max, "s", 0.001, 1, 0.050, 0.010, \
        "upper limit of the report interval requested from the receiver while a relay's rate is " \
        "in effect")

/* The fields of RcLaw that all these laws have. */
#define RC_EXPLICIT_LAW \
    .state_bytes = sizeof (RcExplicit), .set_limits = rc_explicit_set_limits, \
    .on_sent = rc_explicit_on_sent, .on_feedback = rc_explicit_on_feedback, \
    .on_timer = rc_explicit_on_timer, .facts = rc_explicit_facts, \
    .measure = rc_explicit_measure, .within = &rc_arclive_law, \
    .within_offset = offsetof (RcExplicit, arc), \
    .queueing_delay = rc_explicit_queueing_delay, .wants_stamps = true, .forgiving = true
