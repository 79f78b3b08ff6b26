/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The tracer `arcmonitor`, and this test as the monitor that it tells. */
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <gst/arc/arc.h>

#include "claim.h"

#define WAIT_US (30 * G_TIME_SPAN_SECOND)
#define MESSAGE_BYTES (256 * 1024)

static gchar *socket_path;

/* What a monitor has: where it listens, and who has come. */
typedef struct
{
  GSocket *listening, *process;
} Monitor;

static void
monitor_listen (Monitor * self)
{
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (socket_path);

  g_unlink (socket_path);
  self->process = NULL;
  self->listening = g_socket_new (G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_SEQPACKET,
      G_SOCKET_PROTOCOL_DEFAULT, NULL);
  fail_unless (g_socket_bind (self->listening, address, FALSE, NULL));
  fail_unless (g_socket_listen (self->listening, NULL));
}

static void
monitor_accept (Monitor * self)
{
  fail_unless (g_socket_condition_timed_wait (self->listening, G_IO_IN, WAIT_US, NULL, NULL));
  self->process = g_socket_accept (self->listening, NULL, NULL);
  fail_unless (self->process != NULL);
}

static void
monitor_close (Monitor * self)
{
  g_clear_object (&self->process);
  g_clear_object (&self->listening);
}

#define MONITOR Monitor, monitor, monitor_listen (monitor), monitor_close (monitor)

/* NULL: the process has hung up. */
static GstStructure *
monitor_receive_any (Monitor * self)
{
  gchar *text;
  gssize bytes;
  GstStructure *s;

  fail_unless (g_socket_condition_timed_wait (self->process, G_IO_IN, WAIT_US, NULL, NULL));
  text = g_malloc (MESSAGE_BYTES + 1);
  bytes = g_socket_receive (self->process, text, MESSAGE_BYTES, NULL, NULL);
  fail_unless (bytes >= 0);
  text[bytes] = '\0';
  s = bytes > 0 ? gst_structure_from_string (text, NULL) : NULL;
  if (bytes == 0) {
    g_free (text);
    return NULL;
  }
  fail_unless (s != NULL, "no structure: %s", text);
  g_free (text);
  return s;
}

/* A snapshot; NULL: the process has hung up. */
static GstStructure *
monitor_receive (Monitor * self)
{
  GstStructure *s = monitor_receive_any (self);

  while (s && !gst_structure_has_name (s, GST_ARC_MONITOR_SNAPSHOT)) {
    fail_unless (gst_structure_has_name (s, GST_ARC_MONITOR_MESSAGE));
    gst_structure_free (s);
    s = monitor_receive_any (self);
  }
  return s;
}

/* Messages until one with this text, which has come: they are told in their order. */
static void
monitor_wait_for_message (Monitor * self, const gchar * kind, const gchar * text)
{
  gint64 end = g_get_monotonic_time () + WAIT_US;
  gboolean found = FALSE;

  while (!found && g_get_monotonic_time () < end) {
    g_autoptr (GstStructure) s = monitor_receive_any (self);

    fail_unless (s != NULL);
    found = gst_structure_has_name (s, GST_ARC_MONITOR_MESSAGE)
        && g_strcmp0 (gst_structure_get_string (s, "kind"), kind) == 0
        && strstr (gst_structure_get_string (s, "text"), text) != NULL;
  }
  fail_unless (found, "no %s '%s'", kind, text);
}

/* In what comes with the next snapshots. */
static guint
monitor_count_messages (Monitor * self, guint snapshots)
{
  guint messages = 0;

  while (snapshots > 0) {
    g_autoptr (GstStructure) s = monitor_receive_any (self);

    fail_unless (s != NULL);
    if (gst_structure_has_name (s, GST_ARC_MONITOR_MESSAGE))
      messages++;
    else
      snapshots--;
  }
  return messages;
}

/* The next but one that the tracer makes of the element: nothing in it is older than this call. */
static GstStructure *
monitor_receive_of (Monitor * self, GstElement * element)
{
  gint64 end = g_get_monotonic_time () + WAIT_US;
  guint64 from = (guint64) g_get_monotonic_time () * GST_USECOND, at = 0;

  while (g_get_monotonic_time () < end) {
    GstStructure *s = monitor_receive (self);

    fail_unless (s != NULL);
    fail_unless (gst_structure_get_uint64 (s, "at", &at));
    if (at > from && g_strcmp0 (gst_structure_get_string (s, "element"),
            GST_OBJECT_NAME (element)) == 0)
      return s;
    gst_structure_free (s);
  }
  fail ("no snapshot of %s", GST_OBJECT_NAME (element));
  return NULL;
}

static const GstStructure *
stats_in (const GstStructure * snapshot)
{
  return gst_value_get_structure (gst_structure_get_value (snapshot, "stats"));
}

