/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* UDP sockets of tests. */
#pragma once

#include <gio/gio.h>

/* On an address of this machine; port 0: a free one. */
GSocket *bound_socket (const gchar * host, guint port);
guint bound_port (GSocket * socket);
