/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sendloop.h"

#include <string.h>

#define STAY_AWAKE (500 * RC_USEC)      /* as in gst/pacing/pacedegress.c */

static bool
rfc3448_params (const char *name, RcRfc3448Params *params)
{
  *params = RC_RFC3448_PARAMS_DEFAULT;
  if (strcmp (name, "rfc3448-bursts") == 0)
    params->bursts = RC_RFC3448_BURSTS;
  else if (strcmp (name, "rfc3448-nominal") == 0)
    params->nominal = true;
  else
    return strcmp (name, "rfc3448") == 0;
  return true;
}

bool
send_loop_init (SendLoop *self, const char *name, uint64_t rate_bps, RcTime now)
{
  RcRfc3448Params rfc3448;

  self->stays_awake = strcmp (name, "rmc") == 0;
  if (strcmp (name, "rmc-literal") == 0) {
    self->kind = SEND_LOOP_LITERAL;
    rmc_literal_init (&self->literal, 1, RMC_LITERAL_TS, rate_bps, now);
  } else if (self->stays_awake || strcmp (name, "rmc-bounded") == 0) {
    self->kind = SEND_LOOP_RMC;
    rc_rmc_init (&self->rmc, &RC_RMC_PARAMS_DEFAULT, rate_bps, now);
  } else if (rfc3448_params (name, &rfc3448)) {
    self->kind = SEND_LOOP_RFC3448;
    rc_rfc3448_init (&self->rfc3448, &rfc3448, rate_bps, now);
  } else {
    return false;
  }
  return true;
}

RcTime
send_loop_due_at (SendLoop *self, uint32_t size_bytes, RcTime now)
{
  switch (self->kind) {
    case SEND_LOOP_LITERAL:
      return rmc_literal_due_at (&self->literal, size_bytes, now);
    case SEND_LOOP_RMC:
      return rc_rmc_due_at (&self->rmc, size_bytes, now);
    default:
      return rc_rfc3448_due_at (&self->rfc3448, size_bytes, now);
  }
}

bool
send_loop_stays_awake (const SendLoop *self, RcTime wait)
{
  return self->stays_awake && wait < STAY_AWAKE && rc_rmc_is_behind (&self->rmc);
}

void
send_loop_on_sent (SendLoop *self, uint32_t size_bytes, RcTime now)
{
  switch (self->kind) {
    case SEND_LOOP_LITERAL:
      rmc_literal_on_sent (&self->literal, size_bytes);
      break;
    case SEND_LOOP_RMC:
      rc_rmc_on_sent (&self->rmc, size_bytes, now);
      break;
    default:
      rc_rfc3448_on_sent (&self->rfc3448, size_bytes, now);
  }
}
