/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What an RTCP receiver report says of one source (RFC 3550 6.4.1).
 *
 *   fraction lost   of the packets that were found received or lost since the report before, in
 *                   units of 1/256 [RFC 3550 A.3]
 *   jitter J        J += (|D| - J) / 16 for each packet; D is the difference between the spacing
 *                   of two packets at arrival and by their timestamps [RFC 3550 A.8]
 *   LSR, DLSR       the last sender report and the time since it came: the sender computes the
 *                   round-trip time from both
 *
 * Where we differ from RFC 3550 and why: a packet counts as lost when three later ones have come
 * (losshist.h), and not as soon as it is missing. A reordered packet would else be reported as lost
 * once and taken back in the next report. */
#pragma once

#include <rc/base/types.h>
#include <rc/loss/losshist.h>

typedef struct
{
  uint8_t fraction_lost;
  int32_t lost_pkts;            /* cumulative; fits 24 bits */
  uint32_t highest_seq;         /* extended */
  uint32_t jitter;              /* units of the RTP timestamp */
  uint32_t lsr, dlsr;           /* 0: no sender report yet */
} RcReceptionBlock;

typedef struct
{
  uint32_t told_received_pkts, told_lost_pkts;
  uint32_t clock_rate_hz;       /* of the packet before; 0: unknown */
  uint32_t transit;             /* of it: arrival less timestamp, modulo 2^32 */
  uint32_t jitter_q4;           /* times 16 */
  uint32_t lsr;
  RcTime sr_at;                 /* RC_TIME_NONE: none came */
} RcReception;

void rc_reception_init (RcReception *self);
/* A packet that counts as received came. clock_rate_hz: of its timestamp; 0: unknown. */
void rc_reception_on_packet (RcReception *self, uint32_t timestamp, uint32_t clock_rate_hz,
    RcTime arrived_at);
/* ntp: as the sender report has it, 32.32 s. */
void rc_reception_on_sender_report (RcReception *self, uint64_t ntp, RcTime arrived_at);
/* history: of the same source. The next block is about what comes from now on. */
void rc_reception_tell (RcReception *self, const RcLossHist *history, RcTime now,
    RcReceptionBlock *block);
