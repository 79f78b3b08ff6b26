/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Chart.js is the distribution's, read at the start: no copy in the repository, no request to
 * another host, and without it the page has numbers alone. */

#include "webserver.h"

#include "acceptor.h"
#include "alarms.h"
#include "eventstream.h"
#include "openmetrics.h"
#include "thumbnail.h"
#include "visitors.h"
#include "webport.h"

#include <libsoup/soup.h>
#include <rc/law/cause.h>
#include <string.h>

/* Scripts and styles of ours alone, and nobody may frame the page. */
#define POLICY "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " \
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
#define RESOURCES "/gst-arc-monitor"
/* Of a request; none is of use. */
#define MAX_BODY_BYTES 65536

struct _WebServer
{
  SoupServer *soup;
  GPtrArray *acceptors;
  Visitors *visitors;
  gchar *uri;
  StreamTable *streams;
  EventStream *events;
  gchar **hosts;
  gchar *thumbnails;
  GBytes *charts;               /* the charting library; NULL: not installed */
};

static const struct
{
  const gchar *path, *file, *type;
} files[] = {
  {"/", "index.html", "text/html; charset=utf-8"},
  {"/monitor.css", "monitor.css", "text/css; charset=utf-8"},
  {"/monitor.js", "monitor.js", "text/javascript; charset=utf-8"},
  {"/ladder.js", "ladder.js", "text/javascript; charset=utf-8"},
  {"/streamcard.js", "streamcard.js", "text/javascript; charset=utf-8"},
  {"/alarms.js", "alarms.js", "text/javascript; charset=utf-8"},
  {"/membertable.js", "membertable.js", "text/javascript; charset=utf-8"},
  {"/guide.js", "guide.js", "text/javascript; charset=utf-8"},
  {"/troubleshooting.md", "troubleshooting.md", "text/plain; charset=utf-8"},
  {"/formats.js", "formats.js", "text/javascript; charset=utf-8"},
  {"/history.js", "history.js", "text/javascript; charset=utf-8"},
  {"/eventlist.js", "eventlist.js", "text/javascript; charset=utf-8"},
  {"/thumbnail.js", "thumbnail.js", "text/javascript; charset=utf-8"},
  {"/viewers.js", "viewers.js", "text/javascript; charset=utf-8"},
  {"/causes.js", "causes.js", "text/javascript; charset=utf-8"},
  {"/nodes.js", "nodes.js", "text/javascript; charset=utf-8"},
};

static void
answer (SoupServerMessage * message, guint status, const gchar * type, GBytes * body)
{
  soup_server_message_set_status (message, status, NULL);
  soup_message_headers_set_content_type (soup_server_message_get_response_headers (message), type,
      NULL);
  soup_message_body_append_bytes (soup_server_message_get_response_body (message), body);
}

static void
answer_text (SoupServerMessage * message, guint status, const gchar * type, gchar * text)
{
  GBytes *body = g_bytes_new_take (text, strlen (text));

  answer (message, status, type, body);
  g_bytes_unref (body);
}

static gboolean
serve_file (SoupServerMessage * message, const gchar * path)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (files); i++) {
    if (g_str_equal (files[i].path, path)) {
      gchar *name = g_strconcat (RESOURCES "/", files[i].file, NULL);
      GBytes *body = g_resources_lookup_data (name, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

      answer (message, SOUP_STATUS_OK, files[i].type, body);
      g_bytes_unref (body);
      g_free (name);
      return TRUE;
    }
  }
  return FALSE;
}

/* By the key of a stream: no request names a file. */
static gboolean
serve_thumbnail (WebServer * self, SoupServerMessage * message, const char *path,
    GHashTable * query)
{
  gboolean asked = query != NULL && g_str_equal (path, "/thumbnail");
  const gchar *key = asked ? g_hash_table_lookup (query, "key") : NULL;
  const Stream *stream = key ? g_hash_table_lookup (self->streams->streams, key) : NULL;
  GBytes *body = stream ? thumbnail_read (self->thumbnails, stream) : NULL;

  if (body == NULL)
    return FALSE;
  answer (message, SOUP_STATUS_OK, "image/jpeg", body);
  g_bytes_unref (body);
  return TRUE;
}

/* {name: text} of all causes of a rate. */
static gchar *
causes_json (void)
{
  GString *json = g_string_new ("{");

  for (RcCause cause = 0; cause < RC_CAUSE_N; cause++)
    g_string_append_printf (json, "%s\"%s\": \"%s\"", cause > 0 ? ", " : "",
        rc_cause_name (cause), rc_cause_text (cause));
  return g_string_free (g_string_append_c (json, '}'), FALSE);
}

static void
on_request (SoupServer * soup, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer user_data)
{
  WebServer *self = user_data;

  visitors_answer (self->visitors, message);
  if (g_str_equal (path, "/events"))
    event_stream_serve (self->events, message);
  else if (g_str_equal (path, "/metrics"))
    answer_text (message, SOUP_STATUS_OK, OPEN_METRICS_TYPE, open_metrics_text (self->streams));
  else if (g_str_equal (path, "/causes.json"))
    answer_text (message, SOUP_STATUS_OK, "application/json", causes_json ());
  else if (g_str_equal (path, "/alarms.json"))
    answer_text (message, SOUP_STATUS_OK, "application/json", alarms_json ());
  else if (g_str_equal (path, "/chart.js") && self->charts != NULL)
    answer (message, SOUP_STATUS_OK, "text/javascript; charset=utf-8", self->charts);
  else if (!serve_thumbnail (self, message, path, query) && !serve_file (message, path))
    answer_text (message, SOUP_STATUS_NOT_FOUND, "text/plain", g_strdup ("not found\n"));
}

