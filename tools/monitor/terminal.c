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

struct _Terminal
{
  StreamTable *streams;
  guint timer;
  gboolean redraws;
};

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

gchar *
terminal_line (const Stream * stream)
{
  GString *line = g_string_new (NULL);
  const GstStructure *stats = stream_stats (stream);
  const gchar *state = stats ? gst_structure_get_string (stats, "state") : NULL;
  gchar *frames = frames_text (stream->snapshot);

  if (state == NULL || !g_str_equal (stream_text (stream, "element-state"), "PLAYING"))
    state = stream_text (stream, "element-state");
  g_string_append_printf (line, "%s %s %s  %s", stream_text (stream, "process"),
      stream_text (stream, "element"), stream_text (stream, "address"), state);
  append_numbers (line, stream);
  if (*frames)
    g_string_append_printf (line, "  %s", frames);
  g_free (frames);
  return printable (line);
}

static gboolean
on_time (gpointer user_data)
{
  Terminal *self = user_data;
  GPtrArray *list = stream_table_list (self->streams);
  guint i;

  if (self->redraws)
    g_print (HOME "%u streams\n", list->len);
  for (i = 0; i < list->len; i++) {
    gchar *line = terminal_line (g_ptr_array_index (list, i));

    g_print ("%s\n", line);
    g_free (line);
  }
  g_ptr_array_unref (list);
  return G_SOURCE_CONTINUE;
}

Terminal *
terminal_new (StreamTable * streams)
{
  Terminal *self = g_new0 (Terminal, 1);

  self->streams = streams;
  self->redraws = isatty (STDOUT_FILENO);
  self->timer = g_timeout_add_seconds (INTERVAL_S, on_time, self);
  return self;
}

void
terminal_free (Terminal * self)
{
  g_source_remove (self->timer);
  g_free (self);
}
