/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "smalltimes.h"

#include <string.h>

static gboolean
is_time (const GParamSpec * pspec)
{
  const gchar *blurb = g_param_spec_get_blurb ((GParamSpec *) pspec);

  return pspec->value_type == G_TYPE_UINT64 && (pspec->flags & G_PARAM_READWRITE)
      == G_PARAM_READWRITE && blurb && strstr (blurb, "in ns");
}

void
small_times_warn (GstElement * element)
{
  guint n;
  GParamSpec **pspecs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    guint64 ns;

    if (!is_time (pspecs[i]))
      continue;
    g_object_get (element, pspecs[i]->name, &ns, NULL);
    if (ns > 0 && ns < GST_MSECOND)
      GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS, ("%s=%" G_GUINT64_FORMAT " is less than a "
              "millisecond, since it counts nanoseconds: write %s=%" G_GUINT64_FORMAT " for %"
              G_GUINT64_FORMAT " ms", pspecs[i]->name, ns, pspecs[i]->name, ns * GST_MSECOND, ns),
          (NULL));
  }
  g_free (pspecs);
}
