/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a codec of lists of arrivals reads. The test's CODEC is its function that decodes. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/feedback/wireclock.h>

#include "claim.h"

#define INSTANCE 77

static RcArrival read_arrivals[70000];
static RcArrivalLists lists;
static RcWireClock wire_clock;

static inline void
setup (void)
{
  lists = (RcArrivalLists) {.arrivals = read_arrivals,.max_arrivals = G_N_ELEMENTS (read_arrivals)};
  wire_clock = (RcWireClock) { 0, FALSE };
}

/* From a copy of its own, so that the sanitizer sees a read past its end. */
static inline gboolean
decode (const guint8 * bytes, gsize size)
{
  guint8 *exact = g_memdup2 (bytes, size);
  gboolean ok = CODEC (exact, size, INSTANCE, &wire_clock, &lists);

  g_free (exact);
  return ok;
}
