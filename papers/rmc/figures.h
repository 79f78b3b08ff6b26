/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the pacing bench makes of a count: one line of JSON. */
#pragma once

#include "count.h"

/* Prints the members of an object without its braces: packets, seconds, rate_bps over N - 1
 * intervals (RTCP too, which is part of rmcsink's rate), error_percent (< 0: too much),
 * thirds_bps; at video rates alone_ratio and departure_error_us [p50, p99]; after steps for each
 * the means from which its settling time is read and the rates around it; windows_mbps of 0.1 s.
 * rate_bps: what was wanted, before and after the steps. */
void figures_print (const Count *count, uint64_t rate_bps);
