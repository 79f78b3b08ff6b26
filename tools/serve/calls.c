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
  gboolean publishes;           /* it sends to us */
  Peer *peer;
  gchar *path;                  /* under which it is ended; of ours the URL */
  SoupServerMessage *asking;    /* waits for the answer */
  gboolean is_ours;             /* and the rest is of it */
  SoupMessage *request;
  GCancellable *cancellable;    /* of the request */
  gchar *answer;                /* to it: one byte more than may be */
  gchar *location;              /* under which it is ended at the server */
} Call;

struct _Calls
{
  const CallSettings *settings;
  GHashTable *calls;            /* path: Call */
  LiveStream *published;        /* NULL: none by us */
  guint retrying;
  gboolean is_over;
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

static void
send_answer (Call * self, guint status, const gchar * type, const gchar * text)
{
  answer (self->asking, status, type, text);
  g_signal_handlers_disconnect_by_data (self->asking, self);
  soup_server_message_unpause (self->asking);
  g_clear_object (&self->asking);
}

/* --- our own, by WHIP --- */

static SoupMessage *
new_request (Call * self, const gchar * method, const gchar * url)
{
  const gchar *token = self->calls->settings->whip_token;
  SoupMessage *message = soup_message_new (method, url);
  g_autofree gchar *bearer = g_strconcat ("Bearer ", token, NULL);

  if (message && token)
    soup_message_headers_append (soup_message_get_request_headers (message), "Authorization",
        bearer);
  return message;
}

/* At the server too, which may go on to send to nobody otherwise. Only the end waits for it. */
static void
retract (Call * self)
{
  g_autoptr (SoupMessage) message = new_request (self, SOUP_METHOD_DELETE, self->location);
  SoupSession *session = self->calls->session;
  g_autoptr (GInputStream) reply = NULL;

  if (message && self->calls->is_over)
    reply = soup_session_send (session, message, NULL, NULL);
  else if (message)
    soup_session_send_async (session, message, G_PRIORITY_DEFAULT, NULL, NULL, NULL);
}

static gboolean publish (gpointer calls);

/* Frees it. Our own comes again. */
static void
end (Call * self, const gchar * why)
{
  Calls *calls = self->calls;

  if (self->is_ours)
    g_printerr ("%s: %s; again in %d s\n", self->path, why, RETRY_S);
  else
    g_print ("%s ended: %s\n", self->path, why);
  g_hash_table_remove (calls->calls, self->path);
}

static void
call_free (gpointer data)
{
  Call *self = data;

  g_clear_pointer (&self->peer, peer_end);
  if (self->asking)
    send_answer (self, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL, "the stream or the server has ended");
  if (self->location)
    retract (self);
  if (self->is_ours && !self->calls->is_over)
    self->calls->retrying = g_timeout_add_seconds (RETRY_S, publish, self->calls);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->request);
  g_free (self->location);
  g_free (self->answer);
  g_free (self->path);
  g_free (self);
}

