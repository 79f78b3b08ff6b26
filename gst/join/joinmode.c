/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/joinmode.h"

GType
join_mode_get_type (void)
{
  static gsize type;
  static const GEnumValue values[] = {
    {JOIN_MODE_CALLER, "Addresses the other end", "caller"},
    {JOIN_MODE_LISTENER, "Waits on a port for the other end", "listener"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstArcMode", values));
  return type;
}
