/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sets of flows of ours alone on a path without noise. */
#pragma once

#include "set.h"

extern const LoopSet loop_set_clean;    /* the cases of cases.h that run the live law */
extern const LoopSet loop_set_high;     /* many flows, high rates */
extern const LoopSet loop_set_startup;  /* encoders with lag and big key frames */
