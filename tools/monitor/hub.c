/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "hub.h"

#include "acceptor.h"
#include "messagesocket.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <sys/stat.h>

/* A process and a watcher need one each; the limit keeps the files of this process. */
#define MAX_GUESTS 256

struct _Hub
{
  gchar *path;
  StreamTable *streams;
  Acceptor *acceptor;
  GList *guests;
  gboolean full;
};

/* Who is connected: a process, or a watcher. */
typedef struct
{
  Hub *hub;
  MessageSocket *socket;
  gchar *run;                   /* of the process; NULL: it has said nothing yet */
  gboolean watches;
} Guest;

static void
guest_free (gpointer data)
{
  Guest *guest = data;

  message_socket_free (guest->socket);
  g_free (guest->run);
  g_free (guest);
}

static void
pass_on (Hub * self, const gchar * text)
{
  GList *item;

  for (item = self->guests; item != NULL; item = item->next) {
    Guest *guest = item->data;

    if (guest->watches)
      message_socket_send (guest->socket, text);
  }
}

static void
on_message (const gchar * text, gpointer user_data)
{
  Guest *guest = user_data;
  const Stream *stream;

  if (g_str_equal (text, HUB_WATCH)) {
    guest->watches = TRUE;
    return;
  }
  stream = stream_table_take (guest->hub->streams, text, g_get_monotonic_time ());
  if (stream == NULL)
    return;
  if (guest->run == NULL)
    guest->run = g_strdup (stream_text (stream, "run"));
  pass_on (guest->hub, text);
}

static void
on_closed (gpointer user_data)
{
  Guest *guest = user_data;
  Hub *self = guest->hub;

  if (guest->run != NULL)
    stream_table_forget (self->streams, guest->run);
  self->guests = g_list_remove (self->guests, guest);
  guest_free (guest);
}

static void
on_connection (GSocket * connection, gpointer user_data)
{
  Hub *self = user_data;
  gboolean was_full = self->full;
  Guest *guest;

  self->full = g_list_length (self->guests) >= MAX_GUESTS;
  if (self->full) {
    if (!was_full)
      g_warning ("%u processes and watchers are connected, no more are taken", MAX_GUESTS);
    g_object_unref (connection);
    return;
  }
  guest = g_new0 (Guest, 1);
  guest->hub = self;
  guest->socket = message_socket_new (connection, on_message, on_closed, guest);
  self->guests = g_list_append (self->guests, guest);
}

/* A socket that nobody listens at was left by a hub that was killed. */
static gboolean
is_in_use (const gchar * path, GError ** error)
{
  GSocket *socket = message_socket_connect (path, NULL);
  GStatBuf info;

  if (socket == NULL) {
    if (g_lstat (path, &info) == 0 && S_ISSOCK (info.st_mode))
      g_unlink (path);
    return FALSE;
  }
  g_object_unref (socket);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE,
      "another gst-arc-monitor listens at %s", path);
  return TRUE;
}

static GSocket *
listen_at (const gchar * path, GError ** error)
{
  GError *failure = NULL;
  GSocket *socket = message_socket_listen (path, &failure);
  gchar *folder;

  if (socket != NULL)
    return socket;
  if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
    g_propagate_prefixed_error (error, failure, "socket %s: ", path);
    return NULL;
  }
  g_clear_error (&failure);
  folder = g_path_get_dirname (path);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "there is no folder %s for the socket: "
      "make it (mkdir -p), or name another path with --socket", folder);
  g_free (folder);
  return NULL;
}

Hub *
hub_new (const gchar * path, StreamTable * streams, GError ** error)
{
  GSocket *socket = is_in_use (path, error) ? NULL : listen_at (path, error);
  Hub *self;

  if (socket == NULL)
    return NULL;
  self = g_new0 (Hub, 1);
  self->path = g_strdup (path);
  self->streams = streams;
  self->acceptor = acceptor_new (socket, on_connection, self);
  return self;
}

void
hub_free (Hub * self)
{
  g_list_free_full (self->guests, guest_free);
  acceptor_free (self->acceptor);
  g_unlink (self->path);
  g_free (self->path);
  g_free (self);
}
