/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "frames.h"

gchar *
frames_text (const GstStructure * snapshot)
{
  const GValue *frames = gst_structure_get_value (snapshot, "frames");
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; frames && GST_VALUE_HOLDS_ARRAY (frames) && i < gst_value_array_get_size (frames);
      i++) {
    const GValue *value = gst_value_array_get_value (frames, i);
    guint width, height;
    gdouble fps;

    if (GST_VALUE_HOLDS_STRUCTURE (value)
        && gst_structure_get (gst_value_get_structure (value), "width", G_TYPE_UINT, &width,
            "height", G_TYPE_UINT, &height, "framerate", G_TYPE_DOUBLE, &fps, NULL))
      g_string_append_printf (text, "%s%ux%u@%.4g", text->len > 0 ? "  " : "", width, height, fps);
  }
  return g_string_free (text, FALSE);
}
