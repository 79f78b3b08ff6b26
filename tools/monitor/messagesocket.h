/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A local socket that keeps messages apart (SOCK_SEQPACKET), in the default main context. */
#pragma once

#include <gio/gio.h>

/* The longest message that is read; a longer one is cut, and then no structure. The kernel's
 * buffer of the sender bounds it, too: 208 KiB by default. */
#define MESSAGE_SOCKET_MAX (256 * 1024)

typedef struct _MessageSocket MessageSocket;

typedef void (*MessageFunc) (const gchar * text, gpointer user_data);
/* The last call; the socket may be freed in it. */
typedef void (*ClosedFunc) (gpointer user_data);

/* What listens, or is connected; NULL: not possible. */
GSocket *message_socket_listen (const gchar * path, GError ** error);
GSocket *message_socket_connect (const gchar * path, GError ** error);

/* Takes the connected socket. */
MessageSocket *message_socket_new (GSocket * socket, MessageFunc on_message, ClosedFunc on_closed,
    gpointer user_data);
void message_socket_free (MessageSocket * self);
/* Never waits: a message that does not fit is dropped. */
void message_socket_send (MessageSocket * self, const gchar * text);
