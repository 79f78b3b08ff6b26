/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/udpsocket.h"

#include "base/arcdebug.h"

#include <errno.h>
#include <gst/net/net.h>
#include <netinet/in.h>
#include <rc/base/types.h>
#include <string.h>
#include <sys/socket.h>

gboolean
udp_socket_check (const UdpSocketConfig * config, GError ** error)
{
  if (config->port == 0 || config->port > G_MAXUINT16) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "port %u is not possible; set port to what the receiver listens on (1 to 65535)",
        config->port);
    return FALSE;
  }
  if (!config->host || !*config->host) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "no host; set host to the receiver's address");
    return FALSE;
  }
  return TRUE;
}

/* What the network of this machine may mend by itself. */
#define MAY_COME GST_RESOURCE_ERROR_NOT_FOUND

gboolean
udp_socket_may_come (const GError * error)
{
  return g_error_matches (error, GST_RESOURCE_ERROR, MAY_COME);
}

/* A list of GInetSocketAddress, IPv4 first. */
static GList *
resolve (const UdpSocketConfig * config, GCancellable * cancellable, GError ** error)
{
  GSocketConnectable *name = g_network_address_new (config->host, (guint16) config->port);
  GSocketAddressEnumerator *enumerator = g_socket_connectable_enumerate (name);
  GList *v4 = NULL, *v6 = NULL;
  GSocketAddress *address;
  GError *err = NULL;

  while ((address = g_socket_address_enumerator_next (enumerator, cancellable, &err))) {
    if (g_socket_address_get_family (address) == G_SOCKET_FAMILY_IPV4)
      v4 = g_list_append (v4, address);
    else
      v6 = g_list_append (v6, address);
  }
  if (!v4 && !v6)
    g_set_error (error, GST_RESOURCE_ERROR, MAY_COME,
        "cannot find host \"%s\" (%s); check the spelling of host, or give an IP address",
        config->host, err ? err->message : "no address");
  g_clear_error (&err);
  g_object_unref (enumerator);
  g_object_unref (name);
  return g_list_concat (v4, v6);
}

static GSocketAddress *
any_address (GSocketFamily family, guint16 port)
{
  GInetAddress *any = g_inet_address_new_any (family);
  GSocketAddress *address = g_inet_socket_address_new (any, port);

  g_object_unref (any);
  return address;
}

/* GIO has no code for EADDRNOTAVAIL, and GLib 2.82 changed which one it gives. */
static gboolean
is_not_here (const GError * error)
{
  return g_error_matches (error, G_IO_ERROR, g_io_error_from_errno (EADDRNOTAVAIL));
}

static const gchar *
advice_for_bind (const GError * error, gboolean is_path)
{
  if (is_not_here (error) && is_path)
    return "give this machine that address, or correct paths";
  if (is_not_here (error))
    return "set bind-address to an address of this machine, or leave it out";
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED))
    return "choose a bind-port above 1023, or 0 for any free one";
  return "choose another bind-port, or 0 for any free one";
}

static gboolean
bind_socket (GSocket * socket, const UdpSocketConfig * config, GError ** error)
{
  GSocketFamily family = g_socket_get_family (socket);
  GSocketAddress *address;
  GError *err = NULL;
  gboolean ok;

  /* With the interface that a link-local address needs, which GInetAddress does not know. */
  address = udp_socket_is_bound (config) ?
      g_inet_socket_address_new_from_string (config->bind_address, config->bind_port) :
      any_address (family, (guint16) config->bind_port);
  if (!address || g_socket_address_get_family (address) != family) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "bind-address \"%s\" is not an %s address, which host \"%s\" needs%s", config->bind_address,
        family == G_SOCKET_FAMILY_IPV6 ? "IPv6" : "IPv4", config->host,
        strchr (config->bind_address,
            '%') ? "; behind the % stands an interface of this machine" : "");
    g_clear_object (&address);
    return FALSE;
  }
  ok = g_socket_bind (socket, address, FALSE, &err);
  if (!ok) {
    g_set_error (error, GST_RESOURCE_ERROR,
        is_not_here (err) ? MAY_COME : GST_RESOURCE_ERROR_OPEN_WRITE,
        "cannot use local address %s port %u (%s); %s",
        config->bind_address && *config->bind_address ? config->bind_address : "any",
        config->bind_port, err->message, advice_for_bind (err, config->is_path));
    g_error_free (err);
  }
  g_object_unref (address);
  return ok;
}

