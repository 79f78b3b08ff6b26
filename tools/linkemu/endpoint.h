/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A UDP address, and the sockets of the emulator. */
#pragma once

#include <glib.h>
#include <sys/socket.h>

G_BEGIN_DECLS

typedef struct
{
  struct sockaddr_storage addr;
  socklen_t len;
} Endpoint;

/* "HOST:PORT", "[::1]:PORT". family: AF_UNSPEC, or what it must be. A bare "PORT" is the
 * loopback address of that family. */
gboolean endpoint_parse (Endpoint * self, const gchar * text, int family, GError ** error);
gboolean endpoint_equal (const Endpoint * self, const Endpoint * other);
/* Does a socket that is bound to self hear what is sent to the other? */
gboolean endpoint_hears (const Endpoint * self, const Endpoint * other);
/* "127.0.0.1:5000", "[::1]:5000" (g_free). */
gchar *endpoint_to_string (const Endpoint * self);

/* Non-blocking, large buffers, kernel time stamps, destinations, traffic classes and overflow
 * counts on. Bound to `bind_to` and connected to `connect_to` where they are not NULL. -1 and
 * *error if the system refuses. */
int endpoint_open (const Endpoint * bind_to, const Endpoint * connect_to, GError ** error);

G_END_DECLS
