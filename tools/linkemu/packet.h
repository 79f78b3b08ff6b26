/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A datagram on its way, in either direction. */
#pragma once

#include <glib.h>
#include <link/link.h>

G_BEGIN_DECLS

typedef struct _Packet Packet;
struct _Packet
{
  LinkPacket link;              /* must be first */
  Packet *behind;               /* in the trunk: next one whose service has not begun */
  guint path;                   /* through the network */
  guint peer;                   /* of the UDP relay: whose it is */
  const gchar *flow;            /* for the log, interned; NULL: not wanted */
  guint8 tos;                   /* of a datagram, with its ECN bits */
  guint len;
  guint8 bytes[];
};

/* Frees what a link holds. The link must not be used afterwards. */
static inline void
packet_free_all (Link *link)
{
  const LinkQueues *queues = &link->queues;
  LinkPacket *heads[] = {
    queues->classic.head, queues->l4s.head, queues->dropped.head, link->line.head,
  };
  LinkPacket *next;

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    for (LinkPacket *packet = heads[i]; packet; packet = next) {
      next = packet->next;
      g_free (packet);
    }
}

G_END_DECLS
