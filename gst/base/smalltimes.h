/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Times are in nanoseconds, as in GStreamer, but those of some elements beside ours are in
 * milliseconds: rtpjitterbuffer latency=200 is 200 ms, arcsrc latency=200 would be 200 ns. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* A warning for each property of the element that is a time (its description has "in ns"), is not
 * 0, and is below a millisecond, which none of them can mean. */
void small_times_warn (GstElement * element);

G_END_DECLS
