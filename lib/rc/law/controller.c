/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The table of sending laws and the calls through it. */
#include <rc/law/arc.h>
#include <rc/law/arclive.h>
#include <rc/law/controller.h>
#include <rc/law/fixed.h>
#include <rc/law/piqircp_source.h>
#include <rc/law/qircp_source.h>
#include <rc/law/rcp_source.h>
#include <rc/law/slow.h>
#include <rc/law/tfrc.h>

#include <assert.h>
#include <string.h>

const RcLaw *const rc_laws[] = {
  &rc_arclive_law, &rc_tfrc_law, &rc_rcp_law, &rc_qircp_law, &rc_piqircp_law, &rc_slow_law,
  &rc_fixed_law, NULL
};

const RcLaw *
rc_law_find (const char *name)
{
  for (unsigned i = 0; rc_laws[i]; i++)
    if (strcmp (rc_laws[i]->name, name) == 0)
      return rc_laws[i];
  return NULL;
}

static const RcParam *
find_param (const RcLaw *law, const char *name)
{
  for (const RcParam *p = law->params; p && p->name; p++)
    if (strcmp (p->name, name) == 0)
      return p;
  return NULL;
}

static double *
param_value (RcController *self, const RcParam *param)
{
  return (double *) (self->state.bytes + param->offset);
}

void
rc_controller_init (RcController *self, const RcLaw *law, RcProfile profile)
{
  memset (self, 0, sizeof *self);
  self->law = profile == RC_PROFILE_PAPER && law->paper ? law->paper : law;
  assert (self->law->state_bytes <= sizeof self->state);
  self->law->defaults (&self->state, profile);
}

bool
rc_controller_set_param (RcController *self, const char *name, double value)
{
  const RcParam *param = find_param (self->law, name);

  if (!param || !(value >= param->min && value <= param->max))
    return false;
  *param_value (self, param) = value;
  return true;
}

bool
rc_controller_get_param (RcController *self, const char *name, double *value)
{
  const RcParam *param = find_param (self->law, name);

  if (!param)
    return false;
  *value = *param_value (self, param);
  return true;
}

static void
check_limits (const RcLimits *limits)
{
  assert (limits->min_bps > 0 && limits->min_bps <= limits->start_bps
      && limits->start_bps <= limits->max_bps);
}

RcDecision
rc_controller_start (RcController *self, const RcLimits *limits, RcTime now)
{
  check_limits (limits);
  self->law->start (&self->state, limits, now);
  return self->law->on_timer (&self->state, now);
}

RcDecision
rc_controller_set_limits (RcController *self, const RcLimits *limits, RcTime now)
{
  check_limits (limits);
  self->law->set_limits (&self->state, limits, now);
  return self->law->on_timer (&self->state, now);
}

RcDecision
rc_controller_on_sent (RcController *self, const RcSent *sent, RcTime now)
{
  return self->law->on_sent (&self->state, sent, now);
}

RcDecision
rc_controller_on_feedback (RcController *self, const RcFeedback *feedback, RcTime now)
{
  return self->law->on_feedback (&self->state, feedback, now);
}

RcDecision
rc_controller_on_timer (RcController *self, RcTime now)
{
  return self->law->on_timer (&self->state, now);
}

bool
rc_controller_stat (const RcController *self, unsigned index, RcFact *fact)
{
  return self->law->stat (&self->state, index, fact);
}
