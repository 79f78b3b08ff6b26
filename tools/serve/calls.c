/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "calls.h"

#include <string.h>

#define RETRY_S 3
#define SDP "application/sdp"

typedef struct
{
  Calls *calls;
  LiveStream *stream;
  GstElement *taps[TRACKS];     /* none: it publishes */
  Peer *peer;                   /* NULL: it waits to try again */
  gchar *path;                  /* under which it is ended; of our own a URL, or NULL */
  SoupServerMessage *asking;    /* waits for the answer */
  gchar *url, *token;           /* the rest is of our own call */
  guint retrying;
  GCancellable *cancellable;    /* of the request */
  gchar *answer;                /* to it: one byte more than may be */
} Call;

struct _Calls
{
  const PeerSettings *settings;
  guint most;
  GHashTable *calls;            /* path: Call */
  Call *ours;                   /* NULL: none */
  SoupSession *session;
};

void
answer (SoupServerMessage * message, guint status, const gchar * type, const gchar * text)
{
  soup_server_message_set_status (message, status, NULL);
  if (text)
    soup_server_message_set_response (message, type ? type : "text/plain", SOUP_MEMORY_COPY, text,
        strlen (text));
}

/* It has a status. */
static void
send_answer (Call * self)
{
  g_signal_handlers_disconnect_by_data (self->asking, self);
  soup_server_message_unpause (self->asking);
  g_clear_object (&self->asking);
}

static void
call_stop (Call * self)
{
  if (self->peer)
    peer_end (g_steal_pointer (&self->peer));
  live_stream_untap (self->stream, self->taps);
  if (!self->asking)
    return;
  if (soup_server_message_get_status (self->asking) == SOUP_STATUS_NONE)
    answer (self->asking, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL,
        "the stream or the server has ended");
  send_answer (self);
}

static void
call_free (gpointer data)
{
  Call *self = data;

  call_stop (self);
  g_free (self->path);
  g_free (self->url);
  g_free (self->token);
  g_free (self->answer);
  g_free (self);
}

static Call *
call_new (Calls * calls, LiveStream * stream)
{
  Call *self = g_new0 (Call, 1);

  self->calls = calls;
  self->stream = stream;
  return self;
}

/* --- calls of others --- */

static void
on_answer (const gchar * sdp, gpointer data)
{
  Call *self = data;

  soup_message_headers_append (soup_server_message_get_response_headers (self->asking), "Location",
      self->path);
  answer (self->asking, SOUP_STATUS_CREATED, SDP, sdp);
  send_answer (self);
}

/* Who asks did not wait for the answer. */
static void
on_gone (SoupServerMessage * message, gpointer data)
{
  Call *self = data;

  g_signal_handlers_disconnect_by_data (message, self);
  g_clear_object (&self->asking);
  calls_end (self->calls, self->path);
}

static void
on_call_ended (const gchar * why, gpointer data)
{
  Call *self = data;

  g_print ("%s ended: %s\n", self->path, why);
  self->peer = NULL;
  if (self->asking)
    answer (self->asking, SOUP_STATUS_NOT_ACCEPTABLE, NULL, why);
  g_hash_table_remove (self->calls->calls, self->path);
}

static void
begin (Calls * calls, LiveStream * stream, gboolean publishes, SoupServerMessage * message)
{
  g_autoptr (GBytes) body = soup_message_body_flatten (soup_server_message_get_request_body (
          message));
  g_autofree gchar *offer = g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
  g_autofree gchar *id = g_uuid_string_random ();
  const gchar *why = NULL;
  Call *self = call_new (calls, stream);

  self->path = g_strdup_printf ("/%s/%s/%s", live_stream_name (stream),
      publishes ? "whip" : "whep", id);
  if (!publishes)
    live_stream_tap (stream, self->taps);
  self->peer = peer_new (calls->settings, stream, publishes ? NULL : self->taps, offer, on_answer,
      on_call_ended, self, &why);
  if (!self->peer) {
    answer (message, SOUP_STATUS_NOT_ACCEPTABLE, NULL, why);
    call_free (self);
    return;
  }
  self->asking = g_object_ref (message);
  g_signal_connect (message, "disconnected", G_CALLBACK (on_gone), self);
  soup_server_message_pause (message);
  g_hash_table_insert (calls->calls, self->path, self);
  g_print ("%s: %u calls\n", self->path, g_hash_table_size (calls->calls));
}

