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

gboolean
is_installed (const gchar * description)
{
  g_auto (GStrv) words = g_strsplit (description, " ", 2);
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (words[0]);

  return factory != NULL;
}

static guint
count_entries (const gchar * folder, gboolean (*counts) (const gchar *, const gchar *),
    const gchar * wanted)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const gchar *name;
  guint n = 0;

  fail_unless (dir != NULL);
  while ((name = g_dir_read_name (dir)))
    n += counts == NULL || counts (name, wanted);
  g_dir_close (dir);
  return n;
}

guint
count_files (void)
{
  return count_entries ("/proc/self/fd", NULL, NULL);
}

static gboolean
is_thread_named (const gchar * id, const gchar * prefix)
{
  g_autofree gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", id), *name = NULL;

  return g_file_get_contents (path, &name, NULL, NULL) && g_str_has_prefix (name, prefix);
}

guint
count_threads (const gchar * prefix)
{
  return count_entries ("/proc/self/task", prefix ? is_thread_named : NULL, prefix);
}

gboolean
comes_to_threads (const gchar * prefix, guint n)
{
  for (guint i = 0; i < 500 && count_threads (prefix) != n; i++)
    g_usleep (10000);
  return count_threads (prefix) == n;
}

gint64
monotonic_ns (void)
{
  return g_get_monotonic_time () * 1000;
}
