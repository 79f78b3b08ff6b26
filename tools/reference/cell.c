/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "cell.h"

gchar *
cell_text (const gchar * text)
{
  g_auto (GStrv) parts = g_strsplit (text, "|", -1);

  return g_strjoinv ("\\|", parts);
}
