/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live ARC: the marks of an L4S queue. */
#pragma once

#include <rc/law/arclive_state.h>

/* One report, in START or AVOID. true: it tells marks, and they are those of an L4S queue. */
bool rc_arclive_answer_marks (RcArcLive *self, const RcFeedback *feedback, RcTime now);
/* The queue is none of L4S. */
void rc_arclive_forget_marks (RcArcLive *self);
/* Growth that holds a share beside flows that answer in the same way; 0: no L4S queue. */
double rc_arclive_scalable_growth_bps_s (const RcArcLive *self);
