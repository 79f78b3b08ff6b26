/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "join/joinmode.h"

#include "base/propertyrows.h"

PROPERTY_ENUM_TYPE (join_mode_get_type, "GstArcMode",
    {JOIN_MODE_CALLER, "Addresses the other end", "caller"},
    {JOIN_MODE_LISTENER, "Waits on a port for the other end", "listener"})