static void
on_body (GObject * stream, GAsyncResult * result, gpointer data)
{
  Call *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *why = NULL;
  gsize size;

  g_input_stream_read_all_finish (G_INPUT_STREAM (stream), result, &size, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  self->answer[MIN (size, MOST_BODY)] = '\0';
  if (error)
    end (self, error->message);
  else if (size > MOST_BODY)
    end (self, "the answer is longer than 64 kB");
  else if (soup_message_get_status (self->request) != SOUP_STATUS_CREATED)
    end (self, why = g_strdup_printf ("%u %s%s%.200s%s", soup_message_get_status (self->request),
            soup_message_get_reason_phrase (self->request), *g_strchomp (self->answer) ? ": " : "",
            self->answer, soup_message_get_status (self->request) == SOUP_STATUS_UNAUTHORIZED
            ? ": --whip-token is missing or wrong" : ""));
  else if (!peer_take_answer (self->peer, self->answer))
    end (self, "the answer does not fit the offer");
  else
    g_print ("%s: published\n", self->path);
}

static void
on_reply (GObject * session, GAsyncResult * result, gpointer data)
{
  Call *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GInputStream) stream = soup_session_send_finish (SOUP_SESSION (session), result,
      &error);
  const gchar *location;

  if (!stream && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    end (self, error->message);
  if (!stream)
    return;
  location = soup_message_headers_get_one (soup_message_get_response_headers (self->request),
      "Location");
  if (location && soup_message_get_status (self->request) == SOUP_STATUS_CREATED)
    self->location = g_uri_resolve_relative (self->path, location, G_URI_FLAGS_NONE, NULL);
  self->answer = g_malloc (MOST_BODY + 1);
  g_input_stream_read_all_async (stream, self->answer, MOST_BODY + 1, G_PRIORITY_DEFAULT,
      self->cancellable, on_body, self);
}

static void
send_offer (Call * self, const gchar * sdp)
{
  g_autoptr (GBytes) body = g_bytes_new (sdp, strlen (sdp));

  self->request = new_request (self, SOUP_METHOD_POST, self->path);
  self->cancellable = g_cancellable_new ();
  soup_message_set_request_body_from_bytes (self->request, SDP, body);
  soup_session_send_async (self->calls->session, self->request, G_PRIORITY_DEFAULT,
      self->cancellable, on_reply, self);
}

/* --- any --- */

static void
on_described (const gchar * sdp, gpointer data)
{
  Call *self = data;

  if (self->is_ours) {
    send_offer (self, sdp);
    return;
  }
  soup_message_headers_append (soup_server_message_get_response_headers (self->asking), "Location",
      self->path);
  send_answer (self, SOUP_STATUS_CREATED, SDP, sdp);
}

static void
on_ended (const gchar * why, gpointer data)
{
  Call *self = data;

  self->peer = NULL;
  if (self->asking)
    send_answer (self, SOUP_STATUS_NOT_ACCEPTABLE, NULL, why);
  end (self, why);
}

/* Takes the path. offer: NULL: it is ours. NULL with *why: it is no offer for us. */
static Call *
begin (Calls * calls, gchar * path, LiveStream * stream, gboolean publishes, const gchar * offer,
    const gchar ** why)
{
  Call *self = g_new0 (Call, 1);

  self->calls = calls;
  self->stream = stream;
  self->publishes = publishes;
  self->is_ours = !offer;
  self->path = path;
  self->peer = peer_new (&calls->settings->peer, stream, !publishes, offer, on_described, on_ended,
      self, why);
  if (!self->peer) {
    call_free (self);
    return NULL;
  }
  g_hash_table_insert (calls->calls, path, self);
  g_print ("%s: %u calls\n", path, g_hash_table_size (calls->calls));
  return self;
}

static gboolean
publish (gpointer data)
{
  Calls *self = data;
  const gchar *why;

  if (!self->published->camera)
    return G_SOURCE_CONTINUE;
  self->retrying = 0;
  begin (self, g_strdup (self->settings->whip), self->published, FALSE, NULL, &why);
  return G_SOURCE_REMOVE;
}

/* --- calls of others --- */

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
take (Calls * self, LiveStream * stream, gboolean publishes, SoupServerMessage * message)
{
  g_autoptr (GBytes) body = soup_message_body_flatten (soup_server_message_get_request_body (
          message));
  g_autofree gchar *offer = g_strndup (g_bytes_get_data (body, NULL), g_bytes_get_size (body));
  g_autofree gchar *id = g_uuid_string_random ();
  const gchar *why;
  Call *call = begin (self, g_strdup_printf ("/%s/%s/%s", stream->name, publishes ? "whip" : "whep",
          id), stream, publishes, offer, &why);

  if (!call) {
    answer (message, SOUP_STATUS_NOT_ACCEPTABLE, NULL, why);
    return;
  }
  call->asking = g_object_ref (message);
  g_signal_connect (message, "disconnected", G_CALLBACK (on_gone), call);
  soup_server_message_pause (message);
}

/* Of the same stream, and in the same direction. */
static gboolean
is_like (gpointer path, gpointer call, gpointer wanted)
{
  const Call *a = call, *b = wanted;

  return a->stream == b->stream && a->publishes == b->publishes;
}

void
calls_take (Calls * self, LiveStream * stream, gboolean publishes, SoupServerMessage * message)
{
  guint most = (guint) self->settings->max_viewers + (self->published != NULL);
  Call publisher = {.stream = stream,.publishes = TRUE };
  gboolean is_full = !publishes && g_hash_table_size (self->calls) >= most;

  if (is_full || !stream->camera) {
    soup_message_headers_append (soup_server_message_get_response_headers (message),
        "Retry-After", "10");
    answer (message, SOUP_STATUS_SERVICE_UNAVAILABLE, NULL, is_full
        ? "as many watch as may (--max-viewers)\n" : "the source of this stream has failed\n");
  } else if (publishes && !stream->is_published) {
    answer (message, SOUP_STATUS_FORBIDDEN, NULL,
        "this stream has a source: start it as NAME=whip\n");
  } else if (publishes && g_hash_table_find (self->calls, is_like, &publisher)) {
    answer (message, SOUP_STATUS_CONFLICT, NULL, "somebody publishes here already\n");
  } else {
    take (self, stream, publishes, message);
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

/* --- all --- */

void
calls_end_of_stream (LiveStream * stream, gpointer calls)
{
  Call viewer = {.stream = stream };

  g_hash_table_foreach_remove (((Calls *) calls)->calls, is_like, &viewer);
}

static void
print_rate (gpointer path, gpointer call, gpointer nothing)
{
  if (!((Call *) call)->publishes)
    g_print ("%s: %u kbit/s\n", (gchar *) path, peer_rate_bps (((Call *) call)->peer) / 1000);
}

gboolean
calls_print (gpointer calls)
{
  g_hash_table_foreach (((Calls *) calls)->calls, print_rate, NULL);
  return G_SOURCE_CONTINUE;
}

void
calls_publish (Calls * self, LiveStream * stream)
{
  self->published = stream;
  /* Only then is it known whether the source has sound. */
  self->retrying = g_timeout_add_seconds (RETRY_S, publish, self);
}

Calls *
calls_new (const CallSettings * settings)
{
  Calls *self = g_new0 (Calls, 1);

  self->settings = settings;
  self->calls = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, call_free);
  /* A server that says nothing would hold up all others at the goodbye. */
  self->session = soup_session_new_with_options ("timeout", 10, NULL);
  return self;
}

void
calls_free (Calls * self)
{
  self->is_over = TRUE;
  g_clear_handle_id (&self->retrying, g_source_remove);
  g_hash_table_unref (self->calls);
  soup_session_abort (self->session);
  g_object_unref (self->session);
  g_free (self);
}
