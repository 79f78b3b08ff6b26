/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "common/listensocket.h"

#include <sys/socket.h>

static GInetAddress *
resolve (const gchar * address, GError ** error)
{
  GInetAddress *inet = g_inet_address_new_from_string (address);
  GResolver *resolver;
  GList *found;

  if (inet)
    return inet;
  resolver = g_resolver_get_default ();
  found = g_resolver_lookup_by_name (resolver, address, NULL, error);
  g_object_unref (resolver);
  if (!found)
    return NULL;
  inet = g_object_ref (found->data);
  g_resolver_free_addresses (found);
  return inet;
}

/* The kernel doubles what is set, for its own needs, and tells the double. */
gint
listen_socket_buffer_bytes (GSocket * socket)
{
  gint bytes = 0;

  g_socket_get_option (socket, SOL_SOCKET, SO_RCVBUF, &bytes, NULL);
  return bytes / 2;
}

static void
set_buffer_bytes (GSocket * socket, gint bytes)
{
  if (bytes == 0)
    return;
  g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUF, bytes, NULL);
  /* Beyond the system's limit for users; refused without privilege. */
  if (listen_socket_buffer_bytes (socket) < bytes)
    g_socket_set_option (socket, SOL_SOCKET, SO_RCVBUFFORCE, bytes, NULL);
}

static GSocket *
bind_socket (GInetAddress * inet, guint16 port, GError ** error)
{
  GSocketFamily family = g_inet_address_get_family (inet);
  GSocket *socket = g_socket_new (family, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  gboolean multicast = g_inet_address_get_is_multicast (inet);
  GInetAddress *any = g_inet_address_new_any (family);
  GSocketAddress *local = g_inet_socket_address_new (multicast ? any : inet, port);

  /* No reuse of the port: two receivers on one port would each get an arbitrary half. Many may hear a group. */
  if (socket && !g_socket_bind (socket, local, multicast, error))
    g_clear_object (&socket);
  g_object_unref (local);
  g_object_unref (any);
  return socket;
}

static const gchar *
advice (const GError * error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE))
    return "stop the program that holds it, or choose another port (0: any free one)";
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return "choose a port above 1023";
  return "address must be one of this machine: 0.0.0.0 stands for all of IPv4, :: for all";
}

GSocket *
listen_socket_open (const gchar * address, guint16 port, gint buffer_bytes, gchar ** resolved, GError ** error)
{
  GError *cause = NULL;
  GInetAddress *inet = resolve (address, &cause);
  GSocket *socket = inet ? bind_socket (inet, port, &cause) : NULL;

  *resolved = NULL;
  if (socket) {
    set_buffer_bytes (socket, buffer_bytes);
    *resolved = g_inet_address_to_string (inet);
  } else {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Cannot receive on address %s, UDP port %u: %s; %s",
        address, port, cause->message, advice (cause));
    g_error_free (cause);
  }
  g_clear_object (&inet);
  return socket;
}

guint16
listen_socket_port (GSocket * socket)
{
  GSocketAddress *local = g_socket_get_local_address (socket, NULL);
  guint16 port = local ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (local)) : 0;

  g_clear_object (&local);
  return port;
}
