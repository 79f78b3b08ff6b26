/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "monitor/snapshottext.h"

#include <string.h>

#define MAX_DEPTH 6
#define MAX_NAME 64             /* letters of a stream id: what one reads */
#define FEW 8                   /* members of a list: never fewer, as of renditions */
#define MARGIN 0.9              /* members are not equally long */

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

/* --- viewers --- */

static gboolean
is_shown (GQuark id, GValue * value, gpointer user_data)
{
  static const gchar *const fields[] = {
    "state", "rate", "rate-cause", "sent-bitrate", "rtt", "queueing-delay", "queue-time",
    "packets-sent", "packets-lost", "frames-dropped", "keyframe-requests-received",
    "reports-impossible", "reports-never-sent", "paths", NULL
  };

  return g_strv_contains (fields, g_quark_to_string (id));
}

static GstStructure *
structure_in (const GValue * value)
{
  return value && GST_VALUE_HOLDS_STRUCTURE (value) ? g_value_get_boxed (value) : NULL;
}

static GstStructure *
nth_structure (const GValue * list, guint i)
{
  return structure_in (gst_value_array_get_value (list, i));
}

static void
shorten_name (GstStructure * viewer)
{
  const gchar *name = gst_structure_get_string (viewer, "streamid");
  gchar *head, *text;

  if (!name || g_utf8_strlen (name, -1) <= MAX_NAME)
    return;
  head = g_utf8_substring (name, 0, MAX_NAME - 1);
  text = g_strconcat (head, "…", NULL);
  gst_structure_set (viewer, "streamid", G_TYPE_STRING, text, NULL);
  g_free (text);
  g_free (head);
}

static void
shorten_viewers (GstStructure * stats)
{
  const GValue *viewers = gst_structure_get_value (stats, "viewers");

  for (guint i = 0; viewers && GST_VALUE_HOLDS_ARRAY (viewers)
      && i < gst_value_array_get_size (viewers); i++) {
    GstStructure *viewer = nth_structure (viewers, i), *sink;

    if (!viewer)
      continue;
    shorten_name (viewer);
    sink = structure_in (gst_structure_get_value (viewer, "sink"));
    if (sink)
      gst_structure_filter_and_map_in_place (sink, is_shown, NULL);
  }
}

/* What a viewer gets; less than nothing if media has stopped. */
static gint64
rate_of (gconstpointer member)
{
  const GstStructure *s = structure_in (member);
  guint64 bps = 0;

  s = s ? structure_in (gst_structure_get_value (s, "sink")) : NULL;
  if (!s)
    return 0;
  gst_structure_get_uint64 (s, "rate", &bps);
  return g_strcmp0 (gst_structure_get_string (s, "state"), "stopped") ? (gint64) bps : -1;
}

static gint
compare_trouble (gconstpointer a, gconstpointer b)
{
  gint64 one = rate_of (*(gconstpointer *) a), other = rate_of (*(gconstpointer *) b);

  return (one > other) - (one < other);
}

/* So that the share of a long list is left, of viewers those in trouble. */
static gboolean
thin_list (GQuark id, GValue * value, gpointer share)
{
  GValue kept = G_VALUE_INIT;
  GPtrArray *members;
  guint n = GST_VALUE_HOLDS_ARRAY (value) ? gst_value_array_get_size (value) : 0;
  guint n_kept = MAX (FEW, (guint) (n * *(gdouble *) share));

  if (n <= n_kept)
    return TRUE;
  members = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (members, (gpointer) gst_value_array_get_value (value, i));
  g_ptr_array_sort (members, compare_trouble);
  g_value_init (&kept, GST_TYPE_ARRAY);
  for (guint i = 0; i < n_kept; i++)
    gst_value_array_append_value (&kept, g_ptr_array_index (members, i));
  g_ptr_array_unref (members);
  g_value_unset (value);
  *value = kept;
  return TRUE;
}

static gboolean
is_no_list (GQuark id, GValue * value, gpointer user_data)
{
  return !GST_VALUE_HOLDS_ARRAY (value);
}

/* --- all of it --- */

static gchar *
serialize_again (gchar * before, const GstStructure * s)
{
  g_free (before);
  return gst_structure_serialize (s, GST_SERIALIZE_FLAG_NONE);
}

gchar *
snapshot_text_new (GstStructure * s)
{
  GstStructure *stats = structure_in (gst_structure_get_value (s, "stats"));
  gchar *text;
  gdouble share;

  if (stats)
    shorten_viewers (stats);
  gst_structure_map_in_place (s, make_plain, NULL);
  text = serialize_again (NULL, s);
  if (stats && strlen (text) > SNAPSHOT_TEXT_MAX) {
    share = MARGIN * SNAPSHOT_TEXT_MAX / (gdouble) strlen (text);
    gst_structure_map_in_place (stats, thin_list, &share);
    text = serialize_again (text, s);
  }
  if (stats && strlen (text) > SNAPSHOT_TEXT_MAX) {
    gst_structure_filter_and_map_in_place (stats, is_no_list, NULL);
    text = serialize_again (text, s);
  }
  return text;
}
