/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One picture for many viewers whose networks differ. Two encoders run, whoever watches; behind
 * each is a tee, and each viewer has a selector between the two and an rmcsink of its own. So a
 * slow viewer gets the small picture, and takes nothing from the others:
 *
 *   source ! tee ! large encoder ! tee ! queue ! selector ! payloader ! rmcsink
 *                ! small encoder ! tee ! queue !
 *
 *   serve [--seconds=N] HOST:PORT...
 *
 * The encoders keep their bitrates (adapt-encoder=false): what a viewer's network carries
 * decides which it gets. */
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdio.h>

#define LARGE_BPS 1200000
#define SMALL_BPS 300000
#define UP_RATIO 2.0            /* of the small one's bitrate: it passes freely */
#define DOWN_RATIO 0.9          /* of the large one's */
/* On the small one before the next trial; doubles with each that fails. */
#define FIRST_WAIT_S 4
#define MAX_WAIT_S 120

#define ENCODER \
    "x264enc tune=zerolatency speed-preset=superfast key-int-max=300"
#define PICTURES \
    "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,width=640,height=360,framerate=25/1 ! tee name=raw  raw. ! queue ! " \
    ENCODER " bitrate=1200 ! tee name=large allow-not-linked=true  " \
    "raw. ! queue ! videoscale ! video/x-raw,width=320,height=180 ! " ENCODER \
    " bitrate=300 ! tee name=small allow-not-linked=true"
#define VIEWER \
    "input-selector name=selector sync-streams=false ! rtph264pay config-interval=-1 " \
    "aggregate-mode=zero-latency mtu=1200 ! rmcsink name=sink adapt-encoder=false " \
    "max-bitrate=4000000  queue name=large_in leaky=downstream max-size-time=500000000 " \
    "! selector.sink_0  queue name=small_in leaky=downstream max-size-time=500000000 ! " \
    "selector.sink_1"

typedef struct
{
  guint number;
  GstElement *bin, *selector, *sink;
  gboolean large;
  guint wait_s, held_s;         /* held: since the last change */
} Viewer;

typedef struct
{
  GstElement *pipeline;
  GMainLoop *loop;
  GPtrArray *viewers;
} App;

static gint seconds;
static gchar **addresses;
static const GOptionEntry options[] = {
  {"seconds", 's', 0, G_OPTION_ARG_INT, &seconds, "end after", "N"},
  {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &addresses, NULL, "HOST:PORT..."},
  {NULL}
};

/* A decoder cannot begin but with a keyframe. */
static GstPadProbeReturn
switch_at_keyframe (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_BUFFER_FLAG_IS_SET (GST_PAD_PROBE_INFO_BUFFER (info), GST_BUFFER_FLAG_DELTA_UNIT))
    return GST_PAD_PROBE_OK;
  g_object_set (user_data, "active-pad", pad, NULL);
  return GST_PAD_PROBE_REMOVE;
}

static void
viewer_switch (Viewer * viewer, gboolean large)
{
  GstPad *pad = gst_element_get_static_pad (viewer->selector, large ? "sink_0" : "sink_1");

  viewer->large = large;
  viewer->held_s = 0;
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, switch_at_keyframe,
      gst_object_ref (viewer->selector), gst_object_unref);
  gst_pad_push_event (pad,
      gst_video_event_new_upstream_force_key_unit (GST_CLOCK_TIME_NONE, TRUE, 0));
  gst_object_unref (pad);
  g_print ("viewer %u: %s\n", viewer->number, large ? "large" : "small");
}

/* While the small picture is sent the network's rate is only known to be no less, so that going
 * up is a trial. */
static void
viewer_decide (Viewer * viewer)
{
  guint target_bps;

  g_object_get (viewer->sink, "target-bitrate", &target_bps, NULL);
  viewer->held_s++;
  if (viewer->large && target_bps < DOWN_RATIO * LARGE_BPS) {
    viewer->wait_s = viewer->held_s > MAX_WAIT_S ? FIRST_WAIT_S : MIN (2 * viewer->wait_s,
        MAX_WAIT_S);
    viewer_switch (viewer, FALSE);
  } else if (!viewer->large && target_bps > UP_RATIO * SMALL_BPS
      && viewer->held_s >= viewer->wait_s) {
    viewer_switch (viewer, TRUE);
  }
}

