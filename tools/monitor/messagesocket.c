/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "messagesocket.h"

#include <gio/gunixsocketaddress.h>
#include <string.h>
#include <sys/un.h>

/* So many messages in one go: others have their turn, too. */
#define MAX_BATCH 64
#define MAX_PATH_BYTES (sizeof ((struct sockaddr_un *) NULL)->sun_path - 1)

struct _MessageSocket
{
  GSocket *socket;
  GSource *source;
  MessageFunc on_message;
  ClosedFunc on_closed;
  gpointer user_data;
  gchar buffer[MESSAGE_SOCKET_MAX + 1];
};

/* GLib would cut a path that is too long. */
static GSocketAddress *
new_address (const gchar * path, GError ** error)
{
  if (strlen (path) <= MAX_PATH_BYTES)
    return g_unix_socket_address_new (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      "the path has %" G_GSIZE_FORMAT " bytes, and that of a local socket at most %"
      G_GSIZE_FORMAT ": name a shorter one with --socket", strlen (path), MAX_PATH_BYTES);
  return NULL;
}

static GSocket *
new_socket (GError ** error)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_SEQPACKET,
      G_SOCKET_PROTOCOL_DEFAULT, error);

  if (socket != NULL)
    g_socket_set_blocking (socket, FALSE);
  return socket;
}

GSocket *
message_socket_listen (const gchar * path, GError ** error)
{
  GSocketAddress *address = new_address (path, error);
  GSocket *socket = address ? new_socket (error) : NULL;

  if (socket && !(g_socket_bind (socket, address, FALSE, error)
          && g_socket_listen (socket, error)))
    g_clear_object (&socket);
  g_clear_object (&address);
  return socket;
}

GSocket *
message_socket_connect (const gchar * path, GError ** error)
{
  GSocketAddress *address = new_address (path, error);
  GSocket *socket = address ? new_socket (error) : NULL;

  if (socket && !g_socket_connect (socket, address, NULL, error))
    g_clear_object (&socket);
  g_clear_object (&address);
  return socket;
}

static gboolean
on_readable (GSocket * socket, GIOCondition condition, gpointer user_data)
{
  MessageSocket *self = user_data;
  GError *error = NULL;
  gssize bytes = 1;
  guint i;

  for (i = 0; i < MAX_BATCH && bytes > 0; i++) {
    bytes = g_socket_receive (socket, self->buffer, MESSAGE_SOCKET_MAX, NULL, &error);
    if (bytes > 0) {
      self->buffer[bytes] = '\0';
      self->on_message (self->buffer, self->user_data);
    }
  }
  if (bytes == 0 || (bytes < 0 && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)))
    self->on_closed (self->user_data);
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

MessageSocket *
message_socket_new (GSocket * socket, MessageFunc on_message, ClosedFunc on_closed,
    gpointer user_data)
{
  MessageSocket *self = g_new0 (MessageSocket, 1);

  self->socket = socket;
  g_socket_set_blocking (socket, FALSE);
  self->on_message = on_message;
  self->on_closed = on_closed;
  self->user_data = user_data;
  self->source = g_socket_create_source (socket, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->source, NULL);
  return self;
}

void
message_socket_free (MessageSocket * self)
{
  g_source_destroy (self->source);
  g_source_unref (self->source);
  g_object_unref (self->socket);
  g_free (self);
}

void
message_socket_send (MessageSocket * self, const gchar * text)
{
  g_socket_send (self->socket, text, strlen (text), NULL, NULL);
}
