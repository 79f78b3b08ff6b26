/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "net/arcuri.h"

#include "base/wipe.h"

#include <rc/feedback/call.h>

#include <string.h>

/* What a query may hold, and where it goes in RTP caps. Numbers are from min to max; max 0:
 * text. */
static const struct
{
  const gchar *key;
  guint min, max;
} query_keys[] = {
  {"media", 0, 0},
  {"encoding-name", 0, 0},
  {"payload", 0, 127},
  {"clock-rate", 1, G_MAXINT},
};

#define LATENCY_KEY "latency"
#define MAX_LATENCY_MS 60000
#define QUERY_KEYS_TEXT \
    "payload, encoding-name, clock-rate, media, latency, mode, streamid, "\
    "passphrase and paths"

void
arc_uri_clear (ArcUri * self)
{
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->stream_id, g_free);
  g_clear_pointer (&self->passphrase, wipe_and_free);
  g_clear_pointer (&self->paths, g_free);
  gst_clear_caps (&self->caps);
}

static gboolean
fail (GError ** error, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  if (error)
    *error = g_error_new_valist (GST_URI_ERROR, GST_URI_ERROR_BAD_URI, format, args);
  va_end (args);
  return FALSE;
}

static gboolean
set_latency (ArcUri * self, const gchar * value, GError ** error)
{
  guint64 number;

  if (!g_ascii_string_to_unsigned (value, 10, 0, MAX_LATENCY_MS, &number, NULL))
    return fail (error, "arc URI: latency=%s is not a number of milliseconds from 0 to %u", value,
        MAX_LATENCY_MS);
  self->latency_ms = (gint) number;
  return TRUE;
}

static gboolean
set_mode (ArcUri * self, const gchar * value, GError ** error)
{
  self->mode = g_str_equal (value, "caller") ? ARC_URI_MODE_CALLER
      : g_str_equal (value, "listener") ? ARC_URI_MODE_LISTENER : 0;
  return self->mode != 0 || fail (error, "arc URI: mode=%s is neither caller nor listener", value);
}

/* FALSE: it is another key. */
static gboolean
set_own (ArcUri * self, const gchar * key, const gchar * value, gboolean * ok, GError ** error)
{
  if (g_str_equal (key, LATENCY_KEY)) {
    *ok = set_latency (self, value, error);
  } else if (g_str_equal (key, "mode")) {
    *ok = set_mode (self, value, error);
  } else if (g_str_equal (key, "streamid")) {
    g_free (self->stream_id);
    self->stream_id = g_strdup (value);
    *ok = (g_utf8_validate (value, -1, NULL) && rc_call_is_text (value))
        || fail (error, "arc URI: streamid has control characters, or is not UTF-8");
  } else if (g_str_equal (key, "passphrase")) {
    wipe_and_free (self->passphrase);
    self->passphrase = g_strdup (value);
  } else if (g_str_equal (key, "paths")) {
    g_free (self->paths);
    self->paths = g_strdup (value);
  } else {
    return FALSE;
  }
  return TRUE;
}

static gboolean
set_field (GstStructure * rtp, const gchar * key, const gchar * value, GError ** error)
{
  guint64 number;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (query_keys); i++) {
    if (!g_str_equal (key, query_keys[i].key))
      continue;
    if (*value == '\0')
      return fail (error, "arc URI: “%s” has no value", key);
    if (query_keys[i].max == 0) {
      gst_structure_set (rtp, key, G_TYPE_STRING, value, NULL);
      return TRUE;
    }
    if (!g_ascii_string_to_unsigned (value, 10, query_keys[i].min, query_keys[i].max, &number,
            NULL))
      return fail (error, "arc URI: %s=%s is not a number from %u to %u", key,
          value, query_keys[i].min, query_keys[i].max);
    gst_structure_set (rtp, key, G_TYPE_INT, (gint) number, NULL);
    return TRUE;
  }
  return fail (error, "arc URI: unknown key “%s”; the keys are " QUERY_KEYS_TEXT
      "; an encryption key is set by the property srtp-key-file", key);
}

static gboolean
parse_query (const gchar * query, ArcUri * out, GError ** error)
{
  GstStructure *rtp = gst_structure_new ("application/x-rtp", "media", G_TYPE_STRING,
      ARC_URI_DEFAULT_MEDIA, "clock-rate", G_TYPE_INT, ARC_URI_DEFAULT_CLOCK_RATE, NULL);
  GUriParamsIter iter;
  gchar *key, *value;
  GError *syntax = NULL;
  gboolean ok = TRUE, media = FALSE;

  g_uri_params_iter_init (&iter, query, -1, "&", G_URI_PARAMS_NONE);
  while (ok && g_uri_params_iter_next (&iter, &key, &value, &syntax)) {
    if (!set_own (out, key, value, &ok, error))
      ok = media = set_field (rtp, key, value, error);
    g_free (key);
    wipe_and_free (value);
  }
  if (syntax)
    ok = fail (error, "arc URI: what follows the “?” is no list of key=value joined by “&”, or "
        "not UTF-8; the keys are " QUERY_KEYS_TEXT);
  g_clear_error (&syntax);

  if (ok && media)
    out->caps = gst_caps_new_full (rtp, NULL);
  else
    gst_structure_free (rtp);
  return ok;
}

