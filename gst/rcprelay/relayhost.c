/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayhost.h"

#include "common/udpsocket.h"

#include <gst/gst.h>
#include <netinet/in.h>
#include <rc/types.h>

static guint
port_of (GSocketAddress * address)
{
  return g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
}

static GInetAddress *
inet_of (GSocketAddress * address)
{
  return g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));
}

static GSocketAddress *
with_port (GSocketAddress * address, guint port)
{
  gboolean v6 = g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6;

  return g_object_new (G_TYPE_INET_SOCKET_ADDRESS, "address", inet_of (address), "port", port, "scope-id",
      v6 ? g_inet_socket_address_get_scope_id (G_INET_SOCKET_ADDRESS (address)) : 0, NULL);
}

gboolean
relay_host_init (RelayHost * self, const gchar * name, guint port, GError ** error)
{
  UdpSocketConfig config = { name, port, NULL, 0, -1 };
  GSocket *socket;

  if (!name || !*name) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "no host; set host to the name or address of the host to relay to");
    return FALSE;
  }
  socket = udp_socket_open (&config, error);
  if (!socket)
    return FALSE;
  self->name = g_strdup (name);
  self->port = port;
  self->address = g_socket_get_remote_address (socket, error);
  g_object_unref (socket);
  return self->address != NULL;
}

void
relay_host_clear (RelayHost * self)
{
  g_clear_object (&self->address);
  g_clear_pointer (&self->name, g_free);
}

/* --- ourselves --- */

/* IPv4 that is written as IPv6 is IPv4. */
static GInetAddress *
plain_address (GSocketAddress * address)
{
  const guint8 *bytes = g_inet_address_to_bytes (inet_of (address));

  if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV6
      && IN6_IS_ADDR_V4MAPPED ((const struct in6_addr *) bytes))
    return g_inet_address_new_from_bytes (bytes + 12, G_SOCKET_FAMILY_IPV4);
  return g_object_ref (inet_of (address));
}

/* One can bind to it. */
static gboolean
is_of_this_machine (GSocketAddress * address)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (address), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *any_port = with_port (address, 0);
  gboolean ok = socket && g_socket_bind (socket, any_port, FALSE, NULL);

  g_object_unref (any_port);
  g_clear_object (&socket);
  return ok;
}

static gboolean
hears (GSocket * listener, GInetAddress * heard, GInetAddress * address)
{
  if (!g_inet_address_get_is_any (heard))
    return g_inet_address_equal (heard, address);
  return g_inet_address_get_family (heard) == g_inet_address_get_family (address)
      || (g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV4 && g_socket_speaks_ipv4 (listener));
}

gboolean
relay_host_reaches (const RelayHost * self, guint n_ports, GSocket * listener)
{
  GSocketAddress *local = g_socket_get_local_address (listener, NULL);
  GInetAddress *heard, *address;
  gboolean reaches;

  if (!local)
    return FALSE;
  heard = plain_address (local);
  address = plain_address (self->address);
  reaches = port_of (local) >= self->port && port_of (local) < self->port + n_ports
      && hears (listener, heard, address) && is_of_this_machine (self->address);
  g_object_unref (address);
  g_object_unref (heard);
  g_object_unref (local);
  return reaches;
}

/* --- sockets --- */

GSocket *
relay_host_connect (const RelayHost * self, guint index, GError ** error)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (self->address), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, error);
  GSocketAddress *address;

  if (!socket)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  address = with_port (self->address, self->port + index);
  if (!g_socket_connect (socket, address, NULL, error))
    g_clear_object (&socket);
  g_object_unref (address);
  return socket;
}

guint
relay_host_overhead_bytes (const RelayHost * self)
{
  return g_socket_address_get_family (self->address) == G_SOCKET_FAMILY_IPV6 ?
      RC_OVERHEAD_IPV6_BYTES : RC_OVERHEAD_IPV4_BYTES;
}
