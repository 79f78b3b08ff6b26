/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "sessionsettings.h"

gchar *
session_settings_settle_limits (RcLimits * limits)
{
  gchar *sentence = NULL;

  if (limits->min_bps > limits->max_bps) {
    sentence = g_strdup_printf ("min-bitrate %" G_GUINT64_FORMAT " is above max-bitrate %"
        G_GUINT64_FORMAT ": the rate is always %" G_GUINT64_FORMAT "; lower min-bitrate or raise "
        "max-bitrate", limits->min_bps, limits->max_bps, limits->max_bps);
    limits->min_bps = limits->max_bps;
  }
  limits->start_bps = CLAMP (limits->start_bps, limits->min_bps, limits->max_bps);
  return sentence;
}

void
session_settings_warn (GstElement * element, gchar * sentence)
{
  if (sentence)
    GST_ELEMENT_WARNING (element, LIBRARY, SETTINGS, ("%s", sentence), (NULL));
  g_free (sentence);
}
