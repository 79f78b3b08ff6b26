/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "fieldvalue.h"

gboolean
field_value_to_number (const GValue * value, gdouble * number)
{
  switch (G_VALUE_TYPE (value)) {
    case G_TYPE_BOOLEAN:
      *number = g_value_get_boolean (value);
      return TRUE;
    case G_TYPE_INT:
      *number = g_value_get_int (value);
      return TRUE;
    case G_TYPE_UINT:
      *number = g_value_get_uint (value);
      return TRUE;
    case G_TYPE_INT64:
      *number = (gdouble) g_value_get_int64 (value);
      return TRUE;
    case G_TYPE_UINT64:
      *number = (gdouble) g_value_get_uint64 (value);
      return TRUE;
    case G_TYPE_DOUBLE:
      *number = g_value_get_double (value);
      return TRUE;
    default:
      return FALSE;
  }
}
