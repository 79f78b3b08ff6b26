/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The port through which a session sends and hears. UDP is one transport (udptransport.h); an
 * element that pushes buffers on a source pad is another.
 *
 * All calls come with the session's lock held. So a transport never calls out of the element:
 * one that has to, keeps the buffers and pushes them from a thread of its own. */
#pragma once

#include <gio/gio.h>
#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define TRANSPORT_MAX_BATCH 64  /* packets of one send () */

typedef struct
{
  guint sent;                   /* packets from the first on that need no further attempt */
  guint errors, refused;        /* of these, not sent: any reason; port unreachable */
  gint last_error;              /* errno of the last of these errors */
  gboolean again;               /* it is full: try the rest later */
  gboolean held_up;             /* ... by what follows it: waiting earns no credit to send faster */
} TransportResult;

typedef enum
{
  TRANSPORT_ROUTE_SAME,
  TRANSPORT_ROUTE_MOVED,        /* packets leave from another local address from now on */
  TRANSPORT_ROUTE_NONE,         /* no way to the peer at present */
} TransportRoute;

typedef struct _Transport Transport;

/* Only those that say so may be NULL. */
typedef struct
{
  /* ecn: of the packets, if it can. It may take fewer than n without saying `again`. */
  TransportResult (*send) (Transport * self, GstBuffer ** buffers, guint n, RcEcnBits ecn);
  /* Called for each packet that send () took, in order: its position among all packets that
   * came to the session, from 0. NULL: of no interest. */
  void (*taken) (Transport * self, guint64 number);
  /* Size of a datagram, 0 for an empty one; -1: none pending; -2: the peer's port is unreachable,
   * and more may be pending; -3: a datagram that does not count, and more may be pending. NULL:
   * the owner passes received datagrams to the session. */
  gssize (*receive) (Transport * self, guint8 * data, gsize size);
  /* From now on RTP leaves with a place behind it in which relays write their rate, and which says
   * this loop time, <= 0: unknown; or without. NULL: relays find that place in the packets. */
  void (*set_stamped) (Transport * self, gboolean stamped, RcTime loop_time);
  /* Follows a changed route to the peer. NULL: the transport does not own the route. */
  TransportRoute (*follow_route) (Transport * self);
  /* The peer's address, or NULL; another one from now on. NULL as follow_route. */
  GSocketAddress *(*get_peer) (Transport * self);
  gboolean (*set_peer) (Transport * self, GSocketAddress * peer);
  /* Bytes of the largest IP packet that the way to the peer carries whole, as far as the system
   * knows; 0: unknown. NULL: always unknown. */
  guint (*get_mtu) (Transport * self);
  /* No more calls but free. */
  void (*close) (Transport * self);
  void (*free) (Transport * self);
} TransportFuncs;

struct _Transport
{
  const TransportFuncs *funcs;
  guint overhead_bytes;         /* that it adds to each packet: RC_OVERHEAD_* */
  int fd;                       /* readable when something came; -1: none */
};

G_END_DECLS
