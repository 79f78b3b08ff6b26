/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pure bottleneck link: FIFO with drop-tail or CoDel, a serialiser of changing rate, a delay line, seeded loss and
 * jitter, ECN marks. No clock, no allocation: packets are the caller's, chained through LinkPacket. Used by the
 * closed-loop tests in virtual time and by tools/linkemu on sockets.
 *
 *   arrive -> [random loss] -> [queue: drop-tail by time, bytes or packets] -> [CoDel, mark]
 *          -> serialiser (rate, stalls) -> delay + jitter -> deliver
 *
 * Queueing delay of a packet is from its arrival to the moment when its own serialisation begins:
 * started_at - arrived_at. The queue limits count what waits; the packet in service has left the queue, so an idle link
 * takes any packet.
 *
 * Jitter with a standard deviation follows the NR-BPDV model of RFC 8868: z = |N(0, sd)| cut at 3 sd. Jitter with a
 * mean is exponential, without a cut. Both keep the order of the packets unless `overtakes` is set. To keep it, we hold
 * a packet back only to the delivery of the one before it, not also by its serialisation time: on a busy link that
 * would keep the largest jitter seen for ever.
 *
 * Stalls (stalls.h) stop the server; the packet in service is served on behind the stall. What arrives in a stall
 * waits for its end, also on an idle link. A queue limit in time counts what waits at the present rate, without the
 * stalls that will come.
 *
 * One arrival draws one random number for loss, whatever the ratio; jitter and bursts draw from streams of their own:
 * the same seed loses the same arrivals whatever the jitter, and a higher ratio loses these and more.
 *
 * Burst loss is the model of Gilbert: all arrivals of a bad state are lost, none of a good one; its two parameters are
 * the mean ratio and the mean length of a burst. A change of delay does not reorder either, unless `overtakes` is set:
 * behind a longer way a packet of the shorter one waits. */
#pragma once

#include <link/codel.h>
#include <link/stalls.h>
#include <rc/base/types.h>

typedef struct LinkPacket LinkPacket;
struct LinkPacket
{
  LinkPacket *next;
  uint32_t size_bytes;          /* what the link carries: count UDP/IP headers in */
  bool ect;                     /* may be marked: the caller says so */
  bool ce;                      /* congestion experienced: a link that marks sets it, none clears it */
  RcTime arrived_at, deliver_at;        /* filled by the link */
  RcTime started_at;            /* as well: service began, or CoDel dropped it */
};

typedef struct
{
  uint64_t rate_bps;            /* 0: infinitely fast; at most 10^12 */
  RcTime delay;                 /* one way, after serialisation */
  RcTime queue_time;            /* drop-tail limits; 0: no such limit. Time is at the present rate. */
  uint64_t queue_bytes;
  uint32_t queue_pkts;
  double loss_ratio;            /* independent, 0..1 */
  double burst_loss_ratio;      /* in bursts; mean, 0 .. burst_loss_pkts / (burst_loss_pkts + 1) */
  double burst_loss_pkts;       /* mean length of a burst, from 1; 1 / (1 - ratio) is as if independent */
  RcTime jitter_sd;             /* half-normal; 0: none */
  RcTime jitter_mean;           /* exponential; 0: none */
  bool overtakes;               /* jitter and changes of delay do not keep the order */
  RcTime stall_length;          /* 0: no stalls */
  RcTime stall_mean;            /* mean time from begin to begin, above stall_length; from time 0 on */
  LinkCodelParams codel;
  RcTime mark_delay;            /* marks ECN-capable packets that waited longer; 0: none */
} LinkParams;

typedef struct
{
  LinkPacket *head, **tail;
  uint32_t pkts;
  uint64_t bytes;
} LinkFifo;

/* The queue never holds more, whatever the limits: it bounds the integers. */
#define LINK_MAX_QUEUE_BYTES (UINT64_C (1) << 31)

typedef struct
{
  LinkParams params;
  LinkFifo queue, line;         /* waiting or in service; on the way */
  LinkFifo dropped;             /* by CoDel, for link_take_dropped() */
  LinkCodel codel;
  uint64_t served_bit_ns;       /* bits x 10^9 of the packet in service, sent before served_at: an exact integer */
  RcTime served_at;
  bool head_is_served;          /* the packet at the head is in service */
  LinkStalls stalls;            /* as of served_at */
  double capacity_bits;         /* until counted_at */
  RcTime counted_at;
  LinkStalls counted_stalls;    /* as of counted_at */
  RcTime last_deliver_at;
  uint64_t loss_random, jitter_random, burst_random;
  bool in_burst;
  uint64_t arrived_pkts, arrived_bytes, delivered_pkts, delivered_bytes, tail_dropped_pkts, random_lost_pkts;
  uint64_t codel_dropped_pkts, marked_pkts;     /* arrived = delivered + dropped and lost + inside */
} Link;

typedef enum
{
  LINK_TAKEN,                   /* the link holds the packet until link_deliver() returns it */
  LINK_DROPPED_TAIL,            /* it stays the caller's */
  LINK_DROPPED_RANDOM,
} LinkVerdict;

/* `now` must not run backwards from call to call. */
void link_init (Link *self, const LinkParams *params, uint64_t seed);
/* A new rate acts on the packet in service from `now` on; the queue stays. */
void link_set_params (Link *self, const LinkParams *params, RcTime now);
LinkVerdict link_arrive (Link *self, LinkPacket *packet, RcTime now);
/* The next packet whose time has come by `now`, or NULL. In order, unless packets may overtake. */
LinkPacket *link_deliver (Link *self, RcTime now);
/* The next packet that CoDel dropped, the caller's again, or NULL. Ask after each call while CoDel is on. */
LinkPacket *link_take_dropped (Link *self);
/* When to call link_deliver() again; RC_TIME_NONE: the link is empty. No packet comes out earlier. With jitter the call
 * may return NULL once: ask again. A change of parameters changes it. */
RcTime link_next_at (Link *self, RcTime now);
/* Time that a packet arriving now would wait; foretells the stalls. Exact as long as the rate stays and CoDel drops
 * nothing. */
RcTime link_queue_delay (Link *self, RcTime now);
/* What the server could have sent since time 0, with all that stops it; an infinite rate counts as none. */
double link_capacity_bits (Link *self, RcTime now);
