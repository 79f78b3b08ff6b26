/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fields.h"

#include "base/clockglue.h"
#include "base/description.h"

static GType
type_of (const FieldRow * row)
{
  switch (row->type) {
    case FIELD_UINT:
      return G_TYPE_UINT;
    case FIELD_BOOLEAN:
    case FIELD_BOOL:
      return G_TYPE_BOOLEAN;
    case FIELD_DOUBLE:
      return G_TYPE_DOUBLE;
    case FIELD_STRING:
      return G_TYPE_STRING;
    case FIELD_STRUCTURE:
      return GST_TYPE_STRUCTURE;
    case FIELD_ARRAY:
      return GST_TYPE_ARRAY;
    default:
      return G_TYPE_UINT64;
  }
}

static void
write_value (const FieldRow * row, gconstpointer field, GValue * value)
{
  switch (row->type) {
    case FIELD_UINT:
      g_value_set_uint (value, *(const guint *) field);
      break;
    case FIELD_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) field);
      break;
    case FIELD_BOOL:
      g_value_set_boolean (value, *(const _Bool *) field);
      break;
    case FIELD_DOUBLE:
      g_value_set_double (value, *(const gdouble *) field);
      break;
    case FIELD_RATE:
      g_value_set_uint64 (value, (guint64) CLAMP (*(const gdouble *) field, 0, 1e18));
      break;
    case FIELD_TIME:
      g_value_set_uint64 (value, (guint64) MAX (*(const RcTime *) field, 0));
      break;
    case FIELD_STRING:
      g_value_set_string (value, *(const gchar * const *) field);
      break;
    default:
      g_value_set_uint64 (value, *(const guint64 *) field);
  }
}

void
fields_add (GstStructure * structure, const FieldRow * table, gconstpointer values)
{
  for (const FieldRow * row = table; row->name; row++) {
    gconstpointer field = (const guint8 *) values + row->offset;
    GValue value = G_VALUE_INIT;

    if (row->offset == FIELD_BY_OWNER
        || (row->type == FIELD_STRING && !*(const gchar * const *) field))
      continue;
    g_value_init (&value, type_of (row));
    write_value (row, field, &value);
    gst_structure_take_value (structure, row->name, &value);
  }
}

/* GLib's without the g. */
static const gchar *
type_name (const FieldRow * row)
{
  if (row->type == FIELD_STRING)
    return "string";
  if (row->type == FIELD_STRUCTURE)
    return "structure";
  if (row->type == FIELD_ARRAY)
    return "array";
  return g_type_name (type_of (row)) + 1;
}

static void
describe_row (const FieldRow * row, GString * text)
{
  g_string_append_printf (text, DESCRIPTION_LINE "  %s (%s%s%s): %s", row->name, type_name (row),
      *row->unit ? ", " : "", row->unit, row->text);
}

static void
describe_kind (const FieldRow * row, GString * kinds)
{
  if (row->kind != FIELD_IS_NO_NUMBER)
    g_string_append_printf (kinds, "%s%s:%s:%s", kinds->len > 0 ? "+" : "", row->name,
        row->kind == FIELD_IS_COUNTER ? "counter" : "gauge", row->unit);
}

static void
each_row (const FieldStructure * structure, void (*with) (const FieldRow *, GString *),
    GString * text)
{
  for (guint i = 0; i < FIELD_MAX_TABLES && structure->tables[i]; i++)
    for (const FieldRow * row = structure->tables[i]; row->name; row++)
      with (row, text);
}

gchar *
fields_kinds (const FieldStructure * structures)
{
  GString *kinds = g_string_new (NULL);

  for (; structures->name; structures++)
    each_row (structures, describe_kind, kinds);
  return g_string_free (kinds, FALSE);
}

static GQuark
kinds_quark (void)
{
  return g_quark_from_static_string ("gst-arc-fields");
}

void
fields_describe (GstElementClass * klass, const FieldStructure * structures)
{
  GString *text = g_string_new (NULL);

  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), kinds_quark (), fields_kinds (structures));
  for (const FieldStructure * s = structures; s->name; s++) {
    g_string_append_printf (text, "%s%s: %s", s == structures ? "" : DESCRIPTION_LINE, s->name,
        s->text);
    each_row (s, describe_row, text);
  }
  gst_element_class_add_metadata (klass, DESCRIPTION_STATISTICS, text->str);
  g_string_free (text, TRUE);
}

void
fields_join (GstElementClass * klass, GType element)
{
  gpointer described = g_type_class_ref (element);
  gchar *own = g_type_get_qdata (G_TYPE_FROM_CLASS (klass), kinds_quark ());

  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), kinds_quark (), g_strjoin ("+", own,
          fields_kinds_of (element), NULL));
  g_free (own);
  g_type_class_unref (described);
}

const gchar *
fields_kinds_of (GType element)
{
  const gchar *kinds = NULL;

  for (; element && !kinds; element = g_type_parent (element))
    kinds = g_type_get_qdata (element, kinds_quark ());
  return kinds;
}
