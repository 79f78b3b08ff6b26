/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One run of the pacing bench, as its contenders see it. */
#pragma once

#include "count.h"

#include <glib.h>

typedef enum
{ LOAD_NONE, LOAD_THIRD, LOAD_WHOLE } Load;

typedef struct
{
  const gchar *name;
  guint64 rate_bps;
  double seconds;
  Load load;
  double gain;
  gboolean steps;
  guint16 port;
  Count *count;
} Contest;

/* Call right before the first packet: starts the load. Returns when, on the monotonic clock. */
RcTime contest_begin (const Contest *contest);
RcTime contest_now (void);
void contest_sleep_until (RcTime at);

/* FALSE: no plain loop has this name. */
gboolean plain_loop_run (const Contest *contest);
/* The same for elements. skipped: why it cannot run here, to be freed. */
gboolean element_run (const Contest *contest, gchar **skipped);
