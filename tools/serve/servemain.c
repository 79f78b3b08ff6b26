/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* gst-arc-serve: live sources for browsers by WHEP, each viewer at the rate of its own network, and
 * for callers of arc://; publishers by WHIP; and publishing at another server of WHIP. */
#define _DEFAULT_SOURCE
#include "calls.h"

#include "serveresources.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

#define PRINT_S 5
#define MOST_BODY 65536         /* of an offer */

typedef struct
{
  GPtrArray *streams;           /* LiveStream */
  Calls *calls;
  GMainLoop *loop;
} Serve;

static struct
{
  gint port, max_viewers, renditions, max_bitrate, arc_port;
  gboolean all_interfaces;
  gchar *token, *stun, *turn, *whip, *whip_token, *certificate, *key;
  gchar **streams;
} options = {.port = 8080,.max_viewers = 64,.renditions = 3,.max_bitrate = 4000000 };

static GOptionEntry entries[] = {
  {"port", 'p', 0, G_OPTION_ARG_INT, &options.port, "TCP port of pages, WHEP and WHIP (8080)",
      "PORT"},
  {"all-interfaces", 0, 0, G_OPTION_ARG_NONE, &options.all_interfaces,
      "Not for this machine only: anybody who reaches the port can watch, and publish, or who has "
      "the token", NULL},
  {"token", 0, 0, G_OPTION_ARG_STRING, &options.token,
      "Who calls must have it (Authorization: Bearer TOKEN)", "TOKEN"},
  {"stun-server", 0, 0, G_OPTION_ARG_STRING, &options.stun, "As stun://HOST:PORT", "URI"},
  {"turn-server", 0, 0, G_OPTION_ARG_STRING, &options.turn, "As turn://USER:PASSWORD@HOST:PORT",
      "URI"},
  {"max-viewers", 0, 0, G_OPTION_ARG_INT, &options.max_viewers, "Browsers at a time (64)", "N"},
  {"renditions", 0, 0, G_OPTION_ARG_INT, &options.renditions, "Encoders of a stream (3)", "N"},
  {"max-bitrate", 0, 0, G_OPTION_ARG_INT, &options.max_bitrate, "Of a viewer, bit/s (4000000)",
      "BPS"},
  {"arc-port", 0, 0, G_OPTION_ARG_INT, &options.arc_port,
      "UDP port at which the first stream has callers of arc://, the second at the next (none)",
      "PORT"},
  {"whip", 0, 0, G_OPTION_ARG_STRING, &options.whip, "Publishes the first stream there", "URL"},
  {"whip-token", 0, 0, G_OPTION_ARG_STRING, &options.whip_token, "For --whip", "TOKEN"},
  {"tls-certificate", 0, 0, G_OPTION_ARG_FILENAME, &options.certificate,
      "Pages by HTTPS, as browsers ask for with cameras of their own", "PEM"},
  {"tls-key", 0, 0, G_OPTION_ARG_FILENAME, &options.key, "Of it", "PEM"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.streams, NULL, "NAME=SOURCE..."},
  {NULL}
};

/* --- HTTP --- */

/* In constant time. */
static gboolean
is_same (const gchar * a, const gchar * b)
{
  gsize length = strlen (b);
  guint differs = strlen (a) != length;

  for (gsize i = 0; i < length && a[i]; i++)
    differs |= (guint) (a[i] ^ b[i]);
  return !differs;
}

static gboolean
may_call (SoupServerMessage * message)
{
  const gchar *given = soup_message_headers_get_one (soup_server_message_get_request_headers (
          message), "Authorization");

  return !options.token || (given && g_str_has_prefix (given, "Bearer ")
      && is_same (given + strlen ("Bearer "), options.token));
}

static LiveStream *
find_stream (Serve * self, const gchar * name)
{
  for (guint i = 0; i < self->streams->len; i++)
    if (g_str_equal (live_stream_name (self->streams->pdata[i]), name))
      return self->streams->pdata[i];
  return NULL;
}

static void
serve_page (SoupServerMessage * message)
{
  GBytes *page = g_resource_lookup_data (serve_get_resource (), "/player.html", 0, NULL);
  gsize size;
  const gchar *text = g_bytes_get_data (page, &size);

  soup_server_message_set_response (message, "text/html; charset=utf-8", SOUP_MEMORY_COPY, text,
      size);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  g_bytes_unref (page);
}

/* Names of one to 64 letters, digits, - and _ are what JSON has as they are. */
static void
serve_list (Serve * self, SoupServerMessage * message)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < self->streams->len; i++)
    g_string_append_printf (text, "%s\"%s\"", i ? "," : "",
        live_stream_name (self->streams->pdata[i]));
  g_string_append (text, "]\n");
  soup_server_message_set_response (message, "application/json", SOUP_MEMORY_COPY, text->str,
      text->len);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
  g_string_free (text, TRUE);
}

