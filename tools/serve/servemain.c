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

static struct
{
  GPtrArray *streams;           /* LiveStream */
  Calls *calls;
  GMainLoop *loop;
} serving;

static struct
{
  gint port, renditions, arc_port;
  gboolean all_interfaces;
  gchar *token, *certificate, *key;
  gchar **streams;
  CallSettings calls;
} options = {.port = 8080,.renditions = 3,.calls = {.max_viewers = 64,.peer.max_bps = 4000000} };

static GOptionEntry entries[] = {
  {"port", 'p', 0, G_OPTION_ARG_INT, &options.port, "TCP port of pages, WHEP and WHIP (8080)",
      "PORT"},
  {"all-interfaces", 0, 0, G_OPTION_ARG_NONE, &options.all_interfaces,
      "Not for this machine only: anybody who reaches the port can watch, and publish, or who has "
      "the token", NULL},
  {"token", 0, 0, G_OPTION_ARG_STRING, &options.token,
      "Who calls must have it (Authorization: Bearer TOKEN)", "TOKEN"},
  {"stun-server", 0, 0, G_OPTION_ARG_STRING, &options.calls.peer.stun,
      "As stun://HOST:PORT", "URI"},
  {"turn-server", 0, 0, G_OPTION_ARG_STRING, &options.calls.peer.turn,
      "As turn://USER:PASSWORD@HOST:PORT", "URI"},
  {"max-viewers", 0, 0, G_OPTION_ARG_INT, &options.calls.max_viewers,
      "Browsers at a time (64)", "N"},
  {"renditions", 0, 0, G_OPTION_ARG_INT, &options.renditions, "Encoders of a stream (3)", "N"},
  {"max-bitrate", 0, 0, G_OPTION_ARG_INT, &options.calls.peer.max_bps,
      "Of a viewer, bit/s (4000000)", "BPS"},
  {"arc-port", 0, 0, G_OPTION_ARG_INT, &options.arc_port,
      "UDP port at which the first stream has callers of arc://, the second at the next (none)",
      "PORT"},
  {"whip", 0, 0, G_OPTION_ARG_STRING, &options.calls.whip,
      "Publishes the first stream there", "URL"},
  {"whip-token", 0, 0, G_OPTION_ARG_STRING, &options.calls.whip_token, "For --whip", "TOKEN"},
  {"tls-certificate", 0, 0, G_OPTION_ARG_FILENAME, &options.certificate,
      "Pages by HTTPS, as browsers ask for with cameras of their own", "PEM"},
  {"tls-key", 0, 0, G_OPTION_ARG_FILENAME, &options.key, "Of it", "PEM"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.streams, NULL, "NAME=SOURCE..."},
  {NULL}
};

static LiveStream *
stream_at (guint i)
{
  return serving.streams->pdata[i];
}

/* NULL: there is none. */
static LiveStream *
stream_named (const gchar * name)
{
  for (guint i = 0; i < serving.streams->len; i++)
    if (g_str_equal (stream_at (i)->name, name))
      return stream_at (i);
  return NULL;
}

/* --- HTTP --- */

/* By checksums, whose comparison tells nothing of the token by its time. */
static gboolean
may_call (SoupServerMessage * message)
{
  const gchar *given = soup_message_headers_get_one (soup_server_message_get_request_headers (
          message), "Authorization");
  g_autofree gchar *bearer = g_strconcat ("Bearer ", options.token, NULL);
  g_autofree gchar *wanted = g_compute_checksum_for_string (G_CHECKSUM_SHA256, bearer, -1);
  g_autofree gchar *found = g_compute_checksum_for_string (G_CHECKSUM_SHA256, given ? given : "",
      -1);

  return !options.token || g_str_equal (found, wanted);
}

static void
serve_text (SoupServerMessage * message, const gchar * type, const gchar * text)
{
  if (soup_server_message_get_method (message) != SOUP_METHOD_GET)
    answer (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL, NULL);
  else
    answer (message, SOUP_STATUS_OK, type, text);
}

static void
serve_page (SoupServerMessage * message)
{
  g_autoptr (GBytes) page = g_resource_lookup_data (serve_get_resource (), "/player.html", 0, NULL);
  g_autofree gchar *text = g_strndup (g_bytes_get_data (page, NULL), g_bytes_get_size (page));

  serve_text (message, "text/html; charset=utf-8", text);
}

/* Names of one to 64 letters, digits, - and _ are what JSON has as they are. */
static void
serve_list (SoupServerMessage * message)
{
  g_autoptr (GString) text = g_string_new ("[");

  for (guint i = 0; i < serving.streams->len; i++)
    g_string_append_printf (text, "%s\"%s\"", i ? "," : "", stream_at (i)->name);
  g_string_append (text, "]\n");
  serve_text (message, "application/json", text->str);
}

