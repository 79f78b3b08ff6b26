/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an operator should look: the alarms of docs/guide/operating.md as one table, of which the
 * page's health and the rules for Prometheus are made. */
#pragma once

#include "fieldkind.h"

#define ALARMS 19

typedef enum
{
  HEALTH_GREEN,
  HEALTH_AMBER,                 /* somebody sees it, or soon will */
  HEALTH_RED,                   /* somebody gets no media */
} Health;

/* What one alarm has seen of one element or viewer. */
typedef struct
{
  gint64 since;                 /* monotonic, µs: the condition holds; 0: it does not */
  gint64 begun;                 /* of a window of counters; 0: none yet */
  gdouble value, other;         /* of the fields, then */
  gboolean held;                /* in the last whole window */
} AlarmState;

typedef struct
{
  AlarmState states[ALARMS];
  guint ringing;                /* a bit each */
} Alarms;

/* stats of an element of that factory, or of one viewer: `arcserversink_viewer`. */
void alarms_look (Alarms * self, const gchar * of, const GstStructure * stats,
    const FieldKinds * kinds, gint64 now);
Health alarms_health (const Alarms * self);
const gchar *health_name (Health health);
/* NULL: the i-th alarm does not ring. */
const gchar *alarms_name (const Alarms * self, guint i);

/* {NAME: {"health": ..., "text": ...}}, and rules for Prometheus in YAML; g_free() */
gchar *alarms_json (void);
gchar *alarms_rules (void);
