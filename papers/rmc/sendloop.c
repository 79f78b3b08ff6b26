/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendloop.h"

#include <string.h>

#define STAY_AWAKE (500 * RC_USEC)      /* as in gst/pacing/pacedegress.c */

static RcRmcParams
unbounded (void)
{
  RcRmcParams params = RC_RMC_PARAMS_DEFAULT;

  params.burst_bytes = UINT32_MAX;
  params.catchup_gain = 1e9;
  params.smooth_time = 0;
  params.memory = 1000 * RC_SECOND;
  return params;
}

static bool
rfc3448_params (const char *name, RcRfc3448Params *params)
{
  *params = RC_RFC3448_PARAMS_DEFAULT;
  if (strcmp (name, "bursts") == 0)
    params->bursts = RC_RFC3448_BURSTS;
  else if (strcmp (name, "bursts-as-printed") == 0)
    params->bursts = RC_RFC3448_BURSTS_AS_PRINTED;
  else if (strcmp (name, "nominal") == 0)
    params->nominal = true;
  else
    return strcmp (name, "no-bursts") == 0;
  return true;
}

bool
send_loop_init (SendLoop *self, const char *name, uint64_t rate_bps, RcTime now)
{
  RcRmcParams rmc = strcmp (name, "rmc-loop") == 0 ? unbounded () : RC_RMC_PARAMS_DEFAULT;
  RcRfc3448Params rfc3448;

  self->is_rmc = strncmp (name, "rmc", 3) == 0;
  if (self->is_rmc)
    rc_rmc_init (&self->rmc, &rmc, rate_bps, now);
  else if (rfc3448_params (name, &rfc3448))
    rc_rfc3448_init (&self->rfc3448, &rfc3448, rate_bps, now);
  else
    return false;
  return true;
}

void
send_loop_init_step (SendLoop *self, double kr_gain, RcTime ts, uint64_t rate_bps, RcTime now)
{
  RcRmcParams params = unbounded ();

  params.kr_gain = kr_gain;
  params.ts_min = ts;
  self->is_rmc = true;
  rc_rmc_init (&self->rmc, &params, rate_bps, now);
}

void
send_loop_step (SendLoop *self, uint64_t rate_bps)
{
  self->rmc.rate_bps = rate_bps;
}

RcTime
send_loop_due_at (SendLoop *self, uint32_t size_bytes, RcTime now)
{
  return self->is_rmc ? rc_rmc_due_at (&self->rmc, size_bytes, now) :
      rc_rfc3448_due_at (&self->rfc3448, size_bytes, now);
}

bool
send_loop_stays_awake (const SendLoop *self, RcTime wait)
{
  return self->is_rmc && wait < STAY_AWAKE && rc_rmc_is_behind (&self->rmc);
}

void
send_loop_on_sent (SendLoop *self, uint32_t size_bytes, RcTime now)
{
  if (self->is_rmc)
    rc_rmc_on_sent (&self->rmc, size_bytes, now);
  else
    rc_rfc3448_on_sent (&self->rfc3448, size_bytes, now);
}
