/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "ends.h"

#include <string.h>

#define TS "video/mpegts,systemstream=true,packetsize=188"
#define RTP "\"application/x-rtp,media=video,encoding-name=MP2T,payload=33,clock-rate=90000\""
#define SERVER "arc listener"
#define SEVEN "tsparse alignment=7 ! "  /* TS packets, of 188 bytes, to a datagram */
#define TYPED " ! typefind name=type"

typedef struct
{
  const gchar *scheme, *line;
  const gchar *place;           /* the property of the URI, or the one of its host */
  const gchar *behind;          /* what comes behind the properties */
} Kind;

/* A line has places for adapt-encoder and the bitrate at the start, or none.
 * The last rows are of what is no URI: "-", and a file. */
static const Kind ins[] = {
  {"udp", "udpsrc name=in caps=" TS, "address", TYPED},
  {"rtp", "udpsrc name=in caps=" RTP, "address", " ! rtpjitterbuffer latency=300" TYPED},
  {"srt", "srtsrc name=in keep-listening=true", "uri", " ! " TS TYPED},
  {"rtsp", "rtspsrc name=in latency=300", "location", ""},
  {"rtsps", "rtspsrc name=in latency=300", "location", ""},
  {"arc", "arcsrc name=in latency=300000000", "uri", TYPED},
  {"-", "fdsrc name=in fd=0", NULL, TYPED},
  {"", "filesrc name=in", "location", TYPED},
  {NULL}
};

static const Kind outs[] = {
  {"udp", SEVEN "udpsink name=out sync=false", "host", ""},
  {"rtp", SEVEN "rtpmp2tpay ! udpsink name=out sync=false", "host", ""},
  {"srt", SEVEN "srtsink name=out sync=false wait-for-connection=false", "uri", ""},
  {"arc", SEVEN "rtpmp2tpay ! rmcsink name=out adapt-encoder=%s start-bitrate=%u", "uri", ""},
  {"-", "fdsink name=out fd=1 sync=false", NULL, ""},
  {"", "filesink name=out sync=false", "location", ""},
  /* Instead of arc where viewers call. */
  {SERVER, SEVEN "rtpmp2tpay ! arcserversink name=out adapt-encoder=%s "
        "viewer-properties=\"viewer,start-bitrate=(uint)%u\"", "bind-address", ""},
  {NULL}
};

gboolean
end_is_network (const gchar * text)
{
  return strstr (text, "://") && !g_str_has_prefix (text, "file://");
}

gboolean
end_is_udp (const gchar * text)
{
  return g_str_has_prefix (text, "udp://") || g_str_has_prefix (text, "rtp://");
}

gchar *
end_place (const gchar * text)
{
  return g_strndup (text, strcspn (text, "?"));
}

/* Without a host it listens, as SRT's elements do. */
static gboolean
is_server (const gchar * text)
{
  return g_str_has_prefix (text, "arc://")
      && (g_str_has_prefix (text, "arc://:") || strstr (text, "mode=listener"));
}

/* The last one; NULL: none. */
static const gchar *
key_of (gchar ** query, const gchar * key)
{
  const gchar *found = NULL;

  for (; *query; query++)
    if (g_str_has_prefix (*query, key))
      found = *query;
  return found;
}

gboolean
end_is_called (const gchar * text, GstURIType type)
{
  g_auto (GStrv) query = g_strsplit_set (text, "?&", -1);
  const gchar *mode = key_of (query, "mode=");

  if (g_str_has_prefix (text, "srt://"))
    return g_strcmp0 (mode, "mode=listener") == 0 || (!mode && g_str_has_prefix (text, "srt://:"));
  return type == GST_URI_SINK && is_server (text);
}

static void
add_property (GString * line, const gchar * name, const gchar * value)
{
  g_string_append_printf (line, " %s=\"", name);
  for (; *value; value++)
    g_string_append_printf (line, *value == '"' || *value == '\\' ? "\\%c" : "%c", *value);
  g_string_append_c (line, '"');
}

