/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the relay sends to: the address of its host, and sockets connected to it. Never one of the relay's own
 * listeners, which would hear their own datagrams for ever. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gchar *name;
  guint port;                   /* of the first listener's; the others' follow */
  GSocketAddress *address;      /* of that port; numeric, with the scope of a link-local one */
} RelayHost;

/* Looks the name up, which blocks. FALSE and *error (domain GST_RESOURCE_ERROR, a sentence for the user): nobody can be
 * sent to. */
gboolean relay_host_init (RelayHost * self, const gchar * name, guint port, GError ** error);
/* For one that is zeroed, too. */
void relay_host_clear (RelayHost * self);
/* Does any of n_ports from our port on end at this listener? */
gboolean relay_host_reaches (const RelayHost * self, guint n_ports, GSocket * listener);
/* Not blocking, connected to our port + index. NULL: not now. */
GSocket *relay_host_connect (const RelayHost * self, guint index, GError ** error);
/* UDP and IP header bytes of each packet. */
guint relay_host_overhead_bytes (const RelayHost * self);

G_END_DECLS
