/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* DualPI2 (RFC 9332): two coupled queues. Packets with ECT(1) or CE go to the queue L, all others
 * to the queue C. Symbols are those of its Appendix A.
 *
 *   each Tupdate:  p'  += alpha (curq - target) + beta (curq - prevq), within 0 and 1   (PI2)
 *                  p_CL = k p'         coupled marking of L
 *                  p_C  = p'^2         C is dropped, or marked if it has ECT(0)
 *                  so   p_C = (p_CL / k)^2                                        [RFC 9332 eq. 1]
 *   a packet of L: p'_L = ramp (its wait): 0 up to minTh, 1 from minTh + range on
 *                  p_L  = max (p'_L, p_CL)
 *
 * curq is the wait of the first packet of C. With alpha = 0.1 Tupdate / RTT_max^2, beta = 0.3 /
 * RTT_max and Tupdate = min (target, RTT_max / 3). A likelihood p acts on every (1 / p)-th packet,
 * without a random number: recur() of the RFC adds p to a count and takes 1 from it when it
 * exceeds 1.
 *
 * Overload (Appendix A.2): from p_CL = 1 on, L is dropped by p_C too; from p_C = p_Cmax = 1 / k^2
 * on, C is dropped even if it may be marked.
 *
 * The scheduler is weighted round robin with a tenth for C, as in Linux. Of the two schedulers of
 * section 4.2.2 it is the one that no burst in L can starve C with, and it needs no time shift;
 * while one queue is empty, the other has the whole link. */
#pragma once

#include <link/fifo.h>

typedef struct
{
  RcTime target;                /* RFC 9332: 15 ms; 0: no DualPI2 */
  RcTime rtt_max;               /* 100 ms */
  RcTime min_th, range;         /* 800 and 400 us */
} LinkDualpi2Params;

#define LINK_DUALPI2_RFC9332 \
    ((LinkDualpi2Params) { 15 * RC_MSEC, 100 * RC_MSEC, 800 * RC_USEC, 400 * RC_USEC })
#define LINK_DUALPI2_K 2.0

typedef struct
{
  double p;                     /* p' */
  RcTime prevq;
  RcTime updated_at;
  double l_count, c_count;      /* of recur() */
  int64_t credit;               /* of C: above 0 it is its turn */
} LinkDualpi2;

void link_dualpi2_init (LinkDualpi2 *self);
bool link_dualpi2_is_l (LinkEcn ecn);
/* Makes up for the updates that were due by `now`. first_arrived_at: of the packet that has waited
 * longest in C all the time since the last call; RC_TIME_NONE: none did. */
void link_dualpi2_update (LinkDualpi2 *self, const LinkDualpi2Params *params,
    RcTime first_arrived_at, RcTime now);
/* Which queue is next; at least one must hold a packet. The size is that of the packet at its
 * head. */
bool link_dualpi2_serves_l (LinkDualpi2 *self, const LinkPacket *l, const LinkPacket *c);
/* What to do with a packet of L that waited `wait` and has `behind` packets behind it in L. */
LinkAqmVerdict link_dualpi2_on_l (LinkDualpi2 *self, const LinkDualpi2Params *params,
    RcTime wait, uint32_t behind);
LinkAqmVerdict link_dualpi2_on_c (LinkDualpi2 *self, LinkEcn ecn);