static gboolean
add_place (GString * line, const Kind * kind, const gchar * text, GError ** error)
{
  g_autofree gchar *path = g_filename_from_uri (text, NULL, NULL), *host = NULL;
  gint port = -1;

  if (!kind->place || g_str_equal (kind->place, "uri") || g_str_equal (kind->place, "location")) {
    if (kind->place)
      add_property (line, kind->place, path ? path : text);
    return TRUE;
  }
  if (!g_uri_split_network (text, G_URI_FLAGS_NON_DNS, NULL, &host, &port, NULL) || port <= 0
      || (*host == '\0' && g_str_equal (kind->place, "host"))) {
    *error = g_error_new (GST_URI_ERROR, GST_URI_ERROR_BAD_URI, "\"%s\" is not of the form "
        "%s://HOST:PORT", text, kind->scheme);
    return FALSE;
  }
  if (*host)
    add_property (line, kind->place, host);
  g_string_append_printf (line, " port=%d", port);
  return TRUE;
}

/* Of an arcserversink, which knows no URI: the query has no more for it. */
static void
add_passphrase (GString * line, const gchar * text)
{
  g_autofree gchar *query = NULL;
  GUriParamsIter iter;
  gchar *key, *value;

  if (!g_uri_split (text, G_URI_FLAGS_ENCODED_QUERY, NULL, NULL, NULL, NULL, NULL, &query, NULL,
          NULL) || !query)
    return;
  g_uri_params_iter_init (&iter, query, -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&iter, &key, &value, NULL)) {
    if (g_str_equal (key, "passphrase"))
      add_property (line, key, value);
    g_free (key);
    g_free (value);
  }
}

static gchar *
read_end (const Kind * kind, const gchar * scheme, const gchar * text, const gchar * properties,
    gboolean adapt, guint start_bps, GError ** error)
{
  g_autoptr (GString) line = g_string_new (NULL);

  while (kind->scheme && !g_str_equal (kind->scheme, scheme))
    kind++;
  if (!kind->scheme)
    *error = g_error_new (GST_URI_ERROR, GST_URI_ERROR_UNSUPPORTED_PROTOCOL, "%s:// is none of: "
        "udp, rtp, srt, arc, a file, \"-\", and rtsp for the input", scheme);
  g_string_append_printf (line, kind->scheme ? kind->line : "", adapt ? "true" : "false",
      start_bps);
  if (*error || !add_place (line, kind, text, error))
    return NULL;
  if (g_strcmp0 (kind->scheme, SERVER) == 0)
    add_passphrase (line, text);
  g_string_append_printf (line, " %s%s", properties, kind->behind);
  return g_strdup (line->str);
}

static gboolean
srt_check (const gchar * text, GError ** error)
{
  g_autofree gchar *place = end_place (text);
  g_autoptr (GstUri) uri = gst_uri_from_string (text);
  const gchar *passphrase = uri ? gst_uri_get_query_value (uri, "passphrase") : NULL;
  gsize length = passphrase ? strlen (passphrase) : 0;

  if (!g_uri_split_network (place, G_URI_FLAGS_NON_DNS, NULL, NULL, NULL, error))
    return FALSE;
  if (length > 0 && (length < 10 || length > 79))
    *error = g_error_new (GST_URI_ERROR, GST_URI_ERROR_BAD_URI, "%s: the passphrase of SRT has 10 "
        "to 79 characters, this one has %" G_GSIZE_FORMAT, place, length);
  return !*error;
}

gboolean
end_check (const gchar * text, GstURIType type, GError ** error)
{
  g_autoptr (GstElement) element = NULL;

  if (g_str_has_prefix (text, "srt://"))
    return srt_check (text, error);
  if (g_str_has_prefix (text, "arc://"))
    element = gst_element_make_from_uri (type, text, NULL, error);
  return !g_str_has_prefix (text, "arc://") || element;
}

static gchar *
scheme_of (const gchar * text)
{
  if (end_is_network (text))
    return g_strndup (text, (gsize) (strstr (text, "://") - text));
  return g_strdup (g_str_equal (text, "-") ? text : "");
}

gchar *
end_in (const gchar * text, const gchar * properties, GError ** error)
{
  g_autofree gchar *scheme = scheme_of (text);

  return read_end (ins, scheme, text, properties, FALSE, 0, error);
}

gchar *
end_out (const gchar * text, const gchar * properties, gboolean adapt, guint start_bps,
    GError ** error)
{
  g_autofree gchar *scheme = scheme_of (text);

  return read_end (outs, is_server (text) ? SERVER : scheme, text, properties, adapt,
      start_bps, error);
}
