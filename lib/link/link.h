/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pure bottleneck link: FIFO with drop-tail, a serialiser of changing rate, a delay line, seeded loss and jitter.
 * No clock, no allocation: packets are the caller's, chained through LinkPacket. Used by the closed-loop tests in virtual
 * time and by tools/linkemu on sockets.
 *
 *   arrive -> [random loss] -> [queue: drop-tail by time, bytes or packets] -> serialiser (rate) -> delay + jitter -> deliver
 *
 * Queueing delay of a packet is from its arrival to the moment when its own serialisation begins. Jitter follows the
 * NR-BPDV model of RFC 8868: z = |N(0, sd)| cut at 3 sd, and never out of order. */
#pragma once

#include <rc/types.h>

typedef struct LinkPacket LinkPacket;
struct LinkPacket
{
  LinkPacket *next;
  uint32_t size_bytes;          /* what the link carries: count UDP/IP headers in */
  RcTime arrived_at, started_at, deliver_at;    /* filled by the link */
};

typedef struct
{
  uint64_t rate_bps;            /* 0: infinitely fast */
  RcTime delay;                 /* one way, after serialisation */
  RcTime queue_time;            /* drop-tail limits; 0: no such limit. Time is at the present rate. */
  uint64_t queue_bytes;
  uint32_t queue_pkts;
  double loss_ratio;            /* independent, 0..1 */
  RcTime jitter_sd;
} LinkParams;

typedef struct
{
  LinkPacket *head, **tail;
  uint32_t pkts;
  uint64_t bytes;
} LinkFifo;

typedef struct
{
  LinkParams params;
  LinkFifo queue, line;         /* waiting or in service; on the way */
  double served_bits;           /* of the packet in service, up to served_at */
  RcTime served_at;
  RcTime last_deliver_at;
  uint64_t random;
  uint64_t arrived_pkts, arrived_bytes, delivered_pkts, delivered_bytes, tail_dropped_pkts, random_lost_pkts;
} Link;

typedef enum
{
  LINK_TAKEN,                   /* the link holds the packet until link_deliver() returns it */
  LINK_DROPPED_TAIL,            /* it stays the caller's */
  LINK_DROPPED_RANDOM,
} LinkVerdict;

void link_init (Link *self, const LinkParams *params, uint64_t seed);
/* A new rate acts on the packet in service from `now` on; the queue stays. */
void link_set_params (Link *self, const LinkParams *params, RcTime now);
LinkVerdict link_arrive (Link *self, LinkPacket *packet, RcTime now);
/* The next packet whose time has come by `now`, or NULL. In order. */
LinkPacket *link_deliver (Link *self, RcTime now);
/* When to call link_deliver() again; RC_TIME_NONE: the link is empty or stalled (see link_stalled). */
RcTime link_next_at (Link *self, RcTime now);
/* Time that a packet arriving now would wait. */
RcTime link_queue_delay (Link *self, RcTime now);