static gboolean
is_publisher (gpointer path, gpointer call, gpointer stream)
{
  return ((Call *) call)->stream == stream && !((Call *) call)->taps[PICTURE];
}

static gboolean
is_viewer (gpointer path, gpointer call, gpointer stream)
{
  return ((Call *) call)->stream == stream && ((Call *) call)->taps[PICTURE];
}

void
calls_take (Calls * self, LiveStream * stream, gboolean publishes, SoupServerMessage * message)
{
  if (!publishes && g_hash_table_size (self->calls) >= self->most) {
    soup_message_headers_append (soup_server_message_get_response_headers (message),
        "Retry-After", "10");
    answer (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL,
        "as many watch as may (--max-viewers)\n");
  } else if (publishes && !live_stream_is_published (stream)) {
    answer (message, SOUP_STATUS_FORBIDDEN, NULL,
        "this stream has a source: start it as NAME=whip\n");
  } else if (publishes && g_hash_table_find (self->calls, is_publisher, stream)) {
    answer (message, SOUP_STATUS_CONFLICT, NULL, "somebody publishes here already\n");
  } else {
    begin (self, stream, publishes, message);
  }
}

gboolean
calls_end (Calls * self, const gchar * path)
{
  if (!g_hash_table_contains (self->calls, path))
    return FALSE;
  g_print ("%s left: %u calls\n", path, g_hash_table_size (self->calls) - 1);
  return g_hash_table_remove (self->calls, path);
}

/* --- our own, by WHIP --- */

static gboolean call_begin (gpointer data);

static SoupMessage *
new_request (Call * self, const gchar * method, const gchar * url)
{
  SoupMessage *message = soup_message_new (method, url);
  g_autofree gchar *bearer = g_strconcat ("Bearer ", self->token, NULL);

  if (message && self->token)
    soup_message_headers_append (soup_message_get_request_headers (message), "Authorization",
        bearer);
  return message;
}

/* At the server too, which may go on to send to nobody otherwise. */
static void
call_retract (Call * self)
{
  g_autoptr (SoupMessage) message = self->path ? new_request (self, SOUP_METHOD_DELETE, self->path)
      : NULL;
  g_autoptr (GInputStream) reply = NULL;

  call_stop (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->retrying, g_source_remove);
  g_clear_pointer (&self->path, g_free);
  if (message)
    reply = soup_session_send (self->calls->session, message, NULL, NULL);
}

static void
call_retry (Call * self, const gchar * why)
{
  g_printerr ("%s: %s; again in %d s\n", self->url, why, RETRY_S);
  call_retract (self);
  self->retrying = g_timeout_add_seconds (RETRY_S, call_begin, self);
}

static void
on_ours_ended (const gchar * why, gpointer data)
{
  ((Call *) data)->peer = NULL;
  call_retry (data, why);
}

