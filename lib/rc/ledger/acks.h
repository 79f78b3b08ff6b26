/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Acknowledgements: the packets that one feedback message says have arrived, each joined with its
 * departure, and the one-way delays (OWD) that follow.
 *
 * Our own report, RFC 8888 and TWCC all list packets. Whatever the format, a list is joined with
 * the ledgers once, and all streams of a message make one list, because they share one path.
 *
 * Let m be the time of the message in the receiver's clock, s the departure of a packet, a the age
 * of its arrival, and now the time at which the message came:
 *   OWD = (m - a) - s            now - s - a = OWD + way of the message >= 0
 * Only the skew of the clocks can make the second one negative. An entry that contradicts it, or
 * that names a packet which never left, is false; the other entries hold. So a false list makes no
 * OWD longer than its packet has been away. */
#pragma once

#include <rc/ledger/ledger.h>

/* A list of the standard formats has fewer entries than its datagram has bytes; codecs refuse
 * more, and our own reports that fit one datagram of Ethernet have half as many. */
#define RC_ACKS_MAX 2048

typedef struct
{
  uint64_t seq;                 /* the ledger's */
  RcTime sent_at;               /* RC_TIME_NONE: it gives no delay sample */
  RcTime arrived_at_remote;
  uint32_t bytes;               /* network layer; of all packets that the entry stands for */
  uint8_t ecn;                  /* RcEcnBits */
} RcAck;

typedef struct
{
  RcAck acks[RC_ACKS_MAX];      /* of each ledger in the order of the numbers */
  unsigned n;
} RcAcks;

/* What is beyond RC_ACKS_MAX is left out. */
void rc_acks_add (RcAcks *self, const RcAck *ack);
/* A packet cannot have come before it left. age: of its arrival when the message was made. */
bool rc_acks_time_holds (RcTime sent_at, RcTime age, RcTime now);
/* Joins the list of a report that the ledger has just accepted as *fb. Returns how many entries are
 * false.
 *
 * The report itself has the arrival time of the packet with the highest number, to the microsecond.
 * That packet is acknowledged even if it is not in the list, and alone by a receiver without
 * lists. */
unsigned rc_acks_add_report (RcAcks *self, const RcLedger *ledger, const RcReport *report,
    const RcFeedback *fb, RcTime now);
/* told_bytes: received by this message, and received_bytes: by all so far, at the network layer. */
void rc_acks_get_delays (const RcAcks *self, uint64_t told_bytes, uint64_t received_bytes,
    RcDelays *delays);
