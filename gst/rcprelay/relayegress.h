/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The relay's way out: what waits for the link, of all flows, leaves at the link's capacity, each
 * packet by the socket of its flow and with the rate of that moment in its stamp. No locks. */
#pragma once

#include "pacing/pacedegress.h"
#include "pacing/packetpacer.h"
#include "relayflow.h"
#include "relayhost.h"

#include <gst/base/base.h>
#include <rc/router/rcprouter.h>

G_BEGIN_DECLS

typedef struct
{
  gpointer train; /* what came together, in a box of GLib (grcbox.h) that it has a reference to */
  guint8 *data;                 /* in it */
  gsize bytes;
  RelayFlow *flow;
  guint size_bytes;             /* at the network layer */
  guint stamp;                  /* offset in the packet, 0: none */
} RelayPacket;

/* What waits for the link, of all flows, in the order of arrival. */
typedef struct
{
  GstQueueArray *packets;       /* of RelayPacket */
  guint64 bytes;
  guint max_packets;            /* the most since start */
} RelayQueue;

typedef struct
{
  guint64 packets, bytes, packets_stamped, send_errors;
} RelayEgressStats;

typedef struct
{
  PacketSource source;          /* the queue, as the paced egress sees it */
  PacedEgress egress;
  RmcPacer pacer;
  RelayQueue queue;
  const RcRouter *router;       /* whose rate is stamped */
  RelayHost *host;
  RcTime now;                   /* of the present relay_egress_serve() */
  RcTime way_at;                /* when the next flow may look for another way */
  gboolean starved;             /* it found the queue empty: serve it when a packet comes */
  RelayEgressStats stats;
} RelayEgress;

/* `router` and `host` must live longer. */
void relay_egress_init (RelayEgress * self, const RcRouter * router, RelayHost * host,
    guint64 capacity_bps, RcTime now);
void relay_egress_clear (RelayEgress * self);
void relay_egress_set_capacity (RelayEgress * self, guint64 capacity_bps, RcTime now);
/* Sends what is due. Returns when to come again, as paced_egress_serve(). */
RcTime relay_egress_serve (RelayEgress * self, RcTime now);
/* TRUE, once: it was starved, and something waits now. */
gboolean relay_egress_take_wake_up (RelayEgress * self);

/* Takes the reference. */
void relay_queue_push (RelayQueue * self, const RelayPacket * packet);

G_END_DECLS
