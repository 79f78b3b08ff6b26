/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sockets that listen for browsers. Not libsoup's, which takes connections without a limit. */
#pragma once

#include <gio/gio.h>

/* Of GSocket, all with one port. address: NULL: loopback, by IPv4 and IPv6 where the machine has
 * both. port: 0: any that is free. */
GPtrArray *web_port_listen (const gchar * address, guint port, GError ** error);
/* Where a browser finds it; g_free() */
gchar *web_port_uri (GPtrArray * sockets);
