/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours, alone, on the recorded uplinks of cars: drives/. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_drives;   /* all of them, at RTTs of 50 and 100 ms */
extern const LoopSet loop_set_drives_quick;     /* thirty, for a test */
