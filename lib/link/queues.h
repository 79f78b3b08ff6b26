/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What waits before a server, and the active queue management (AQM) that decides what is served
 * next and how: CoDel, PIE, a threshold that marks, or DualPI2, which has two queues where the
 * others have one. */
#pragma once

#include <link/codel.h>
#include <link/dualpi2.h>
#include <link/pie.h>

typedef struct
{
  LinkCodelParams codel;
  LinkDualpi2Params dualpi2;    /* instead of CoDel */
  LinkPieParams pie;            /* instead of both */
  RcTime mark_delay;            /* marks ECN-capable packets that waited longer; 0: none */
} LinkAqmParams;

typedef struct
{
  LinkFifo classic;             /* DualPI2's queue C, else all */
  LinkFifo l4s;                 /* DualPI2's queue L */
  LinkFifo *serving;            /* its first packet is in service; NULL: none is */
  LinkFifo dropped;
  LinkCodel codel;
  LinkDualpi2 dualpi2;
  LinkPie pie;
  uint64_t aqm_dropped_pkts, marked_pkts;
} LinkQueues;

void link_queues_init (LinkQueues *self);
/* FALSE: the AQM drops it; it stays the caller's. */
bool link_queues_push (LinkQueues *self, const LinkAqmParams *params, LinkPacket *packet);
/* Chooses a packet whose service begins at `at`; drops what the AQM wants on the way. Only while
 * none is in service. FALSE: nothing is left. */
bool link_queues_begin (LinkQueues *self, const LinkAqmParams *params, RcTime at);
/* The packet in service leaves. */
LinkPacket *link_queues_finish (LinkQueues *self);

/* In service too. */
static inline uint64_t
link_queues_bytes (const LinkQueues *self)
{
  return self->classic.bytes + self->l4s.bytes;
}

static inline uint32_t
link_queues_pkts (const LinkQueues *self)
{
  return self->classic.pkts + self->l4s.pkts;
}
