/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback about several streams of one sender as one, because a law knows one sender. */
#pragma once

#include <rc/base/types.h>

/* Adds b (another SSRC of the same compound report) to *a: rates and counters add up, the newest
 * RTT sample stays, the lowest explicit rate; loss event ratios are averaged by packets
 * received. Delays are of one path: the mean and the least of all, the last of the packet that
 * left last. least_bytes is not known then. */
void rc_feedback_add (RcFeedback *a, const RcFeedback *b);
