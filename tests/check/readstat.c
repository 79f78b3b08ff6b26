/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "readstat.h"

#include "claim.h"

GstStructure *
read_stats (gpointer element)
{
  GstStructure *stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  return stats;
}

guint64
read_stat (gpointer element, const gchar * field)
{
  g_autoptr (GstStructure) stats = read_stats (element);
  guint64 value = 0;
  guint narrow = 0;

  fail_unless (gst_structure_get_uint64 (stats, field, &value)
      || gst_structure_get_uint (stats, field, &narrow), "no field %s", field);
  return value + narrow;
}

guint64
read_stat_in (GstElement * bin, const gchar * name, const gchar * field)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (bin), name);

  return read_stat (element, field);
}

gboolean
stat_reads (gpointer element, const gchar * field, const gchar * word)
{
  g_autoptr (GstStructure) stats = read_stats (element);

  return g_strcmp0 (gst_structure_get_string (stats, field), word) == 0;
}
