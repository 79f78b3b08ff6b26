/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One end of a soak (eval/soak/run): a process that lives for hours and whose pipelines start and
 * stop as it is told, in C so that its memory is that of the elements.
 *
 *   soakend NAME=PIPELINE...
 *
 * All play at once. A line of the standard input is a command; each is answered by a line "done":
 *
 *   stop NAME     the pipeline goes to NULL; "play NAME" starts it again
 *   stats         a line "stats NAME STRUCTURE" of the element "meter" of each pipeline, and a line
 *                 "heap N bytes": what is allocated; if that grows, it is not fragmentation
 *   die           ends at once and frees nothing
 *
 * Errors and warnings are lines "error NAME TEXT" and "warning NAME TEXT". It ends at the end of
 * the input. */
#include <gst/gst.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct
{
  gchar *name;
  GstElement *pipeline;
} End;

typedef struct
{
  GMainLoop *loop;
  GPtrArray *ends;
} App;

static void
end_free (gpointer data)
{
  End *end = data;
  GstBus *bus = gst_element_get_bus (end->pipeline);

  gst_element_set_state (end->pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (end->pipeline);
  g_free (end->name);
  g_free (end);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  const End *end = user_data;
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_print ("error %s %s\n", end->name, error->message);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, NULL);
    g_print ("warning %s %s\n", end->name, error->message);
  }
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

/* text: NAME=PIPELINE. */
static gboolean
add_end (App * app, const gchar * text)
{
  const gchar *equals = strchr (text, '=');
  GError *error = NULL;
  GstElement *pipeline;
  GstBus *bus;
  End *end;

  if (equals == NULL)
    return FALSE;
  pipeline = gst_parse_launch_full (equals + 1, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  if (!GST_IS_PIPELINE (pipeline)) {    /* a single element, such as a relay */
    GstElement *element = pipeline;

    pipeline = gst_pipeline_new (NULL);
    gst_bin_add (GST_BIN (pipeline), element);
  }
  end = g_new (End, 1);
  end->name = g_strndup (text, (gsize) (equals - text));
  end->pipeline = pipeline;
  bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, end);
  gst_object_unref (bus);
  g_ptr_array_add (app->ends, end);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return TRUE;
}

static void
print_stats (const End * end)
{
  GstElement *meter = gst_bin_get_by_name (GST_BIN (end->pipeline), "meter");
  GstStructure *stats = NULL;
  gchar *text;

  if (meter == NULL)
    return;
  g_object_get (meter, "stats", &stats, NULL);
  text = gst_structure_to_string (stats);
  g_print ("stats %s %s\n", end->name, text);
  g_free (text);
  gst_structure_free (stats);
  gst_object_unref (meter);
}

static void
print_heap (void)
{
  struct mallinfo2 heap = mallinfo2 ();

  g_print ("heap %" G_GSIZE_FORMAT " bytes\n", heap.uordblks + heap.hblkhd);
}

static void
obey (App * app, gchar * line)
{
  gchar **words = g_strsplit (g_strstrip (line), " ", 2);
  guint i;

  for (i = 0; words[0] && i < app->ends->len; i++) {
    const End *end = g_ptr_array_index (app->ends, i);

    if (g_str_equal (words[0], "stats"))
      print_stats (end);
    else if (words[1] && g_str_equal (words[1], end->name))
      gst_element_set_state (end->pipeline,
          g_str_equal (words[0], "play") ? GST_STATE_PLAYING : GST_STATE_NULL);
  }
  if (words[0] && g_str_equal (words[0], "stats"))
    print_heap ();
  if (words[0] && g_str_equal (words[0], "die"))
    raise (SIGKILL);
  g_print ("done\n");
  g_strfreev (words);
}

static gboolean
on_input (GIOChannel * channel, GIOCondition condition, gpointer user_data)
{
  App *app = user_data;
  gchar *line = NULL;

  if (g_io_channel_read_line (channel, &line, NULL, NULL, NULL) != G_IO_STATUS_NORMAL) {
    g_main_loop_quit (app->loop);
    return G_SOURCE_REMOVE;
  }
  obey (app, line);
  g_free (line);
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  App app = { NULL };
  GIOChannel *input;
  gboolean ok = TRUE;
  int i;

  gst_init (&argc, &argv);
  setvbuf (stdout, NULL, _IOLBF, 0);
  app.loop = g_main_loop_new (NULL, FALSE);
  app.ends = g_ptr_array_new_with_free_func (end_free);
  for (i = 1; ok && i < argc; i++)
    ok = add_end (&app, argv[i]);
  input = g_io_channel_unix_new (0);
  g_io_add_watch (input, G_IO_IN | G_IO_HUP, on_input, &app);
  if (ok)
    g_main_loop_run (app.loop);
  g_io_channel_unref (input);
  g_ptr_array_unref (app.ends);
  g_main_loop_unref (app.loop);
  return ok ? 0 : 1;
}
