/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What happened to a stream by what its statistics tell: no element posts a message of it. */
#pragma once

#include "eventlog.h"

/* Which counters are written to the log, each at most once in a while. */
#define CHANGES_COUNTERS 4

typedef struct
{
  guint64 congested_ms;         /* since 1970; 0: not congested */
  guint64 deep_ms;              /* when the queue was last deep */
  gdouble most_s;               /* largest queueing delay of the congestion */
  struct
  {
    gdouble written;            /* as the log has it */
    guint64 at_ms;
  } counters[CHANGES_COUNTERS];
} Changes;

/* before: the last snapshot; NULL: there was none. Both are GST_ARC_MONITOR_SNAPSHOT. */
void changes_note (Changes * self, const GstStructure * before, const GstStructure * after,
    guint64 now_ms, EventLog * log);
