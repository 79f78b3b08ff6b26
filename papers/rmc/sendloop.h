/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loops by name, the same on the real clock and in virtual time:
 *
 *   rmc-literal       the RMC paper's algorithms 2 and 3: a sample each ms, no bound of a burst
 *   rmc-bounded       the law of lib/rc, which bounds bursts, in a loop of sleep and send
 *   rmc               the same as rmcsink uses it: awake while it catches up
 *   rfc3448, rfc3448-bursts      as the paper reads RFC 3448, without and with bursts
 *   rfc3448-nominal   the text of RFC 3448 and RFC 5348: counts from when a packet should have
 *                     gone; see rfc3448.c */
#pragma once

#include <rc/pace/rmc.h>

#include "rfc3448.h"
#include "rmcliteral.h"

typedef enum
{ SEND_LOOP_LITERAL, SEND_LOOP_RMC, SEND_LOOP_RFC3448 } SendLoopKind;

typedef struct
{
  SendLoopKind kind;
  bool stays_awake;
  RmcLiteral literal;
  RcRmc rmc;
  RcRfc3448 rfc3448;
} SendLoop;

/* false: no such name. */
bool send_loop_init (SendLoop *self, const char *name, uint64_t rate_bps, RcTime now);
RcTime send_loop_due_at (SendLoop *self, uint32_t size_bytes, RcTime now);
/* The next packet is due in `wait`: no sleep until then, as rmcsink does while it is behind. */
bool send_loop_stays_awake (const SendLoop *self, RcTime wait);
void send_loop_on_sent (SendLoop *self, uint32_t size_bytes, RcTime now);
