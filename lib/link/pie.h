/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* PIE (RFC 8033): drops what arrives with a probability that follows the wait.
 *
 *   each T_UPDATE:  p += s (alpha (qdelay - QDELAY_REF) + beta (qdelay - qdelay_old)),  0 to 1
 *
 * with alpha = 0.125 Hz and beta = 1.25 Hz. The step s is smaller while p is small (4.2); from
 * p = 0.1 on p grows by 0.02 at most (5.5), and it decays by 0.02 p while nothing waits. qdelay is
 * the wait of the first packet. Nothing is dropped in the first MAX_BURST after a rest, while the
 * queue was short and p is small, or while two packets wait (4.1). Of 0.85 / p packets none is
 * dropped after a drop, and one of 8.5 / p is (5.4). */
#pragma once

#include <link/fifo.h>

#define LINK_PIE_T_UPDATE (15 * RC_MSEC)
#define LINK_PIE_MAX_BURST (150 * RC_MSEC)
#define LINK_PIE_RFC8033 ((LinkPieParams) { 15 * RC_MSEC })

typedef struct
{
  RcTime target;                /* QDELAY_REF; RFC 8033: 15 ms; 0: no PIE */
} LinkPieParams;

typedef struct
{
  double p, p_sum;              /* of the packets since the last drop */
  RcTime qdelay_old, updated_at;
  RcTime burst_left;
  uint64_t random;              /* the caller's seed */
} LinkPie;

void link_pie_init (LinkPie *self);
/* Makes up for the updates that were due by `now`. first_arrived_at: of the packet that has waited
 * longest all the time since the last call; RC_TIME_NONE: none did. */
void link_pie_update (LinkPie *self, const LinkPieParams *params, RcTime first_arrived_at,
    RcTime now);
/* Whether to drop a packet that comes, with so many bytes before it. */
bool link_pie_drops (LinkPie *self, const LinkPieParams *params, uint64_t waiting_bytes);
