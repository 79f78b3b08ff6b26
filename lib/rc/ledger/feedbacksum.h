/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback about several streams of one sender as one, because a law knows one sender. */
#pragma once

#include <rc/feedback/feedback.h>

/* Adds b (another SSRC of the same compound report) to *a: rates and counters add up, the newest
 * RTT sample stays, the lowest explicit rate; loss event ratios are averaged by packets
 * received. The delays are those of a. */
void rc_feedback_add (RcFeedback *a, const RcFeedback *b);
