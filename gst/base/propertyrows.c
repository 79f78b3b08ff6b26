/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "propertyrows.h"

#include "base/propertyplaces.h"

/* Of what a double cannot tell apart up there, the two ends of a range that there are. */
static guint64
to_uint64 (gdouble value)
{
  if (value >= (gdouble) G_MAXUINT64)
    return G_MAXUINT64;
  return value >= (gdouble) G_MAXINT64 ? G_MAXINT64 : (guint64) value;
}

static GParamSpec *
spec_of (const PropertyRow * row)
{
  switch (row->kind) {
    case PROPERTY_UINT:
      return g_param_spec_uint (row->name, row->nick, row->text, (guint) row->least,
          (guint) row->most, (guint) row->usual, row->flags);
    case PROPERTY_INT:
      return g_param_spec_int (row->name, row->nick, row->text, (gint) row->least,
          (gint) row->most, (gint) row->usual, row->flags);
    case PROPERTY_UINT64:
      return g_param_spec_uint64 (row->name, row->nick, row->text, to_uint64 (row->least),
          to_uint64 (row->most), to_uint64 (row->usual), row->flags);
    case PROPERTY_DOUBLE:
      return g_param_spec_double (row->name, row->nick, row->text, row->least, row->most,
          row->usual, row->flags);
    case PROPERTY_BOOL:
      return g_param_spec_boolean (row->name, row->nick, row->text, row->usual != 0, row->flags);
    case PROPERTY_CHOICE:
      return g_param_spec_enum (row->name, row->nick, row->text, row->type (), (gint) row->usual,
          row->flags);
    case PROPERTY_STRING:
      return g_param_spec_string (row->name, row->nick, row->text, row->usual_text, row->flags);
    default:
      return g_param_spec_boxed (row->name, row->nick, row->text, row->type (), row->flags);
  }
}

void
property_rows_install (GObjectClass * klass, guint first, const PropertyRow * rows)
{
  for (guint i = 0; rows[i].name; i++)
    g_object_class_install_property (klass, first + i, spec_of (&rows[i]));
}

static gpointer
place_of (const PropertyRow * row, gconstpointer fields)
{
  return row->offset == PROPERTY_BY_OWNER ? NULL : (guint8 *) fields + row->offset;
}

void
property_rows_init (const PropertyRow * rows, gpointer fields)
{
  for (; rows->name; rows++) {
    GParamSpec *spec;

    if (!place_of (rows, fields))
      continue;
    spec = g_param_spec_ref_sink (spec_of (rows));
    property_place_write (place_of (rows, fields), g_param_spec_get_default_value (spec));
    g_param_spec_unref (spec);
  }
}

void
property_rows_clear (const PropertyRow * rows, gpointer fields)
{
  for (; rows->name; rows++) {
    GValue none = G_VALUE_INIT;

    if (!place_of (rows, fields) || (rows->kind != PROPERTY_STRING
            && rows->kind != PROPERTY_OWN_BOXED))
      continue;
    g_value_init (&none, rows->kind == PROPERTY_STRING ? G_TYPE_STRING : rows->type ());
    property_place_write (place_of (rows, fields), &none);
  }
}

/* NULL: its value lies nowhere. */
static const PropertyRow *
row_of (const PropertyRow * rows, guint id)
{
  for (; rows->name; rows++)
    if (--id == 0)
      return rows->offset == PROPERTY_BY_OWNER ? NULL : rows;
  return NULL;
}

gboolean
property_rows_write (const PropertyRow * rows, gpointer fields, guint id, const GValue * value)
{
  const PropertyRow *row = row_of (rows, id);
  gchar **text;

  if (!row)
    return FALSE;
  text = place_of (row, fields);
  property_place_write (text, value);
  if (row->never_null && !*text)
    *text = g_strdup (row->usual_text);
  return TRUE;
}

gboolean
property_rows_read (const PropertyRow * rows, gconstpointer fields, guint id, GValue * value)
{
  const PropertyRow *row = row_of (rows, id);

  if (row)
    property_place_read (place_of (row, fields), value);
  return row != NULL;
}
