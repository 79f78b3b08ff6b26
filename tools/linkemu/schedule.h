/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the link's capacity is at which time, and when the link is dark. Times are since time 0 of the run. */
#pragma once

#include <glib.h>
#include <rc/types.h>

G_BEGIN_DECLS

typedef struct
{
  RcTime at;
  guint64 rate_bps;             /* from then on */
} ScheduleStep;

typedef struct
{
  RcTime at, end_at;
} ScheduleSpan;

typedef struct
{
  GArray *steps;                /* ScheduleStep, ascending */
  GArray *blackouts;            /* ScheduleSpan */
  RcTime period;                /* of a trace that loops; RC_TIME_NONE: it does not */
  guint64 mean_rate_bps;        /* of a looping trace, else 0 */
  guint next;                   /* step that comes next ... */
  RcTime base;                  /* ... counted from here */
} Schedule;

void schedule_init (Schedule * self);
void schedule_clear (Schedule * self);

/* Inline "seconds:rate,seconds:rate,..", or the name of a file: lines "seconds rate" with '#' comments, or a mahimahi
 * trace (name ends in .mahi: one millisecond stamp a line, each worth 1500 bytes; loops). Rates take k, M, G; 0 is
 * refused: use a blackout. */
gboolean schedule_parse_trace (Schedule * self, const gchar * trace, GError ** error);
/* "start:length,start:length,.." in seconds. */
gboolean schedule_parse_blackouts (Schedule * self, const gchar * text, GError ** error);

/* When the next step comes; RC_TIME_NONE: never. */
RcTime schedule_next_at (const Schedule * self);
/* Takes it, and returns its rate. Only if there is one. */
guint64 schedule_take (Schedule * self);
gboolean schedule_is_dark (const Schedule * self, RcTime now);

G_END_DECLS
