/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loop of RFC 3448 4.6 as the RMC paper describes it [RMC alg. 1]: the baseline of
 * the paper. See rfc3448.c for the model and for what the paper
 * leaves open. */
#pragma once

#include <rc/base/types.h>

typedef enum
{
  RC_RFC3448_NO_BURSTS, /* one packet a timer, even if the timer is too coarse for the rate */
  RC_RFC3448_BURSTS, /* t_ipi < t_g: r t_g bytes each t_g; the paper's "min" read as max */
  RC_RFC3448_BURSTS_AS_PRINTED, /* t_ipi < t_g: r t_g bytes each min (p / r, t_g) = p / r */
} RcRfc3448Bursts;

typedef struct
{
  RcTime granularity; /* t_g that the loop believes in, > 0; paper (HZ=1000) and default 1 ms */
  RcRfc3448Bursts bursts;
  /* t_k+1 = t_k + t_ipi counts from when packet k should have gone (the RFC's text), not from when
   * it went (the paper; default). */
  bool nominal;
} RcRfc3448Params;

#define RC_RFC3448_PARAMS_DEFAULT ((RcRfc3448Params) { RC_MSEC, RC_RFC3448_NO_BURSTS, false })

typedef struct
{
  RcRfc3448Params params;
  uint64_t rate_bps;
  RcTime next_at;               /* t_k+1 */
  uint32_t burst_pkts;          /* that still may go at once */
} RcRfc3448;

/* The first packet may go at once. Asserts granularity > 0. */
void rc_rfc3448_init (RcRfc3448 *self, const RcRfc3448Params *params, uint64_t rate_bps,
    RcTime now);
/* Counts from the next packet. */
void rc_rfc3448_set_rate (RcRfc3448 *self, uint64_t rate_bps);
/* When a waiting packet of size_bytes may go: `now` means at once. RC_TIME_NONE: never at rate
 * 0. */
RcTime rc_rfc3448_due_at (const RcRfc3448 *self, uint32_t size_bytes, RcTime now);
/* It went. */
void rc_rfc3448_on_sent (RcRfc3448 *self, uint32_t size_bytes, RcTime now);
