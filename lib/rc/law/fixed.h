/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The law without control: paced at the start bitrate. For networks that reserve capacity, for
 * receivers that do not report, and for comparison. Media stops for silence only if asked to
 * (parameter `stop`). */
#pragma once

#include <rc/law/law.h>

extern const RcLaw rc_fixed_law;
