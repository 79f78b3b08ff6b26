/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packet numbers that a sender learns from the feedback.
 *
 * Problem: an RTP session may number packets transport-wide behind the element that paces them.
 * That element does not know a packet's number when the packet leaves. The session reports the
 * number later, with the departure time that it noted, in the message about the packet's arrival.
 * Rule: the first message that names a packet enters it into the ledger; then the arrivals of the
 * same message are digested as any others.
 *
 * The ledger gets numbers of our own, which this file derives from the session's:
 *   - A packet that left later than all before it is new, whatever its number is. So a session that
 *     begins again at 0 goes on in our numbers, and 16 bits may wrap.
 *   - Our numbers have no gap where the session's have one. A feedback message names every packet
 *     between its first and its last, lost ones too. A packet that no message names is one whose
 *     message was lost. Nothing is known of such a packet, and so it must not count as lost.
 * Limit: when a message comes after a later one, its packets are not counted any more.
 *
 * Rejected: predicting the number at departure. It is wrong as soon as a packet is dropped in
 * between, another element enters the session, or the session begins again. */
#pragma once

#include <rc/base/types.h>

/* One packet as the session reported it. */
typedef struct
{
  uint16_t number;              /* the session's */
  RcTime sent_at;               /* our clock; RC_TIME_NONE: not reported (again) */
  uint32_t rtp_bytes;           /* the whole packet; 0: not reported */
  RcTime arrived_at_remote;     /* RC_TIME_NONE: it has not arrived */
} RcTold;

typedef enum
{
  RC_TOLD_NEW,                  /* sent; its number is new */
  RC_TOLD_KNOWN,                /* reported before */
  RC_TOLD_UNKNOWN,              /* nothing is known of it */
} RcToldVerdict;

typedef struct
{
  bool any;
  uint16_t last, first;         /* the session's: newest; the oldest that has our offset */
  uint16_t offset;              /* our number less the session's */
  RcTime last_sent_at;
} RcToldNumbers;

/* *number: ours, for NEW and KNOWN. In the order of the message. */
RcToldVerdict rc_toldnumbers_take (RcToldNumbers *self, const RcTold *told, uint16_t *number);
