/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/arcdebug.h"

GstDebugCategory *
arc_debug_category (void)
{
  static GstDebugCategory *category = NULL;

  if (g_once_init_enter (&category))
    g_once_init_leave (&category, _gst_debug_category_new ("arc", 0,
            "what the elements of gst-arc share: encoders, sockets, pacing"));
  return category;
}