gboolean
arc_uri_parse (const gchar * text, ArcUri * out, GError ** error)
{
  gchar *scheme = NULL, *host = NULL, *user = NULL, *path = NULL, *query = NULL, *fragment = NULL;
  gint port = -1;
  GError *syntax = NULL;
  gboolean ok = FALSE;
  gchar *shown;                 /* without the query, which may have a passphrase */

  shown = g_strndup (text ? text : "", text ? strcspn (text, "?") : 0);
  *out = (ArcUri) {.latency_ms = -1 };
  /* The query stays as it is: its escapes are decoded once, after it is cut at “&”. */
  if (!text || !g_uri_split (text, G_URI_FLAGS_ENCODED_QUERY, &scheme, &user, &host, &port, &path,
          &query, &fragment, &syntax))
    fail (error, "“%s” is not a URI: %s", shown, syntax ? syntax->message : "empty");
  else if (g_strcmp0 (scheme, "arc") != 0 || !host)
    fail (error, "“%s” is not of the form arc://ADDRESS:PORT", shown);
  else if (user || fragment || (*path != '\0' && !g_str_equal (path, "/")))
    fail (error, "“%s”: an arc URI has an address, a port and a query, nothing else", shown);
  else
    ok = !query || *query == '\0' || parse_query (query, out, error);

  if (!ok)
    arc_uri_clear (out);
  if (ok) {
    out->address = g_strdup (*host ? host : ARC_URI_DEFAULT_ADDRESS);
    out->port = port >= 0 ? port : ARC_URI_DEFAULT_PORT;
  }
  g_clear_error (&syntax);
  g_free (shown);
  g_free (scheme);
  g_free (user);
  g_free (host);
  g_free (path);
  wipe_and_free (query);
  g_free (fragment);
  return ok;
}

static void
append_field (GString * query, const GstStructure * rtp, const gchar * key)
{
  const gchar *text = gst_structure_get_string (rtp, key);
  gint number;
  gchar sign = query->len > 0 ? '&' : '?';

  if (text) {
    g_string_append_printf (query, "%c%s=", sign, key);
    g_string_append_uri_escaped (query, text, NULL, FALSE);
  } else if (gst_structure_get_int (rtp, key, &number)) {
    g_string_append_printf (query, "%c%s=%d", sign, key, number);
  }
}

/* The interface of a link-local address, after a %, which is a character to escape (RFC 6874). */
static gchar *
host_to_string (const gchar * address)
{
  const gchar *zone = strchr (address, '%');

  if (!strchr (address, ':'))
    return g_strdup (address);
  return zone ? g_strdup_printf ("[%.*s%%25%s]", (gint) (zone - address), address, zone + 1)
      : g_strdup_printf ("[%s]", address);
}

gchar *
arc_uri_to_string (const gchar * address, guint16 port, const GstCaps * caps, gint latency_ms)
{
  GString *query = g_string_new (NULL);
  gchar *host = host_to_string (address), *text;
  guint i;

  if (caps && gst_caps_is_fixed (caps)
      && gst_structure_has_name (gst_caps_get_structure (caps, 0), "application/x-rtp")) {
    for (i = 0; i < G_N_ELEMENTS (query_keys); i++)
      append_field (query, gst_caps_get_structure (caps, 0), query_keys[i].key);
  }
  if (latency_ms >= 0)
    g_string_append_printf (query, "%c" LATENCY_KEY "=%d", query->len > 0 ? '&' : '?', latency_ms);
  text = g_strdup_printf ("arc://%s:%u%s", host, port, query->str);
  g_string_free (query, TRUE);
  g_free (host);
  return text;
}

static void
append_text (GString * uri, const gchar * key, const gchar * value, const gchar * allowed)
{
  g_string_append_printf (uri, "%c%s=", strchr (uri->str, '?') ? '&' : '?', key);
  g_string_append_uri_escaped (uri, value, allowed, TRUE);
}

gchar *
arc_uri_add_call (gchar * uri, gint mode, const gchar * stream_id)
{
  GString *text = g_string_new (uri);

  if (mode != 0)
    append_text (text, "mode", mode == ARC_URI_MODE_CALLER ? "caller" : "listener", NULL);
  if (stream_id && *stream_id)
    append_text (text, "streamid", stream_id, NULL);
  g_free (uri);
  return g_string_free (text, FALSE);
}

gchar *
arc_uri_add_paths (gchar * uri, const gchar * paths)
{
  GString *text = g_string_new (uri);

  if (paths && *paths)
    append_text (text, "paths", paths, ",:");
  g_free (uri);
  return g_string_free (text, FALSE);
}
