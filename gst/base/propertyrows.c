/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "propertyrows.h"

#include <string.h>

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

const gchar *
property_enum_nick (GType type, gint value)
{
  GEnumClass *klass = g_type_class_ref (type);
  const gchar *nick = g_enum_get_value (klass, value)->value_nick;

  g_type_class_unref (klass);
  return nick;
}

void
property_rows_install (GObjectClass * klass, guint first, const PropertyRow * rows)
{
  for (guint i = 0; rows[i].name; i++) {
    g_object_class_install_property (klass, first + i, spec_of (&rows[i]));
    if (rows[i].kind == PROPERTY_CHOICE)
      gst_type_mark_as_plugin_api (rows[i].type (), 0);
  }
}

static void
write_boxed (gpointer * place, const GValue * value)
{
  gpointer old = *place;

  *place = g_value_dup_boxed (value);
  if (old)
    g_boxed_free (G_VALUE_TYPE (value), old);
}

static void
write_place (gpointer place, const GValue * value)
{
  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
    case G_TYPE_STRING:
      g_free (*(gchar **) place);
      *(gchar **) place = g_value_dup_string (value);
      break;
    case G_TYPE_BOXED:
      write_boxed (place, value);
      break;
    case G_TYPE_BOOLEAN:
      *(gboolean *) place = g_value_get_boolean (value);
      break;
    case G_TYPE_ENUM:
      *(gint *) place = g_value_get_enum (value);
      break;
    case G_TYPE_INT:
      *(gint *) place = g_value_get_int (value);
      break;
    case G_TYPE_UINT:
      *(guint *) place = g_value_get_uint (value);
      break;
    case G_TYPE_UINT64:
      *(guint64 *) place = g_value_get_uint64 (value);
      break;
    case G_TYPE_DOUBLE:
      *(gdouble *) place = g_value_get_double (value);
      break;
    default:
      g_assert_not_reached ();
  }
}

static void
read_place (gconstpointer place, GValue * value)
{
  switch (G_TYPE_FUNDAMENTAL (G_VALUE_TYPE (value))) {
    case G_TYPE_STRING:
      g_value_set_string (value, *(gchar * const *) place);
      break;
    case G_TYPE_BOXED:
      g_value_set_boxed (value, *(gconstpointer const *) place);
      break;
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, *(const gboolean *) place);
      break;
    case G_TYPE_ENUM:
      g_value_set_enum (value, *(const gint *) place);
      break;
    case G_TYPE_INT:
      g_value_set_int (value, *(const gint *) place);
      break;
    case G_TYPE_UINT:
      g_value_set_uint (value, *(const guint *) place);
      break;
    case G_TYPE_UINT64:
      g_value_set_uint64 (value, *(const guint64 *) place);
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, *(const gdouble *) place);
      break;
    default:
      g_assert_not_reached ();
  }
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
    write_place (place_of (rows, fields), g_param_spec_get_default_value (spec));
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
    write_place (place_of (rows, fields), &none);
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
  write_place (text, value);
  if (row->never_null && !*text)
    *text = g_strdup (row->usual_text);
  return TRUE;
}

gboolean
property_rows_read (const PropertyRow * rows, gconstpointer fields, guint id, GValue * value)
{
  const PropertyRow *row = row_of (rows, id);

  if (row)
    read_place (place_of (row, fields), value);
  return row != NULL;
}

/* --- numbers in another unit --- */

/* A property whose description names the unit is likely a number of a larger one below `least`. */
typedef struct
{
  const gchar *unit, *meant;
  guint64 least, factor;
  const gchar *name;
} UnitRow;

#define LEAST_MINIMUM 8000      /* bit/s: of a bound from below, a packet of 1000 bytes a second */

static const UnitRow units[] = {
  {"in ns", "ms", GST_MSECOND, GST_MSECOND, "nanoseconds"},
  /* The headers of 50 packets a second take 16 kbit/s. */
  {"in bit/s", "kbit/s", 20000, 1000, "bit/s"},
};

static gboolean
is_in (const GParamSpec * pspec, const UnitRow * unit)
{
  const gchar *blurb = g_param_spec_get_blurb ((GParamSpec *) pspec);

  return (pspec->value_type == G_TYPE_UINT64 || pspec->value_type == G_TYPE_UINT)
      && (pspec->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE && blurb
      && strstr (blurb, unit->unit);
}

static guint64
read_number (GstElement * element, const GParamSpec * pspec)
{
  GValue value = G_VALUE_INIT;
  guint64 number;

  g_value_init (&value, G_TYPE_UINT64);
  g_object_get_property (G_OBJECT (element), pspec->name, &value);
  number = g_value_get_uint64 (&value);
  g_value_unset (&value);
  return number;
}

static void
warn_if_small (GstElement * element, const GParamSpec * pspec, const UnitRow * unit)
{
  guint64 number = read_number (element, pspec), least = unit->least;

  if (g_str_has_prefix (pspec->name, "min-"))
    least = MIN (least, LEAST_MINIMUM);
  if (number > 0 && number < least)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS, ("%s=%" G_GUINT64_FORMAT " is too small, "
            "since it counts %s: write %s=%" G_GUINT64_FORMAT " for %" G_GUINT64_FORMAT " %s",
            pspec->name, number, unit->name, pspec->name, number * unit->factor, number,
            unit->meant), (NULL));
}

void
property_rows_warn_small_number (GstElement * element, const GParamSpec * pspec)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (is_in (pspec, &units[i]))
      warn_if_small (element, pspec, &units[i]);
}

void
property_rows_warn_small_numbers (GstElement * element)
{
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++)
    property_rows_warn_small_number (element, pspecs[i]);
  g_free (pspecs);
}
