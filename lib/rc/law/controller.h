/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One running law with the path that it reads, and what holds above every law: media stops when the
 * receiver is silent, and, under a law for plain receivers, when a circuit breaker opens. The table
 * of all laws by name: a new law is a file, a test and a row of it. The caller holds one lock and
 * calls in.
 *
 * One controller serves a 5-tuple, not an SSRC: all SSRCs share one bottleneck, so the reports
 * of all of them in one compound packet feed one law. */
#pragma once

#include <rc/law/law.h>
#include <rc/path/breaker.h>

/* Parameter `stop` unless the law says otherwise. Reports come each 20 to 250 ms: many of them. */
#define RC_STOP_S 5.0

#define RC_CONTROLLER_STATE_BYTES 4096  /* for the largest law; controller.c checks each of them */

struct _RcController
{
  const RcLaw *law;
  RcPath path;
  RcBreaker breaker;            /* RcLaw.reduce */
  RcTime rest_until;            /* the breaker ended media; RC_TIME_NONE: it did not */
  double stop_s;                /* parameter `stop`, of all laws */
  RcTime epoch;                 /* of the path; set it before start */
  union
  {
    unsigned char bytes[RC_CONTROLLER_STATE_BYTES];
    RcTime aligned_for_time;
    double aligned_for_double;
    void *aligned_for_pointer;
  } state;                      /* the law's own */
};

/* All laws; ends with NULL. */
extern const RcLaw *const rc_laws[];
const RcLaw *rc_law_find (const char *name);
/* The parameters of a law, by index: its own, then those of all laws. false past the end. */
bool rc_law_param (const RcLaw *law, unsigned index, RcParam *param);
/* The facts of a law, by index: its own, then those of a law within. NULL past the end. */
const RcFact *rc_law_fact (const RcLaw *law, unsigned index);

/* Order: init, then any rc_controller_set_param, then start. Start may be called again for a new
 * session. After start it must not move. A law may look at a parameter at its start alone; live ARC
 * takes a change at any time. */
void rc_controller_init (RcController *self, const RcLaw *law, RcProfile profile);
/* false: no such parameter, or value outside [min, max] (NaN too). */
bool rc_controller_set_param (RcController *self, const char *name, double value);
bool rc_controller_get_param (RcController *self, const char *name, double *value);
/* Limits must hold 0 < min <= start <= max. */
RcDecision rc_controller_start (RcController *self, const RcLimits *limits, RcTime now);
RcDecision rc_controller_set_limits (RcController *self, const RcLimits *limits, RcTime now);
RcDecision rc_controller_on_sent (RcController *self, const RcSent *sent, RcTime now);
RcDecision rc_controller_on_feedback (RcController *self, const RcFeedback *feedback, RcTime now);
RcDecision rc_controller_on_timer (RcController *self, RcTime now);
/* No media may leave: reports have timed out, or the breaker is open; probe instead. */
bool rc_controller_is_stopped (const RcController *self);
/* As the law sees it; RC_TIME_NONE: unknown. */
RcTime rc_controller_queueing_delay (const RcController *self);
/* The values of rc_law_fact(), and how many; the word of the first that has any, else "". */
unsigned rc_controller_measure (const RcController *self, double values[RC_LAW_MAX_FACTS]);
const char *rc_controller_state_name (const RcController *self);
