/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback about several streams of one sender as one, because a law knows one sender. */
#pragma once

#include <rc/feedback/reports.h>

/* Merges the feedback of b (another SSRC of the same compound) into *a: rates and counters are
 * added, the most recent RTT sample and the lowest explicit rate are kept. Delays are not merged:
 * the caller computes them over all acknowledgements (rc_acks_get_delays). */
void rc_feedback_add (RcFeedback *a, const RcFeedback *b);
