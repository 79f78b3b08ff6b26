/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* ARC for live video on real networks: eq. 1 and eq. 2 of the paper with a start-up, growth in
 * rate, a queue that is emptied, delay noise that is told from a queue, and a mode beside
 * loss-based flows. The model is in arclive.c. */
#pragma once

#include <rc/law/arclive_state.h>

extern const RcLaw rc_arclive_law;

/* For a law that runs this one beside an own source of knowledge. A queue up to `tolerated_s` is
 * no congestion, and the rate grows by at least `pushed_bps_s` each second at first. 0, 0: as by
 * itself. */
void rc_arclive_guide (RcArcLive *self, double tolerated_s, double pushed_bps_s);
/* Of the table; the others are in arclive_law.c. */
RcDecision rc_arclive_on_sent (void *law, const RcSent *sent, RcTime now);
RcDecision rc_arclive_on_feedback (void *law, const RcFeedback *feedback, RcTime now);
RcDecision rc_arclive_on_timer (void *law, RcTime now);
