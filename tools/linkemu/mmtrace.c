/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "mmtrace.h"

#define MAX_OPPORTUNITIES 10000000
#define MAX_MS G_MAXUINT32

static gboolean
refuse (GError **error, const gchar *file, guint line, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s:%u: %s", file, line, why);
  return FALSE;
}

static gboolean
add_line (GArray *opportunities, gchar *text, const gchar *file, guint line, GError **error)
{
  guint n = opportunities->len;
  guint64 ms;
  RcTime at;

  if (*g_strstrip (text) == '\0')
    return TRUE;
  if (!g_ascii_string_to_unsigned (text, 10, 0, MAX_MS, &ms, NULL))
    return refuse (error, file, line, "not a time in milliseconds (one number a line)");
  at = (RcTime) ms * RC_MSEC;
  if (n > 0 && at < g_array_index (opportunities, RcTime, n - 1))
    return refuse (error, file, line, "the time is before that of the line above");
  if (n >= MAX_OPPORTUNITIES)
    return refuse (error, file, line, "too many lines (ten millions at most)");
  g_array_append_val (opportunities, at);
  return TRUE;
}

gboolean
mm_trace_read (GArray *opportunities, const gchar *file, GError **error)
{
  guint line = 0;
  gchar *text, **lines;
  gboolean ok = TRUE;

  if (!g_file_get_contents (file, &text, NULL, error))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  g_free (text);
  for (; ok && lines[line]; line++)
    ok = add_line (opportunities, lines[line], file, line + 1, error);
  g_strfreev (lines);
  if (!ok)
    return FALSE;
  if (opportunities->len == 0 || g_array_index (opportunities, RcTime, opportunities->len - 1) == 0)
    return refuse (error, file, MAX (line, 1), "no time after 0: it would never repeat");
  return TRUE;
}