/* GIO has no code for some of them. */
static gboolean
is_unreachable (GSocket * socket, GSocketAddress * address)
{
  struct sockaddr_storage native;

  if (!g_socket_address_to_native (address, &native, sizeof native, NULL)
      || connect (g_socket_get_fd (socket), (struct sockaddr *) &native,
          (socklen_t) g_socket_address_get_native_size (address)) == 0)
    return FALSE;
  return errno == ENETUNREACH || errno == EHOSTUNREACH || errno == ENETDOWN
      || errno == EADDRNOTAVAIL;
}

static gboolean
connect_socket (GSocket * socket, GSocketAddress * address, const UdpSocketConfig * config,
    GError ** error)
{
  GError *err = NULL;

  if (g_socket_connect (socket, address, NULL, &err))
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR,
      is_unreachable (socket, address) ? MAY_COME : GST_RESOURCE_ERROR_OPEN_WRITE,
      "cannot send to %s port %u (%s); check host and the network connection", config->host,
      config->port, err->message);
  g_error_free (err);
  return FALSE;
}

/* Routes that do not lead by this interface do not count then. */
static gboolean
bind_to_device (GSocket * socket, const UdpSocketConfig * config, GError ** error)
{
  const gchar *device = config->device;

  if (!device || setsockopt (g_socket_get_fd (socket), SOL_SOCKET, SO_BINDTODEVICE, device,
          (socklen_t) strlen (device)) == 0)
    return TRUE;
  if (errno == ENODEV)
    g_set_error (error, GST_RESOURCE_ERROR, MAY_COME, "there is no interface \"%s\"", device);
  else
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "cannot send by the "
        "interface \"%s\" (%s); give its IP address instead", device, g_strerror (errno));
  return FALSE;
}

static GSocket *
open_to (GSocketAddress * address, const UdpSocketConfig * config, GError ** error)
{
  GInetAddress *inet = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));
  GError *err = NULL;
  GSocket *socket;

  if (g_inet_address_get_is_multicast (inet)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "host %s is a multicast "
        "group, but only one receiver can be adapted to; use udpsink for multicast", config->host);
    return NULL;
  }
  socket = g_socket_new (g_inet_address_get_family (inet), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, &err);
  if (!socket) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_WRITE,
        "cannot make a UDP socket: %s", err->message);
    g_error_free (err);
    return NULL;
  }
  g_socket_set_blocking (socket, FALSE);
  if (!bind_to_device (socket, config, error) || !bind_socket (socket, config, error)
      || !connect_socket (socket, address, config, error))
    g_clear_object (&socket);
  return socket;
}

