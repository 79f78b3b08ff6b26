/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "statlines.h"

#include <math.h>

typedef struct
{
  GString *names, *values, *json;
  const gchar *prefix;
} Row;

/* As JSON and CSV both have it: what either would have to escape becomes a question mark, since a
 * viewer chooses its stream id. NULL: no value of one field. */
static gchar *
text_of (const GValue * value)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *valid = NULL;
  GType type = G_VALUE_TYPE (value);

  if (type == G_TYPE_DOUBLE)
    return g_strdup (isfinite (g_value_get_double (value)) ? g_ascii_formatd (number,
            sizeof number, "%.9g", g_value_get_double (value)) : "null");
  if (type != G_TYPE_STRING)
    return type == G_TYPE_INT || type == G_TYPE_UINT || type == G_TYPE_INT64
        || type == G_TYPE_UINT64 || type == G_TYPE_BOOLEAN ? gst_value_serialize (value) : NULL;
  valid = g_utf8_make_valid (g_value_get_string (value) ? g_value_get_string (value) : "", -1);
  for (gchar * c = valid; *c; c++)
    if ((guchar) * c < 0x20 || *c == '"' || *c == '\\')
      *c = '?';
  return g_strdup_printf ("\"%s\"", valid);
}

static gboolean add_field (GQuark name, const GValue * value, gpointer row);

static void
add_value (Row * self, const gchar * name, const GValue * value)
{
  const gchar *prefix = self->prefix, *comma = self->names->len ? "," : "";
  g_autofree gchar *path = prefix ? g_strdup_printf ("%s-%s", prefix, name) : g_strdup (name);
  g_autofree gchar *text = text_of (value);

  self->prefix = path;
  if (GST_VALUE_HOLDS_STRUCTURE (value))
    gst_structure_foreach (gst_value_get_structure (value), add_field, self);
  for (guint i = 0; GST_VALUE_HOLDS_ARRAY (value) && i < gst_value_array_get_size (value); i++) {
    g_autofree gchar *index = g_strdup_printf ("%u", i);

    add_value (self, index, gst_value_array_get_value (value, i));
  }
  if (text) {
    g_string_append_printf (self->names, "%s%s", comma, path);
    g_string_append_printf (self->json, "%s\"%s\":%s", comma, path, text);
    g_string_append_printf (self->values, "%s%s", comma, text);
  }
  self->prefix = prefix;
}

static gboolean
add_field (GQuark name, const GValue * value, gpointer row)
{
  add_value (row, g_quark_to_string (name), value);
  return TRUE;
}

gchar *
stat_line (const GstStructure * stats, gchar ** csv)
{
  g_autoptr (GString) names = g_string_new (NULL), values = g_string_new (NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  g_autofree gchar *header = csv ? *csv : NULL;
  Row row = { names, values, json, NULL };

  gst_structure_foreach (stats, add_field, &row);
  if (!csv)
    return g_strdup_printf ("{%s}", json->str);
  *csv = g_strdup (names->str);
  return g_strcmp0 (header, *csv) == 0 ? g_strdup (values->str)
      : g_strdup_printf ("%s\n%s", *csv, values->str);
}