/* Elements are told of once they are in a bin. */
static GstElement *
pipeline_with (const gchar * factory, const gchar * name)
{
  GstElement *pipeline = gst_pipeline_new ("a");

  fail_unless (gst_bin_add (GST_BIN (pipeline), gst_element_factory_make (factory, name)));
  return pipeline;
}

static GstElement *
element_in (GstElement * pipeline, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), name);

  gst_object_unref (element);   /* the pipeline has one */
  return element;
}

CLAIM_ON (test_snapshot_has_the_statistics_the_address_and_nothing_else, MONITOR)
{
  static const gchar *const fields[] = { "run", "id", "process", "pipeline", "element", "factory",
    "element-state", "address", "pid", "at", "dropped", "fields", "frames", "stats", NULL
  };
  GstElement *pipeline = pipeline_with ("rmcsink", "sent"), *sink = element_in (pipeline, "sent");
  GstStructure *snapshot, *stats;

  g_object_set (sink, "host", "127.0.0.1", "port", 9, NULL);
  gst_element_set_state (sink, GST_STATE_PAUSED);
  /* Statistics of a session that is over stand still. */
  gst_element_set_state (sink, GST_STATE_NULL);
  monitor_accept (monitor);
  snapshot = monitor_receive_of (monitor, sink);
  g_object_get (sink, "stats", &stats, NULL);

  fail_unless (gst_structure_n_fields (stats) > 40);
  fail_unless (gst_structure_is_equal (stats_in (snapshot), stats));
  fail_unless_equals_string (gst_structure_get_string (snapshot, "process"), "roof");
  fail_unless_equals_string (gst_structure_get_string (snapshot, "pipeline"), "a");
  fail_unless_equals_string (gst_structure_get_string (snapshot, "factory"), "rmcsink");
  fail_unless_equals_string (gst_structure_get_string (snapshot, "element-state"), "NULL");
  fail_unless_equals_string (gst_structure_get_string (snapshot, "address"), "127.0.0.1:9");
  for (gint i = 0; i < gst_structure_n_fields (snapshot); i++)
    fail_unless (g_strv_contains (fields, gst_structure_nth_field_name (snapshot, (guint) i)));
  gst_structure_free (stats);
  gst_structure_free (snapshot);
  gst_object_unref (pipeline);
}