static gboolean
decide (gpointer user_data)
{
  GPtrArray *viewers = ((App *) user_data)->viewers;
  guint i;

  for (i = 0; i < viewers->len; i++)
    viewer_decide (g_ptr_array_index (viewers, i));
  return G_SOURCE_CONTINUE;
}

static void
link_to_tee (App * app, Viewer * viewer, const gchar * tee_name, const gchar * queue_name)
{
  GstElement *tee = gst_bin_get_by_name (GST_BIN (app->pipeline), tee_name);
  GstElement *queue = gst_bin_get_by_name (GST_BIN (viewer->bin), queue_name);
  GstPad *pad = gst_element_get_static_pad (queue, "sink");

  gst_element_add_pad (viewer->bin, gst_ghost_pad_new (queue_name, pad));
  gst_element_link_pads (tee, "src_%u", viewer->bin, queue_name);
  gst_object_unref (pad);
  gst_object_unref (queue);
  gst_object_unref (tee);
}

/* Viewers may also come and go while it plays: add one like this and set the bin's state to the
 * pipeline's. */
static gboolean
add_viewer (App * app, const gchar * address)
{
  gchar *uri = g_strdup_printf ("arc://%s", address);
  Viewer *viewer = g_new0 (Viewer, 1);
  GError *error = NULL;

  viewer->number = app->viewers->len + 1;
  viewer->wait_s = FIRST_WAIT_S;
  viewer->bin = gst_parse_bin_from_description (VIEWER, FALSE, &error);
  if (viewer->bin == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  viewer->selector = gst_bin_get_by_name (GST_BIN (viewer->bin), "selector");
  viewer->sink = gst_bin_get_by_name (GST_BIN (viewer->bin), "sink");
  g_ptr_array_add (app->viewers, viewer);
  gst_bin_add (GST_BIN (app->pipeline), viewer->bin);
  if (!gst_uri_handler_set_uri (GST_URI_HANDLER (viewer->sink), uri, &error)) {
    g_printerr ("%s: %s\n", uri, error->message);
    g_error_free (error);
    return FALSE;
  }
  link_to_tee (app, viewer, "large", "large_in");
  link_to_tee (app, viewer, "small", "small_in");
  viewer_switch (viewer, FALSE);
  g_free (uri);
  return TRUE;
}

static void
viewer_free (gpointer data)
{
  Viewer *viewer = data;

  gst_clear_object (&viewer->selector);
  gst_clear_object (&viewer->sink);
  g_free (viewer);
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_main_loop_quit (((App *) user_data)->loop);
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning (message, &error, NULL);
    g_printerr ("warning: %s\n", error->message);
  }
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

static gboolean
quit (gpointer user_data)
{
  g_main_loop_quit (((App *) user_data)->loop);
  return G_SOURCE_REMOVE;
}

static void
run (App * app)
{
  GstBus *bus = gst_element_get_bus (app->pipeline);

  app->loop = g_main_loop_new (NULL, FALSE);
  gst_bus_add_watch (bus, on_message, app);
  g_timeout_add_seconds (1, decide, app);
  if (seconds > 0)
    g_timeout_add_seconds ((guint) seconds, quit, app);
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
  GOptionContext *context = g_option_context_new ("- one picture for many viewers");
  GError *error = NULL;
  gboolean ok = TRUE;
  guint i;

  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error) || addresses == NULL) {
    g_printerr ("%s; usage: %s [--seconds=N] HOST:PORT...\n", error ? error->message : "no viewer",
        argv[0]);
    return 2;
  }
  setvbuf (stdout, NULL, _IOLBF, 0);
  app.viewers = g_ptr_array_new_with_free_func (viewer_free);
  app.pipeline = gst_parse_launch (PICTURES, &error);
  if (error) {
    g_printerr ("%s\n", error->message);
    return 1;
  }
  for (i = 0; ok && addresses[i]; i++)
    ok = add_viewer (&app, addresses[i]);
  if (ok)
    run (&app);
  g_ptr_array_unref (app.viewers);
  gst_object_unref (app.pipeline);
  g_option_context_free (context);
  g_strfreev (addresses);
  return ok ? 0 : 1;
}
