/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "webport.h"

#include <netinet/in.h>
#include <string.h>

/* For a port that is free in IPv4 and taken in IPv6. */
#define TRIALS 8
/* With the 10 of GLib a browser behind a burst of connections waits for seconds. */
#define BACKLOG 128

static GSocket *
listen_at (GSocketAddress * address, GError ** error)
{
  GSocketFamily family = g_socket_address_get_family (address);
  GSocket *socket = g_socket_new (family, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket == NULL)
    return NULL;
  if (family == G_SOCKET_FAMILY_IPV6)
    g_socket_set_option (socket, IPPROTO_IPV6, IPV6_V6ONLY, TRUE, NULL);
  g_socket_set_listen_backlog (socket, BACKLOG);
  if (!g_socket_bind (socket, address, TRUE, error) || !g_socket_listen (socket, error))
    g_clear_object (&socket);
  return socket;
}

static GSocket *
listen_at_text (const gchar * text, guint port, GError ** error)
{
  GSocketAddress *address = g_inet_socket_address_new_from_string (text, port);
  GSocket *socket;

  if (address == NULL) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s is no IP address", text);
    return NULL;
  }
  socket = listen_at (address, error);
  g_object_unref (address);
  return socket;
}

static GInetSocketAddress *
address_of (GSocket * socket)
{
  return G_INET_SOCKET_ADDRESS (g_socket_get_local_address (socket, NULL));
}

static guint
port_of (GSocket * socket)
{
  GInetSocketAddress *address = address_of (socket);
  guint port = g_inet_socket_address_get_port (address);

  g_object_unref (address);
  return port;
}

/* A machine may lack one of the families. */
static gboolean
listen_at_loopback (GPtrArray * sockets, guint port, GError ** error)
{
  static const gchar *const loopbacks[] = { "127.0.0.1", "::1" };
  GError *failure = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (loopbacks); i++) {
    GSocket *socket;

    g_clear_error (&failure);
    socket = listen_at_text (loopbacks[i], port, &failure);
    if (socket != NULL) {
      port = port_of (socket);
      g_ptr_array_add (sockets, socket);
    } else if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE)) {
      break;
    }
  }
  if (sockets->len > 0 && i == G_N_ELEMENTS (loopbacks)) {
    g_clear_error (&failure);
    return TRUE;
  }
  g_ptr_array_set_size (sockets, 0);
  g_propagate_error (error, failure);
  return FALSE;
}

static gboolean
begin (GPtrArray * sockets, const gchar * address, guint port, GError ** error)
{
  GSocket *socket;
  guint i;

  if (address != NULL) {
    socket = listen_at_text (address, port, error);
    if (socket != NULL)
      g_ptr_array_add (sockets, socket);
    return socket != NULL;
  }
  for (i = 1; port == 0 && i < TRIALS; i++)
    if (listen_at_loopback (sockets, 0, NULL))
      return TRUE;
  return listen_at_loopback (sockets, port, error);
}

GPtrArray *
web_port_listen (const gchar * address, guint port, GError ** error)
{
  GPtrArray *sockets = g_ptr_array_new_with_free_func (g_object_unref);
  GError *failure = NULL;

  if (begin (sockets, address, port, &failure))
    return sockets;
  g_ptr_array_unref (sockets);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE)) {
    g_clear_error (&failure);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE, "port %u of %s is taken, perhaps by "
        "another gst-arc-monitor: choose one with --port, 0 for any", port,
        address ? address : "127.0.0.1 or ::1");
    return NULL;
  }
  g_propagate_error (error, failure);
  return NULL;
}

gchar *
web_port_uri (GPtrArray * sockets)
{
  GInetSocketAddress *address = address_of (g_ptr_array_index (sockets, 0));
  gchar *host = g_inet_address_to_string (g_inet_socket_address_get_address (address));
  gchar *uri = g_strdup_printf (strchr (host, ':') ? "http://[%s]:%u/" : "http://%s:%u/", host,
      g_inet_socket_address_get_port (address));

  g_free (host);
  g_object_unref (address);
  return uri;
}
