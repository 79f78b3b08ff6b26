/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One running law: its state, the calls into it, and the table of all laws by name. A new law is a
 * file, a test and a row of that table. The caller holds one lock and calls in. */
#pragma once

#include <rc/law/law.h>

#define RC_CONTROLLER_STATE_BYTES 4096  /* for the largest law; controller.c checks each of them */

typedef struct
{
  const RcLaw *law;
  union
  {
    unsigned char bytes[RC_CONTROLLER_STATE_BYTES];
    RcTime aligned_for_time;
    double aligned_for_double;
    void *aligned_for_pointer;
  } state;                      /* the law's own */
} RcController;

/* All laws; ends with a NULL name. */
extern const RcLaw *const rc_laws[];
const RcLaw *rc_law_find (const char *name);

/* Order: init, then any rc_controller_set_param, then start. Start may be called again for a new
 * session. */
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
/* Facts for statistics, by index; false past the end. */
bool rc_controller_stat (const RcController *self, unsigned index, RcFact *fact);
