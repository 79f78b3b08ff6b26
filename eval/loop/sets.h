/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All sets, by name. */
#pragma once

#include "set.h"

extern const LoopSet *const loop_sets[];        /* ends with NULL */
const LoopSet *loop_set_find (const char *name);
