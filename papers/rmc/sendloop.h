/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The laws of lib/rc that decide when a packet may go, by name: for the loop on the real clock and
 * for virtual time.
 *
 *   rmc               as rmcsink: bounded bursts, awake while it catches up
 *   rmc-loop          as in the paper: no bound of a burst
 *   no-bursts, bursts, bursts-as-printed, nominal      RFC 3448; see rfc3448.c */
#pragma once

#include <rc/pace/rmc.h>

#include "rfc3448.h"

typedef struct
{
  bool is_rmc;
  RcRmc rmc;
  RcRfc3448 rfc3448;
} SendLoop;

/* false: no such name. */
bool send_loop_init (SendLoop *self, const char *name, uint64_t rate_bps, RcTime now);
RcTime send_loop_due_at (SendLoop *self, uint32_t size_bytes, RcTime now);
/* The next packet is due in `wait`: no sleep until then, as rmcsink does while it is behind. */
bool send_loop_stays_awake (const SendLoop *self, RcTime wait);
void send_loop_on_sent (SendLoop *self, uint32_t size_bytes, RcTime now);
/* The paper's RMC with one sample each ts: what its step responses were measured with. */
void send_loop_init_step (SendLoop *self, double kr_gain, RcTime ts, uint64_t rate_bps, RcTime now);
/* As in the paper: the new rate counts for the interval that just passed [RMC eq. 8], and no
 * credit is forfeited. */
void send_loop_step (SendLoop *self, uint64_t rate_bps);
