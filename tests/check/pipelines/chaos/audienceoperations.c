/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "operations.h"

/* A server with a ladder, and viewers that join and leave while it is paused and stopped.
 * Afterwards who joins must get media. */

#define AUDIENCE 4
#define STEPS 12
#define AUDIENCE_PORT 12        /* after the scene's first */
#define MOST_WAIT_S 50          /* a busy machine; --patience ends it before */
#define SERVER "videotestsrc is-live=true ! video/x-raw,format=I420,width=160,height=120," \
    "framerate=15/1 ! queue ! arcserversink port=%u splitter=\"arcladder rungs=2\""
#define VIEWER "arcsrc mode=caller host=127.0.0.1 port=%u ! fakesink name=out async=false"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static GstElement *
launch (const gchar * format, guint port)
{
  g_autofree gchar *line = g_strdup_printf (format, port);
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (!pipeline || error)
    watchdog_fail ("%s: %s", line, error ? error->message : "nothing");
  return pipeline;
}

#pragma GCC diagnostic pop

static GstElement *
new_server (guint port)
{
  GstElement *server = launch (SERVER, port);

  gst_element_set_state (server, GST_STATE_PLAYING);
  return server;
}

static GstElement *
new_viewer (guint port)
{
  GstElement *viewer = launch (VIEWER, port);

  gst_element_set_state (viewer, GST_STATE_PLAYING);
  return viewer;
}

static void
stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
disturb (GstElement * server, Actor * actor)
{
  static const GstState states[] = { GST_STATE_PAUSED, GST_STATE_READY, GST_STATE_NULL };

  gst_element_set_state (server, states[actor_below (actor, G_N_ELEMENTS (states))]);
  g_usleep (actor_below (actor, 50000));
  gst_element_set_state (server, GST_STATE_PLAYING);
}

static GstPadProbeReturn
count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
  return GST_PAD_PROBE_OK;
}

static void
await_media (guint port)
{
  GstElement *viewer = launch (VIEWER, port), *out = gst_bin_get_by_name (GST_BIN (viewer), "out");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (out, "sink");
  gint64 end = g_get_monotonic_time () + MOST_WAIT_S * G_USEC_PER_SEC;
  gint got = 0;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, count, &got,
      NULL);
  gst_element_set_state (viewer, GST_STATE_PLAYING);
  while (g_atomic_int_get (&got) < 5) {
    if (g_get_monotonic_time () > end)
      watchdog_fail ("who joins the ladder gets no media");
    g_usleep (10000);
  }
  gst_object_unref (out);
  stop (viewer);
}

gboolean
operate_audience (Scene * scene, Actor * actor)
{
  guint port = scene->port + AUDIENCE_PORT;
  GstElement *viewers[AUDIENCE] = { NULL }, *server;

  actor_will (actor, "an audience of %u before a ladder", AUDIENCE);
  server = new_server (port);
  for (guint i = 0; i < STEPS; i++) {
    guint who = actor_below (actor, AUDIENCE + 1);

    if (who == AUDIENCE)
      disturb (server, actor);
    else if (viewers[who])
      stop (g_steal_pointer (&viewers[who]));
    else
      viewers[who] = new_viewer (port);
    g_usleep (actor_below (actor, 100000));
  }
  await_media (port);
  for (guint i = 0; i < AUDIENCE; i++)
    if (viewers[i])
      stop (viewers[i]);
  stop (server);
  actor_done (actor);
  return TRUE;
}
