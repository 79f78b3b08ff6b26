/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "relayhost.h"

#include "net/udpsocket.h"

#include <gst/gst.h>
#include <netinet/in.h>

#define LOOK_UP_INTERVAL (5 * RC_SECOND)        /* a name server is asked, while a flow is silent */

/* Two have it, the host and the thread that looks. */
struct _RelayLookUp
{
  gchar *name;
  guint port;
  GSocketAddress *present, *found;
  gint done;                    /* atomic; then `found` is the host's to read */
};

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

  return g_object_new (G_TYPE_INET_SOCKET_ADDRESS, "address", inet_of (address),
      "port", port, "scope-id",
      v6 ? g_inet_socket_address_get_scope_id (G_INET_SOCKET_ADDRESS (address)) : 0, NULL);
}

static void
look_up_clear (gpointer data)
{
  RelayLookUp *look_up = data;

  g_free (look_up->name);
  g_clear_object (&look_up->present);
  g_clear_object (&look_up->found);
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
  socket = udp_socket_open (&config, NULL, error);
  if (!socket)
    return FALSE;
  self->name = g_strdup (name);
  self->port = port;
  self->asked_at = RC_TIME_NONE;
  self->address = g_socket_get_remote_address (socket, error);
  g_object_unref (socket);
  return self->address != NULL;
}

static void
look_up_unref (gpointer look_up)
{
  g_atomic_rc_box_release_full (look_up, look_up_clear);
}

void
relay_host_clear (RelayHost * self)
{
  g_clear_pointer (&self->look_up, look_up_unref);
  g_clear_pointer (&self->listeners, g_ptr_array_unref);
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
      || (g_inet_address_get_family (address) == G_SOCKET_FAMILY_IPV4
      && g_socket_speaks_ipv4 (listener));
}

static gboolean
would_hear (GSocket * listener, GSocketAddress * host, guint n_ports)
{
  GSocketAddress *local = g_socket_get_local_address (listener, NULL);
  GInetAddress *heard, *address;
  gboolean reaches;

  if (!local)
    return FALSE;
  heard = plain_address (local);
  address = plain_address (host);
  reaches = port_of (local) >= port_of (host) && port_of (local) < port_of (host) + n_ports
      && hears (listener, heard, address) && is_of_this_machine (host);
  g_object_unref (address);
  g_object_unref (heard);
  g_object_unref (local);
  return reaches;
}

static gboolean
is_ourselves (const RelayHost * self, GSocketAddress * host)
{
  for (guint i = 0; i < self->listeners->len; i++)
    if (would_hear (g_ptr_array_index (self->listeners, i), host, self->listeners->len))
      return TRUE;
  return FALSE;
}

gboolean
relay_host_avoid (RelayHost * self, GPtrArray * listeners, GError ** error)
{
  self->listeners = g_ptr_array_ref (listeners);
  if (!is_ourselves (self, self->address))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "host %s, host-port %u is where this relay listens, so that it would send to itself; "
      "set host and host-port to the receiver", self->name, self->port);
  return FALSE;
}

/* --- sockets --- */

GSocketAddress *
relay_host_address (const RelayHost * self, guint index)
{
  return with_port (self->address, self->port + index);
}

GSocket *
relay_host_connect (const RelayHost * self, guint index, GError ** error)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (self->address),
      G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  GSocketAddress *address;

  if (!socket)
    return NULL;
  g_socket_set_blocking (socket, FALSE);
  address = relay_host_address (self, index);
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

/* --- another address --- */

static gpointer
look_up_thread (gpointer data)
{
  RelayLookUp *look_up = data;
  UdpSocketConfig config = { look_up->name, look_up->port, NULL, 0, -1 };

  look_up->found = udp_socket_look_up (&config, look_up->present);
  g_atomic_int_set (&look_up->done, 1);
  look_up_unref (look_up);
  return NULL;
}

void
relay_host_look_up (RelayHost * self, RcTime now)
{
  UdpSocketConfig config = { self->name, self->port, NULL, 0, -1 };
  GThread *thread;

  if (self->look_up || !udp_socket_has_name (&config)
      || (self->asked_at != RC_TIME_NONE && now - self->asked_at < LOOK_UP_INTERVAL))
    return;
  self->asked_at = now;
  self->look_up = g_atomic_rc_box_new0 (RelayLookUp);
  self->look_up->name = g_strdup (self->name);
  self->look_up->port = self->port;
  self->look_up->present = g_object_ref (self->address);
  thread = g_thread_try_new ("rcprelay-look-up", look_up_thread,
      g_atomic_rc_box_acquire (self->look_up), NULL);
  if (thread) {
    g_thread_unref (thread);
  } else {
    look_up_unref (self->look_up);
    g_clear_pointer (&self->look_up, look_up_unref);
  }
}

void
relay_host_refresh (RelayHost * self)
{
  if (!self->look_up || !g_atomic_int_get (&self->look_up->done))
    return;
  if (self->look_up->found && !is_ourselves (self, self->look_up->found)) {
    g_set_object (&self->address, self->look_up->found);
    self->generation++;
  }
  g_clear_pointer (&self->look_up, look_up_unref);
}
