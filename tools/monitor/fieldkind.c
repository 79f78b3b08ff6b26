/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fieldkind.h"

#include <string.h>

/* Units of our fields, and those of OpenMetrics; any other is none. */
static const struct
{
  const gchar *ours, *unit;
  gdouble scale;
} units[] = {
  {"bit/s", "bytes_per_second", 1.0 / 8},
  {"bytes", "bytes", 1},
  {"ns", "seconds", 1e-9},
  {"pixels", "pixels", 1},
  {"frames/s", "hertz", 1},
};

/* Each field is NAME:KIND:UNIT, and + stands between two. */
void
field_kinds_init (FieldKinds * self, const GstStructure * snapshot)
{
  gchar *next, *kind;

  self->text = g_strdup (gst_structure_get_string (snapshot, "fields"));
  self->kinds = g_hash_table_new (g_str_hash, g_str_equal);
  for (gchar * field = self->text; field != NULL; field = next) {
    if ((next = strchr (field, '+')) != NULL)
      *next++ = '\0';
    if ((kind = strchr (field, ':')) == NULL)
      continue;
    *kind++ = '\0';
    g_hash_table_insert (self->kinds, field, kind);
  }
}

void
field_kinds_clear (FieldKinds * self)
{
  g_hash_table_unref (self->kinds);
  g_free (self->text);
}

MetricKind
field_kinds_get (const FieldKinds * self, const gchar * field)
{
  const gchar *kind = g_hash_table_lookup (self->kinds, field);

  return field_kind (kind ? kind : "");
}

MetricKind
field_kind (const gchar * kind)
{
  MetricKind result = { "unknown", "", 1 };
  const gchar *unit = strchr (kind, ':');

  if (unit == NULL)
    return result;
  if (g_str_has_prefix (kind, "counter:"))
    result.type = "counter";
  else if (g_str_has_prefix (kind, "gauge:"))
    result.type = "gauge";
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (g_str_equal (unit + 1, units[i].ours)) {
      result.unit = units[i].unit;
      result.scale = units[i].scale;
    }
  }
  return result;
}

gchar *
field_kind_metric (const MetricKind * self, const gchar * field)
{
  GString *name = g_string_new (NULL);
  gchar **words = g_strsplit (field, "-", -1), **word;

  for (word = words; *word != NULL; word++) {
    if (g_str_equal (*word, self->unit))
      continue;
    if (name->len > 0)
      g_string_append_c (name, '_');
    g_string_append (name, *word);
  }
  g_strfreev (words);
  if (*self->unit)
    g_string_append_printf (name, "%s%s", name->len > 0 ? "_" : "", self->unit);
  g_strcanon (name->str, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", '_');
  return g_string_free (name, FALSE);
}
