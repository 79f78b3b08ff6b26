/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What waits for the link, of all flows, in the order of arrival. */
#pragma once

#include "relayflow.h"

#include <gst/base/base.h>

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

#define RELAY_QUEUE_MAX_GROUP 64

typedef struct
{
  GstQueueArray *packets;       /* of RelayPacket */
  guint64 bytes;
  guint max_packets;            /* the most since start */
} RelayQueue;

void relay_queue_init (RelayQueue * self);
void relay_queue_clear (RelayQueue * self);
/* Takes the reference. */
void relay_queue_push (RelayQueue * self, const RelayPacket * packet);
/* NULL: there are not so many. */
RelayPacket *relay_queue_nth (const RelayQueue * self, guint n);
/* Of the first n, at most RELAY_QUEUE_MAX_GROUP: those of one flow one behind the other, in their
 * order; the flows by their first packet. */
void relay_queue_group (RelayQueue * self, guint n);
/* The head, whose flow may be gone after. */
void relay_queue_pop (RelayQueue * self);

G_END_DECLS
