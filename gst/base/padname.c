/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "padname.h"

#include <stdio.h>

static gboolean
is_taken (GstElement * element, const gchar * name)
{
  GstPad *pad = gst_element_get_static_pad (element, name);
  gboolean taken = pad != NULL;

  gst_clear_object (&pad);
  return taken;
}

gchar *
pad_name_choose (GstElement * element, const gchar * format, const gchar * wanted, guint * next)
{
  gchar *name = NULL;
  guint number;

  if (wanted && sscanf (wanted, format, &number) == 1)
    return g_strdup_printf (format, number);
  do {
    g_free (name);
    name = g_strdup_printf (format, (guint) g_atomic_int_add ((gint *) next, 1));
  } while (is_taken (element, name));
  return name;
}