static void
on_body (GObject * stream, GAsyncResult * result, gpointer data)
{
  Call *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *why = NULL;
  SoupMessage *message = g_object_get_data (stream, SDP);
  gsize size;

  g_input_stream_read_all_finish (G_INPUT_STREAM (stream), result, &size, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->answer[MIN (size, MOST_BODY)] = '\0';
  if (error)
    call_retry (self, error->message);
  else if (size > MOST_BODY)
    call_retry (self, "the answer is longer than 64 kB");
  else if (soup_message_get_status (message) != SOUP_STATUS_CREATED)
    call_retry (self, why = g_strdup_printf ("%u %s: %.200s", soup_message_get_status (message),
            soup_message_get_reason_phrase (message), g_strchomp (self->answer)));
  else if (!peer_take_answer (self->peer, self->answer))
    call_retry (self, "the answer is no SDP");
  else
    g_print ("%s: published\n", self->url);
}

static void
on_reply (GObject * session, GAsyncResult * result, gpointer data)
{
  Call *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (session), result,
      &error);
  SoupMessage *message = soup_session_get_async_result_message (SOUP_SESSION (session), result);
  const gchar *location;

  if (!stream && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    call_retry (self, error->message);
  if (!stream)
    return;
  location = soup_message_headers_get_one (soup_message_get_response_headers (message), "Location");
  if (location && soup_message_get_status (message) == SOUP_STATUS_CREATED)
    self->path = g_uri_resolve_relative (self->url, location, G_URI_FLAGS_NONE, NULL);
  g_object_set_data_full (G_OBJECT (stream), SDP, g_object_ref (message), g_object_unref);
  g_input_stream_read_all_async (stream, self->answer, MOST_BODY + 1, G_PRIORITY_DEFAULT,
      self->cancellable, on_body, self);
}

static void
on_offer (const gchar * sdp, gpointer data)
{
  Call *self = data;
  g_autoptr (SoupMessage) message = new_request (self, SOUP_METHOD_POST, self->url);
  g_autoptr (GBytes) body = g_bytes_new (sdp, strlen (sdp));

  self->cancellable = g_cancellable_new ();
  soup_message_set_request_body_from_bytes (message, SDP, body);
  soup_session_send_async (self->calls->session, message, G_PRIORITY_DEFAULT, self->cancellable,
      on_reply, self);
}

static gboolean
call_begin (gpointer data)
{
  Call *self = data;

  self->retrying = 0;
  live_stream_tap (self->stream, self->taps);
  self->peer = peer_new (self->calls->settings, self->stream, self->taps, NULL, on_offer,
      on_ours_ended, self, NULL);
  return G_SOURCE_REMOVE;
}

void
calls_send (Calls * self, LiveStream * stream, const gchar * url, const gchar * token)
{
  self->ours = call_new (self, stream);
  self->ours->url = g_strdup (url);
  self->ours->token = g_strdup (token);
  self->ours->answer = g_malloc (MOST_BODY + 1);
  /* Only then is it known whether the source has sound. */
  self->ours->retrying = g_timeout_add_seconds (RETRY_S, call_begin, self->ours);
}

/* --- all --- */

void
calls_end_of_stream (Calls * self, LiveStream * stream)
{
  g_hash_table_foreach_remove (self->calls, is_viewer, stream);
  if (self->ours && is_viewer (NULL, self->ours, stream))
    call_retry (self->ours, "the source has failed");
}

static void
print_rate (gpointer name, gpointer data, gpointer nothing)
{
  Call *call = data;

  if (call->peer && call->taps[PICTURE])
    g_print ("%s: %u kbit/s\n", (gchar *) name, peer_rate_bps (call->peer) / 1000);
}

void
calls_print (Calls * self)
{
  g_hash_table_foreach (self->calls, print_rate, NULL);
  if (self->ours)
    print_rate (self->ours->url, self->ours, NULL);
}

Calls *
calls_new (const PeerSettings * settings, guint most)
{
  Calls *self = g_new0 (Calls, 1);

  self->settings = settings;
  self->most = most;
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, call_free);
  /* A server that says nothing would hold up all others at the goodbye. */
  self->session = soup_session_new_with_options ("timeout", 10, NULL);
  return self;
}

void
calls_free (Calls * self)
{
  g_hash_table_unref (self->calls);
  if (self->ours)
    call_retract (self->ours);
  g_clear_pointer (&self->ours, call_free);
  soup_session_abort (self->session);
  g_object_unref (self->session);
  g_free (self);
}
