/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One field of what an element says in its property `stats`, and what the process has. */
#pragma once

#include <gst/gst.h>

/* (transfer full) */
GstStructure *read_stats (gpointer element);
/* A count or a rate, of 32 or 64 bits; fails where there is no such field. */
guint64 read_stat (gpointer element, const gchar * field);
/* Of an element in a bin. */
guint64 read_stat_in (GstElement * bin, const gchar * name, const gchar * field);
/* Whether the field is this word. */
gboolean stat_reads (gpointer element, const gchar * field, const gchar * word);

/* The element with which this description begins. */
gboolean is_installed (const gchar * description);

guint count_files (void);
/* Whose names begin so; NULL: all. A thread gives itself its name, and is seen for a moment after
 * it was joined. */
guint count_threads (const gchar * prefix);
/* Waits up to some seconds until so many threads have such a name. */
gboolean comes_to_threads (const gchar * prefix, guint n);
gint64 monotonic_ns (void);
