/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ramppacing.h"

void
ramp_pacing_init (RampPacing * self, GMutex * lock, RcTime now)
{
  *self = (RampPacing) {.lock = lock,.pushed_at = RC_TIME_NONE };
  rmc_pacer_init (&self->budget, 0, now);
}

void
ramp_pacing_set_budget (RampPacing * self, guint budget_bps, RcTime now)
{
  self->budget_bps = budget_bps;
  rc_rmc_set_rate (&self->budget.rmc, budget_bps, now);
}

void
ramp_pacing_reset (RampPacing * self, RcTime now)
{
  rc_rmc_reset (&self->budget.rmc, now);
  self->pushed_at = RC_TIME_NONE;
}

/* --- the pacer of the sink --- */

/* Leaves the lock, so that no lock is held across a call out of the element. NULL: there is none,
 * and the lock is held still. */
static Pacer *
begin_to_ask (RampPacing * self)
{
  Pacer *lent = self->lent ? g_boxed_copy (PACER_TYPE, self->lent) : NULL;

  if (lent)
    g_mutex_unlock (self->lock);
  return lent;
}

static void
end_asking (RampPacing * self, Pacer * lent)
{
  g_boxed_free (PACER_TYPE, lent);
  g_mutex_lock (self->lock);
}

void
ramp_pacing_set_lent (RampPacing * self, Pacer * lent)
{
  Pacer *before = self->lent;

  self->lent = lent ? g_boxed_copy (PACER_TYPE, lent) : NULL;
  self->idle = FALSE;
  if (before) {
    g_mutex_unlock (self->lock);        /* with the last reference a session ends */
    end_asking (self, before);
  }
}

/* --- both --- */

RcTime
ramp_pacing_due_at (RampPacing * self, guint size_bytes, RcTime now)
{
  RcTime since = self->pushed_at, until = self->returned_at, due_at = now, lent_at;
  guint pushed_bytes = self->pushed_bytes;
  Pacer *lent;

  self->idle = FALSE;
  self->pushed_at = RC_TIME_NONE;
  if (self->budget_bps > 0)
    due_at = self->budget.pacer.funcs->due_at (&self->budget.pacer, size_bytes, now);
  lent = begin_to_ask (self);
  if (!lent)
    return due_at;
  if (since != RC_TIME_NONE)
    lent->funcs->on_blocked (lent, pushed_bytes, since, until);
  lent_at = lent->funcs->due_at (lent, size_bytes, now);
  end_asking (self, lent);
  return lent_at == RC_TIME_NONE ? lent_at : MAX (due_at, lent_at);
}

void
ramp_pacing_pay (RampPacing * self, guint size_bytes, RcTime now)
{
  Pacer *lent;

  if (self->budget_bps > 0)
    self->budget.pacer.funcs->pay (&self->budget.pacer, size_bytes, now);
  lent = begin_to_ask (self);
  if (lent) {
    lent->funcs->pay (lent, size_bytes, now);
    end_asking (self, lent);
  }
}

/* The sink hears of it with the next question: just now it is busy with the packet. */
void
ramp_pacing_on_pushed (RampPacing * self, guint size_bytes, RcTime since, RcTime now)
{
  if (self->budget_bps > 0)
    self->budget.pacer.funcs->on_blocked (&self->budget.pacer, size_bytes, since, now);
  self->pushed_bytes = size_bytes;
  self->pushed_at = since;
  self->returned_at = now;
}

void
ramp_pacing_on_idle (RampPacing * self, RcTime now)
{
  Pacer *lent;

  if (self->idle)
    return;
  self->idle = TRUE;
  self->pushed_at = RC_TIME_NONE;
  self->budget.pacer.funcs->on_idle (&self->budget.pacer, now);
  lent = begin_to_ask (self);
  if (lent) {
    lent->funcs->on_idle (lent, now);
    end_asking (self, lent);
  }
}