static void
take_offer (Serve * self, SoupServerMessage * message, LiveStream * stream, gboolean publishes)
{
  const gchar *type = soup_message_headers_get_content_type (
      soup_server_message_get_request_headers (message), NULL);

  if (g_strcmp0 (type, "application/sdp") != 0)
    soup_server_message_set_status (message, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE, NULL);
  else if (publishes)
    calls_publish (self->calls, stream, message);
  else
    calls_watch (self->calls, stream, message);
}

/* /NAME/whep, /NAME/whip and what is behind them. */
static void
serve_call (Serve * self, SoupServerMessage * message, const gchar * path, gchar ** parts)
{
  const gchar *method = soup_server_message_get_method (message);
  LiveStream *stream = find_stream (self, parts[1]);
  gboolean whip = g_str_equal (parts[2], "whip");

  if (!stream || !(whip || g_str_equal (parts[2], "whep"))) {
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
  } else if (method == SOUP_METHOD_OPTIONS) {
    soup_server_message_set_status (message, SOUP_STATUS_NO_CONTENT, NULL);
  } else if (!may_call (message)) {
    soup_message_headers_append (soup_server_message_get_response_headers (message),
        "WWW-Authenticate", "Bearer");
    soup_server_message_set_status (message, SOUP_STATUS_UNAUTHORIZED, NULL);
  } else if (method == SOUP_METHOD_POST && !parts[3]) {
    take_offer (self, message, stream, whip);
  } else if (method == SOUP_METHOD_DELETE && parts[3]) {
    soup_server_message_set_status (message, calls_end (self->calls, path) ? SOUP_STATUS_OK
        : SOUP_STATUS_NOT_FOUND, NULL);
  } else {                      /* to PATCH: no trickle ICE, as its clients know */
    soup_server_message_set_status (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL);
  }
}

/* Players of other sites may call; what protects a stream is the token. */
static void
allow_other_sites (SoupServerMessage * message)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);

  soup_message_headers_append (headers, "Access-Control-Allow-Origin", "*");
  soup_message_headers_append (headers, "Access-Control-Allow-Methods", "POST, PATCH, DELETE, "
      "OPTIONS");
  soup_message_headers_append (headers, "Access-Control-Allow-Headers",
      "Authorization, Content-Type");
  soup_message_headers_append (headers, "Access-Control-Expose-Headers", "Location");
}

/* Before the body comes. libsoup reads it in any case, but need not keep it. */
static void
limit (SoupServer * server, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer data)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  SoupEncoding encoding = soup_message_headers_get_encoding (headers);
  gboolean told = encoding == SOUP_ENCODING_NONE || encoding == SOUP_ENCODING_CONTENT_LENGTH;

  if (told && soup_message_headers_get_content_length (headers) <= MOST_BODY)
    return;
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  soup_server_message_set_status (message, told ? SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE
      : SOUP_STATUS_LENGTH_REQUIRED, NULL);
}

static void
serve (SoupServer * server, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer data)
{
  Serve *self = data;
  gchar **parts = g_strsplit (path, "/", 5);

  allow_other_sites (message);
  if (g_strv_length (parts) == 3 || g_strv_length (parts) == 4)
    serve_call (self, message, path, parts);
  else if (soup_server_message_get_method (message) != SOUP_METHOD_GET)
    soup_server_message_set_status (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL);
  else if (g_str_equal (path, "/streams"))
    serve_list (self, message);
  else if (g_str_equal (path, "/") || (parts[1] && !parts[2] && find_stream (self, parts[1])))
    serve_page (message);
  else
    soup_server_message_set_status (message, SOUP_STATUS_NOT_FOUND, NULL);
  g_strfreev (parts);
}

static SoupServer *
open_server (Serve * self, GError ** error)
{
  GTlsCertificate *certificate = NULL;
  SoupServerListenOptions how = options.certificate ? SOUP_SERVER_LISTEN_HTTPS : 0;
  SoupServer *server;

  if (options.certificate) {
    certificate = g_tls_certificate_new_from_files (options.certificate,
        options.key ? options.key : options.certificate, error);
    if (!certificate)
      return NULL;
  }
  server = soup_server_new ("server-header", "gst-arc-serve ", NULL);
  if (certificate)
    soup_server_set_tls_certificate (server, certificate);
  g_clear_object (&certificate);
  soup_server_add_early_handler (server, "/", limit, NULL, NULL);
  soup_server_add_handler (server, "/", serve, self, NULL);
  if (options.all_interfaces ? soup_server_listen_all (server, (guint) options.port, how, error)
      : soup_server_listen_local (server, (guint) options.port, how, error))
    return server;
  g_object_unref (server);
  return NULL;
}

