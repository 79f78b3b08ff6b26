/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One UDP socket to one peer: name resolution, binding, errors that say what to do. Connected,
 * so that the kernel delivers only the peer's packets, and reports if its port is closed.
 * Never blocks after it is open.
 *
 * Rejected: an unconnected socket, which the kernel routes packet by packet. It would leave a
 * way that works whenever the system prefers another (a privacy address each day), and be a
 * stranger at the receiver for 2 s. */
#pragma once

#include "net/transport.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *host;            /* name or address */
  guint port;                   /* 1..65535 */
  const gchar *bind_address;    /* NULL: any */
  guint bind_port;              /* 0: any */
  gint qos_dscp;                /* -1: as the system has it */
  const gchar *device;          /* interface by which all leaves and comes; NULL: as routed */
  gboolean is_path;             /* bind_address is one of rmcsink's `paths` */
} UdpSocketConfig;

/* Errors are of the GST_RESOURCE_ERROR domain. */

/* Whether it can be opened at all. */
gboolean udp_socket_check (const UdpSocketConfig * config, GError ** error);
/* BLOCKS where `host` is a name. For one with several addresses IPv4 goes first, since arcsrc
 * listens there by default. */
GSocket *udp_socket_open (const UdpSocketConfig * config, GCancellable * cancellable,
    GError ** error);
/* Why it could not be opened: the name is not known or the peer not reachable now, which a network
 * that comes up later may change; so try again. */
gboolean udp_socket_may_come (const GError * error);
/* The user fixed the local address: it must not follow a route. */
gboolean udp_socket_is_bound (const UdpSocketConfig * config);
/* UDP and IP header bytes of each packet. */
guint udp_socket_overhead_bytes (GSocket * socket);
/* Bytes of the largest IP packet that the way to the peer carries whole, as the kernel knows by its
 * links and by ICMP; 0: unknown. One system call. */
guint udp_socket_mtu (GSocket * socket);
/* Size of the datagram, 0 for an empty one, -1: nothing there; -2: the peer's port is
 * closed, and more may be there. */
gssize udp_socket_receive (GSocket * socket, guint8 * data, gsize size);
/* The two parts of it, for who reads much: a socket loses its peer where the next two fail. */
gssize udp_socket_read (gint fd, guint8 * data, gsize size);
gboolean udp_socket_is_connected (GSocket * socket);

/* A connected socket keeps the local address that it got, also when the machine has lost that
 * address or the route leads elsewhere now. These follow, on the same descriptor, with its
 * options and, if it is still free, its port. When to ask: pathwatch.h. */

/* Asks the kernel which local address it would send from to the peer now. Some system calls;
 * never blocks. Not for a socket with a bind_address. */
TransportRoute udp_socket_follow_route (GSocket * socket);
/* Sends to `peer` from now on, of the socket's family. FALSE: there is no way to it, and the
 * peer stays. Never blocks. */
gboolean udp_socket_set_peer (GSocket * socket, GSocketAddress * peer);
/* The machine there says that no program listens on this port: for who has no connected socket, to
 * which the kernel would tell it. Sends an empty datagram. BLOCKS for half a second at most. */
gboolean udp_socket_is_refused (GSocketAddress * peer);
/* `host` is a name, which may get another address. */
gboolean udp_socket_has_name (const UdpSocketConfig * config);
/* BLOCKS, for seconds where no network is. The address that the name has now, of the family of
 * `present`; NULL: `present` is still one of its addresses, or it has none. */
GSocketAddress *udp_socket_look_up (const UdpSocketConfig * config, GSocketAddress * present);

G_END_DECLS
