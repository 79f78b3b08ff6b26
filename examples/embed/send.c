/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A sender in an application: rmcsink steers the encoder by itself; the program watches the target
 * bitrate and the statistics, and would adapt what an encoder cannot (here: the frame size) when
 * the network gives too little.
 *
 *   send HOST PORT [SECONDS]
 */
#include <gst/gst.h>
#include <stdlib.h>

#define SMALL_BELOW_BPS 400000
#define LARGE_ABOVE_BPS 800000

typedef struct
{
  GstElement *pipeline, *sink, *size;
  GMainLoop *loop;
  gboolean small;
} App;

static void
set_size (App * app, gboolean small)
{
  GstCaps *caps;

  if (app->small == small)
    return;
  app->small = small;
  caps = gst_caps_new_simple ("video/x-raw", "width", G_TYPE_INT, small ? 320 : 640,
      "height", G_TYPE_INT, small ? 180 : 360, NULL);
  g_object_set (app->size, "caps", caps, NULL);
  gst_caps_unref (caps);
  g_print ("frame size %s\n", small ? "320x180" : "640x360");
}

/* Comes from a worker thread at each change of the target. */
static void
on_target_bitrate (GstElement * sink, GParamSpec * pspec, gpointer user_data)
{
  App *app = user_data;
  guint bps;

  g_object_get (sink, "target-bitrate", &bps, NULL);
  if (bps < SMALL_BELOW_BPS)
    set_size (app, TRUE);
  else if (bps > LARGE_ABOVE_BPS)
    set_size (app, FALSE);
}

static gboolean
print_stats (gpointer user_data)
{
  App *app = user_data;
  GstStructure *stats;
  guint target;
  guint64 sent, rtt, lost;

  /* All or nothing: a field of another type than this one is no field. gst-inspect-1.0 rmcsink
   * lists them. */
  g_object_get (app->sink, "stats", &stats, NULL);
  if (gst_structure_get (stats, "target-bitrate", G_TYPE_UINT, &target, "sent-bitrate",
          G_TYPE_UINT64, &sent, "rtt", G_TYPE_UINT64, &rtt, "packets-lost", G_TYPE_UINT64, &lost,
          NULL))
    g_print ("%s: target %u kbit/s, sent %" G_GUINT64_FORMAT " kbit/s, RTT %" G_GUINT64_FORMAT
        " ms, lost %" G_GUINT64_FORMAT "\n",
        gst_structure_get_string (stats, "state"), target / 1000, sent / 1000,
        rtt / GST_MSECOND, lost);
  gst_structure_free (stats);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  App *app = user_data;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      g_printerr ("%s\n", error->message);
      g_error_free (error);
      g_main_loop_quit (app->loop);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      g_printerr ("warning: %s\n", error->message);
      g_error_free (error);
      break;
    case GST_MESSAGE_EOS:
      g_main_loop_quit (app->loop);
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
stop (gpointer user_data)
{
  gst_element_send_event (user_data, gst_event_new_eos ());
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  App app = { NULL };
  GError *error = NULL;
  GstBus *bus;

  g_setenv ("GST_TRACERS", "arcmonitor", FALSE);        /* gst-arc-monitor may watch */
  gst_init (&argc, &argv);
  if (argc < 3) {
    g_printerr ("usage: %s HOST PORT [SECONDS]\n", argv[0]);
    return 2;
  }
  app.pipeline = gst_parse_launch ("videotestsrc is-live=true pattern=smpte horizontal-speed=3 "
      "! videoscale ! capsfilter name=size caps=video/x-raw,width=640,height=360 ! x264enc "
      "tune=zerolatency speed-preset=superfast key-int-max=300 ! rtph264pay "
      "config-interval=-1 mtu=1200 ! rmcsink name=sink", &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  app.size = gst_bin_get_by_name (GST_BIN (app.pipeline), "size");
  app.sink = gst_bin_get_by_name (GST_BIN (app.pipeline), "sink");
  g_object_set (app.sink, "host", argv[1], "port", (guint) atoi (argv[2]),
      "max-bitrate", 4000000, NULL);
  g_signal_connect (app.sink, "notify::target-bitrate", G_CALLBACK (on_target_bitrate), &app);

  app.loop = g_main_loop_new (NULL, FALSE);
  bus = gst_element_get_bus (app.pipeline);
  gst_bus_add_watch (bus, on_message, &app);
  g_timeout_add_seconds (1, print_stats, &app);
  if (argc > 3)
    g_timeout_add_seconds ((guint) atoi (argv[3]), stop, app.pipeline);
  gst_element_set_state (app.pipeline, GST_STATE_PLAYING);
  g_main_loop_run (app.loop);

  gst_element_set_state (app.pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (app.size);
  gst_object_unref (app.sink);
  gst_object_unref (app.pipeline);
  g_main_loop_unref (app.loop);
  return 0;
}
