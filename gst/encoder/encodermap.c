/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "encoder/encodermap.h"

#define LEAST_FIELDS 3

static GMutex lock;
static GSList *added;           /* of EncoderRow, the latest first; not freed: claims have them */

const EncoderRow *
encoder_map_lookup (GstElement * element)
{
  GstElementFactory *factory = gst_element_get_factory (element);
  const EncoderRow *found = NULL;

  if (!factory)
    return NULL;
  g_mutex_lock (&lock);
  for (GSList * each = added; each && !found; each = each->next)
    if (g_str_equal (((EncoderRow *) each->data)->glob, GST_OBJECT_NAME (factory)))
      found = each->data;
  g_mutex_unlock (&lock);
  return found;
}

/* Each once at most. */
static gboolean
read_word (const gchar * word, EncoderRow * row)
{
  if (g_str_equal (word, "restarts") && row->how == ENCODER_FOLLOWS) {
    row->how = ENCODER_REOPENS;
    return TRUE;
  }
  if (g_str_equal (word, "caps") && !row->by_caps) {
    row->by_caps = TRUE;
    return TRUE;
  }
  return FALSE;
}

static gboolean
read_row (const gchar * text, EncoderRow * row)
{
  gchar **fields = g_strsplit (text, ",", -1);
  guint n = g_strv_length (fields);
  gboolean valid = n >= LEAST_FIELDS;

  for (guint i = 0; i < n; i++)
    valid &= *g_strstrip (fields[i]) != '\0';
  if (valid) {
    gboolean kbit = g_str_equal (fields[2], "kbit");

    *row = (EncoderRow) {.glob = g_intern_string (fields[0]),
      .property = g_intern_string (fields[1]),.bps_per_unit = kbit ? 1000 : 1,
      .how = ENCODER_FOLLOWS
    };
    valid = kbit || g_str_equal (fields[2], "bit");
    for (guint i = LEAST_FIELDS; i < n; i++)
      valid &= read_word (fields[i], row);
  }
  g_strfreev (fields);
  return valid;
}

static void
add (gpointer row)
{
  g_mutex_lock (&lock);
  added = g_slist_prepend (added, row);
  g_mutex_unlock (&lock);
}

gchar *
encoder_map_add (const gchar * text)
{
  gchar **texts = g_strsplit (text ? text : "", ";", -1), *sentence = NULL;
  guint n = g_strv_length (texts);
  EncoderRow *rows = g_new (EncoderRow, n + 1);

  for (guint i = 0; i < n && !sentence; i++)
    if (!read_row (texts[i], &rows[i]))
      sentence = g_strdup_printf ("encoder-map: “%s” is not FACTORY,PROPERTY,UNIT with the unit "
          "bit or kbit, and behind it \",restarts\" if the encoder begins anew with each bitrate, "
          "\",caps\" if it divides by the frame rate of its caps, as in "
          "encoder-map=\"myenc,bitrate,kbit\"", texts[i]);
  for (guint i = 0; i < n && !sentence; i++)
    add (g_memdup2 (&rows[i], sizeof rows[i]));
  g_free (rows);
  g_strfreev (texts);
  return sentence;
}
