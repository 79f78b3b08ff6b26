/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "visitors.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

/* The pages that may stay (MAX_PAGES of eventstream.c), and many more than a browser opens. */
#define MAX_VISITORS 64
/* A head is one packet. Bodies count, too: no request of ours has one. */
#define REQUEST_S 10
/* /metrics of a thousand streams is 10 MB. */
#define ANSWER_S 60
#define NEVER G_MAXINT64

struct _Visitors
{
  SoupServer *soup;
  GQueue visitors;              /* oldest first */
  guint timer;
};

typedef struct
{
  GSocketConnection *connection;
  GSocketAddress *local, *remote;       /* libsoup gives a message the very object `remote` */
  gint64 until;                 /* monotonic, µs */
  gboolean leaves;
} Visitor;

static void
visitor_free (gpointer data)
{
  Visitor *visitor = data;

  g_object_unref (visitor->connection);
  g_clear_object (&visitor->local);
  g_clear_object (&visitor->remote);
  g_free (visitor);
}

/* libsoup sees the end, and closes. */
static void
hang_up (Visitor * visitor)
{
  visitor->leaves = TRUE;
  g_socket_shutdown (g_socket_connection_get_socket (visitor->connection), TRUE, TRUE, NULL);
}

static void
forget_closed (Visitors * self)
{
  GList *item = self->visitors.head, *next;

  for (; item != NULL; item = next) {
    Visitor *visitor = item->data;

    next = item->next;
    if (g_io_stream_is_closed (G_IO_STREAM (visitor->connection))) {
      g_queue_delete_link (&self->visitors, item);
      visitor_free (visitor);
    }
  }
}

static gboolean
on_time (gpointer user_data)
{
  Visitors *self = user_data;
  gint64 now = g_get_monotonic_time ();
  GList *item;

  forget_closed (self);
  for (item = self->visitors.head; item != NULL; item = item->next)
    if (now > ((Visitor *) item->data)->until)
      hang_up (item->data);
  return G_SOURCE_CONTINUE;
}

static void
make_room (Visitors * self)
{
  Visitor *oldest = NULL;
  guint staying = 0;
  GList *item;

  forget_closed (self);
  for (item = self->visitors.tail; item != NULL; item = item->prev) {
    Visitor *visitor = item->data;

    staying += !visitor->leaves;
    if (!visitor->leaves && visitor->until != NEVER)
      oldest = visitor;
  }
  if (staying >= MAX_VISITORS && oldest != NULL)
    hang_up (oldest);
}

Visitors *
visitors_new (SoupServer * soup)
{
  Visitors *self = g_new0 (Visitors, 1);

  self->soup = soup;
  self->timer = g_timeout_add_seconds (1, on_time, self);
  return self;
}

void
visitors_free (Visitors * self)
{
  g_source_remove (self->timer);
  g_queue_clear_full (&self->visitors, visitor_free);
  g_free (self);
}

static Visitor *
visitor_new (GSocket * socket)
{
  Visitor *visitor = g_new0 (Visitor, 1);

  visitor->connection = g_socket_connection_factory_create_connection (socket);
  visitor->local = g_socket_get_local_address (socket, NULL);
  visitor->remote = g_socket_get_remote_address (socket, NULL);
  visitor->until = g_get_monotonic_time () + REQUEST_S * G_TIME_SPAN_SECOND;
  return visitor;
}

void
visitors_take (Visitors * self, GSocket * connection)
{
  Visitor *visitor = visitor_new (connection);

  make_room (self);
  g_socket_set_option (connection, IPPROTO_TCP, TCP_NODELAY, TRUE, NULL);
  if (visitor->local != NULL && visitor->remote != NULL) {
    g_queue_push_tail (&self->visitors, visitor);
    soup_server_accept_iostream (self->soup, G_IO_STREAM (visitor->connection), visitor->local,
        visitor->remote, NULL);
  } else {                      /* gone already */
    visitor_free (visitor);
  }
  g_object_unref (connection);
}

static gint
compare_remote (gconstpointer visitor, gconstpointer address)
{
  return ((const Visitor *) visitor)->remote != address;
}

static Visitor *
visitor_of (Visitors * self, SoupServerMessage * message)
{
  GList *item = g_queue_find_custom (&self->visitors,
      soup_server_message_get_remote_address (message), compare_remote);

  return item ? item->data : NULL;
}

static void
set_time (Visitors * self, SoupServerMessage * message, gint64 until)
{
  Visitor *visitor = visitor_of (self, message);

  if (visitor != NULL)
    visitor->until = until;
}

void
visitors_answer (Visitors * self, SoupServerMessage * message)
{
  set_time (self, message, g_get_monotonic_time () + ANSWER_S * G_TIME_SPAN_SECOND);
}

void
visitors_keep (Visitors * self, SoupServerMessage * message)
{
  set_time (self, message, NEVER);
}

void
visitors_hang_up (Visitors * self, SoupServerMessage * message)
{
  Visitor *visitor = visitor_of (self, message);

  if (visitor != NULL)
    hang_up (visitor);
}

void
visitors_cut (Visitors * self, SoupServerMessage * message)
{
  Visitor *visitor = visitor_of (self, message);

  if (visitor != NULL)
    g_io_stream_close (G_IO_STREAM (visitor->connection), NULL, NULL);
}