/* An address is no name that somebody could have resolve to us. */
static gboolean
may_ask_for (WebServer * self, const gchar * host_and_port)
{
  gchar *text = g_strconcat ("http://", host_and_port, NULL);
  GUri *uri = g_uri_parse (text, G_URI_FLAGS_NONE, NULL);
  const gchar *host = uri ? g_uri_get_host (uri) : NULL;
  gboolean may = FALSE;
  guint i;

  if (host != NULL) {
    may = g_hostname_is_ip_address (host) || g_ascii_strcasecmp (host, "localhost") == 0;
    for (i = 0; self->hosts && self->hosts[i]; i++)
      may |= g_ascii_strcasecmp (host, self->hosts[i]) == 0;
  }
  g_clear_pointer (&uri, g_uri_unref);
  g_free (text);
  return may;
}

/* Before the body of a request is read. A status here is the answer. */
static void
guard (SoupServer * soup, SoupServerMessage * message, const char *path, GHashTable * query,
    gpointer user_data)
{
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  const gchar *method = soup_server_message_get_method (message);
  const gchar *host = soup_message_headers_get_one (soup_server_message_get_request_headers
      (message), "Host");

  soup_message_headers_append (headers, "Content-Security-Policy", POLICY);
  soup_message_headers_append (headers, "Cross-Origin-Resource-Policy", "same-origin");
  soup_message_headers_append (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_append (headers, "Cache-Control", "no-store");
  /* libsoup 3.2 never closes a connection that its client closed after an answer. */
  soup_message_headers_append (headers, "Connection", "close");
  if (method != SOUP_METHOD_GET && method != SOUP_METHOD_HEAD)
    answer_text (message, SOUP_STATUS_METHOD_NOT_ALLOWED, "text/plain",
        g_strdup ("this server only reads\n"));
  else if (host == NULL || !may_ask_for (user_data, host))
    answer_text (message, SOUP_STATUS_FORBIDDEN, "text/plain",
        g_strdup ("unknown name in the Host header; gst-arc-monitor --host NAME allows it\n"));
}

/* libsoup keeps the body of a request, reads on while it comes, and answers only then. A short one
 * may pass, so that its sender reads the refusal. */
static void
on_headers (SoupServerMessage * message, gpointer user_data)
{
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  WebServer *self = user_data;

  /* libsoup 3.2 makes an answer of as many copies as are asked for: 2 GB of chart.js. */
  soup_message_headers_remove (headers, "Range");
  switch (soup_message_headers_get_encoding (headers)) {
    case SOUP_ENCODING_NONE:
      break;
    case SOUP_ENCODING_CONTENT_LENGTH:
      if (soup_message_headers_get_content_length (headers) <= MAX_BODY_BYTES)
        break;
      /* fall through */
    default:
      visitors_cut (self->visitors, message);
  }
}

static void
on_request_started (SoupServer * soup, SoupServerMessage * message, gpointer user_data)
{
  g_signal_connect (message, "got-headers", G_CALLBACK (on_headers), user_data);
}

static GBytes *
read_charts (void)
{
  gchar *text;
  gsize bytes;

  return g_file_get_contents (CHART_JS, &text, &bytes, NULL) ? g_bytes_new_take (text, bytes)
      : NULL;
}

static void
on_connection (GSocket * connection, gpointer user_data)
{
  visitors_take (((WebServer *) user_data)->visitors, connection);
}

WebServer *
web_server_new (StreamTable * streams, const gchar * address, guint port,
    const gchar * const *hosts, const gchar * thumbnails, GError ** error)
{
  GPtrArray *sockets = web_port_listen (address, port, error);
  WebServer *self;
  guint i;

  if (sockets == NULL)
    return NULL;
  self = g_new0 (WebServer, 1);
  self->uri = web_port_uri (sockets);
  self->soup = soup_server_new (NULL, NULL);
  self->visitors = visitors_new (self->soup);
  self->streams = streams;
  self->thumbnails = g_strdup (thumbnails);
  self->events = event_stream_new (streams, self->visitors, self->thumbnails);
  self->hosts = g_strdupv ((gchar **) hosts);
  self->charts = read_charts ();
  g_signal_connect (self->soup, "request-started", G_CALLBACK (on_request_started), self);
  soup_server_add_early_handler (self->soup, NULL, guard, self, NULL);
  soup_server_add_handler (self->soup, NULL, on_request, self, NULL);
  self->acceptors = g_ptr_array_new_with_free_func ((GDestroyNotify) acceptor_free);
  for (i = 0; i < sockets->len; i++)
    g_ptr_array_add (self->acceptors,
        acceptor_new (g_object_ref (g_ptr_array_index (sockets, i)), on_connection, self));
  g_ptr_array_unref (sockets);
  return self;
}

void
web_server_free (WebServer * self)
{
  g_ptr_array_unref (self->acceptors);
  event_stream_free (self->events);
  soup_server_disconnect (self->soup);
  visitors_free (self->visitors);
  g_object_unref (self->soup);
  g_strfreev (self->hosts);
  g_free (self->thumbnails);
  g_clear_pointer (&self->charts, g_bytes_unref);
  g_free (self->uri);
  g_free (self);
}

const gchar *
web_server_uri (const WebServer * self)
{
  return self->uri;
}
