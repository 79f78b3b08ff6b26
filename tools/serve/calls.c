/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "calls.h"

#include <string.h>

#define RETRY_S 3
#define SDP "application/sdp"

struct _Calls
{
  const PeerSettings *settings;
  guint most;
  GHashTable *calls;            /* path: Call */
  GPtrArray *outlets;
  SoupSession *session;
};

typedef struct
{
  Calls *calls;
  LiveStream *stream;
  GstElement *tap;              /* NULL: it publishes */
  Peer *peer;
  gchar *path;
  SoupServerMessage *asking;    /* waits for the answer */
} Call;

/* To a server of WHIP. */
typedef struct
{
  Calls *calls;
  LiveStream *stream;
  GstElement *tap;
  Peer *peer;                   /* NULL: it waits to try again */
  gchar *url, *token, *resource;        /* resource: NULL: none yet */
  guint retrying;
} Outlet;

static void
refuse (SoupServerMessage * message, guint status, const gchar * why)
{
  soup_server_message_set_status (message, status, NULL);
  soup_server_message_set_response (message, "text/plain", SOUP_MEMORY_COPY, why, strlen (why));
}

static void
call_free (gpointer data)
{
  Call *self = data;

  if (self->peer)
    peer_end (self->peer);
  if (self->tap)
    live_stream_untap (self->stream, self->tap);
  if (self->asking) {
    if (soup_server_message_get_status (self->asking) == SOUP_STATUS_NONE)
      refuse (self->asking, SOUP_STATUS_SERVICE_UNAVAILABLE, "the stream or the server has ended");
    soup_server_message_unpause (self->asking);
    g_object_unref (self->asking);
  }
  g_free (self->path);
  g_free (self);
}

static void
on_answer (Peer * peer, const gchar * sdp, gpointer data)
{
  Call *self = data;
  SoupServerMessage *message = g_steal_pointer (&self->asking);

  soup_message_headers_append (soup_server_message_get_response_headers (message), "Location",
      self->path);
  soup_server_message_set_response (message, SDP, SOUP_MEMORY_COPY, sdp, strlen (sdp));
  soup_server_message_set_status (message, SOUP_STATUS_CREATED, NULL);
  soup_server_message_unpause (message);
  g_object_unref (message);
}

static void
on_call_ended (Peer * peer, const gchar * why, gpointer data)
{
  Call *self = data;

  g_print ("%s ended: %s\n", self->path, why);
  self->peer = NULL;
  if (self->asking)
    refuse (self->asking, SOUP_STATUS_NOT_ACCEPTABLE, why);
  g_hash_table_remove (self->calls->calls, self->path);
}

static void
begin (Calls * calls, LiveStream * stream, SoupServerMessage * message, const gchar * channel)
{
  g_autoptr (GBytes) body = soup_message_body_flatten (soup_server_message_get_request_body (
          message));
  g_autofree gchar *offer = g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
  g_autofree gchar *id = g_uuid_string_random ();
  const gchar *why = NULL;
  Call *self = g_new0 (Call, 1);

  self->calls = calls;
  self->stream = stream;
  self->path = g_strdup_printf ("/%s/%s/%s", live_stream_name (stream), channel ? "whip" : "whep",
      id);
  self->tap = channel ? NULL : live_stream_tap (stream);
  self->peer = channel ? peer_new_receiver (calls->settings, channel, offer, on_answer,
      on_call_ended, self, &why)
      : peer_new_sender (calls->settings, self->tap, offer, on_answer, on_call_ended, self, &why);
  if (!self->peer) {
    refuse (message, SOUP_STATUS_NOT_ACCEPTABLE, why);
    call_free (self);
    return;
  }
  self->asking = g_object_ref (message);
  soup_server_message_pause (message);
  g_hash_table_insert (calls->calls, self->path, self);
  g_print ("%s: %u calls\n", self->path, g_hash_table_size (calls->calls));
}

