/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/udptransport.h"

#include "net/udpsender.h"
#include "net/udpsocket.h"

typedef struct
{
  Transport transport;
  GSocket *socket;
  UdpSender sender;
  gboolean closed;
  gboolean connected;           /* else datagrams come from any address */
} UdpTransport;

static UdpTransport *
udp (Transport * transport)
{
  return (UdpTransport *) transport;
}

static TransportResult
udp_send (Transport * self, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  return udp_sender_send (&udp (self)->sender, buffers, n, ecn);
}

static gssize
udp_receive (Transport * self, guint8 * data, gsize size)
{
  gssize got = udp (self)->closed ? -1 : udp_socket_read (udp (self)->sender.fd, data, size);

  return got < 0 || udp (self)->connected ? got : -1;
}

static TransportRoute
udp_follow_route (Transport * self)
{
  TransportRoute route = udp_socket_follow_route (udp (self)->socket);

  udp (self)->connected = udp_socket_is_connected (udp (self)->socket);
  return route;
}

static GSocketAddress *
udp_get_peer (Transport * self)
{
  return g_socket_get_remote_address (udp (self)->socket, NULL);
}

static gboolean
udp_set_peer (Transport * self, GSocketAddress * peer)
{
  gboolean ok = udp_socket_set_peer (udp (self)->socket, peer);

  udp (self)->connected = udp_socket_is_connected (udp (self)->socket);
  return ok;
}

static guint
udp_get_mtu (Transport * self)
{
  return udp_socket_mtu (udp (self)->socket);
}

static void
udp_close (Transport * self)
{
  udp (self)->closed = TRUE;
  g_socket_close (udp (self)->socket, NULL);
}

static void
udp_free (Transport * self)
{
  g_object_unref (udp (self)->socket);
  g_free (self);
}

static const TransportFuncs udp_funcs = {.send = udp_send,.receive = udp_receive,
  .follow_route = udp_follow_route,.get_peer = udp_get_peer,.set_peer = udp_set_peer,
  .get_mtu = udp_get_mtu,.close = udp_close,.free = udp_free
};

Transport *
udp_transport_new (GSocket * socket)
{
  UdpTransport *self = g_new0 (UdpTransport, 1);

  self->transport = (Transport) { &udp_funcs, udp_socket_overhead_bytes (socket),
      g_socket_get_fd (socket) };
  self->socket = g_object_ref (socket);
  self->connected = udp_socket_is_connected (socket);
  udp_sender_init (&self->sender, socket);
  return &self->transport;
}
