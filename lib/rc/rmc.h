/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rate Mismatch Controller: when may the next packet go? See rmc.c for the model and where we differ. */
#pragma once

#include <rc/types.h>

typedef struct
{
  double kr_gain;               /* k_r [RMC eq. 10]: 0 < kr < 2; paper and default 1 */
  RcTime ts_min;                /* T_s,min: least time between two wake-ups; lets bursts form only above p/T_s,min */
  uint32_t burst_bytes;         /* most credit that may go at once ... */
  RcTime burst_time;            /* ... or this much of the rate, whichever is larger */
} RcRmcParams;

#define RC_RMC_PARAMS_DEFAULT ((RcRmcParams) { 1.0, 100 * RC_USEC, 3 * 1500, RC_MSEC })

typedef struct
{
  RcRmcParams params;
  uint64_t rate_bps;
  double credit_bytes;          /* d_c - d_e: should have gone and has not; < 0: went too early */
  RcTime at;                    /* t_k: credit_bytes is of this time */
  bool idle;
} RcRmc;

void rc_rmc_init (RcRmc *self, const RcRmcParams *params, uint64_t rate_bps, RcTime now);
/* The old rate counts up to now, the new from now. A lower rate forfeits credit beyond one burst at the new rate. */
void rc_rmc_set_rate (RcRmc *self, uint64_t rate_bps, RcTime now);
/* Nothing waits: credit stops growing at one packet (no burst after a pause). */
void rc_rmc_set_idle (RcRmc *self, RcTime now);
/* When a waiting packet of size_bytes may go: `now` or earlier means at once. rate 0: RC_TIME_NONE. */
RcTime rc_rmc_due_at (RcRmc *self, uint32_t size_bytes, RcTime now);
/* It went. */
void rc_rmc_on_sent (RcRmc *self, uint32_t size_bytes, RcTime now);
/* Forget all credit: flush, suspend, clock jump. */
void rc_rmc_reset (RcRmc *self, RcTime now);
