/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Where the relay sends to: the address of its host, and sockets connected to it. Never one of
 * the relay's own listeners, which would hear their own datagrams for ever. A name is looked up
 * at the start, and again, on a thread of its own, on request, because the host is silent. No
 * locks. */
#pragma once

#include <gio/gio.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _RelayLookUp RelayLookUp;

typedef struct
{
  gchar *name;
  guint port;                   /* of the first listener's; the others' follow */
  GSocketAddress *address;      /* of that port; numeric, with the scope of a link-local one */
  guint generation;             /* of the address: another number, another address */
  GPtrArray *listeners;         /* the relay's own sockets */
  RelayLookUp *look_up;         /* that runs, or has not been taken; NULL: none */
  RcTime asked_at;              /* the last look-up; RC_TIME_NONE: none yet */
} RelayHost;

/* Looks the name up, which blocks. FALSE and *error (domain GST_RESOURCE_ERROR, a sentence for
 * the user): there is no address to send to. */
gboolean relay_host_init (RelayHost * self, const gchar * name, guint port, GError ** error);
/* For one that is zeroed, too. A look-up that runs ends by itself. */
void relay_host_clear (RelayHost * self);
/* FALSE and *error: one of the listeners (GSocket, as many as there are ports) would hear what
 * is sent to the host. */
gboolean relay_host_avoid (RelayHost * self, GPtrArray * listeners, GError ** error);
/* Not blocking, connected to our port + index. NULL: not now. */
GSocket *relay_host_connect (const RelayHost * self, guint index, GError ** error);
/* Of our port + index (g_object_unref). */
GSocketAddress *relay_host_address (const RelayHost * self, guint index);
/* UDP and IP header bytes of each packet. */
guint relay_host_overhead_bytes (const RelayHost * self);
/* Has the name looked up, if it is one, and not too often. */
void relay_host_look_up (RelayHost * self, RcTime now);
/* Takes the address that was found meanwhile, if it is another. Cheap. */
void relay_host_refresh (RelayHost * self);

G_END_DECLS
