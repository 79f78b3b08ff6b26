/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The one interface over the sending laws, and their table by name. A new law is one file, one test, one row.
 *
 * Inputs: on_sent, on_feedback, on_timer; each takes `now` last (it must not run backwards) and returns the decision
 * that holds from then on. No locks, no callbacks: the caller holds one lock and calls in. */
#pragma once

#include <rc/arc.h>
#include <rc/explicit.h>
#include <rc/fixed.h>
#include <rc/param.h>
#include <rc/tfrc.h>
#include <rc/types.h>

typedef enum
{
  RC_PROFILE_LIVE,
  RC_PROFILE_PAPER,
} RcProfile;

typedef struct RcController RcController;

struct RcLaw
{
  const char *name, *doc;
  const RcParam *params;        /* ends with a NULL name; NULL: no tunables */
  void (*defaults) (RcController *self, RcProfile profile);
  void *(*params_of) (RcController *self);
  void (*start) (RcController *self, const RcLimits *limits, RcTime now);
  void (*set_limits) (RcController *self, const RcLimits *limits, RcTime now);
  RcDecision (*on_sent) (RcController *self, const RcSent *sent, RcTime now);
  RcDecision (*on_feedback) (RcController *self, const RcFeedback *feedback, RcTime now);
  RcDecision (*on_timer) (RcController *self, RcTime now);
  /* Facts for statistics: name, unit and value by index; false past the end. */
  bool (*stat) (const RcController *self, unsigned index, const char **name, double *value);
  bool wants_stamps;            /* obeys relays: packets must carry a stamp for them */
};

struct RcController
{
  const RcLaw *law;
  union
  {
    RcArc arc;
    RcExplicit explicit_rate;
    RcFixed fixed;
    RcTfrc tfrc;
  } u;
};

/* All laws; ends with a NULL name. */
extern const RcLaw *const rc_laws[];
const RcLaw *rc_law_find (const char *name);

/* Order: init, then any rc_controller_set_param, then start. Start may be called again for a new session. */
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
bool rc_controller_stat (const RcController *self, unsigned index, const char **name, double *value);
