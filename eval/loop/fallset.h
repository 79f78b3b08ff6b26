/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours, alone, on a link whose capacity falls to a tenth within seconds. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_falls;
