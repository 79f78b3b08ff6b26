/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Rate Mismatch Controller: when may the next packet go? See rmc.c for the model and where we
 * differ. */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  /* k_r [RMC eq. 10]: 0 < kr < 2; paper and default 1; below 1 a packet still goes once it is
   * earned. */
  double kr_gain;
  RcTime ts_min; /* T_s,min: least time between two samples; bursts form only above p/T_s,min */
  uint32_t burst_bytes;         /* most that may go in one sample ... */
  /* ... or this much of the rate, whichever is larger (and at least one packet). */
  RcTime burst_time;
  double catchup_gain; /* > 1: a backlog of credit is repaid at no more than this times the rate */
  /* > 1: at no more than this, packet by packet, where such gaps are no shorter than ts_min ... */
  double smooth_gain;
  RcTime smooth_time;           /* ... and the packet is no later than this; 0: never */
  /* Credit of a longer stall is forfeited: suspend, clock jump; a packet's worth stays. */
  RcTime memory;
  /* Urgent packets may go so much of the rate ahead of what is earned. */
  RcTime loan_time;
  double repay_ratio;           /* share of the rate that repays it */
} RcRmcParams;

#define RC_RMC_PARAMS_DEFAULT \
  ((RcRmcParams) { 1.0, 100 * RC_USEC, 3 * 1500, RC_MSEC, 8.0, 3.0, 20 * RC_MSEC, 250 * RC_MSEC, \
      60 * RC_MSEC, 0.2 })

typedef struct
{
  RcRmcParams params;
  uint64_t rate_bps;            /* r_c */
  double credit_bytes;          /* d_c - d_e at `at`; < 0: more went than should have */
  double loan_bytes;            /* that urgent packets went ahead, and not repaid */
  double budget_bytes;          /* what is left of y(t_k) in the present sample */
  double sample_sent_bytes;
  uint32_t head_bytes;          /* the packet that was last asked for */
  /* The largest asked for since nothing waited: the credit may always grow to it. */
  uint32_t largest_bytes;
  RcTime at;
  RcTime sampled_at;            /* t_k */
  RcTime slot;                  /* 0: none */
  bool begins_with_slot;        /* what follows a pause */
  bool idle;
  bool gentle;
} RcRmc;

/* Asserts 0 < kr < 2 (stability, [RMC prop. 1]), catchup_gain and smooth_gain > 1. */
void rc_rmc_init (RcRmc *self, const RcRmcParams *params, uint64_t rate_bps, RcTime now);
/* The old rate counts up to now, the new from now. A lower rate forfeits credit beyond one burst at
 * the new rate (and one packet), and debt beyond as much. */
void rc_rmc_set_rate (RcRmc *self, uint64_t rate_bps, RcTime now);
/* The path answers to bursts, as an L4S queue does: a backlog of credit is repaid at hardly more
 * than the rate. */
void rc_rmc_set_gentle (RcRmc *self, bool gentle);
/* What is not due yet leaves at a multiple of `slot`, with all that is due by then. 0: each packet
 * leaves when it is due. begins: a slot's share of what follows a pause leaves at once. */
void rc_rmc_set_slot (RcRmc *self, RcTime slot, bool begins);
/* Nothing waits: the next packet finds at most its own size in credit (no burst after a pause), or
 * a slot's share. */
void rc_rmc_set_idle (RcRmc *self, RcTime now);
/* When a waiting packet of size_bytes may go: `now` means at once. RC_TIME_NONE: never at rate
 * 0. */
RcTime rc_rmc_due_at (RcRmc *self, uint32_t size_bytes, RcTime now);
/* The same for an urgent one, on loan. */
RcTime rc_rmc_urgent_at (RcRmc *self, uint32_t size_bytes, RcTime now);
/* A stall left more credit than one burst, to be repaid in bursts: the next samples are close,
 * and a thread that sleeps between them may not get the CPU back in time. Not while single
 * packets repay it: a thread that stays awake for so long uses up its share of the CPU and is
 * made to wait for longer. */
bool rc_rmc_is_behind (const RcRmc *self);
/* It went. */
void rc_rmc_on_sent (RcRmc *self, uint32_t size_bytes, RcTime now);
/* An urgent one went; before rc_rmc_on_sent (). */
void rc_rmc_lend (RcRmc *self, uint32_t size_bytes, RcTime now);
/* The last packet counted as sent at the present time did not go after all; several in any
 * order. */
void rc_rmc_on_unsent (RcRmc *self, uint32_t size_bytes);
/* The packet that went last was held by what follows from `since` until now. If that is longer than
 * the packet's own time at the rate, nothing was earned meanwhile, and the next packet must follow
 * at the rate. What had been saved up for a larger packet that it overtook stays. */
void rc_rmc_on_blocked (RcRmc *self, uint32_t size_bytes, RcTime since, RcTime now);
/* Forgets all credit: flush, suspend, clock jump. */
void rc_rmc_reset (RcRmc *self, RcTime now);
