/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Which packets of one SSRC a jitter buffer may see.
 *
 * Problem: a jitter buffer takes a number far ahead for that many losses, waits for each of them,
 * and takes what comes then for late. So a single packet under a false number, which anybody can
 * send where there is no SRTP, stops a stream. Rule: a packet that leaps ahead by more than
 * RC_LEAPS_MAX_PKTS is doubted until another one of its surroundings comes, as the packets after
 * an outage or a restart of the sender do; only then both may go on. Packets from behind go on, as
 * repairs and reordered ones do: they make nobody wait.
 *
 * The first packet is believed, unless the caller has a reason for doubt. */
#pragma once

#include <rc/base/types.h>

#define RC_LEAPS_MAX_PKTS 100   /* a burst of losses of 100 Mbit/s for 10 ms */

typedef enum
{
  RC_LEAP_NONE,                 /* goes on */
  RC_LEAP_DOUBTED,              /* must wait; who waited before is not believed any more */
  RC_LEAP_CONFIRMED,            /* goes on, behind the one that waited */
} RcLeapVerdict;

typedef struct
{
  bool primed, doubts;
  uint16_t newest, doubted;     /* that went on; that waits */
} RcLeaps;

/* doubtful: if it is the first, it must be confirmed, too. */
RcLeapVerdict rc_leaps_on_packet (RcLeaps *self, uint16_t seq, bool doubtful);
/* The sender has begun anew behind what went on: leaps count from here. */
void rc_leaps_begin_at (RcLeaps *self, uint16_t seq);
