/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/profiletype.h"

#include <rc/law/law.h>

GType
profile_get_type (void)
{
  static gsize type;
  static const GEnumValue values[] = {
    {RC_PROFILE_LIVE, "Extended for live video on real networks", "live"},
    {RC_PROFILE_PAPER, "As published", "paper"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstArcProfile", values));
  return type;
}
