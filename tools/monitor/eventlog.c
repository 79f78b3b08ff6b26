/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "eventlog.h"

static guint64
time_of (const GstStructure * event)
{
  guint64 ms = 0;

  gst_structure_get_uint64 (event, "time", &ms);
  return ms;
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return (time_of (a) > time_of (b)) - (time_of (a) < time_of (b));
}

/* Takes the event. */
static void
insert (EventLog * self, GstStructure * event)
{
  g_queue_insert_sorted (&self->events, event, compare, NULL);
  if (self->events.length > EVENT_LOG_MAX)
    gst_structure_free (g_queue_pop_head (&self->events));
}

void
event_log_clear (EventLog * self)
{
  g_queue_clear_full (&self->events, (GDestroyNotify) gst_structure_free);
}

void
event_log_add (EventLog * self, guint64 now_ms, const gchar * kind, gchar * text)
{
  insert (self, gst_structure_new ("event", "time", G_TYPE_UINT64, now_ms,
          "kind", G_TYPE_STRING, kind, "text", G_TYPE_STRING, text, NULL));
  g_free (text);
}

gboolean
event_log_hear (EventLog * self, const GstStructure * message)
{
  const gchar *kind = gst_structure_get_string (message, "kind");
  const gchar *text = gst_structure_get_string (message, "text");
  const gchar *from = gst_structure_get_string (message, "from");
  guint64 number;

  if (kind == NULL || text == NULL || !gst_structure_get_uint64 (message, "number", &number))
    return FALSE;
  if (number <= self->heard)
    return TRUE;
  self->heard = number;
  event_log_add (self, time_of (message), kind,
      from ? g_strdup_printf ("%s: %s", from, text) : g_strdup (text));
  return TRUE;
}
