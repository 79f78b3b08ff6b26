/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What users are told without anything being wrong. */

#include "gstrmcsinkprivate.h"

void
gst_rmc_sink_inform (GstRmcSink * self, gchar * text)
{
  /* Of an INFO gst-launch-1.0 prints the text for developers alone. */
  GST_ELEMENT_INFO (self, RESOURCE, SETTINGS, ("%s", text), ("%s", text));
  g_free (text);
}
