/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets in a link, and the chain that they wait in. */
#pragma once

#include <rc/base/types.h>

/* The ECN field of IP (RFC 3168 5, RFC 9331 2). */
typedef enum
{
  LINK_ECN_NOT_ECT = 0,
  LINK_ECN_ECT1 = 1,            /* a scalable congestion control sent it */
  LINK_ECN_ECT0 = 2,
  LINK_ECN_CE = 3,              /* congestion experienced: a link that marks sets it */
} LinkEcn;

/* What active queue management does with a packet. */
typedef enum
{
  LINK_AQM_PASS,
  LINK_AQM_MARK,
  LINK_AQM_DROP,                /* then ask again for the packet behind, at the same time */
} LinkAqmVerdict;

typedef struct LinkPacket LinkPacket;
struct LinkPacket
{
  LinkPacket *next;
  uint32_t size_bytes;          /* what the link carries: count UDP/IP headers in */
  LinkEcn ecn;
  bool aqm_dropped;             /* filled by the link, as are the times */
  RcTime arrived_at, deliver_at;
  RcTime started_at;            /* its service began, or the AQM dropped it */
};

typedef struct
{
  LinkPacket *head, **tail;
  uint32_t pkts;
  uint64_t bytes;
} LinkFifo;

static inline void
link_fifo_init (LinkFifo *self)
{
  *self = (LinkFifo) { .tail = NULL };
  self->tail = &self->head;
}

static inline void
link_fifo_push (LinkFifo *self, LinkPacket *packet)
{
  packet->next = NULL;
  *self->tail = packet;
  self->tail = &packet->next;
  self->pkts++;
  self->bytes += packet->size_bytes;
}

static inline LinkPacket *
link_fifo_pop (LinkFifo *self)
{
  LinkPacket *packet = self->head;

  self->head = packet->next;
  if (!self->head)
    self->tail = &self->head;
  packet->next = NULL;
  self->pkts--;
  self->bytes -= packet->size_bytes;
  return packet;
}

/* Before the first packet that is due later; there must be one. */
static inline void
link_fifo_overtake (LinkFifo *self, LinkPacket *packet)
{
  LinkPacket **place = &self->head;

  while ((*place)->deliver_at <= packet->deliver_at)
    place = &(*place)->next;
  packet->next = *place;
  *place = packet;
  self->pkts++;
  self->bytes += packet->size_bytes;
}
