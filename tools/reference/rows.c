/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rows.h"

static GHashTable *seen;        /* text -> element */

/* Where that text was written before as one of the element, or NULL: it is noted. */
static const gchar *
rows_seen (const gchar * element, const gchar * text)
{
  const gchar *found;

  if (!seen)
    seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  found = g_hash_table_lookup (seen, text);
  if (!found)
    g_hash_table_insert (seen, g_strdup (text), g_strdup (element));
  return found;
}

void
rows_begin (Rows * self, GString * page, const gchar * element, const gchar * head)
{
  *self = (Rows) {.page = page,.element = element,.head = head};
  self->elsewhere = g_ptr_array_new_with_free_func (g_free);
}

void
rows_add (Rows * self, const gchar * name, const gchar * of, const gchar * row)
{
  g_autofree gchar *key = g_strconcat (of, "\t", row, NULL);
  const gchar *element = rows_seen (self->element, key);

  if (element) {
    g_ptr_array_add (self->elsewhere, g_strconcat (element, "\t", name, NULL));
    return;
  }
  if (!self->begun)
    g_string_append_printf (self->page, "%s", self->head);
  self->begun = TRUE;
  g_string_append (self->page, row);
}

static gint
by_text (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(gchar * const *) a, *(gchar * const *) b);
}

void
rows_end (Rows * self)
{
  g_autofree gchar *last = NULL;

  g_ptr_array_sort (self->elsewhere, by_text);
  for (guint i = 0; i < self->elsewhere->len; i++) {
    g_auto (GStrv) parts = g_strsplit (self->elsewhere->pdata[i], "\t", 2);

    if (g_strcmp0 (parts[0], last) == 0)
      g_string_append_printf (self->page, ", `%s`", parts[1]);
    else if (g_str_equal (parts[0], self->element))
      g_string_append_printf (self->page, "%sAs above: `%s`", last ? ".\n\n" : "\n", parts[1]);
    else
      g_string_append_printf (self->page, "%sAs of [%s](%s.md): `%s`", last ? ".\n\n" : "\n",
          parts[0], parts[0], parts[1]);
    g_free (last);
    last = g_strdup (parts[0]);
  }
  if (last)
    g_string_append (self->page, ".\n");
  g_ptr_array_unref (self->elsewhere);
}