/* /NAME/whep and /NAME/whip, and calls behind them. */
static void
serve_call (SoupServerMessage * message, const gchar * path, LiveStream * stream,
    gboolean publishes, gboolean is_call)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  const gchar *method = soup_server_message_get_method (message);

  if (method == SOUP_METHOD_OPTIONS) {
    answer (message, SOUP_STATUS_NO_CONTENT, NULL, NULL);
  } else if (!may_call (message)) {
    soup_message_headers_append (soup_server_message_get_response_headers (message),
        "WWW-Authenticate", "Bearer");
    answer (message, SOUP_STATUS_UNAUTHORIZED, NULL, NULL);
  } else if (method == SOUP_METHOD_DELETE && is_call) {
    answer (message, calls_end (serving.calls, path) ? SOUP_STATUS_OK : SOUP_STATUS_NOT_FOUND,
        NULL, NULL);
  } else if (method != SOUP_METHOD_POST || is_call) {   /* PATCH: no trickle ICE */
    answer (message, SOUP_STATUS_METHOD_NOT_ALLOWED, NULL, NULL);
  } else if (g_strcmp0 (soup_message_headers_get_content_type (headers, NULL), "application/sdp")) {
    answer (message, SOUP_STATUS_UNSUPPORTED_MEDIA_TYPE, NULL, NULL);
  } else {
    calls_take (serving.calls, stream, publishes, message);
  }
}

static void
on_request (SoupServer * server, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer data)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", 4);
  guint n = g_strv_length (parts);
  LiveStream *stream = n > 1 ? stream_named (parts[1]) : NULL;
  gboolean publishes = n > 2 && g_str_equal (parts[2], "whip");

  if (g_str_equal (path, "/") || (stream && n == 2))
    serve_page (message);
  else if (g_str_equal (path, "/streams"))
    serve_list (message);
  else if (stream && (publishes || g_str_equal (parts[2], "whep")))
    serve_call (message, path, stream, publishes, n > 3);
  else
    answer (message, SOUP_STATUS_NOT_FOUND, NULL, NULL);
}

/* Before the body comes. libsoup reads it in any case, but need not keep it. Players of other sites
 * may call; what protects a stream is the token. */
static void
take_headers (SoupServer * server, SoupServerMessage * message, const char *path,
    GHashTable * query, gpointer data)
{
  static const gchar *const added[][2] = {
    {"Access-Control-Allow-Origin", "*"},
    {"Access-Control-Allow-Methods", "POST, PATCH, DELETE, OPTIONS"},
    {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
    {"Access-Control-Expose-Headers", "Location"},
    /* libsoup 3.2 never closes a connection that its client closed after an answer. */
    {"Connection", "close"},
  };
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  SoupEncoding encoding = soup_message_headers_get_encoding (headers);
  gboolean told = encoding == SOUP_ENCODING_NONE || encoding == SOUP_ENCODING_CONTENT_LENGTH;

  for (guint i = 0; i < G_N_ELEMENTS (added); i++)
    soup_message_headers_append (soup_server_message_get_response_headers (message), added[i][0],
        added[i][1]);
  /* libsoup 3.2 makes an answer of as many copies as are asked for. */
  soup_message_headers_remove (headers, "Range");
  if (told && soup_message_headers_get_content_length (headers) <= MOST_BODY)
    return;
  soup_message_body_set_accumulate (soup_server_message_get_request_body (message), FALSE);
  answer (message, told ? SOUP_STATUS_REQUEST_ENTITY_TOO_LARGE : SOUP_STATUS_LENGTH_REQUIRED, NULL,
      NULL);
}

static SoupServer *
open_server (GError ** error)
{
  SoupServerListenOptions how = options.certificate ? SOUP_SERVER_LISTEN_HTTPS : 0;
  g_autoptr (SoupServer) server = soup_server_new ("server-header", "gst-arc-serve ", NULL);
  g_autoptr (GTlsCertificate) certificate = NULL;

  if (options.certificate) {
    certificate = g_tls_certificate_new_from_files (options.certificate,
        options.key ? options.key : options.certificate, error);
    if (!certificate)
      return NULL;
    soup_server_set_tls_certificate (server, certificate);
  }
  soup_server_add_early_handler (server, NULL, take_headers, NULL, NULL);
  soup_server_add_handler (server, NULL, on_request, NULL, NULL);
  if (options.all_interfaces ? soup_server_listen_all (server, (guint) options.port, how, error)
      : soup_server_listen_local (server, (guint) options.port, how, error))
    return g_steal_pointer (&server);
  if (g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE)) {
    g_clear_error (error);
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE, "port %d is taken, perhaps by "
        "another gst-arc-serve: choose one with --port", options.port);
  }
  return NULL;
}

/* --- streams --- */

