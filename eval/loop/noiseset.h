/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets of one flow on a path with delay noise. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_noise;    /* jitter that keeps the order of packets */
extern const LoopSet loop_set_reorder;  /* other jitter */
extern const LoopSet loop_set_stalls;   /* a link that stops now and then */
extern const LoopSet loop_set_pauses;   /* hosts that stand still now and then */
