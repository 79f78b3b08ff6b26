/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "acceptor.h"

#define REST_MS 500

struct _Acceptor
{
  GSocket *listening;
  ConnectionFunc on_connection;
  gpointer user_data;
  GSource *source;              /* NULL: it rests */
  guint rest;
  gboolean warned;              /* since the last connection */
};

static void begin (Acceptor * self);

static gboolean
on_rested (gpointer user_data)
{
  Acceptor *self = user_data;

  self->rest = 0;
  begin (self);
  return G_SOURCE_REMOVE;
}

static void
rest (Acceptor * self)
{
  g_clear_pointer (&self->source, g_source_unref);
  self->rest = g_timeout_add (REST_MS, on_rested, self);
}

static gboolean
on_readable (GSocket * listening, GIOCondition condition, gpointer user_data)
{
  Acceptor *self = user_data;
  GError *error = NULL;
  GSocket *connection = g_socket_accept (listening, NULL, &error);
  gboolean gone = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);

  if (connection != NULL) {
    self->warned = FALSE;
    self->on_connection (connection, self->user_data);
  } else if (!gone && !self->warned) {
    self->warned = TRUE;
    g_warning ("no connection is taken for a moment: %s; raise the limit of open files "
        "(ulimit -n) if it is too low", error->message);
  }
  g_clear_error (&error);
  if (connection != NULL || gone)
    return G_SOURCE_CONTINUE;
  rest (self);
  return G_SOURCE_REMOVE;
}

static void
begin (Acceptor * self)
{
  self->source = g_socket_create_source (self->listening, G_IO_IN, NULL);
  g_source_set_callback (self->source, G_SOURCE_FUNC (on_readable), self, NULL);
  g_source_attach (self->source, NULL);
}

Acceptor *
acceptor_new (GSocket * listening, ConnectionFunc on_connection, gpointer user_data)
{
  Acceptor *self = g_new0 (Acceptor, 1);

  self->listening = listening;
  g_socket_set_blocking (listening, FALSE);
  self->on_connection = on_connection;
  self->user_data = user_data;
  begin (self);
  return self;
}

void
acceptor_free (Acceptor * self)
{
  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  if (self->rest)
    g_source_remove (self->rest);
  g_object_unref (self->listening);
  g_free (self);
}
