/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/messagerecord.h"

#include <gst/arc/arc.h>
#include <string.h>

/* The longest sentence of ours has 450. */
#define MAX_TEXT_BYTES 600

static gchar *
value_text (const GValue * value)
{
  return G_VALUE_HOLDS_STRING (value) ? g_value_dup_string (value) : gst_value_serialize (value);
}

static gboolean
append_field (GQuark id, const GValue * value, gpointer text)
{
  gchar *written = value_text (value);

  g_string_append_printf (text, " %s=%s", g_quark_to_string (id), written ? written : "");
  g_free (written);
  return TRUE;
}

/* Statistics and targets come all the time, and are on the page anyway. NULL: such a one. */
static gchar *
text_of_structure (const GstStructure * s)
{
  GString *text;

  if (s == NULL || gst_structure_has_name (s, GST_RMC_SINK_TARGET_BITRATE)
      || g_str_has_suffix (gst_structure_get_name (s), "Stats"))
    return NULL;
  text = g_string_new (gst_structure_get_name (s));
  gst_structure_foreach (s, append_field, text);
  return g_string_free (text, FALSE);
}

/* The two that matter: those on the way to them would be four more with each start. */
static gchar *
text_of_state (GstElement * element, GstMessage * message)
{
  GstState from, to;

  gst_message_parse_state_changed (message, &from, &to, NULL);
  if (GST_MESSAGE_SRC (message) != GST_OBJECT (element))
    return NULL;
  if (to == GST_STATE_PLAYING)
    return g_strdup ("playing");
  return from == GST_STATE_PLAYING ? g_strdup ("no longer playing") : NULL;
}

/* Of an error, a warning or an information. */
static gchar *
text_of_error (GstMessage * message, void (*parse) (GstMessage *, GError **, gchar **))
{
  GError *error = NULL;
  gchar *text;

  parse (message, &error, NULL);
  text = g_strdup (error ? error->message : "");
  g_clear_error (&error);
  return text;
}

/* NULL: not worth telling. */
static gchar *
text_of (GstElement * element, GstMessage * message, const gchar ** kind)
{
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      *kind = "error";
      return text_of_error (message, gst_message_parse_error);
    case GST_MESSAGE_WARNING:
      *kind = "warning";
      return text_of_error (message, gst_message_parse_warning);
    case GST_MESSAGE_INFO:
      *kind = "info";
      return text_of_error (message, gst_message_parse_info);
    case GST_MESSAGE_STATE_CHANGED:
      *kind = "state";
      return text_of_state (element, message);
    case GST_MESSAGE_EOS:
      *kind = "state";
      return g_strdup ("end of stream");
    case GST_MESSAGE_ELEMENT:
      *kind = "message";
      return text_of_structure (gst_message_get_structure (message));
    default:
      return NULL;
  }
}

GstStructure *
message_record (GstElement * element, GstMessage * message)
{
  const gchar *kind = NULL;
  gchar *text = text_of (element, message, &kind), *valid;
  GstStructure *s;

  if (text == NULL)
    return NULL;
  valid = g_utf8_make_valid (text, (gssize) MIN (strlen (text), MAX_TEXT_BYTES));
  s = gst_structure_new (GST_ARC_MONITOR_MESSAGE,
      "time", G_TYPE_UINT64, (guint64) g_get_real_time () / 1000,
      "kind", G_TYPE_STRING, kind, "text", G_TYPE_STRING, valid, NULL);
  if (GST_MESSAGE_SRC (message) != NULL && GST_MESSAGE_SRC (message) != GST_OBJECT (element))
    gst_structure_set (s, "from", G_TYPE_STRING, GST_MESSAGE_SRC_NAME (message), NULL);
  g_free (valid);
  g_free (text);
  return s;
}
