/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Address, port and, of IPv6, interface. */
gboolean same_address (GSocketAddress * a, GSocketAddress * b);
/* For tables by GSocketAddress. */
guint address_hash (gconstpointer address);
gboolean address_equal (gconstpointer a, gconstpointer b);

/* The same number for all that one customer of a network has: an IPv4 address, or the first half of
 * an IPv6 one. */
guint64 address_host (GSocketAddress * address);

G_END_DECLS