GSocket *
udp_socket_open (const UdpSocketConfig * config, GCancellable * cancellable, GError ** error)
{
  GList *addresses, *l;
  GSocket *socket = NULL;

  if (!udp_socket_check (config, error) || !(addresses = resolve (config, cancellable, error)))
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

gboolean
udp_socket_is_bound (const UdpSocketConfig * config)
{
  return config->bind_address && *config->bind_address;
}

guint
udp_socket_overhead_bytes (GSocket * socket)
{
  return g_socket_get_family (socket)
      == G_SOCKET_FAMILY_IPV6 ? RC_OVERHEAD_IPV6_BYTES : RC_OVERHEAD_IPV4_BYTES;
}

/* The MTU of the kernel's device in the place of one that went down. */
#define NO_DEVICE_MTU 68

guint
udp_socket_mtu (GSocket * socket)
{
  gboolean v6 = g_socket_get_family (socket) == G_SOCKET_FAMILY_IPV6;
  int mtu = 0;
  socklen_t size = sizeof mtu;

  if (getsockopt (g_socket_get_fd (socket), v6 ? IPPROTO_IPV6 : IPPROTO_IP,
          v6 ? IPV6_MTU : IP_MTU, &mtu, &size) != 0 || mtu <= NO_DEVICE_MTU)
    return 0;
  return (guint) mtu;
}

/* FALSE: reconnecting failed, and the socket accepts packets from any address. */
gboolean
udp_socket_is_connected (GSocket * socket)
{
  struct sockaddr_storage peer;
  socklen_t size = sizeof peer;

  return getpeername (g_socket_get_fd (socket), (struct sockaddr *) &peer, &size) == 0;
}

/* Each report is followed by the end of what is there, for which g_socket_receive() writes a text
 * in the language of the user. */
gssize
udp_socket_read (gint fd, guint8 * data, gsize size)
{
  gssize got;

  do
    got = recv (fd, data, size, MSG_DONTWAIT);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return errno == ECONNREFUSED ? -2 : -1;
  return got;
}

gssize
udp_socket_receive (GSocket * socket, guint8 * data, gsize size)
{
  gssize got;

  if (g_socket_is_closed (socket))
    return -1;
  got = udp_socket_read (g_socket_get_fd (socket), data, size);
  return got < 0 || udp_socket_is_connected (socket) ? got : -1;
}

/* --- another way to the peer --- */

static GInetSocketAddress *
local_address (GSocket * socket)
{
  return (GInetSocketAddress *) g_socket_get_local_address (socket, NULL);
}

/* Where the kernel would send from now; NULL: there is no way to the peer. */
static GInetSocketAddress *
ask_route (GSocketAddress * peer)
{
  GSocket *probe = g_socket_new (g_socket_address_get_family (peer), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GInetSocketAddress *source = NULL;

  if (probe && g_socket_connect (probe, peer, NULL, NULL))
    source = local_address (probe);
  g_clear_object (&probe);
  return source;
}

static guint16
local_port (GSocket * socket)
{
  GInetSocketAddress *local = local_address (socket);
  guint16 port = local ? g_inet_socket_address_get_port (local) : 0;

  g_clear_object (&local);
  return port;
}

/* A port that the system chose is lost with the connection: take it again, so that a NAT or a
 * firewall knows us. If the port has been taken meanwhile, connecting chooses another. */
static void
keep_port (GSocket * socket, guint16 port)
{
  GSocketAddress *any = any_address (g_socket_get_family (socket), port);

  if (local_port (socket) != port)
    g_socket_bind (socket, any, FALSE, NULL);
  g_object_unref (any);
}

static gboolean
connect_anew (GSocket * socket, GSocketAddress * peer)
{
  const struct sockaddr unspecified = {.sa_family = AF_UNSPEC };
  guint16 port = local_port (socket);
  guint8 data[1];
  gboolean ok;

  /* Connecting anew alone would keep the local address. */
  connect (g_socket_get_fd (socket), &unspecified, sizeof unspecified);
  keep_port (socket, port);
  ok = g_socket_connect (socket, peer, NULL, NULL);
  /* Datagrams that arrived while the socket was unconnected may be from any host. */
  while (udp_socket_receive (socket, data, sizeof data) != -1);
  return ok;
}

TransportRoute
udp_socket_follow_route (GSocket * socket)
{
  GSocketAddress *peer = g_socket_get_remote_address (socket, NULL);
  GInetSocketAddress *source = peer ? ask_route (peer) : NULL, *local = local_address (socket);
  TransportRoute route = TRANSPORT_ROUTE_NONE;

  if (source && local && g_inet_address_equal (g_inet_socket_address_get_address (source),
          g_inet_socket_address_get_address (local)))
    route = TRANSPORT_ROUTE_SAME;
  else if (source && connect_anew (socket, peer))
    route = TRANSPORT_ROUTE_MOVED;
  g_clear_object (&source);
  g_clear_object (&local);
  g_clear_object (&peer);
  return route;
}

gboolean
udp_socket_set_peer (GSocket * socket, GSocketAddress * peer)
{
  GInetSocketAddress *source = ask_route (peer);
  gboolean ok = source && connect_anew (socket, peer);

  g_clear_object (&source);
  return ok;
}

gboolean
udp_socket_has_name (const UdpSocketConfig * config)
{
  return config->host && !g_hostname_is_ip_address (config->host);
}

GSocketAddress *
udp_socket_look_up (const UdpSocketConfig * config, GSocketAddress * present)
{
  GList *addresses = resolve (config, NULL, NULL), *l;
  GSocketAddress *found = NULL;
  gboolean valid = FALSE;

  for (l = addresses; l; l = l->next) {
    GInetSocketAddress *address = l->data;

    if (g_socket_address_get_family (l->data) != g_socket_address_get_family (present))
      continue;
    if (!found)
      found = l->data;
    valid |= g_inet_address_equal (g_inet_socket_address_get_address (address),
        g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (present)));
  }
  if (found && !valid)
    g_object_ref (found);
  else
    found = NULL;
  g_list_free_full (addresses, g_object_unref);
  return found;
}

#define REFUSAL_WAIT_US (G_USEC_PER_SEC / 2)    /* longer than most round trips */

gboolean
udp_socket_is_refused (GSocketAddress * peer)
{
  GSocket *socket = g_socket_new (g_socket_address_get_family (peer), G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GError *error = NULL;
  gboolean refused;
  gchar byte;

  if (socket && g_socket_connect (socket, peer, NULL, NULL)
      && send (g_socket_get_fd (socket), NULL, 0, 0) == 0
      && g_socket_condition_timed_wait (socket, G_IO_IN, REFUSAL_WAIT_US, NULL, NULL))
    g_socket_receive (socket, &byte, 1, NULL, &error);
  refused = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED);
  g_clear_error (&error);
  g_clear_object (&socket);
  return refused;
}
