/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "senderlatch.h"

void
sender_latch_clear (SenderLatch * self)
{
  g_clear_object (&self->sender);
  *self = (SenderLatch) { 0 };
}

static guint32
scope_id (GInetSocketAddress * address)
{
  gboolean ipv6 = g_socket_address_get_family (G_SOCKET_ADDRESS (address)) == G_SOCKET_FAMILY_IPV6;

  return ipv6 ? g_inet_socket_address_get_scope_id (address) : 0;
}

static gboolean
same_address (GSocketAddress * a, GSocketAddress * b)
{
  GInetSocketAddress *x, *y;

  /* The usual case: a socket hands out the same object for the same peer. */
  if (a == b)
    return TRUE;
  if (!G_IS_INET_SOCKET_ADDRESS (a) || !G_IS_INET_SOCKET_ADDRESS (b))
    return FALSE;
  x = G_INET_SOCKET_ADDRESS (a);
  y = G_INET_SOCKET_ADDRESS (b);
  return g_inet_socket_address_get_port (x) == g_inet_socket_address_get_port (y)
      && g_inet_address_equal (g_inet_socket_address_get_address (x), g_inet_socket_address_get_address (y))
      && scope_id (x) == scope_id (y);
}

static gboolean
may_take_over (const SenderLatch * self, SenderPacket packet, guint32 ssrc, gboolean follow, RcTime release, RcTime now)
{
  if (packet == SENDER_PACKET_OTHER)
    return FALSE;
  if (!self->sender || now - self->heard_at >= release)
    return TRUE;
  return follow && packet == SENDER_PACKET_MEDIA && self->has_ssrc && self->ssrc == ssrc;
}

SenderLatchVerdict
sender_latch_judge (SenderLatch * self, GSocketAddress * from, SenderPacket packet, guint32 ssrc, gboolean follow,
    RcTime release, RcTime now)
{
  SenderLatchVerdict verdict = SENDER_LATCH_KNOWN;

  if (!self->sender || !same_address (self->sender, from)) {
    if (!may_take_over (self, packet, ssrc, follow, release, now))
      return SENDER_LATCH_FOREIGN;
    g_set_object (&self->sender, from);
    self->has_ssrc = FALSE;
    verdict = SENDER_LATCH_CHANGED;
  }
  if (packet != SENDER_PACKET_OTHER)
    self->heard_at = now;
  if (packet == SENDER_PACKET_MEDIA) {
    self->ssrc = ssrc;
    self->has_ssrc = TRUE;
  }
  return verdict;
}
