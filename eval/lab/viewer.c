/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A viewer that starts late: plays a launch line and tells when the element `decoder` has made its
 * first frame, and when the element `display`, a fakesink with sync=true and signal-handoffs=true,
 * shows it.
 *
 *   lab-viewer SECONDS LINE
 *
 * Prints "decoded MS shown MS", both from the change to PLAYING, which opens the socket, and ends.
 * After SECONDS without a frame it prints "no frame" and ends as well. */

#include <gst/gst.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct
{
  GMainLoop *loop;
  gint64 started_us;
  gint decoded_us, shown_us;    /* atomic; after the start, 0: not yet */
  gboolean failed;
} Viewer;

static void
note (Viewer *self, gint *us)
{
  g_atomic_int_compare_and_exchange (us, 0, (gint) (g_get_monotonic_time () - self->started_us));
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *info, gpointer user_data)
{
  note (user_data, &((Viewer *) user_data)->decoded_us);
  return GST_PAD_PROBE_REMOVE;
}

static void
on_shown (GstElement *display, GstBuffer *buffer, GstPad *pad, Viewer *self)
{
  note (self, &self->shown_us);
  g_main_loop_quit (self->loop);
}

static gboolean
on_message (GstBus *bus, GstMessage *message, gpointer user_data)
{
  Viewer *self = user_data;
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR)
    return G_SOURCE_CONTINUE;
  gst_message_parse_error (message, &error, NULL);
  fprintf (stderr, "lab-viewer: %s\n", error->message);
  g_error_free (error);
  self->failed = TRUE;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static gboolean
on_timeout (gpointer user_data)
{
  g_main_loop_quit (((Viewer *) user_data)->loop);
  return G_SOURCE_REMOVE;
}

static void
play (Viewer *self, GstElement *pipeline, guint seconds)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_add_watch (bus, on_message, self);
  gst_object_unref (bus);
  g_timeout_add_seconds (seconds, on_timeout, self);
  self->started_us = g_get_monotonic_time ();
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (self->loop);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

/* Exits where the line makes no sense. */
static GstElement *
pipeline_new (const gchar *line)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (line, &error);

  if (error) {
    fprintf (stderr, "lab-viewer: %s\n", error->message);
    exit (2);
  }
  return pipeline;
}

static GstElement *
element_of (GstElement *pipeline, const gchar *name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  if (!element) {
    fprintf (stderr, "lab-viewer: no element is named %s\n", name);
    exit (2);
  }
  return element;
}

int
main (int argc, char **argv)
{
  GstElement *pipeline, *decoder, *display;
  Viewer self = { 0 };
  GstPad *pad;

  gst_init (&argc, &argv);
  if (argc != 3) {
    fprintf (stderr, "usage: lab-viewer SECONDS LINE\n");
    return 2;
  }
  pipeline = pipeline_new (argv[2]);
  decoder = element_of (pipeline, "decoder");
  display = element_of (pipeline, "display");
  self.loop = g_main_loop_new (NULL, FALSE);
  pad = gst_element_get_static_pad (decoder, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_frame, &self, NULL);
  g_signal_connect (display, "handoff", G_CALLBACK (on_shown), &self);
  play (&self, pipeline, (guint) atoi (argv[1]));
  if (g_atomic_int_get (&self.shown_us) > 0)
    printf ("decoded %.1f shown %.1f\n", g_atomic_int_get (&self.decoded_us) / 1e3,
        g_atomic_int_get (&self.shown_us) / 1e3);
  else if (!self.failed)
    printf ("no frame\n");
  gst_object_unref (pad);
  gst_object_unref (display);
  gst_object_unref (decoder);
  gst_object_unref (pipeline);
  g_main_loop_unref (self.loop);
  return self.failed;
}
