/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a link's capacity and delay are at which time, and when it is dark. Times are since time 0
 * of the run. */
#pragma once

#include <glib.h>
#include <link/link.h>

G_BEGIN_DECLS

typedef struct
{
  RcTime at;
  guint64 value;                /* from then on */
} ScheduleStep;

/* One quantity over time. */
typedef struct
{
  GArray *steps;                /* ScheduleStep, ascending */
  guint next;                   /* step that comes next */
} ScheduleTrack;

typedef struct
{
  RcTime at, end_at;
} ScheduleSpan;

typedef struct
{
  ScheduleTrack rate, delay;    /* bit/s; ns */
  GArray *opportunities;        /* RcTime, see mmtrace.h; empty: the link has a rate */
  GArray *blackouts;            /* ScheduleSpan */
} Schedule;

void schedule_init (Schedule * self);
void schedule_clear (Schedule * self);

/* Inline "seconds:rate,seconds:rate,..", or the name of a file: lines "seconds rate" with '#'
 * comments. Rates take k, M, G; 0 is refused: use a blackout. Or "mm:" and the name of a file with
 * opportunities. */
gboolean schedule_parse_trace (Schedule * self, const gchar * trace, GError ** error);
/* The same for the delay, in milliseconds: "0:25,30:60", or a file. */
gboolean schedule_parse_delays (Schedule * self, const gchar * trace, GError ** error);
/* "start:length,start:length,.." in seconds. */
gboolean schedule_parse_blackouts (Schedule * self, const gchar * text, GError ** error);

/* When the next step comes; RC_TIME_NONE: never. */
RcTime schedule_next_at (const Schedule * self);
/* Takes what comes then into *params. Only if there is a step. */
void schedule_take (Schedule * self, LinkParams * params);
gboolean schedule_is_dark (const Schedule * self, RcTime now);

G_END_DECLS
