/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver in an application: it shows the picture, says when the media pauses and comes back,
 * gives the jitter buffer the latency that the path needs for repair, and prints the statistics.
 *
 *   receive [--sink=NAME] [--seconds=N] PORT
 */
#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

#define LATENCY_MS 100
#define MOST_LATENCY_MS 1000    /* more than that the viewer would rather see losses */

typedef struct
{
  GstElement *pipeline, *source, *buffer;
  GMainLoop *loop;
  gint frames;                  /* atomic: counted by the streaming thread */
} App;

static const gchar *sink_name;
static gint seconds;
static const GOptionEntry options[] = {
  {"sink", 0, 0, G_OPTION_ARG_STRING, &sink_name, "what shows the picture; default: autovideosink, "
        "or without DISPLAY and WAYLAND_DISPLAY fakesink", "NAME"},
  {"seconds", 0, 0, G_OPTION_ARG_INT, &seconds, "end after", "N"},
  {NULL}
};

/* autovideosink may crash where there is no display (GStreamer 1.22). */
static const gchar *
default_sink (void)
{
  return g_getenv ("DISPLAY") || g_getenv ("WAYLAND_DISPLAY") ? "autovideosink" : "fakesink";
}

static GstPadProbeReturn
on_frame (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc (&((App *) user_data)->frames);
  return GST_PAD_PROBE_OK;
}

/* The path needs `needed` ns for one round of repair, and the buffer has less. */
static void
raise_latency (App * app, const GstStructure * message)
{
  guint64 needed;
  guint ms;

  if (!gst_structure_get_uint64 (message, "needed", &needed))
    return;
  ms = (guint) MIN (needed / GST_MSECOND + 1, MOST_LATENCY_MS);
  g_object_set (app->buffer, "latency", ms, NULL);
  g_print ("latency %u ms\n", ms);
}

/* Names of messages and their fields: <gst/arc/arc.h>. */
static void
on_element_message (App * app, const GstStructure * message)
{
  guint64 silence;

  if (gst_structure_has_name (message, "GstArcReceiverLatency"))
    raise_latency (app, message);
  else if (gst_structure_has_name (message, "GstArcSrcTimeout"))
    g_print ("no media\n");     /* a player would show a sign on the last picture */
  else if (gst_structure_has_name (message, "GstArcSrcResumed")
      && gst_structure_get_uint64 (message, "silence", &silence))
    g_print ("media again after %.1f s\n", (gdouble) silence / GST_SECOND);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  App *app = user_data;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ELEMENT:
      on_element_message (app, gst_message_get_structure (message));
      break;
    case GST_MESSAGE_LATENCY:  /* of the jitter buffer, for the sink */
      gst_bin_recalculate_latency (GST_BIN (app->pipeline));
      break;
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      g_printerr ("%s\n", error->message);
      g_error_free (error);
      g_main_loop_quit (app->loop);
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
print_stats (gpointer user_data)
{
  App *app = user_data;
  GstStructure *stats;
  guint64 bandwidth, lost, repaired;

  g_object_get (app->source, "stats", &stats, NULL);
  if (gst_structure_get (stats, "received-bitrate", G_TYPE_UINT64, &bandwidth,
          "packets-lost", G_TYPE_UINT64, &lost, "rtx-repaired", G_TYPE_UINT64, &repaired, NULL))
    g_print ("%s: %d frames, %" G_GUINT64_FORMAT " kbit/s, lost %" G_GUINT64_FORMAT
        ", repaired %" G_GUINT64_FORMAT "\n", gst_structure_has_field (stats, "sender")
        ? gst_structure_get_string (stats, "sender") : "no sender",
        g_atomic_int_get (&app->frames), bandwidth / 1000, lost, repaired);
  gst_structure_free (stats);
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer user_data)
{
  g_main_loop_quit (user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
make_pipeline (App * app, guint port)
{
  gchar *text = g_strdup_printf ("arcsrc name=source port=%u caps=application/x-rtp,media=video,"
      "encoding-name=H264,payload=96,clock-rate=90000 ! rtpjitterbuffer name=buffer latency=%d "
      "do-retransmission=true ! rtph264depay ! avdec_h264 name=decoder ! "
      "videoconvert ! %s", port, LATENCY_MS, sink_name ? sink_name : default_sink ());
  GError *error = NULL;
  GstElement *decoder;
  GstPad *pad;

  app->pipeline = gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  g_free (text);
  if (app->pipeline == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  app->source = gst_bin_get_by_name (GST_BIN (app->pipeline), "source");
  app->buffer = gst_bin_get_by_name (GST_BIN (app->pipeline), "buffer");
  decoder = gst_bin_get_by_name (GST_BIN (app->pipeline), "decoder");
  pad = gst_element_get_static_pad (decoder, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, app, NULL);
  gst_object_unref (pad);
  gst_object_unref (decoder);
  return TRUE;
}

static void
run (App * app)
{
  GstBus *bus = gst_element_get_bus (app->pipeline);

  app->loop = g_main_loop_new (NULL, FALSE);
  gst_bus_add_watch (bus, on_message, app);
  g_timeout_add_seconds (1, print_stats, app);
  if (seconds > 0)
    g_timeout_add_seconds ((guint) seconds, quit, app->loop);
  gst_element_set_state (app->pipeline, GST_STATE_PLAYING);
  g_main_loop_run (app->loop);
  gst_element_set_state (app->pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  g_main_loop_unref (app->loop);
}

int
main (int argc, char **argv)
{
  App app = { NULL };
  GOptionContext *context = g_option_context_new ("PORT - shows what rmcsink sends");
  GError *error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || argc != 2) {
    g_printerr ("%s; usage: %s [--sink=NAME] [--seconds=N] PORT\n",
        error ? error->message : "no port", argv[0]);
    return 2;
  }
  g_option_context_free (context);
  setvbuf (stdout, NULL, _IOLBF, 0);
  if (!make_pipeline (&app, (guint) atoi (argv[1])))
    return 1;
  run (&app);
  gst_object_unref (app.source);
  gst_object_unref (app.buffer);
  gst_object_unref (app.pipeline);
  return 0;
}
