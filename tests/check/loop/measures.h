/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a closed loop saw, by flow and 0.1 s: loop.c notes it while it runs, the queries of loop.h read it after. */
#pragma once

#include "loop.h"

Loop *measures_new (const LoopConfig *config);
/* Capacity of the first link and what waits in it. */
void measures_note_link (Loop *self, uint64_t rate_bps, RcTime queue, RcTime now);
void measures_note_rate (Loop *self, unsigned flow, uint64_t rate_bps, RcTime now);
void measures_note_sent (Loop *self, unsigned flow, RcTime now);
/* A media packet left the last link of its path, having waited so long in all of them. sent_at: it came to the first. */
void measures_note_served (Loop *self, unsigned flow, uint32_t bytes, RcTime sent_at, RcTime waited, RcTime now);
void measures_note_drop (Loop *self, unsigned flow, RcTime now);
