/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "schedule.h"

#include <gio/gio.h>
#include <string.h>

#include "mmtrace.h"
#include "units.h"

#define MM_PREFIX "mm:"
#define MAX_STEPS 10000000

typedef gboolean (*ParseValue) (const gchar * text, guint64 * value);

static void
track_init (ScheduleTrack *self)
{
  *self = (ScheduleTrack) { .next = 0 };
  self->steps = g_array_new (FALSE, FALSE, sizeof (ScheduleStep));
}

void
schedule_init (Schedule *self)
{
  track_init (&self->rate);
  track_init (&self->delay);
  self->opportunities = g_array_new (FALSE, FALSE, sizeof (RcTime));
  self->blackouts = g_array_new (FALSE, FALSE, sizeof (ScheduleSpan));
}

void
schedule_clear (Schedule *self)
{
  g_array_unref (self->rate.steps);
  g_array_unref (self->delay.steps);
  g_array_unref (self->opportunities);
  g_array_unref (self->blackouts);
}

static gboolean
refuse (GError **error, const gchar *what, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", what, why);
  return FALSE;
}

static gboolean
add_step (ScheduleTrack *self, RcTime at, guint64 value)
{
  ScheduleStep step = { at, value };
  guint n = self->steps->len;

  if (n >= MAX_STEPS || (n > 0 && at <= g_array_index (self->steps, ScheduleStep, n - 1).at))
    return FALSE;
  g_array_append_val (self->steps, step);
  return TRUE;
}

static gboolean
parse_rate (const gchar *text, guint64 *rate_bps)
{
  return units_parse_rate (text, rate_bps) && *rate_bps > 0;
}

static gboolean
parse_delay (const gchar *text, guint64 *delay)
{
  RcTime parsed;

  if (!units_parse_ms (text, &parsed))
    return FALSE;
  *delay = (guint64) parsed;
  return TRUE;
}

static gboolean
add_step_text (ScheduleTrack *self, const gchar *text, const gchar *separators, ParseValue parse)
{
  gchar **words = g_strsplit_set (text, separators, -1);
  const gchar *word[2] = { NULL, NULL };
  guint n = 0;
  RcTime at;
  guint64 value;
  gboolean ok;

  for (guint i = 0; words[i]; i++) {
    if (*words[i] == '\0')
      continue;
    if (n < 2)
      word[n] = words[i];
    n++;
  }
  ok = n == 2 && units_parse_seconds (word[0], &at) && parse (word[1], &value)
      && add_step (self, at, value);
  g_strfreev (words);
  return ok;
}

static gboolean
add_lines (ScheduleTrack *self, gchar **lines, ParseValue parse)
{
  for (guint i = 0; lines[i]; i++) {
    gchar *comment = strchr (lines[i], '#');

    if (comment)
      *comment = '\0';
    if (*g_strstrip (lines[i]) != '\0' && !add_step_text (self, lines[i], " \t,", parse))
      return FALSE;
  }
  return self->steps->len > 0;
}

static gboolean
add_inline (ScheduleTrack *self, const gchar *trace, ParseValue parse)
{
  gchar **items = g_strsplit (trace, ",", -1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && items[i]; i++)
    ok = add_step_text (self, items[i], ":", parse);
  g_strfreev (items);
  return ok;
}

/* The lines of the file (g_strfreev); NULL and no error: the trace is inline. */
static gchar **
read_file (const gchar *trace, GError **error)
{
  gchar *text, **lines;

  if ((!g_file_test (trace, G_FILE_TEST_EXISTS) && strchr (trace, ':'))
      || !g_file_get_contents (trace, &text, NULL, error))
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  g_free (text);
  return lines;
}

static gboolean
parse_track (ScheduleTrack *self, const gchar *trace, ParseValue parse, GError **error)
{
  GError *unreadable = NULL;
  gchar **lines = read_file (trace, &unreadable);
  gboolean ok;

  if (unreadable) {
    g_propagate_error (error, unreadable);
    return FALSE;
  }
  if (!lines)
    ok = add_inline (self, trace, parse);
  else
    ok = add_lines (self, lines, parse);
  g_strfreev (lines);
  return ok || refuse (error, trace, "not a trace (ascending times, rates above 0)");
}

gboolean
schedule_parse_trace (Schedule *self, const gchar *trace, GError **error)
{
  if (g_str_has_prefix (trace, MM_PREFIX))
    return mm_trace_read (self->opportunities, trace + strlen (MM_PREFIX), error);
  return parse_track (&self->rate, trace, parse_rate, error);
}

gboolean
schedule_parse_delays (Schedule *self, const gchar *trace, GError **error)
{
  return parse_track (&self->delay, trace, parse_delay, error);
}

gboolean
schedule_parse_blackouts (Schedule *self, const gchar *text, GError **error)
{
  gchar **items = g_strsplit (text, ",", -1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && items[i]; i++) {
    gchar **pair = g_strsplit (items[i], ":", -1);
    ScheduleSpan span;
    RcTime length;

    ok = g_strv_length (pair) == 2 && units_parse_seconds (pair[0], &span.at)
        && units_parse_seconds (pair[1], &length);
    if (ok) {
      span.end_at = span.at + length;
      g_array_append_val (self->blackouts, span);
    }
    g_strfreev (pair);
  }
  g_strfreev (items);
  return ok || refuse (error, text, "not a list of start:length in seconds");
}

static RcTime
track_next_at (const ScheduleTrack *self)
{
  if (self->next >= self->steps->len)
    return RC_TIME_NONE;
  return g_array_index (self->steps, ScheduleStep, self->next).at;
}

static guint64
track_take (ScheduleTrack *self)
{
  return g_array_index (self->steps, ScheduleStep, self->next++).value;
}

RcTime
schedule_next_at (const Schedule *self)
{
  RcTime rate_at = track_next_at (&self->rate), delay_at = track_next_at (&self->delay);

  if (rate_at == RC_TIME_NONE || delay_at == RC_TIME_NONE)
    return MAX (rate_at, delay_at);
  return MIN (rate_at, delay_at);
}

void
schedule_take (Schedule *self, LinkParams *params)
{
  RcTime now = schedule_next_at (self);

  if (track_next_at (&self->rate) == now)
    params->rate_bps = track_take (&self->rate);
  if (track_next_at (&self->delay) == now)
    params->delay = (RcTime) track_take (&self->delay);
}

gboolean
schedule_is_dark (const Schedule *self, RcTime now)
{
  for (guint i = 0; i < self->blackouts->len; i++) {
    const ScheduleSpan *span = &g_array_index (self->blackouts, ScheduleSpan, i);

    if (now >= span->at && now < span->end_at)
      return TRUE;
  }
  return FALSE;
}