void
calls_watch (Calls * self, LiveStream * stream, SoupServerMessage * message)
{
  if (g_hash_table_size (self->calls) < self->most) {
    begin (self, stream, message, NULL);
    return;
  }
  soup_message_headers_append (soup_server_message_get_response_headers (message), "Retry-After",
      "10");
  refuse (message, SOUP_STATUS_SERVICE_UNAVAILABLE, "as many watch as may (--max-viewers)\n");
}

static gboolean
is_publisher (gpointer path, gpointer call, gpointer stream)
{
  return ((Call *) call)->stream == stream && !((Call *) call)->tap;
}

void
calls_publish (Calls * self, LiveStream * stream, SoupServerMessage * message)
{
  const gchar *channel = live_stream_channel (stream);

  if (!channel)
    refuse (message, SOUP_STATUS_FORBIDDEN, "this stream has a source: start it as NAME=whip\n");
  else if (g_hash_table_find (self->calls, is_publisher, stream))
    refuse (message, SOUP_STATUS_CONFLICT, "somebody publishes here already\n");
  else
    begin (self, stream, message, channel);
}

gboolean
calls_end (Calls * self, const gchar * path)
{
  if (!g_hash_table_contains (self->calls, path))
    return FALSE;
  g_hash_table_remove (self->calls, path);
  g_print ("%s left: %u calls\n", path, g_hash_table_size (self->calls));
  return TRUE;
}

static gboolean
has_tap_of (gpointer path, gpointer call, gpointer stream)
{
  return ((Call *) call)->stream == stream && ((Call *) call)->tap;
}

/* --- WHIP, as a client --- */

static void outlet_begin (Outlet * self);

static gboolean
outlet_begin_again (gpointer data)
{
  Outlet *self = data;

  self->retrying = 0;
  outlet_begin (self);
  return G_SOURCE_REMOVE;
}

/* NULL: that is no URL. */
static SoupMessage *
new_request (Outlet * self, const gchar * method, const gchar * url)
{
  SoupMessage *message = soup_message_new (method, url);

  if (message && self->token) {
    gchar *bearer = g_strconcat ("Bearer ", self->token, NULL);

    soup_message_headers_append (soup_message_get_request_headers (message), "Authorization",
        bearer);
    g_free (bearer);
  }
  return message;
}

/* At the server too, which may go on to send to nobody otherwise. */
static void
outlet_stop (Outlet * self)
{
  if (self->peer)
    peer_end (self->peer);
  self->peer = NULL;
  if (self->tap)
    live_stream_untap (self->stream, self->tap);
  self->tap = NULL;
  g_clear_handle_id (&self->retrying, g_source_remove);
  if (self->resource) {
    SoupMessage *message = new_request (self, SOUP_METHOD_DELETE, self->resource);
    GInputStream *stream = message ? soup_session_send (self->calls->session, message, NULL, NULL)
        : NULL;

    g_clear_object (&stream);
    g_clear_object (&message);
  }
  g_clear_pointer (&self->resource, g_free);
}

static void
outlet_retry (Outlet * self, const gchar * why)
{
  g_printerr ("%s: %s; again in %d s\n", self->url, why, RETRY_S);
  outlet_stop (self);
  self->retrying = g_timeout_add_seconds (RETRY_S, outlet_begin_again, self);
}

static void
on_outlet_ended (Peer * peer, const gchar * why, gpointer data)
{
  ((Outlet *) data)->peer = NULL;
  outlet_retry (data, why);
}

