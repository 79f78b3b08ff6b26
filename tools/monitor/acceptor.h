/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Takes the connections of a listening socket, in the default main context. Problem: without a free
 * descriptor the kernel keeps the connection, so the socket stays readable, and a loop that only
 * tries again takes a whole CPU. Rule: after a failure it rests for a moment. */
#pragma once

#include <gio/gio.h>

typedef struct _Acceptor Acceptor;

/* Takes the connection. */
typedef void (*ConnectionFunc) (GSocket * connection, gpointer user_data);

/* Takes the listening socket. */
Acceptor *acceptor_new (GSocket * listening, ConnectionFunc on_connection, gpointer user_data);
void acceptor_free (Acceptor * self);
