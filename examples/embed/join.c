/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A server that viewers join by themselves:
 *
 *   join [--seconds=N] [--word=WORD] PORT
 *   gst-play-1.0 "arc://SERVER:PORT?mode=caller&streamid=WORD"
 *
 * arcladder encodes a few times, at the bitrates that serve the viewers best; arcserversink gives
 * each viewer a congestion control of its own. Who does not know the word is refused, with a reason
 * that the viewer prints. The word is not secret on the network: for that there is srtp-key
 * (docs/guide/joining.md). */
#include <gio/gio.h>
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

#define PIPELINE \
    "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,format=I420,width=640,height=360,framerate=25/1 ! queue " \
    "! arcserversink name=server"

static gint seconds;
static gchar *word;
static const GOptionEntry options[] = {
  {"seconds", 's', 0, G_OPTION_ARG_INT, &seconds, "end after", "N"},
  {"word", 'w', 0, G_OPTION_ARG_STRING, &word, "that viewers need as stream id", "WORD"},
  {NULL}
};

/* On a thread of the server's. */
static gchar *
on_connecting (GstElement * server, GSocketAddress * from, const gchar * stream_id, gpointer data)
{
  return !word || g_str_equal (stream_id, word) ? NULL : g_strdup ("the word is wrong");
}

static gboolean
print_viewers (gpointer server)
{
  const GValue *viewers;
  GstStructure *stats;

  g_object_get (server, "stats", &stats, NULL);
  viewers = gst_structure_get_value (stats, "viewers");
  g_print ("%u viewers\n", gst_value_array_get_size (viewers));
  for (guint i = 0; i < gst_value_array_get_size (viewers); i++) {
    const GstStructure *viewer = gst_value_get_structure (gst_value_array_get_value (viewers, i));
    guint target = 0;

    gst_structure_get_uint (viewer, "target-bitrate", &target);
    g_print ("  %s: target %u kbit/s\n", gst_structure_get_string (viewer, "address"),
        target / 1000);
  }
  gst_structure_free (stats);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer loop)
{
  const GstStructure *what = gst_message_get_structure (message);
  GError *error;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    g_main_loop_quit (loop);
  } else if (gst_message_has_name (message, "GstArcServerSinkViewer")) {
    g_print ("%s %s\n", gst_structure_get_string (what, "address"),
        gst_structure_get_string (what, "state"));
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

static void
run (GstElement * pipeline, GstElement * server)
{
  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_add_watch (bus, on_message, loop);
  g_timeout_add_seconds (2, print_viewers, server);
  if (seconds > 0)
    g_timeout_add_seconds ((guint) seconds, quit, loop);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  g_main_loop_unref (loop);
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new ("PORT - a server that viewers join");
  GstElement *pipeline, *server, *ladder;
  GError *error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2) {
    g_printerr ("%s; usage: %s [--seconds=N] [--word=WORD] PORT\n", error ? error->message
        : "no port", argv[0]);
    return 2;
  }
  g_option_context_free (context);
  setvbuf (stdout, NULL, _IOLBF, 0);
  pipeline = gst_parse_launch (PIPELINE, &error);
  ladder = gst_element_factory_make ("arcladder", NULL);
  if (error || !ladder) {
    g_printerr ("%s\n", error ? error->message : "no element arcladder");
    return 1;
  }
  server = gst_bin_get_by_name (GST_BIN (pipeline), "server");
  g_object_set (server, "port", (guint) atoi (argv[1]), "splitter", ladder, NULL);
  g_signal_connect (server, "caller-connecting", G_CALLBACK (on_connecting), NULL);
  run (pipeline, server);
  gst_object_unref (server);
  gst_object_unref (pipeline);
  g_free (word);
  return 0;
}