CLAIM_ON (test_snapshot_has_the_frames_that_go_into_the_encoder, MONITOR)
{
  g_autoptr (GstElement) pipeline = NULL, sink = NULL;
  GstStructure *snapshot = NULL;
  const GValue *frames;
  guint width = 0, height = 0, n = 0;

  pipeline = gst_parse_launch ("videotestsrc is-live=true ! "
      "video/x-raw,width=320,height=180,framerate=10/1 ! theoraenc ! rtptheorapay ! "
      "rmcsink name=s port=9", NULL);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  monitor_accept (monitor);
  while (n == 0) {
    g_clear_pointer (&snapshot, gst_structure_free);
    snapshot = monitor_receive_of (monitor, sink);
    frames = gst_structure_get_value (snapshot, "frames");
    n = gst_value_array_get_size (frames);
  }
  fail_unless (gst_structure_get (gst_value_get_structure (gst_value_array_get_value (frames, 0)),
          "width", G_TYPE_UINT, &width, "height", G_TYPE_UINT, &height, NULL));
  fail_unless_equals_int (width, 320);
  fail_unless_equals_int (height, 180);
  gst_structure_free (snapshot);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

CLAIM_ON (test_outer_elements_tell_of_inner_ones_and_the_last_hangs_up, MONITOR)
{
  GstElement *pipeline;
  GstStructure *s;

  /* An arcreceiver of the factory, so that those inside of arcsrc know theirs, too. */
  gst_object_unref (gst_element_factory_make ("arcreceiver", NULL));
  pipeline = pipeline_with ("arcsrc", NULL);
  monitor_accept (monitor);
  for (guint i = 0; i < 3; i++) {
    s = monitor_receive (monitor);
    fail_unless_equals_string (gst_structure_get_string (s, "factory"), "arcsrc");
    gst_structure_free (s);
  }
  gst_object_unref (pipeline);
  /* With the last element the process has nothing to tell any more. */
  while ((s = monitor_receive (monitor)) != NULL)
    gst_structure_free (s);
}

CLAIM (test_a_monitor_may_come_late_and_go_and_come_back)
{
  Monitor monitor;
  g_autoptr (GstElement) pipeline = NULL;

  g_unlink (socket_path);
  pipeline = pipeline_with ("rmcsink", "s");
  for (guint i = 0; i < 2; i++) {
    monitor_listen (&monitor);
    monitor_accept (&monitor);
    gst_structure_free (monitor_receive_of (&monitor, element_in (pipeline, "s")));
    monitor_close (&monitor);
  }
}

static void
post (GstElement * element, const gchar * name)
{
  gst_element_post_message (element, gst_message_new_element (GST_OBJECT (element),
          gst_structure_new (name, "width", G_TYPE_UINT, 320, "reason", G_TYPE_STRING, "a, b",
              NULL)));
}

CLAIM (test_messages_are_told_once_and_anew_to_a_new_monitor)
{
  GstElement *pipeline, *sink;
  Monitor monitor;
  g_autoptr (GstBus) bus = NULL;

  g_unlink (socket_path);
  pipeline = pipeline_with ("rmcsink", "s");
  sink = element_in (pipeline, "s");
  bus = gst_element_get_bus (pipeline);
  post (sink, GST_RMC_SINK_STATS);
  post (sink, GST_RMC_SINK_TARGET_BITRATE);
  post (sink, "SomebodyElse");
  GST_ELEMENT_WARNING (sink, STREAM, FORMAT, ("what a user \"reads\""), (NULL));
  /* They go their way as ever. */
  for (guint i = 0; i < 4; i++)
    gst_message_unref (gst_bus_timed_pop (bus, 0));
  for (guint i = 0; i < 2; i++) {
    monitor_listen (&monitor);
    monitor_accept (&monitor);
    monitor_wait_for_message (&monitor, "message", "SomebodyElse width=320 reason=a, b");
    monitor_wait_for_message (&monitor, "warning", "what a user \"reads\"");
    fail_unless_equals_int (monitor_count_messages (&monitor, 3), 0);
    monitor_close (&monitor);
  }
  gst_object_unref (pipeline);
}

CLAIM (test_the_last_messages_are_kept)
{
  GstElement *pipeline, *sink;
  AT_END (monitor_close) Monitor monitor;
  guint i;

  g_unlink (socket_path);
  pipeline = pipeline_with ("rmcsink", "s");
  sink = element_in (pipeline, "s");
  for (i = 0; i < 1000; i++)
    post (sink, "a");
  post (sink, "last");
  monitor_listen (&monitor);
  monitor_accept (&monitor);
  i = monitor_count_messages (&monitor, 3);
  fail_unless (i > 0 && i <= 32, "%u messages", i);
  GST_ELEMENT_ERROR (sink, STREAM, FORMAT, ("an error"), (NULL));
  monitor_wait_for_message (&monitor, "error", "an error");
  gst_object_unref (pipeline);
}

CLAIM_ON (test_messages_of_elements_inside_are_told_by_the_outer_one, MONITOR)
{
  GstElement *pipeline, *source, *inside;

  pipeline = pipeline_with ("arcsrc", "outer");
  source = element_in (pipeline, "outer");
  inside = GST_ELEMENT (g_list_last (GST_BIN_CHILDREN (source))->data);
  monitor_accept (monitor);
  GST_ELEMENT_WARNING (inside, STREAM, FORMAT, ("from inside"), (NULL));
  monitor_wait_for_message (monitor, "warning", "from inside");
  gst_object_unref (pipeline);
}

/* Enough for the socket's buffer within a few rounds. */
#define MANY 60

CLAIM_ON (test_a_slow_monitor_loses_snapshots_which_are_counted, MONITOR)
{
  g_autoptr (GstElement) pipeline = pipeline_with ("arcsrc", "last");
  GstStructure *snapshot;
  guint64 dropped = 0;

  for (guint i = 1; i < MANY; i++)
    fail_unless (gst_bin_add (GST_BIN (pipeline), gst_element_factory_make ("arcsrc", NULL)));
  monitor_accept (monitor);
  while (dropped == 0) {
    /* Time in which it reads nothing. The process goes on, and tells of later times then. */
    g_usleep (G_TIME_SPAN_SECOND);
    snapshot = monitor_receive_of (monitor, element_in (pipeline, "last"));
    fail_unless (gst_structure_get_uint64 (snapshot, "dropped", &dropped));
    gst_structure_free (snapshot);
  }
}

/* The tracer is chosen before GStreamer begins. */
int
main (int argc, char **argv)
{
  g_autofree gchar *folder = g_dir_make_tmp ("monitorXXXXXX", NULL), *tracers = NULL;
  int failed;

  socket_path = g_build_filename (folder, "socket", NULL);
  tracers = g_strdup_printf ("arcmonitor(name=roof,socket=\"%s\")", socket_path);
  g_setenv ("GST_TRACERS", tracers, TRUE);
  failed = claim_main (argc, argv);
  g_unlink (socket_path);
  g_rmdir (folder);
  g_free (socket_path);
  return failed;
}
