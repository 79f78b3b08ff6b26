/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A flow of ours in a closed loop: RcSender as rmcsink has it, an encoder, and the receiver. */
#pragma once

#include "world.h"

typedef struct MediaFlow MediaFlow;

MediaFlow *mediaflow_new (World *world, unsigned id, RcTime now);
/* Takes what came, and sends unless it is stopped. Returns when to come again at the latest. */
RcTime mediaflow_run (MediaFlow *self, bool stopped, RcTime now);
void mediaflow_free (MediaFlow *self);
