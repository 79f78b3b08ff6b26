/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A UDP socket to listen on: of rcprelay and of arcsrc. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* address: numeric or a name of this machine; a multicast group binds to any address. port 0:
 * any free one. buffer_bytes: of the kernel, 0: the system's default; the system may grant less.
 * *resolved: the numeric address (g_free). NULL: the message of *error names address and port
 * and says what to do. Blocks for a name look-up. */
GSocket *listen_socket_open (const gchar * address, guint16 port, gint buffer_bytes,
    gchar ** resolved, GError ** error);
/* If it is a multicast group. interfaces: by which, "eth0,eth1"; NULL: as the system chooses.
 * FALSE: *error says what to do. */
gboolean listen_socket_join (GSocket * socket, const gchar * resolved, const gchar * interfaces,
    GError ** error);
/* 0: no socket. */
guint16 listen_socket_port (GSocket * socket);
/* What the system granted, in the unit of buffer_bytes. */
gint listen_socket_buffer_bytes (GSocket * socket);

G_END_DECLS
