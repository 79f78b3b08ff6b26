/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "common/udpsocket.h"

#include <gst/net/net.h>
#include <rc/types.h>

static gboolean
check_config (const UdpSocketConfig * config, GError ** error)
{
  if (config->port == 0 || config->port > G_MAXUINT16) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "port %u is not possible; set port to what the receiver listens on (1 to 65535)", config->port);
    return FALSE;
  }
  if (!config->host || !*config->host) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "no host; set host to the receiver's address");
    return FALSE;
  }
  return TRUE;
}

/* A list of GInetSocketAddress, IPv4 first. */
static GList *
resolve (const UdpSocketConfig * config, GError ** error)
{
  GSocketConnectable *name = g_network_address_new (config->host, (guint16) config->port);
  GSocketAddressEnumerator *enumerator = g_socket_connectable_enumerate (name);
  GList *v4 = NULL, *v6 = NULL;
  GSocketAddress *address;
  GError *err = NULL;

  while ((address = g_socket_address_enumerator_next (enumerator, NULL, &err))) {
    if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV4)
      v4 = g_list_append (v4, address);
    else
      v6 = g_list_append (v6, address);
  }
  if (!v4 && !v6)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "cannot find host \"%s\" (%s); check the spelling of host, or give an IP address", config->host,
        err ? err->message : "no address");
  g_clear_error (&err);
  g_object_unref (enumerator);
  g_object_unref (name);
  return g_list_concat (v4, v6);
}

static gboolean
bind_socket (GSocket * socket, const UdpSocketConfig * config, GError ** error)
{
  GSocketFamily family = g_socket_get_family (socket);
  GInetAddress *local;
  GSocketAddress *address;
  GError *err = NULL;
  gboolean ok;

  local = config->bind_address && *config->bind_address ?
      g_inet_address_new_from_string (config->bind_address) : g_inet_address_new_any (family);
  if (!local || g_inet_address_get_family (local) != family) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "bind-address \"%s\" is not an %s address, which host \"%s\" needs", config->bind_address,
        family == G_SOCKET_FAMILY_IPV6 ? "IPv6" : "IPv4", config->host);
    g_clear_object (&local);
    return FALSE;
  }
  address = g_inet_socket_address_new (local, (guint16) config->bind_port);
  ok = g_socket_bind (socket, address, FALSE, &err);
  if (!ok) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "cannot use local address %s port %u (%s); choose another bind-port, or 0 for any free one",
        config->bind_address && *config->bind_address ? config->bind_address : "any", config->bind_port, err->message);
    g_error_free (err);
  }
  g_object_unref (address);
  g_object_unref (local);
  return ok;
}

static gboolean
connect_socket (GSocket * socket, GSocketAddress * address, const UdpSocketConfig * config, GError ** error)
{
  GError *err = NULL;

  if (g_socket_connect (socket, address, NULL, &err))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
      "cannot send to %s port %u (%s); check host and the network connection", config->host, config->port,
      err->message);
  g_error_free (err);
  return FALSE;
}

static GSocket *
open_to (GSocketAddress * address, const UdpSocketConfig * config, GError ** error)
{
  GInetAddress *inet = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));
  GError *err = NULL;
  GSocket *socket;

  if (g_inet_address_get_is_multicast (inet)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "host %s is a multicast group, but rmcsink adapts to one receiver; use udpsink for multicast", config->host);
    return NULL;
  }
  socket = g_socket_new (g_inet_address_get_family (inet), G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, &err);
  if (!socket) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE, "cannot make a UDP socket: %s",
        err->message);
    g_error_free (err);
    return NULL;
  }
  g_socket_set_blocking (socket, FALSE);
  if (!bind_socket (socket, config, error) || !connect_socket (socket, address, config, error))
    g_clear_object (&socket);
  return socket;
}

GSocket *
udp_socket_open (const UdpSocketConfig * config, GError ** error)
{
  GList *addresses, *l;
  GSocket *socket = NULL;

  if (!check_config (config, error) || !(addresses = resolve (config, error)))
    return NULL;
  for (l = addresses; l && !socket; l = l->next) {
    g_clear_error (error);
    socket = open_to (l->data, config, error);
  }
  g_list_free_full (addresses, g_object_unref);
  if (socket && config->qos_dscp >= 0 && !gst_net_utils_set_socket_tos (socket, config->qos_dscp))
    GST_WARNING ("the system refuses DSCP %d", config->qos_dscp);
  return socket;
}

guint
udp_socket_overhead_bytes (GSocket * socket)
{
  return g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6 ? RC_OVERHEAD_IPV6_BYTES : RC_OVERHEAD_IPV4_BYTES;
}

gssize
udp_socket_receive (GSocket * socket, guint8 * data, gsize size)
{
  GError *err = NULL;
  gssize got = g_socket_receive (socket, (gchar *) data, size, NULL, &err);

  if (got >= 0)
    return got;
  got = g_error_matches (err, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) ? -2 : -1;
  g_error_free (err);
  return got;
}
