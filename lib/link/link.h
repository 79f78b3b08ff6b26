/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A pure bottleneck link: drop-tail, CoDel, PIE or DualPI2, a serialiser of changing rate or
 * opportunities, stalls, a delay line, seeded loss and jitter, ECN marks. No clock, no allocation:
 * packets are the caller's, chained through LinkPacket. Used by the closed-loop tests in virtual
 * time and by tools/linkemu on sockets.
 *
 *   arrive -> [random loss] -> [policer] -> [queue: drop-tail by time, bytes or packets]
 *          -> [PIE, CoDel, DualPI2, mark] -> serialiser (rate and stalls, or opportunities)
 *          -> delay + jitter -> deliver
 *
 * Queueing delay of a packet is from its arrival to the moment when its own serialisation begins:
 * started_at - arrived_at. The queue limits count what waits; the packet in service has left the
 * queue, so an idle link takes any packet.
 *
 * Jitter with a standard deviation follows the NR-BPDV model of RFC 8868: z = |N(0, sd)| cut at 3
 * sd. Jitter with a mean is exponential, without a cut. Both keep the order of the packets unless
 * `overtakes` is set. To keep it, we hold a packet back only to the delivery of the one before it,
 * not also by its serialisation time: on a busy link that would keep the largest jitter seen for
 * ever.
 *
 * Stalls (stalls.h) stop the server; the packet in service is served on behind the stall. What
 * arrives in a stall waits for its end, also on an idle link. A queue limit in time counts what
 * waits at the present rate, without the stalls that will come; with opportunities
 * (opportunities.h) it is at their mean rate. There the service of a packet begins with the
 * opportunity that takes its first byte and ends with the one that takes its last.
 *
 * One arrival draws one random number for loss, whatever the ratio; jitter and bursts draw from
 * streams of their own: the same seed loses the same arrivals whatever the jitter, and a higher
 * ratio loses these and more.
 *
 * Burst loss is the model of Gilbert: all arrivals of a bad state are lost, none of a good one;
 * its two parameters are the mean ratio and the mean length of a burst. A change of delay does not
 * reorder either, unless `overtakes` is set: behind a longer way a packet of the shorter one
 * waits. */
#pragma once

#include <link/opportunities.h>
#include <link/queues.h>
#include <link/stalls.h>
#include <rc/base/types.h>

typedef struct
{
  uint64_t rate_bps;            /* 0: infinitely fast; at most 10^12 */
  RcTime delay;                 /* one way, after serialisation */
  RcTime queue_time;            /* drop-tail limits; 0: none. Time is at the present rate. */
  uint64_t queue_bytes;
  uint32_t queue_pkts;
  uint64_t police_bps;          /* token bucket before the queue; 0: none. What finds no token is
                                 * dropped. */
  uint64_t police_bytes;        /* its depth */
  double loss_ratio;            /* independent, 0..1 */
  double burst_loss_ratio;      /* in bursts; mean, 0 .. burst_loss_pkts / (burst_loss_pkts + 1) */
  double burst_loss_pkts;       /* mean length, from 1; 1 / (1 - ratio) is as if independent */
  RcTime jitter_sd;             /* half-normal; 0: none */
  RcTime jitter_mean;           /* exponential; 0: none */
  bool overtakes;               /* jitter and changes of delay do not keep the order */
  RcTime stall_length;          /* 0: no stalls */
  RcTime stall_mean;            /* from begin to begin, above stall_length; from time 0 on */
  LinkAqmParams aqm;
  const RcTime *opportunities;  /* instead of rate and stalls; as in LinkOpportunities */
  uint32_t n_opportunities;
} LinkParams;

/* The queue never holds more, whatever the limits: it bounds the integers. */
#define LINK_MAX_QUEUE_BYTES (UINT64_C (1) << 31)

typedef struct
{
  LinkParams params;
  LinkQueues queues;
  LinkFifo line;                /* served, on the way */
  uint64_t served_bit_ns;       /* bits x 10^9 of the packet in service, sent before served_at */
  RcTime served_at;
  LinkStalls stalls;            /* as of served_at */
  LinkOpportunities opportunities;      /* as well */
  double capacity_bits;         /* until counted_at */
  RcTime counted_at;
  LinkStalls counted_stalls;    /* as of counted_at */
  RcTime last_deliver_at;
  uint64_t loss_random, jitter_random, burst_random;
  bool in_burst;
  double tokens_bytes;
  RcTime tokens_at;
  /* arrived = delivered + dropped, by the AQM too, and lost + inside */
  uint64_t arrived_pkts, arrived_bytes, delivered_pkts;
  uint64_t tail_dropped_pkts, random_lost_pkts;
} Link;

typedef enum
{
  LINK_TAKEN,                   /* the link holds the packet until link_deliver() returns it */
  LINK_DROPPED_TAIL,            /* it stays the caller's */
  LINK_DROPPED_RANDOM,
  LINK_DROPPED_AQM,             /* as it came, by PIE */
} LinkVerdict;

/* `now` must not run backwards from call to call. */
void link_init (Link *self, const LinkParams *params, uint64_t seed);
/* A new rate acts on the packet in service from `now` on; the queue stays. */
void link_set_params (Link *self, const LinkParams *params, RcTime now);
LinkVerdict link_arrive (Link *self, LinkPacket *packet, RcTime now);
/* The next packet whose time has come by `now`, or NULL. In order, unless packets may overtake. */
LinkPacket *link_deliver (Link *self, RcTime now);
/* The next packet that the AQM dropped, the caller's again, or NULL. Ask after each call while
 * there is an AQM. */
LinkPacket *link_take_dropped (Link *self);
/* When to call link_deliver() again; RC_TIME_NONE: the link is empty. No packet comes out earlier.
 * The call may return NULL then, while none is in service or with jitter: ask again. A change of
 * parameters changes it. */
RcTime link_next_at (Link *self, RcTime now);
/* Time that a packet arriving now would wait; foretells stalls and opportunities. Exact as long as
 * the rate stays and the AQM drops nothing; with DualPI2 it is the time for both queues. */
RcTime link_queue_delay (Link *self, RcTime now);
/* What the server could have sent since time 0, with all that stops it; an infinite rate counts as
 * none. */
double link_capacity_bits (Link *self, RcTime now);
