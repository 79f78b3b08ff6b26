/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/jointransport.h"

#include "net/udptransport.h"
#include "rtp/rtcpmessage.h"

#include <string.h>

#define NAME_AT 8               /* of an RTCP APP packet */

typedef struct
{
  Transport transport;
  Transport *udp;
  JoinListener *listener;
  gboolean vacant;
} JoinTransport;

static JoinTransport *
join (Transport * transport)
{
  return (JoinTransport *) transport;
}

static Transport *
udp (Transport * transport)
{
  return join (transport)->udp;
}

static TransportResult
join_send (Transport * self, GstBuffer ** buffers, guint n, RcEcnBits ecn)
{
  const TransportResult gone = {.sent = n };

  return join (self)->vacant ? gone : udp (self)->funcs->send (udp (self), buffers, n, ecn);
}

static gboolean
is_call (const guint8 * data, gsize size)
{
  return size >= NAME_AT + 4 && rtcp_is_rtcp (data, size)
      && memcmp (data + NAME_AT, RC_CALL_NAME, 4) == 0;
}

static gssize
join_receive (Transport * self, guint8 * data, gsize size)
{
  gssize got = udp (self)->funcs->receive (udp (self), data, size);
  GSocketAddress *peer;

  if (got < 0)
    return got;
  if (!is_call (data, (gsize) got))
    return join (self)->vacant ? -3 : got;
  peer = udp (self)->funcs->get_peer (udp (self));
  if (peer)
    join_listener_read (join (self)->listener, peer, data, (gsize) got, TRUE);
  g_clear_object (&peer);
  return -3;
}

static TransportRoute
join_follow_route (Transport * self)
{
  return udp (self)->funcs->follow_route (udp (self));
}

static GSocketAddress *
join_get_peer (Transport * self)
{
  return udp (self)->funcs->get_peer (udp (self));
}

static gboolean
join_set_peer (Transport * self, GSocketAddress * peer)
{
  return udp (self)->funcs->set_peer (udp (self), peer);
}

static guint
join_get_mtu (Transport * self)
{
  return udp (self)->funcs->get_mtu (udp (self));
}

static void
join_close (Transport * self)
{
  udp (self)->funcs->close (udp (self));
}

static void
join_free (Transport * self)
{
  udp (self)->funcs->free (udp (self));
  join_listener_unref (join (self)->listener);
  g_free (self);
}

static const TransportFuncs join_funcs = {.send = join_send,.receive = join_receive,
  .follow_route = join_follow_route,.get_peer = join_get_peer,.set_peer = join_set_peer,
  .get_mtu = join_get_mtu,.close = join_close,.free = join_free
};

Transport *
join_transport_new (GSocket * socket, JoinListener * listener)
{
  JoinTransport *self = g_new0 (JoinTransport, 1);

  self->udp = udp_transport_new (socket);
  self->listener = join_listener_ref (listener);
  self->transport = (Transport) { &join_funcs, self->udp->overhead_bytes, self->udp->fd };
  return &self->transport;
}

void
join_transport_set_vacant (Transport * transport, gboolean vacant)
{
  join (transport)->vacant = vacant;
}
