/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/addresscookie.h"

#include "base/randombytes.h"

#include <string.h>

void
address_cookie_renew (AddressCookie * self)
{
  random_bytes (self->secret, sizeof (self->secret));
}

guint64
address_cookie_for (const AddressCookie * self, GSocketAddress * address, const guint64 * what,
    guint n)
{
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, self->secret, sizeof (self->secret));
  GInetSocketAddress *inet = G_INET_SOCKET_ADDRESS (address);
  GInetAddress *host = g_inet_socket_address_get_address (inet);
  guint16 port = g_inet_socket_address_get_port (inet);
  guint8 digest[32];
  gsize size = sizeof (digest);
  guint64 cookie;

  g_hmac_update (hmac, g_inet_address_to_bytes (host),
      (gssize) g_inet_address_get_native_size (host));
  g_hmac_update (hmac, (const guchar *) &port, sizeof (port));
  g_hmac_update (hmac, (const guchar *) what, (gssize) (n * sizeof (*what)));
  g_hmac_get_digest (hmac, digest, &size);
  g_hmac_unref (hmac);
  memcpy (&cookie, digest, sizeof (cookie));
  return cookie ? cookie : 1;
}

guint64
address_cookie_of (const AddressCookie * self, GSocketAddress * address)
{
  return address_cookie_for (self, address, &(const guint64) { 0 }, 1);
}
