/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The connection to a monitor, through its local socket (SOCK_SEQPACKET). One thread.
 *
 * Processes connect to the monitor: nothing to accept or authenticate where media is sent, no
 * folder of stale sockets, and without a monitor the cost is a connect that fails.
 * SOCK_SEQPACKET keeps snapshots whole, drops what does not fit as a whole, and tells when the
 * other end has gone; of datagrams the kernel queues ten. Rejected: GSocket, whose types
 * register under two locks in either order (GLib 2.74): the thread blocked for good beside a new
 * udpsrc. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Of the path of a local socket (struct sockaddr_un, without the final 0). */
#define PUBLISHER_MAX_PATH_BYTES 107

typedef struct _Publisher Publisher;

/* path: of the socket of a monitor, which may come and go; at most PUBLISHER_MAX_PATH_BYTES. */
Publisher *publisher_new (const gchar * path);
void publisher_free (Publisher * self);
/* TRUE: a monitor listens. Connects if necessary; never blocks. */
gboolean publisher_reach (Publisher * self);
/* How many there have been with the present one. */
guint publisher_connections (const Publisher * self);
/* Waits a moment if the socket's buffer is full. FALSE: it was not sent. */
gboolean publisher_send (Publisher * self, const gchar * text);
/* So many messages were not sent. */
void publisher_drop (Publisher * self, guint messages);
guint64 publisher_dropped (const Publisher * self);

G_END_DECLS
