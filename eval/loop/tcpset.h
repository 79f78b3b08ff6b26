/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets of flows of ours beside TCP. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_floor;    /* ours second, from its least rate */
extern const LoopSet loop_set_tcp;      /* long flows, either first */
extern const LoopSet loop_set_short;    /* ten short ones */
extern const LoopSet loop_set_l4s;      /* scalable ones, behind DualPI2 */
