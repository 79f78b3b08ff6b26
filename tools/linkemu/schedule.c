/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "schedule.h"

#include <gio/gio.h>
#include <string.h>

#include "units.h"

#define MAHIMAHI_BITS (1500 * 8)
#define MAX_STEPS 10000000

void
schedule_init (Schedule *self)
{
  *self = (Schedule) { .period = RC_TIME_NONE };
  self->steps = g_array_new (FALSE, FALSE, sizeof (ScheduleStep));
  self->blackouts = g_array_new (FALSE, FALSE, sizeof (ScheduleSpan));
}

void
schedule_clear (Schedule *self)
{
  g_array_unref (self->steps);
  g_array_unref (self->blackouts);
}

static gboolean
refuse (GError **error, const gchar *what, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", what, why);
  return FALSE;
}

static gboolean
add_step (Schedule *self, RcTime at, guint64 rate_bps)
{
  ScheduleStep step = { at, rate_bps };
  guint n = self->steps->len;

  if (rate_bps == 0 || n >= MAX_STEPS || (n > 0 && at <= g_array_index (self->steps, ScheduleStep, n - 1).at))
    return FALSE;
  g_array_append_val (self->steps, step);
  return TRUE;
}

static gboolean
add_step_text (Schedule *self, const gchar *text, const gchar *separators)
{
  gchar **words = g_strsplit_set (text, separators, -1);
  const gchar *word[2] = { NULL, NULL };
  guint n = 0;
  RcTime at;
  guint64 rate_bps;
  gboolean ok;

  for (guint i = 0; words[i]; i++) {
    if (*words[i] == '\0')
      continue;
    if (n < 2)
      word[n] = words[i];
    n++;
  }
  ok = n == 2 && units_parse_seconds (word[0], &at) && units_parse_rate (word[1], &rate_bps)
      && add_step (self, at, rate_bps);
  g_strfreev (words);
  return ok;
}

/* The n chances that a mahimahi trace gives at one stamp become a steady rate since the stamp before: the same bytes,
 * but a serialiser instead of bursts. Chances at stamp 0 count with the next ones. */
static gboolean
add_mahimahi (Schedule *self, gchar **lines)
{
  guint64 start_ms = 0, end_ms = 0, ms, bits = 0, total_bits = 0;

  for (guint i = 0; lines[i]; i++) {
    if (*g_strstrip (lines[i]) == '\0')
      continue;
    if (!g_ascii_string_to_unsigned (lines[i], 10, end_ms, G_MAXUINT32, &ms, NULL))
      return FALSE;
    if (ms != end_ms && end_ms > start_ms) {
      if (!add_step (self, (RcTime) start_ms * RC_MSEC, bits * 1000 / (end_ms - start_ms)))
        return FALSE;
      start_ms = end_ms;
      bits = 0;
    }
    end_ms = ms;
    bits += MAHIMAHI_BITS;
    total_bits += MAHIMAHI_BITS;
  }
  if (end_ms == start_ms || !add_step (self, (RcTime) start_ms * RC_MSEC, bits * 1000 / (end_ms - start_ms)))
    return FALSE;
  self->period = (RcTime) end_ms * RC_MSEC;
  self->mean_rate_bps = total_bits * 1000 / end_ms;
  return TRUE;
}

static gboolean
add_lines (Schedule *self, gchar **lines)
{
  for (guint i = 0; lines[i]; i++) {
    gchar *comment = strchr (lines[i], '#');

    if (comment)
      *comment = '\0';
    if (*g_strstrip (lines[i]) != '\0' && !add_step_text (self, lines[i], " \t,"))
      return FALSE;
  }
  return self->steps->len > 0;
}

static gboolean
add_inline (Schedule *self, gchar **items)
{
  for (guint i = 0; items[i]; i++)
    if (!add_step_text (self, items[i], ":"))
      return FALSE;
  return TRUE;
}

gboolean
schedule_parse_trace (Schedule *self, const gchar *trace, GError **error)
{
  gchar *text = NULL, **parts;
  gboolean ok;

  if (!g_file_test (trace, G_FILE_TEST_EXISTS) && strchr (trace, ':')) {
    parts = g_strsplit (trace, ",", -1);
    ok = add_inline (self, parts);
  } else {
    if (!g_file_get_contents (trace, &text, NULL, error))
      return FALSE;
    parts = g_strsplit (text, "\n", -1);
    ok = g_str_has_suffix (trace, ".mahi") ? add_mahimahi (self, parts) : add_lines (self, parts);
    g_free (text);
  }
  g_strfreev (parts);
  return ok || refuse (error, trace, "not a trace (ascending times, rates above 0)");
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

RcTime
schedule_next_at (const Schedule *self)
{
  if (self->next >= self->steps->len)
    return RC_TIME_NONE;
  return self->base + g_array_index (self->steps, ScheduleStep, self->next).at;
}

guint64
schedule_take (Schedule *self)
{
  guint64 rate_bps = g_array_index (self->steps, ScheduleStep, self->next).rate_bps;

  self->next++;
  if (self->next == self->steps->len && self->period != RC_TIME_NONE) {
    self->next = 0;
    self->base += self->period;
  }
  return rate_bps;
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
