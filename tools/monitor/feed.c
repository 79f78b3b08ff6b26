/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "feed.h"

#include "hub.h"
#include "messagesocket.h"

#include <gio/gio.h>

#define RETRY_S 1

struct _Feed
{
  gchar *path;
  StreamTable *streams;
  Hub *hub;
  MessageSocket *watching;      /* another monitor's hub */
  guint retry;
};

static gboolean begin (Feed * self, GError ** error);

static gboolean
on_retry (gpointer user_data)
{
  Feed *self = user_data;

  if (!begin (self, NULL))
    return G_SOURCE_CONTINUE;
  self->retry = 0;
  return G_SOURCE_REMOVE;
}

static void
on_message (const gchar * text, gpointer user_data)
{
  Feed *self = user_data;

  stream_table_take (self->streams, text, g_get_monotonic_time ());
}

static void
on_closed (gpointer user_data)
{
  Feed *self = user_data;

  g_clear_pointer (&self->watching, message_socket_free);
  self->retry = g_timeout_add_seconds (RETRY_S, on_retry, self);
}

static gboolean
begin_to_watch (Feed * self, GError ** error)
{
  GSocket *socket = message_socket_connect (self->path, error);

  if (socket == NULL)
    return FALSE;
  self->watching = message_socket_new (socket, on_message, on_closed, self);
  message_socket_send (self->watching, HUB_WATCH);
  return TRUE;
}

static gboolean
begin (Feed * self, GError ** error)
{
  GError *failure = NULL;

  self->hub = hub_new (self->path, self->streams, &failure);
  if (self->hub != NULL)
    return TRUE;
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE)) {
    g_clear_error (&failure);
    return begin_to_watch (self, error);
  }
  g_propagate_error (error, failure);
  return FALSE;
}

Feed *
feed_new (const gchar * path, StreamTable * streams, GError ** error)
{
  Feed *self = g_new0 (Feed, 1);

  self->path = g_strdup (path);
  self->streams = streams;
  if (begin (self, error))
    return self;
  feed_free (self);
  return NULL;
}

void
feed_free (Feed * self)
{
  if (self->retry)
    g_source_remove (self->retry);
  g_clear_pointer (&self->hub, hub_free);
  g_clear_pointer (&self->watching, message_socket_free);
  g_free (self->path);
  g_free (self);
}
