/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Server-sent events, not a WebSocket: the page only listens, browsers connect again by
 * themselves, and libsoup tells when an event has left. A page gets the next one after that, so
 * nothing piles up for a slow one. */

#include "eventstream.h"

#include "streamjson.h"

#define INTERVAL_MS 200         /* as the processes tell */
/* With many viewers events are large, and come less often: a browser of one core has to read them
 * all, and a phone by its radio. */
#define MOST_BYTES_S 200000
#define MAX_PAGES 16            /* each costs an event in memory */
/* A page that takes nothing for so long loses its place. It asks again if it is there. */
#define STUCK_S 10

struct _EventStream
{
  StreamTable *streams;
  Visitors *visitors;
  const gchar *thumbnails;
  GList *pages;
  guint timer;
  gint64 due_at;                /* the next event; monotonic, µs */
};

typedef struct
{
  EventStream *events;
  SoupServerMessage *message;
  gboolean busy;                /* the last event has not left yet */
  gint64 busy_at;               /* since then; monotonic, µs */
} Page;

static void
send_to (Page * page, GBytes * event)
{
  SoupMessageBody *body = soup_server_message_get_response_body (page->message);

  page->busy = TRUE;
  page->busy_at = g_get_monotonic_time ();
  soup_message_body_append_bytes (body, event);
  soup_server_message_unpause (page->message);
}

static GBytes *
event_now (EventStream * self)
{
  gchar *json = stream_json (self->streams, self->thumbnails);
  gchar *text = g_strconcat ("retry: 1000\ndata: ", json, "\n\n", NULL);

  g_free (json);
  return g_bytes_new_take (text, strlen (text));
}

static gboolean
on_time (gpointer user_data)
{
  EventStream *self = user_data;
  gint64 now = g_get_monotonic_time ();
  GBytes *event = NULL;
  GList *item;

  for (item = self->pages; item != NULL; item = item->next) {
    Page *page = item->data;

    if (!page->busy && now >= self->due_at) {
      if (event == NULL)
        event = event_now (self);
      send_to (page, event);
    } else if (page->busy && now > page->busy_at + STUCK_S * G_TIME_SPAN_SECOND) {
      visitors_hang_up (self->visitors, page->message);
    }
  }
  if (event != NULL)
    self->due_at = now + (gint64) g_bytes_get_size (event) * G_TIME_SPAN_SECOND / MOST_BYTES_S;
  g_clear_pointer (&event, g_bytes_unref);
  if (self->pages != NULL)
    return G_SOURCE_CONTINUE;
  self->timer = 0;
  return G_SOURCE_REMOVE;
}

static void
on_wrote_chunk (SoupServerMessage * message, gpointer user_data)
{
  ((Page *) user_data)->busy = FALSE;
}

static void
page_free (Page * page)
{
  g_signal_handlers_disconnect_by_data (page->message, page);
  g_object_unref (page->message);
  g_free (page);
}

/* The page has gone. */
static void
on_finished (SoupServerMessage * message, gpointer user_data)
{
  Page *page = user_data;

  page->events->pages = g_list_remove (page->events->pages, page);
  page_free (page);
}

EventStream *
event_stream_new (StreamTable * streams, Visitors * visitors, const gchar * thumbnails)
{
  EventStream *self = g_new0 (EventStream, 1);

  self->streams = streams;
  self->visitors = visitors;
  self->thumbnails = thumbnails;
  return self;
}

void
event_stream_free (EventStream * self)
{
  if (self->timer)
    g_source_remove (self->timer);
  g_list_free_full (self->pages, (GDestroyNotify) page_free);
  g_free (self);
}

void
event_stream_serve (EventStream * self, SoupServerMessage * message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  Page *page;
  GBytes *event;

  if (g_list_length (self->pages) >= MAX_PAGES) {
    soup_server_message_set_status (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL);
    return;
  }
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  soup_message_headers_set_content_type (headers, "text/event-stream", NULL);
  soup_message_headers_set_encoding (headers, SOUP_ENCODING_CHUNKED);
  soup_message_body_set_accumulate (soup_server_message_get_response_body (message), FALSE);
  visitors_keep (self->visitors, message);
  page = g_new0 (Page, 1);
  page->events = self;
  page->message = g_object_ref (message);
  g_signal_connect (message, "wrote-chunk", G_CALLBACK (on_wrote_chunk), page);
  g_signal_connect (message, "finished", G_CALLBACK (on_finished), page);
  self->pages = g_list_append (self->pages, page);
  event = event_now (self);
  send_to (page, event);
  g_bytes_unref (event);
  if (self->timer == 0)
    self->timer = g_timeout_add (INTERVAL_MS, on_time, self);
}
