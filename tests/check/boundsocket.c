/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "boundsocket.h"

#include "claim.h"

GSocket *
bound_socket (const gchar * host, guint port)
{
  g_autoptr (GSocketAddress) local = g_inet_socket_address_new_from_string (host, port);
  GSocket *socket = g_socket_new (g_socket_address_get_family (local), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);

  fail_unless (socket && g_socket_bind (socket, local, FALSE, NULL), "%s", host);
  return socket;
}

guint
bound_port (GSocket * socket)
{
  g_autoptr (GSocketAddress) local = g_socket_get_local_address (socket, NULL);

  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (local));
}
