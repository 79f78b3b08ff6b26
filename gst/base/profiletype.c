/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "base/profiletype.h"

#include "base/propertyrows.h"

#include <rc/law/limits.h>

PROPERTY_ENUM_TYPE (profile_get_type, "GstArcProfile",
    {RC_PROFILE_LIVE, "Extended for live video on real networks", "live"},
    {RC_PROFILE_PAPER, "As published", "paper"})
