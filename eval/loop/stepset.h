/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One flow of ours on a link whose capacity jumps, quiet and with delay noise as of a busy host. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_steps;