/* --- streams --- */

static void
on_stopped (LiveStream * stream, gpointer data)
{
  calls_end_of_stream (((Serve *) data)->calls, stream);
}

static gboolean
is_name (const gchar * text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '-' && text[i] != '_')
      return FALSE;
  return length > 0 && length <= 64 && strncmp (text, "streams", MAX (length, 7)) != 0;
}

static gboolean
add_stream (Serve * self, const gchar * text, GError ** error)
{
  const gchar *equals = strchr (text, '=');
  gsize length = equals ? (gsize) (equals - text) : 0;
  g_autofree gchar *name = g_strndup (text, length);
  guint port = options.arc_port ? (guint) options.arc_port + self->streams->len : 0;
  LiveStream *stream;

  if (!is_name (text, length) || !equals[1] || find_stream (self, name)) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\": a stream is NAME=SOURCE,"
        " with a name of its own of letters, digits, - and _, such as roof=rtsp://CAMERA/live, "
        "gate=v4l2src, tests=test, stage=whip", text);
    return FALSE;
  }
  stream = live_stream_new (name, equals + 1, (guint) options.renditions,
      (guint) options.max_bitrate, port, on_stopped, self, error);
  if (stream)
    g_ptr_array_add (self->streams, stream);
  return stream != NULL;
}

static const gchar *
what_is_wrong (void)
{
  if (options.port < 1 || options.port > G_MAXUINT16 || options.arc_port < 0
      || options.arc_port > G_MAXUINT16)
    return "ports are 1 to 65535";
  if (options.renditions < 1 || options.renditions > 8 || options.max_bitrate < 100000
      || options.max_viewers < 1)
    return "--renditions is 1 to 8, --max-bitrate at least 100000, --max-viewers at least 1";
  if (options.whip && !(g_uri_is_valid (options.whip, SOUP_HTTP_URI_FLAGS, NULL)
          && g_str_has_prefix (options.whip, "http")))
    return "--whip is a URL of http:// or https://";
  if ((options.stun && !g_str_has_prefix (options.stun, "stun://"))
      || (options.turn && !g_str_has_prefix (options.turn, "turn://")
          && !g_str_has_prefix (options.turn, "turns://")))
    return "servers are stun://HOST:PORT, and turn://USER:PASSWORD@HOST:PORT or turns://";
  return NULL;
}

static gboolean
start (Serve * self, GError ** error)
{
  static gchar *tests[] = { (gchar *) "tests=test", NULL };
  gchar **texts = options.streams ? options.streams : tests;
  const gchar *wrong = what_is_wrong ();

  if (wrong) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, wrong);
    return FALSE;
  }
  for (; *texts; texts++)
    if (!add_stream (self, *texts, error))
      return FALSE;
  return TRUE;
}

static gboolean
print (gpointer data)
{
  calls_print (((Serve *) data)->calls);
  return G_SOURCE_CONTINUE;
}

static gboolean
stop (gpointer data)
{
  g_main_loop_quit (((Serve *) data)->loop);
  return G_SOURCE_CONTINUE;
}

static void
run (Serve * self)
{
  for (guint i = 0; i < self->streams->len; i++)
    g_print ("%s://127.0.0.1:%d/%s\n", options.certificate ? "https" : "http", options.port,
        live_stream_name (self->streams->pdata[i]));
  if (options.whip)
    calls_send (self->calls, self->streams->pdata[0], options.whip, options.whip_token);
  self->loop = g_main_loop_new (NULL, FALSE);
  g_timeout_add_seconds (PRINT_S, print, self);
  g_unix_signal_add (SIGINT, stop, self);
  g_unix_signal_add (SIGTERM, stop, self);
  g_main_loop_run (self->loop);
  g_main_loop_unref (self->loop);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  PeerSettings settings;
  SoupServer *server = NULL;
  Serve self = { 0 };

  setlinebuf (stdout);
  g_setenv ("GST_TRACERS", "arcmonitor(name=serve)", FALSE);
  g_option_context_set_summary (context, "Live sources for browsers (WHEP) and callers of arc://");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  self.streams = g_ptr_array_new_with_free_func ((GDestroyNotify) live_stream_free);
  if (g_option_context_parse (context, &argc, &argv, &error)) {
    settings = (PeerSettings) { options.stun, options.turn, (guint) options.max_bitrate };
    self.calls = calls_new (&settings, (guint) options.max_viewers);
    server = start (&self, &error) ? open_server (&self, &error) : NULL;
  }
  if (server)
    run (&self);
  else
    g_printerr ("%s\n", error->message);
  g_clear_object (&server);
  g_clear_pointer (&self.calls, calls_free);
  g_ptr_array_unref (self.streams);
  g_option_context_free (context);
  return error ? 1 : 0;
}
