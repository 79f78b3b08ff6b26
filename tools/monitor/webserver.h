/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Serves the page, its events and /metrics. It only reads: there is no request that changes
 * anything. A name in the Host header that nobody allowed is refused, or a foreign page could have
 * its own name resolve to this machine and read along (DNS rebinding). */
#pragma once

#include "streamtable.h"

typedef struct _WebServer WebServer;

/* address: NULL: loopback. hosts: names beside localhost that a browser may use, may be NULL.
 * port: 0: any that is free. thumbnails: the folder of the streams' pictures, may be NULL. */
WebServer *web_server_new (StreamTable * streams, const gchar * address, guint port,
    const gchar * const *hosts, const gchar * thumbnails, GError ** error);
void web_server_free (WebServer * self);
/* Where the page is */
const gchar *web_server_uri (const WebServer * self);
