/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Arguments NAME=VALUE of a program: parameters of the live law, for each flow that runs it. */
#pragma once

#include "loopconfig.h"

/* Arguments without '=' are passed over. args must live as long as *config. */
void overrides_apply (char **args, int n, LoopConfig *config);
/* The first argument that names no parameter of the live law or has a value out of its bounds,
 * or NULL. */
const char *overrides_find_bad (char **args, int n);
