/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "terminal.h"

#include "frames.h"

#include <unistd.h>

#define INTERVAL_S 1
#define MBIT 1e6
#define MS 1e6                  /* ns */
/* To the first column of the first line, and whatever is below it away. */
#define HOME "\033[H\033[J"
/* Without news for so long, five snapshots, figures are no longer those of now. */
#define STALE G_TIME_SPAN_SECOND
/* How long lines that stay where they are keep that of a stream that has ended. */
#define ENDED_STAYS G_TIME_SPAN_MINUTE

typedef struct
{
  gchar *heading;
  gint64 seen_at;               /* monotonic, µs */
  gboolean told;                /* that it has ended */
} Seen;

struct _Terminal
{
  StreamTable *streams;
  GHashTable *seen;             /* "PROCESS ELEMENT": Seen */
  guint timer;
  gboolean redraws;
};

static void
seen_free (gpointer data)
{
  Seen *seen = data;

  g_free (seen->heading);
  g_free (seen);
}

static void
append_numbers (GString * line, const Stream * stream)
{
  static const struct
  {
    const gchar *field, *format;
    gdouble unit;
  } columns[] = {
    {"rate", "  rate %.2f", MBIT}, {"target-bitrate", "  target %.2f", MBIT},
    {"input-bitrate", "  encoder %.2f", MBIT}, {"sent-bitrate", "  sent %.2f", MBIT},
    {"received-bitrate", "  received %.2f Mbit/s", MBIT},
    {"queueing-delay", "  queueing %.0f ms", MS}, {"rtt", "  rtt %.0f ms", MS},
    {"packets-sent", "  packets %.0f", 1}, {"packets-received", "  packets %.0f", 1},
    {"packets-lost", "  lost %.0f", 1},
    {"viewers-now", "  viewers %.0f", 1}, {"viewers-aside", "  aside %.0f", 1},
  };
  const GstStructure *stats = stream_stats (stream);
  guint i;

  for (i = 0; stats && i < G_N_ELEMENTS (columns); i++)
    if (gst_structure_has_field (stats, columns[i].field))
      g_string_append_printf (line, columns[i].format,
          stream_number (stream, columns[i].field) / columns[i].unit);
}

/* Names come from others: no sequence of theirs may reach the terminal. Takes the line. */
static gchar *
printable (GString * line)
{
  gchar *text = g_utf8_make_valid (line->str, (gssize) line->len);
  const gchar *c;

  g_string_set_size (line, 0);
  for (c = text; *c; c = g_utf8_next_char (c))
    g_string_append_unichar (line, g_unichar_iscntrl (g_utf8_get_char (c)) ? '?'
        : g_utf8_get_char (c));
  g_free (text);
  return g_string_free (line, FALSE);
}

static gchar *
heading_of (const Stream * stream)
{
  return g_strdup_printf ("%s %s %s  ", stream_text (stream, "process"),
      stream_text (stream, "element"), stream_text (stream, "address"));
}

static void
append_figures (GString * line, const Stream * stream)
{
  const GstStructure *stats = stream_stats (stream);
  const gchar *state = stats ? gst_structure_get_string (stats, "state") : NULL;
  gchar *frames = frames_text (stream->snapshot);

  if (state == NULL || !g_str_equal (stream_text (stream, "element-state"), "PLAYING"))
    state = stream_text (stream, "element-state");
  g_string_append (line, state);
  append_numbers (line, stream);
  if (stats && gst_structure_has_field_typed (stats, "rate-cause", G_TYPE_STRING))
    g_string_append_printf (line, "  %s", gst_structure_get_string (stats, "rate-cause"));
  if (*frames)
    g_string_append_printf (line, "  %s", frames);
  g_free (frames);
}

/* Takes the line. */
static void
print_line (GString * line)
{
  gchar *text = printable (line);

  g_print ("%s\n", text);
  g_free (text);
}

static void
print_stream (const Stream * stream, const gchar * heading, gint64 now)
{
  GString *line = g_string_new (heading);
  gint64 silence = now - stream->heard_at;

  if (silence > STALE)
    g_string_append_printf (line, "silent for %.1f s", silence / (gdouble) G_TIME_SPAN_SECOND);
  else
    append_figures (line, stream);
  print_line (line);
}

/* Takes the heading. One that was started again under its name is the same. */
static void
note_seen (Terminal * self, const Stream * stream, gchar * heading, gint64 now)
{
  gchar *name = g_strdup_printf ("%s %s", stream_text (stream, "process"), stream_text (stream,
          "element"));
  Seen *seen;

  if (g_hash_table_size (self->seen) >= STREAM_TABLE_MAX && !g_hash_table_contains (self->seen,
          name)) {
    g_free (heading);
    g_free (name);
    return;
  }
  seen = g_new0 (Seen, 1);
  seen->heading = heading;
  seen->seen_at = now;
  g_hash_table_replace (self->seen, name, seen);
}

typedef struct
{
  gboolean redraws;
  gint64 now;
} Turn;

/* Whether it is forgotten. */
static gboolean
print_if_ended (gpointer key, gpointer value, gpointer user_data)
{
  const Turn *turn = user_data;
  Seen *seen = value;

  if (seen->seen_at == turn->now)
    return FALSE;
  if (turn->redraws || !seen->told) {
    GString *line = g_string_new (seen->heading);

    g_string_append (line, "ended");
    print_line (line);
  }
  seen->told = TRUE;
  return turn->now - seen->seen_at > ENDED_STAYS;
}

static gboolean
on_time (gpointer user_data)
{
  Terminal *self = user_data;
  GPtrArray *list = stream_table_list (self->streams);
  Turn turn = { self->redraws, g_get_monotonic_time () };
  guint i;

  if (self->redraws)
    g_print (HOME "%u streams\n", list->len);
  for (i = 0; i < list->len; i++) {
    const Stream *stream = g_ptr_array_index (list, i);
    gchar *heading = heading_of (stream);

    print_stream (stream, heading, turn.now);
    note_seen (self, stream, heading, turn.now);
  }
  g_hash_table_foreach_remove (self->seen, print_if_ended, &turn);
  g_ptr_array_unref (list);
  return G_SOURCE_CONTINUE;
}

Terminal *
terminal_new (StreamTable * streams)
{
  Terminal *self = g_new0 (Terminal, 1);

  self->streams = streams;
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, seen_free);
  self->redraws = isatty (STDOUT_FILENO);
  self->timer = g_timeout_add_seconds (INTERVAL_S, on_time, self);
  return self;
}

void
terminal_free (Terminal * self)
{
  g_source_remove (self->timer);
  g_hash_table_unref (self->seen);
  g_free (self);
}
