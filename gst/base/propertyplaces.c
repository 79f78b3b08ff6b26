/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "propertyplaces.h"

/* NULL: the table does not have it. */
static gconstpointer
place_of (const PropertyPlace * places, gconstpointer fields, guint id)
{
  for (; places->id != 0; places++)
    if (places->id == id)
      return (const gchar *) fields + places->offset;
  return NULL;
}

static void
write_boxed (gpointer * place, const GValue * value)
{
  gpointer old = *place;

  *place = g_value_dup_boxed (value);
  if (old)
    g_boxed_free (G_VALUE_TYPE (value), old);
}

void
property_place_write (gpointer place, const GValue * value)
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

void
property_place_read (gconstpointer place, GValue * value)
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

gboolean
property_places_write (const PropertyPlace * places, gpointer fields, guint id,
    const GValue * value)
{
  gpointer place = (gpointer) place_of (places, fields, id);

  if (place)
    property_place_write (place, value);
  return place != NULL;
}

gboolean
property_places_read (const PropertyPlace * places, gconstpointer fields, guint id,
    GValue * value)
{
  gconstpointer place = place_of (places, fields, id);

  if (place)
    property_place_read (place, value);
  return place != NULL;
}