static gboolean
is_name (const gchar * text)
{
  gsize length = strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_");

  return length > 0 && length <= 64 && !text[length] && !g_str_equal (text, "streams")
      && !stream_named (text);
}

static gboolean
add_stream (const gchar * text, GError ** error)
{
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);
  guint port = options.arc_port ? (guint) options.arc_port + serving.streams->len : 0;
  LiveStream *stream;

  if (g_strv_length (parts) < 2 || !is_name (parts[0]) || !parts[1][0]) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "\"%s\": a stream is NAME=SOURCE,"
        " with a name of its own of letters, digits, - and _, such as roof=rtsp://CAMERA/live, "
        "gate=v4l2src, tests=test, stage=whip", text);
    return FALSE;
  }
  stream = live_stream_new (parts[0], parts[1], (guint) options.renditions,
      (guint) options.calls.peer.max_bps, port, calls_end_of_stream, serving.calls, error);
  if (stream)
    g_ptr_array_add (serving.streams, stream);
  return stream != NULL;
}

static const gchar *
what_is_wrong (void)
{
  if (options.port < 1 || options.port > G_MAXUINT16 || options.arc_port < 0
      || options.arc_port > G_MAXUINT16)
    return "ports are 1 to 65535";
  if (options.renditions < 1 || options.renditions > 8 || options.calls.peer.max_bps < 100000
      || options.calls.max_viewers < 1)
    return "--renditions is 1 to 8, --max-bitrate at least 100000, --max-viewers at least 1";
  if (options.calls.whip && !(g_uri_is_valid (options.calls.whip, SOUP_HTTP_URI_FLAGS, NULL)
          && g_str_has_prefix (options.calls.whip, "http")))
    return "--whip is a URL of http:// or https://";
  if ((options.calls.peer.stun && !g_str_has_prefix (options.calls.peer.stun, "stun://"))
      || (options.calls.peer.turn && !g_str_has_prefix (options.calls.peer.turn, "turn://")
          && !g_str_has_prefix (options.calls.peer.turn, "turns://")))
    return "servers are stun://HOST:PORT, and turn://USER:PASSWORD@HOST:PORT or turns://";
  return NULL;
}

/* What no viewer does without, though the sources do. */
static gboolean
viewers_can_come (GError ** error)
{
  static const gchar *const needed[][2] = {
    {"nicesrc", "nice"}, {"webrtcbin", "plugins-bad"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (needed) && !*error; i++) {
    g_autoptr (GstElementFactory) factory = gst_element_factory_find (needed[i][0]);

    if (!factory)
      g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN, "no element %s: install "
          "gstreamer1.0-%s", needed[i][0], needed[i][1]);
  }
  return !*error;
}

static gboolean
start (GError ** error)
{
  static gchar *tests[] = { (gchar *) "tests=test", NULL };
  const gchar *wrong = what_is_wrong ();

  if (wrong)
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, wrong);
  else
    viewers_can_come (error);
  for (gchar ** text = options.streams ? options.streams : tests; *text && !*error; text++)
    add_stream (*text, error);
  return !*error;
}

static gboolean
stop (gpointer data)
{
  g_main_loop_quit (serving.loop);
  return G_SOURCE_CONTINUE;
}

static void
run (void)
{
  for (guint i = 0; i < serving.streams->len; i++)
    g_print ("%s://127.0.0.1:%d/%s\n", options.certificate ? "https" : "http", options.port,
        stream_at (i)->name);
  if (options.calls.whip)
    calls_publish (serving.calls, stream_at (0));
  serving.loop = g_main_loop_new (NULL, FALSE);
  g_timeout_add_seconds (PRINT_S, calls_print, serving.calls);
  g_unix_signal_add (SIGINT, stop, NULL);
  g_unix_signal_add (SIGTERM, stop, NULL);
  g_main_loop_run (serving.loop);
  g_main_loop_unref (serving.loop);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SoupServer) server = NULL;

  setlinebuf (stdout);
  g_setenv ("GST_TRACERS", "arcmonitor(name=serve)", FALSE);
  g_option_context_set_summary (context, "Live sources for browsers (WHEP) and callers of arc://");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  serving.streams = g_ptr_array_new_with_free_func ((GDestroyNotify) live_stream_free);
  serving.calls = calls_new (&options.calls);
  if (g_option_context_parse (context, &argc, &argv, &error) && start (&error))
    server = open_server (&error);
  if (server)
    run ();
  else
    g_printerr ("gst-arc-serve: %s%s\n", error->message, g_error_matches (error, G_OPTION_ERROR,
            G_OPTION_ERROR_UNKNOWN_OPTION) ? "; see --help" : "");
  g_clear_object (&server);
  calls_free (serving.calls);
  g_ptr_array_unref (serving.streams);
  return error ? 1 : 0;
}
