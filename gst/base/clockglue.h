/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The only place where GStreamer time becomes RcTime. Pacing and reports use the monotonic clock
 * of the machine; the receiver uses its element's clock, so that a test clock can drive it. */
#pragma once

#include <gst/gst.h>
#include <rc/base/types.h>
#include <time.h>

static inline RcTime
clock_glue_monotonic (void)
{
#ifdef G_OS_WIN32
  return g_get_monotonic_time () * RC_USEC;
#else
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (RcTime) t.tv_sec * RC_SECOND + t.tv_nsec;
#endif
}

static inline RcTime
clock_glue_from_gst (GstClockTime t)
{
  return GST_CLOCK_TIME_IS_VALID (t) ? (RcTime) t : RC_TIME_NONE;
}

static inline GstClockTime
clock_glue_to_gst (RcTime t)
{
  return t >= 0 ? (GstClockTime) t : GST_CLOCK_TIME_NONE;
}
