/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What strangers choose, such as stream ids, hides nothing from a monitor. */

#include <monitor/snapshottext.h>
#include <string.h>

#include "claim.h"

/* Of a server with so many viewers of this stream id. */
static GstStructure *
snapshot_of (const gchar * stream_id, guint n, guint bytes)
{
  GstStructure *s = gst_structure_new ("snapshot", "element", G_TYPE_STRING, "sink0", NULL);
  GstStructure *stats = gst_structure_new ("stats", "viewers-now", G_TYPE_UINT, n, NULL);
  GValue viewers = G_VALUE_INIT, viewer = G_VALUE_INIT;
  g_autofree gchar *filling = g_strnfill (bytes, 'x');

  g_value_init (&viewers, GST_TYPE_ARRAY);
  g_value_init (&viewer, GST_TYPE_STRUCTURE);
  for (guint i = 0; i < n; i++) {
    GstStructure *sink = gst_structure_new ("sink", "text", G_TYPE_STRING, filling,
        "state", G_TYPE_STRING, i == n / 2 ? "stopped" : "running",
        "rate", G_TYPE_UINT64, (guint64) 100000 + i, NULL);

    g_value_take_boxed (&viewer, gst_structure_new ("viewer", "address", G_TYPE_STRING,
            "[::1]:5000", "streamid", G_TYPE_STRING, stream_id, "sink", GST_TYPE_STRUCTURE, sink,
            NULL));
    gst_value_array_append_value (&viewers, &viewer);
    gst_structure_free (sink);
  }
  g_value_unset (&viewer);
  gst_structure_take_value (stats, "viewers", &viewers);
  gst_structure_set (s, "stats", GST_TYPE_STRUCTURE, stats, NULL);
  gst_structure_free (stats);
  return s;
}

/* What a monitor reads of it; its `stats`. */
static GstStructure *
told_stats (GstStructure * s, gsize * bytes)
{
  g_autofree gchar *text = snapshot_text_new (s);
  GstStructure *read = gst_structure_from_string (text, NULL), *stats = NULL;

  fail_unless (read != NULL, "%s", text);
  fail_unless (gst_structure_get (read, "stats", GST_TYPE_STRUCTURE, &stats, NULL), "%s", text);
  *bytes = strlen (text);
  gst_structure_free (read);
  gst_structure_free (s);
  return stats;
}

static const struct
{
  const gchar *id, *told;
} stream_ids[] = {
  {"front door", "front door"}, {"a[b]", "a[b]"}, {"a]b", "a)b"}, {"[[[", "((("}, {"}{", ")("},
  {"<", "("}, {"a\"b", "a'b"}, {"a\\", "a'"}, {"[[[[[[[]]]]]]]", "((((((()))))))"}, {"", ""}
};

CLAIMS (test_no_stream_id_hides_a_server, G_N_ELEMENTS (stream_ids))
{
  gsize bytes;
  g_autoptr (GstStructure) stats = told_stats (snapshot_of (stream_ids[__i__].id, 2, 10), &bytes);
  const GValue *viewers = gst_structure_get_value (stats, "viewers"), *one;

  fail_unless (viewers && gst_value_array_get_size (viewers) == 2);
  one = gst_value_array_get_value (viewers, 1);
  fail_unless_equals_string (gst_structure_get_string (g_value_get_boxed (one), "streamid"),
      stream_ids[__i__].told);
  fail_unless_equals_string (gst_structure_get_string (g_value_get_boxed (one), "address"),
      "[::1]:5000");
}

static guint64
rate_of (const GValue * viewers, guint i)
{
  const GstStructure *viewer = g_value_get_boxed (gst_value_array_get_value (viewers, i));
  const GstStructure *sink = g_value_get_boxed (gst_structure_get_value (viewer, "sink"));
  guint64 bps = 0;

  gst_structure_get_uint64 (sink, "rate", &bps);
  return bps;
}

CLAIM (test_of_a_viewer_a_monitor_hears_what_it_shows)
{
  gsize bytes;
  g_autoptr (GstStructure) stats = told_stats (snapshot_of ("door", 300, 2500), &bytes);
  const GValue *viewers = gst_structure_get_value (stats, "viewers"), *one;

  fail_unless (viewers && gst_value_array_get_size (viewers) == 300, "%" G_GSIZE_FORMAT, bytes);
  fail_unless (rate_of (viewers, 299) == 100299);
  one = gst_value_array_get_value (viewers, 0);
  one = gst_structure_get_value (g_value_get_boxed (one), "sink");
  fail_if (gst_structure_has_field (g_value_get_boxed (one), "text"));
}

CLAIM (test_of_a_crowd_those_in_trouble_are_told)
{
  gsize bytes;
  g_autoptr (GstStructure) stats = told_stats (snapshot_of ("door", 4000, 10), &bytes);
  const GValue *viewers = gst_structure_get_value (stats, "viewers");
  guint n;

  fail_unless (bytes <= SNAPSHOT_TEXT_MAX, "%" G_GSIZE_FORMAT, bytes);
  fail_unless (gst_structure_get_uint (stats, "viewers-now", &n) && n == 4000);
  fail_unless (viewers && gst_value_array_get_size (viewers) > 500);
  fail_unless (rate_of (viewers, 0) == 102000, "the one whose media has stopped");
  fail_unless (rate_of (viewers, 1) == 100000, "then the slowest");
}

CLAIM (test_a_list_that_stays_too_long_is_left_out)
{
  g_autofree gchar *long_text = g_strnfill (SNAPSHOT_TEXT_MAX, 'x');
  GstStructure *s = snapshot_of ("door", 1, 1), *viewer;
  const GValue *stats = gst_structure_get_value (s, "stats"), *viewers;
  g_autoptr (GstStructure) told = NULL;
  gsize bytes;

  viewers = gst_structure_get_value (g_value_get_boxed (stats), "viewers");
  viewer = g_value_get_boxed (gst_value_array_get_value (viewers, 0));
  gst_structure_set (viewer, "address", G_TYPE_STRING, long_text, NULL);
  told = told_stats (s, &bytes);
  fail_unless (bytes < 1000 && !gst_structure_has_field (told, "viewers"));
}

CLAIM (test_a_long_stream_id_is_cut_between_letters)
{
  g_autofree gchar *bytes_of_a = g_strnfill (63, 'a');
  g_autofree gchar *id = g_strconcat (bytes_of_a, "öö and more", NULL);
  g_autofree gchar *cut = g_strconcat (bytes_of_a, "…", NULL);
  gsize bytes;
  g_autoptr (GstStructure) stats = told_stats (snapshot_of (id, 1, 1), &bytes);
  const GValue *viewers = gst_structure_get_value (stats, "viewers");

  fail_unless_equals_string (gst_structure_get_string (g_value_get_boxed (gst_value_array_get_value
              (viewers, 0)), "streamid"), cut);
}
