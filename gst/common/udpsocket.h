/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One UDP socket to one peer: name resolution, binding, errors that say what to do. Connected, so that the kernel hands
 * over only what the peer sends, and tells when nobody listens there. Never blocks after it is open. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *host;            /* name or address */
  guint port;                   /* 1..65535 */
  const gchar *bind_address;    /* NULL: any */
  guint bind_port;              /* 0: any */
  gint qos_dscp;                /* -1: as the system has it */
} UdpSocketConfig;

/* For a name with several addresses IPv4 goes first, since arcsrc listens there by default. Errors are of the
 * GST_RESOURCE_ERROR domain. */
GSocket *udp_socket_open (const UdpSocketConfig * config, GError ** error);
/* UDP and IP header bytes of each packet. */
guint udp_socket_overhead_bytes (GSocket * socket);
/* Size of the datagram, 0 for an empty one, -1: nothing there; -2: nobody listens at the peer's port, and more may be
 * there. */
gssize udp_socket_receive (GSocket * socket, guint8 * data, gsize size);

G_END_DECLS
