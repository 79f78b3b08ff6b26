/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "monitor/snapshottext.h"

#include <string.h>

#define MAX_DEPTH 6

static const gchar opening[] = "<{[", closing[] = ">}]", quotes[] = "\"\\";

/* As the addresses of IPv6 do. */
static gboolean
is_plain (const gchar * text)
{
  gchar awaited[MAX_DEPTH];
  guint depth = 0;

  for (; *text != '\0'; text++) {
    const gchar *opens = strchr (opening, *text);

    if (strchr (quotes, *text) || (opens && depth == MAX_DEPTH))
      return FALSE;
    if (opens)
      awaited[depth++] = closing[opens - opening];
    else if (strchr (closing, *text) && (depth == 0 || awaited[--depth] != *text))
      return FALSE;
  }
  return depth == 0;
}

static gchar *
new_plain (const gchar * text)
{
  gchar *plain = g_strdup (text);

  for (gchar * at = plain; *at != '\0'; at++)
    *at = strchr (opening, *at) ? '(' : strchr (closing, *at) ? ')' : strchr (quotes, *at) ? '\''
        : *at;
  return plain;
}

static gboolean
make_plain (GQuark id, GValue * value, gpointer nested)
{
  if (GST_VALUE_HOLDS_STRUCTURE (value)) {
    if (g_value_get_boxed (value))
      gst_structure_map_in_place (g_value_get_boxed (value), make_plain, value);
  } else if (GST_VALUE_HOLDS_ARRAY (value)) {
    for (guint i = 0; i < gst_value_array_get_size (value); i++)
      make_plain (id, (GValue *) gst_value_array_get_value (value, i), value);
  } else if (nested && G_VALUE_HOLDS_STRING (value) && g_value_get_string (value)
      && !is_plain (g_value_get_string (value))) {
    g_value_take_string (value, new_plain (g_value_get_string (value)));
  }
  return TRUE;
}

static gboolean
is_no_list (GQuark id, GValue * value, gpointer user_data)
{
  return !GST_VALUE_HOLDS_ARRAY (value);
}

gchar *
snapshot_text_new (GstStructure * s)
{
  const GValue *stats;
  gchar *text;

  gst_structure_map_in_place (s, make_plain, NULL);
  text = gst_structure_serialize (s, GST_SERIALIZE_FLAG_NONE);
  stats = gst_structure_get_value (s, "stats");
  if (strlen (text) <= SNAPSHOT_TEXT_MAX || !stats || !GST_VALUE_HOLDS_STRUCTURE (stats))
    return text;
  g_free (text);
  gst_structure_filter_and_map_in_place (g_value_get_boxed (stats), is_no_list, NULL);
  return gst_structure_serialize (s, GST_SERIALIZE_FLAG_NONE);
}
