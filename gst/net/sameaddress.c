/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/sameaddress.h"

#include <gst/gst.h>
#include <string.h>

#define IPV4_BYTES 4
#define IPV6_BYTES 16

static guint32
scope_id (GInetSocketAddress * address)
{
  gboolean ipv6 = g_socket_address_get_family (G_SOCKET_ADDRESS (address)) == G_SOCKET_FAMILY_IPV6;

  return ipv6 ? g_inet_socket_address_get_scope_id (address) : 0;
}

gboolean
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
      && g_inet_address_equal (g_inet_socket_address_get_address (x),
      g_inet_socket_address_get_address (y)) && scope_id (x) == scope_id (y);
}

gboolean
address_equal (gconstpointer a, gconstpointer b)
{
  return same_address ((GSocketAddress *) a, (GSocketAddress *) b);
}

/* Who has many addresses does not know which ones collide. */
guint
address_hash (gconstpointer address)
{
  static gsize seed;
  GInetAddress *inet;
  guint hash;

  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return 0;
  if (g_once_init_enter (&seed))
    g_once_init_leave (&seed, (gsize) g_random_int () | 1);
  inet = g_inet_socket_address_get_address ((GInetSocketAddress *) address);
  hash = (guint) seed + g_inet_socket_address_get_port ((GInetSocketAddress *) address);
  for (gsize i = 0; i < g_inet_address_get_native_size (inet); i++)
    hash = (hash ^ hash >> 15) * (guint) seed + g_inet_address_to_bytes (inet)[i];
  return hash;
}

guint64
address_host (GSocketAddress * address)
{
  static const guint8 mapped[IPV6_BYTES - IPV4_BYTES] = {[10] = 0xff,[11] = 0xff };
  GInetAddress *inet;
  const guint8 *bytes;
  guint64 half;

  if (!G_IS_INET_SOCKET_ADDRESS (address))
    return 0;
  inet = g_inet_socket_address_get_address (G_INET_SOCKET_ADDRESS (address));
  bytes = g_inet_address_to_bytes (inet);
  if (g_inet_address_get_family (inet) == G_SOCKET_FAMILY_IPV4)
    return GST_READ_UINT32_BE (bytes);
  if (memcmp (bytes, mapped, sizeof mapped) == 0)
    return GST_READ_UINT32_BE (bytes + sizeof mapped);
  memcpy (&half, bytes, sizeof half);
  return GUINT64_FROM_BE (half);
}
