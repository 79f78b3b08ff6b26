/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What happened to one stream, by time: the messages of its element, and what changed in its
 * statistics. */
#pragma once

#include <gst/gst.h>

/* A page shows them at once, and gets all of them with each of its events. */
#define EVENT_LOG_MAX 32

typedef struct
{
  GQueue events;                /* GstStructure, oldest first */
  guint64 heard;                /* of the last message of the process */
} EventLog;

void event_log_clear (EventLog * self);
/* now_ms: since 1970. Takes the text. */
void event_log_add (EventLog * self, guint64 now_ms, const gchar * kind, gchar * text);
/* A GST_ARC_MONITOR_MESSAGE; FALSE: it is none. One that was told before is not added again. */
gboolean event_log_hear (EventLog * self, const GstStructure * message);
