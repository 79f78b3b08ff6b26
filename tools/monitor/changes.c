/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What no message tells is read off the statistics: a deep queue, another state of the law,
 * another format of reports. Elements post no more for it, since an application that wants to
 * know reads `stats`. */

#include "changes.h"

#include "fieldvalue.h"
#include "frames.h"

#include <string.h>

/* From docs/guide/operating.md: above that, somebody else fills the bottleneck. It ends when the
 * delay was below the half for two seconds: a saw-tooth of TCP is one congestion. */
#define DEEP_S 0.1
#define CLEAR_MS 2000
/* A counter that goes on growing is one event in so long. */
#define COUNTER_MS 5000
#define NS 1e-9

static const gchar *const counters[CHANGES_COUNTERS] = {
  "frames-dropped", "rejected", "srtp-unsent", "path-changes"
};

/* Of live ARC, by the word in front. */
static const gchar *const arc_states[] = {
  "start: the rate doubles until the first congestion",
  "avoid: the queue is kept empty",
  "compete: somebody else fills the queue, and it takes part",
  "yield: half the rate for a moment, to see whose the queue is",
  "drain: a fifth less for a while, to see whether the queue is all ours",
  "outage: reports are missing",
};

static const GstStructure *
stats_in (const GstStructure * snapshot)
{
  const GValue *value = gst_structure_get_value (snapshot, "stats");

  return value && GST_VALUE_HOLDS_STRUCTURE (value) ? gst_value_get_structure (value) : NULL;
}

/* -1: there is none. */
static gdouble
number_in (const GstStructure * stats, const gchar * field)
{
  const GValue *value = gst_structure_get_value (stats, field);
  gdouble number;

  return value && field_value_to_number (value, &number) ? number : -1;
}

static void
note_text (EventLog * log, guint64 now_ms, const gchar * field, const gchar * before,
    const gchar * after)
{
  if (g_strcmp0 (before, after) != 0)
    event_log_add (log, now_ms, "change", g_strdup_printf ("%s: %s → %s", field,
            before && *before ? before : "–", after && *after ? after : "–"));
}

/* `reason` goes with the message of a step, note_law_state() explains `law-state`, and a cause is
 * another one several times a second: the page draws them. */
static void
note_texts (const GstStructure * before, const GstStructure * after, guint64 now_ms,
    EventLog * log)
{
  gint i;

  for (i = 0; i < gst_structure_n_fields (after); i++) {
    const gchar *field = gst_structure_nth_field_name (after, (guint) i);

    if (gst_structure_has_field_typed (after, field, G_TYPE_STRING)
        && !g_str_equal (field, "reason") && !g_str_equal (field, "law-state")
        && !g_str_has_suffix (field, "-cause"))
      note_text (log, now_ms, field, gst_structure_get_string (before, field),
          gst_structure_get_string (after, field));
  }
}

static void
note_frames (const GstStructure * before, const GstStructure * after, guint64 now_ms,
    EventLog * log)
{
  gchar *one = frames_text (before), *other = frames_text (after);

  note_text (log, now_ms, "frame size", one, other);
  g_free (one);
  g_free (other);
}

static void
note_law_state (const GstStructure * before, const GstStructure * after, guint64 now_ms,
    EventLog * log)
{
  const gchar *state = gst_structure_get_string (after, "law-state");
  gsize length = state ? strlen (state) : 0;

  if (g_strcmp0 (state, gst_structure_get_string (before, "law-state")) == 0)
    return;
  for (guint i = 0; state && i < G_N_ELEMENTS (arc_states); i++)
    if (strncmp (arc_states[i], state, length) == 0 && arc_states[i][length] == ':')
      event_log_add (log, now_ms, "law", g_strdup (arc_states[i]));
}

static void
note_congestion (Changes * self, const GstStructure * stats, guint64 now_ms, EventLog * log)
{
  gdouble delay_s = number_in (stats, "queueing-delay") * NS;

  if (delay_s > DEEP_S && self->congested_ms == 0) {
    self->congested_ms = now_ms;
    self->most_s = delay_s;
    event_log_add (log, now_ms, "congestion",
        g_strdup_printf ("queueing delay %.0f ms", 1e3 * delay_s));
  }
  self->most_s = MAX (self->most_s, delay_s);
  if (delay_s > DEEP_S / 2)
    self->deep_ms = now_ms;
  if (self->congested_ms != 0 && now_ms >= self->deep_ms + CLEAR_MS) {
    event_log_add (log, now_ms, "congestion",
        g_strdup_printf ("over after %.1f s; queueing delay at most %.0f ms",
            1e-3 * (gdouble) (self->deep_ms - self->congested_ms), 1e3 * self->most_s));
    self->congested_ms = 0;
  }
}

/* Of what has packets: arcscale drops frames because it was told to. A smaller number is a new
 * beginning of the element. */
static void
note_counters (Changes * self, const GstStructure * stats, gboolean first, guint64 now_ms,
    EventLog * log)
{
  guint i;

  if (!gst_structure_has_field (stats, "packets-sent")
      && !gst_structure_has_field (stats, "packets-received"))
    return;
  for (i = 0; i < CHANGES_COUNTERS; i++) {
    gdouble number = number_in (stats, counters[i]), written = self->counters[i].written;

    if (first || number < written) {
      self->counters[i].written = MAX (number, 0);
    } else if (number > written && now_ms >= self->counters[i].at_ms + COUNTER_MS) {
      event_log_add (log, now_ms, "count",
          g_strdup_printf ("%s: %.0f more, %.0f in all", counters[i], number - written, number));
      self->counters[i].written = number;
      self->counters[i].at_ms = now_ms;
    }
  }
}

void
changes_note (Changes * self, const GstStructure * before, const GstStructure * after,
    guint64 now_ms, EventLog * log)
{
  const GstStructure *old = before ? stats_in (before) : NULL, *stats = stats_in (after);

  if (before != NULL)
    note_frames (before, after, now_ms, log);
  if (stats == NULL)            /* an element that never played has none */
    return;
  if (old != NULL) {
    note_texts (old, stats, now_ms, log);
    note_law_state (old, stats, now_ms, log);
  }
  note_congestion (self, stats, now_ms, log);
  note_counters (self, stats, old == NULL, now_ms, log);
}
