/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A flow of ours over several paths in a closed loop: RcLanes and the sender before them as rmcsink
 * has them, an encoder, and the receiver, which counts frames that came whole. */
#pragma once

#include "world.h"

typedef struct LanesFlow LanesFlow;

/* The flow with this id, and the flows of kind LOOP_LANE that follow it. */
LanesFlow *lanesflow_new (World *world, unsigned id, RcTime now);
/* As mediaflow_run (). */
RcTime lanesflow_run (LanesFlow *self, RcTime now);
void lanesflow_free (LanesFlow *self);
