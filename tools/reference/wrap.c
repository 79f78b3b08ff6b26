/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "wrap.h"

#include <string.h>

#define COLUMNS 100
/* A longer code span is broken too. */
#define MOST_SPAN_CHARS 60
#define KEPT_SPACE "\001"       /* in a code span */

static void
keep_spans (gchar * line)
{
  for (gchar * begin = line, *end; (begin = strchr (begin, '`')); begin = end + 1) {
    end = strchr (begin + 1, '`');
    if (!end)
      return;
    if (end - begin <= MOST_SPAN_CHARS)
      for (gchar * c = begin; c < end; c++)
        if (*c == ' ')
          *c = *KEPT_SPACE;
  }
}

/* At the begin of a line it would be an item of a list, a heading, a quotation or a table. */
static gboolean
is_mark (const gchar * word)
{
  return strchr ("-+*#>|=", *word) || (g_ascii_isdigit (*word) && strchr (".)", word[strspn (word,
                  "0123456789")]));
}

static void
wrap_line (GString * wrapped, const gchar * line)
{
  g_autofree gchar *copy = g_strdup (line);
  g_auto (GStrv) words = NULL;
  gsize indent = strspn (line, " "), columns = indent;
  gsize hang = indent + (g_str_has_prefix (line + indent, "- ") ? 2 : 0);

  keep_spans (copy);
  words = g_strsplit (copy + indent, " ", -1);
  g_string_append_printf (wrapped, "%*s", (int) indent, "");
  for (guint i = 0; words[i]; i++) {
    gsize n = (gsize) g_utf8_strlen (words[i], -1);

    if (i > 1 && columns + 1 + n > COLUMNS && !is_mark (words[i])) {
      g_string_append_printf (wrapped, "\n%*s", (int) hang, "");
      columns = hang;
    } else if (i > 0) {
      g_string_append_c (wrapped, ' ');
      columns++;
    }
    g_string_append (wrapped, g_strdelimit (words[i], KEPT_SPACE, ' '));
    columns += n;
  }
}

gchar *
wrap (const gchar * text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *wrapped = g_string_new (NULL);

  for (guint i = 0; lines[i]; i++) {
    g_string_append (wrapped, i > 0 ? "\n" : "");
    if (strchr ("#|<", *lines[i]))      /* or it is empty */
      g_string_append (wrapped, lines[i]);
    else
      wrap_line (wrapped, lines[i]);
  }
  return g_string_free (wrapped, FALSE);
}
