/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "pacing/packetpacer.h"

static Pacer *
pacer_ref (Pacer * self)
{
  self->funcs->ref (self);
  return self;
}

static void
pacer_unref (Pacer * self)
{
  self->funcs->unref (self);
}

G_DEFINE_BOXED_TYPE (Pacer, pacer, pacer_ref, pacer_unref);

/* --- RMC alone --- */

static RcTime
rmc_pacer_due_at (Pacer * pacer, guint size_bytes, RcTime now)
{
  return rc_rmc_due_at (&((RmcPacer *) pacer)->rmc, size_bytes, now);
}

static void
rmc_pacer_pay (Pacer * pacer, guint size_bytes, RcTime now)
{
  rc_rmc_on_sent (&((RmcPacer *) pacer)->rmc, size_bytes, now);
}

static void
rmc_pacer_refund (Pacer * pacer, guint size_bytes)
{
  rc_rmc_on_unsent (&((RmcPacer *) pacer)->rmc, size_bytes);
}

static void
rmc_pacer_on_idle (Pacer * pacer, RcTime now)
{
  rc_rmc_set_idle (&((RmcPacer *) pacer)->rmc, now);
}

static gboolean
rmc_pacer_is_behind (Pacer * pacer)
{
  return rc_rmc_is_behind (&((RmcPacer *) pacer)->rmc);
}

static void
rmc_pacer_on_blocked (Pacer * pacer, guint size_bytes, RcTime since, RcTime now)
{
  rc_rmc_on_blocked (&((RmcPacer *) pacer)->rmc, size_bytes, since, now);
}

static const PacerFuncs rmc_pacer_funcs = {.due_at = rmc_pacer_due_at,.pay = rmc_pacer_pay,
  .on_idle = rmc_pacer_on_idle,.refund = rmc_pacer_refund,.is_behind = rmc_pacer_is_behind,
  .on_blocked = rmc_pacer_on_blocked
};

void
rmc_pacer_init (RmcPacer * self, guint64 rate_bps, RcTime now)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  self->pacer.funcs = &rmc_pacer_funcs;
  rc_rmc_init (&self->rmc, &params, rate_bps, now);
}
