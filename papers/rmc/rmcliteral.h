/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loop of the RMC paper as printed [RMC alg. 2 and 3], made runnable: one sample each T_s,
 * no bound of what a sample sends. See rmcliteral.c for what is mended. */
#pragma once

#include <rc/base/types.h>

/* T_s of the paper is unknown; this is the granularity of its timers, the least that it allows. */
#define RMC_LITERAL_TS RC_MSEC

typedef struct
{
  double kr_gain;
  RcTime ts;                    /* sleep between two samples */
  uint64_t rate_bps;            /* r_c; a new one counts from the sample before [RMC eq. 8] */
  double calc_bytes;            /* d_c, rmc_data_calc */
  double sent_bytes;            /* d_e, rmc_data_sent */
  double to_send_bytes;         /* y(t_k), data_to_send */
  double burst_bytes;           /* bytes_sent, of the present sample */
  RcTime sampled_at;            /* t_k */
  RcTime wake_at;
  bool awake;                   /* in the inner loop */
} RmcLiteral;

void rmc_literal_init (RmcLiteral *self, double kr_gain, RcTime ts, uint64_t rate_bps, RcTime now);
/* When a waiting packet of size_bytes may go: `now` means at once. */
RcTime rmc_literal_due_at (RmcLiteral *self, uint32_t size_bytes, RcTime now);
/* It went. */
void rmc_literal_on_sent (RmcLiteral *self, uint32_t size_bytes);
