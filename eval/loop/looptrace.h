/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The event trace of one flow of ours in a closed loop: a file of lib/rc/trace/qlog.h, to which the
 * capacity of the flow's first link and the delay of its queue are added as events arc:link. */
#pragma once

#include <rc/sender/sender.h>

#include "world.h"

typedef struct LoopTrace LoopTrace;

/* FOLDER/NAME-FLOW.sqlog as the config has them; NULL: it asks for no traces. */
LoopTrace *looptrace_new (const World *world, unsigned flow, RcTime now);
/* After what may have changed the sender. */
void looptrace_look (LoopTrace *self, RcSender *sender, unsigned lane, RcLane *rc,
    uint64_t queue_bytes, RcTime now);
void looptrace_free (LoopTrace *self);
