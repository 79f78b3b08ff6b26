/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The latest snapshot of each stream, and what happened to it. A stream is one element of gst-arc
 * in one process. */
#pragma once

#include "alarms.h"
#include "changes.h"
#include "eventlog.h"

/* Without news for so long a stream is not there any more: fifteen snapshots. */
#define STREAM_SILENCE (3 * G_TIME_SPAN_SECOND)
/* Beyond that many, no more are taken: a thousand in one process is what was tried. */
#define STREAM_TABLE_MAX 4096

typedef struct
{
  Alarms alarms;
  gint64 heard_at;              /* monotonic, µs */
} ViewerAlarms;

typedef struct
{
  gchar *key;                   /* RUN/ID */
  GstStructure *snapshot;       /* GST_ARC_MONITOR_SNAPSHOT */
  gint64 heard_at;              /* monotonic, µs */
  EventLog log;
  Changes changes;
  Alarms alarms;
  GHashTable *viewers;          /* ViewerAlarms by address; NULL: it serves none */
} Stream;

typedef struct
{
  GHashTable *streams;          /* by key */
  guint64 refused;              /* messages that were none of ours, or one too many */
} StreamTable;

StreamTable *stream_table_new (void);
void stream_table_free (StreamTable * self);
/* Takes a message of a process. NULL, and counted: it is none of ours, or of an unknown stream. */
const Stream *stream_table_take (StreamTable * self, const gchar * text, gint64 now);
/* The process has ended. */
void stream_table_forget (StreamTable * self, const gchar * run);
void stream_table_expire (StreamTable * self, gint64 now);
/* Of Stream, by process, number of process and age; g_ptr_array_unref(). Valid until the next
 * change. */
GPtrArray *stream_table_list (StreamTable * self);

/* "" if there is no such field. */
const gchar *stream_text (const Stream * self, const gchar * field);
/* Its own, and what its viewers' alarms make of it. */
Health stream_health (const Stream * self);
/* How many viewers have an alarm. */
guint stream_viewers_in_trouble (const Stream * self);
/* NULL: none. */
const GstStructure *stream_stats (const Stream * self);
/* The field of the statistics as a number; 0 if there is none. */
gdouble stream_number (const Stream * self, const gchar * field);
