/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/listensocket.h"

#include <gio/gnetworking.h>

/* What only Linux has is refused elsewhere, which is ignored. */
#ifndef IPV6_MULTICAST_ALL
#define IPV6_MULTICAST_ALL 29   /* Linux 4.20; older headers do not know it */
#endif
#ifndef IP_MULTICAST_ALL
#define IP_MULTICAST_ALL -1
#endif
#ifndef SO_RCVBUFFORCE
#define SO_RCVBUFFORCE -1
#endif
#ifdef __linux__
#define KERNEL_DOUBLES 2
#else
#define KERNEL_DOUBLES 1
#endif

/* A link-local address keeps its interface (fe80::1%eth0). */
static GInetSocketAddress *
resolve (const gchar * address, guint16 port, GError ** error)
{
  GSocketAddress *numeric = g_inet_socket_address_new_from_string (address, port);
  GResolver *resolver;
  GList *found;

  if (numeric)
    return G_INET_SOCKET_ADDRESS (numeric);
  resolver = g_resolver_get_default ();
  found = g_resolver_lookup_by_name (resolver, address, NULL, error);
  g_object_unref (resolver);
  if (!found)
    return NULL;
  numeric = g_inet_socket_address_new (found->data, port);
  g_resolver_free_addresses (found);
  return G_INET_SOCKET_ADDRESS (numeric);
}

/* Linux doubles the value that is set, for its own needs, and returns the double. */
gint
listen_socket_buffer_bytes (GSocket * socket)
{
  gint bytes = 0;

  g_socket_get_option (socket, SOL_SOCKET, SO_RCVBUF, &bytes, NULL);
  return bytes / KERNEL_DOUBLES;
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
bind_socket (GInetSocketAddress * address, GError ** error)
{
  GInetAddress *inet = g_inet_socket_address_get_address (address);
  GSocketFamily family = g_inet_address_get_family (inet);
  GSocket *socket = g_socket_new (family, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  gboolean multicast = g_inet_address_get_is_multicast (inet);
  GInetAddress *any = g_inet_address_new_any (family);
  GSocketAddress *local = multicast ? g_inet_socket_address_new (any,
      g_inet_socket_address_get_port (address)) : g_object_ref (G_SOCKET_ADDRESS (address));

  /* No reuse of the port: two receivers on one port would each get an arbitrary half. Many may
   * hear a group. */
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
  return "address must be one of this machine (link-local with its interface: fe80::1%eth0): "
      "0.0.0.0 stands for all of IPv4, :: for all. To call a sender that listens there, set "
      "mode=caller of arcsrc";
}

GSocket *
listen_socket_open (const gchar * address, guint16 port, gint buffer_bytes, gchar ** resolved,
    GError ** error)
{
  GError *cause = NULL;
  GInetSocketAddress *local = resolve (address, port, &cause);
  GSocket *socket = local ? bind_socket (local, &cause) : NULL;

  *resolved = NULL;
  if (socket) {
    set_buffer_bytes (socket, buffer_bytes);
    *resolved = g_inet_address_to_string (g_inet_socket_address_get_address (local));
  } else {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Cannot receive on address %s, UDP "
        "port %u: %s; %s", address, port, cause->message, advice (cause));
    g_error_free (cause);
  }
  g_clear_object (&local);
  return socket;
}

/* interfaces: as of udpsrc, with commas between. */
static gboolean
join_group (GSocket * socket, GInetAddress * group, const gchar * interfaces, GError ** error)
{
  gchar **names = g_strsplit (interfaces ? interfaces : "", ",", -1);
  gboolean ok = *names || g_socket_join_multicast_group (socket, group, FALSE, NULL, error);

  for (guint i = 0; ok && names[i]; i++)
    ok = g_socket_join_multicast_group (socket, group, FALSE, g_strstrip (names[i]), error);
  g_strfreev (names);
  return ok;
}

gboolean
listen_socket_join (GSocket * socket, const gchar * resolved, const gchar * interfaces,
    GError ** error)
{
  GInetAddress *group = g_inet_address_new_from_string (resolved);
  GError *cause = NULL;
  gboolean ok = TRUE;

  if (group && g_inet_address_get_is_multicast (group)) {
    ok = join_group (socket, group, interfaces, &cause);
    /* Not what others of this machine have joined. */
    if (g_inet_address_get_family (group) == G_SOCKET_FAMILY_IPV4)
      g_socket_set_option (socket, IPPROTO_IP, IP_MULTICAST_ALL, FALSE, NULL);
    else
      g_socket_set_option (socket, IPPROTO_IPV6, IPV6_MULTICAST_ALL, FALSE, NULL);
  }
  if (cause)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "Cannot join the multicast group %s: %s; "
        "choose another address, or an interface of this machine (udpsrc::multicast-iface)",
        resolved, cause->message);
  g_clear_error (&cause);
  g_clear_object (&group);
  return ok;
}

guint16
listen_socket_port (GSocket * socket)
{
  GSocketAddress *local = g_socket_get_local_address (socket, NULL);
  guint16 port = local ? g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (local)) : 0;

  g_clear_object (&local);
  return port;
}