static void
on_reply (GObject * session, GAsyncResult * result, gpointer data)
{
  Outlet *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) body = soup_session_send_and_read_finish (SOUP_SESSION (session), result,
      &error);
  SoupMessage *message = soup_session_get_async_result_message (SOUP_SESSION (session), result);
  const gchar *location = message ? soup_message_headers_get_one (
      soup_message_get_response_headers (message), "Location") : NULL;
  g_autofree gchar *answer = body ? g_strndup (g_bytes_get_data (body, NULL),
      g_bytes_get_size (body)) : NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || !self->peer)
    return;
  if (error) {
    outlet_retry (self, error->message);
    return;
  }
  if (soup_message_get_status (message) != SOUP_STATUS_CREATED) {
    g_autofree gchar *why = g_strdup_printf ("%u %s: %.200s", soup_message_get_status (message),
        soup_message_get_reason_phrase (message), answer ? g_strchomp (answer) : "");

    outlet_retry (self, why);
    return;
  }
  if (location)
    self->resource = g_uri_resolve_relative (self->url, location, G_URI_FLAGS_NONE, NULL);
  if (!peer_take_answer (self->peer, answer))
    outlet_retry (self, "the answer is no SDP");
  else
    g_print ("%s: published\n", self->url);
}

static void
on_offer (Peer * peer, const gchar * sdp, gpointer data)
{
  Outlet *self = data;
  SoupMessage *message = new_request (self, SOUP_METHOD_POST, self->url);
  GBytes *body = g_bytes_new (sdp, strlen (sdp));

  soup_message_set_request_body_from_bytes (message, SDP, body);
  soup_session_send_and_read_async (self->calls->session, message, G_PRIORITY_DEFAULT, NULL,
      on_reply, self);
  g_bytes_unref (body);
  g_object_unref (message);
}

static void
outlet_begin (Outlet * self)
{
  const gchar *why;

  self->tap = live_stream_tap (self->stream);
  self->peer = peer_new_sender (self->calls->settings, self->tap, NULL, on_offer, on_outlet_ended,
      self, &why);
}

static void
outlet_free (gpointer data)
{
  Outlet *self = data;

  outlet_stop (self);
  g_free (self->url);
  g_free (self->token);
  g_free (self);
}

void
calls_send (Calls * self, LiveStream * stream, const gchar * url, const gchar * token)
{
  Outlet *outlet = g_new0 (Outlet, 1);

  outlet->calls = self;
  outlet->stream = stream;
  outlet->url = g_strdup (url);
  outlet->token = g_strdup (token);
  g_ptr_array_add (self->outlets, outlet);
  outlet_begin (outlet);
}

/* --- all --- */

void
calls_end_of_stream (Calls * self, LiveStream * stream)
{
  g_hash_table_foreach_remove (self->calls, has_tap_of, stream);
  for (guint i = 0; i < self->outlets->len; i++) {
    Outlet *outlet = self->outlets->pdata[i];

    if (outlet->stream == stream && outlet->tap)
      outlet_retry (outlet, "the source has failed");
  }
}

void
calls_print (Calls * self)
{
  GHashTableIter i;
  gpointer path, call;

  g_hash_table_iter_init (&i, self->calls);
  while (g_hash_table_iter_next (&i, &path, &call))
    if (((Call *) call)->tap)
      g_print ("%s: %u kbit/s\n", (gchar *) path, peer_rate_bps (((Call *) call)->peer) / 1000);
  for (guint k = 0; k < self->outlets->len; k++) {
    Outlet *outlet = self->outlets->pdata[k];

    if (outlet->peer)
      g_print ("%s: %u kbit/s\n", outlet->url, peer_rate_bps (outlet->peer) / 1000);
  }
}

Calls *
calls_new (const PeerSettings * settings, guint most)
{
  Calls *self = g_new0 (Calls, 1);

  self->settings = settings;
  self->most = most;
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, call_free);
  self->outlets = g_ptr_array_new_with_free_func (outlet_free);
  self->session = soup_session_new ();
  return self;
}

void
calls_free (Calls * self)
{
  g_ptr_array_unref (self->outlets);
  g_hash_table_unref (self->calls);
  soup_session_abort (self->session);
  g_object_unref (self->session);
  g_free (self);
}
