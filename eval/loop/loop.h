/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A closed loop in virtual time: senders (rc/sender/sender.h, as rmcsink has it) -> links ->
 * receivers -> reports back, over links too if the case says so. The same lib objects that
 * ship; nothing here reads a clock. Measures at the links, as the demo does. */
#pragma once

#include "loopconfig.h"
#include "measures.h"

/* Runs the whole of it. Free with loop_free. */
Loop *loop_run (const LoopConfig *config);
