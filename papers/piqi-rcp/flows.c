/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "flows.h"

guint64
flows_stat (GstElement * element, const gchar * name)
{
  GstStructure *stats;
  guint64 value = 0;
  guint small;

  g_object_get (element, "stats", &stats, NULL);
  if (!gst_structure_get_uint64 (stats, name, &value)
      && gst_structure_get_uint (stats, name, &small))
    value = small;
  gst_structure_free (stats);
  return value;
}

guint64
flows_sink_stat (GstElement * pipeline, const gchar * name)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  guint64 value = flows_stat (sink, name);

  gst_object_unref (sink);
  return value;
}

static GstElement *
parse (const gchar * format, va_list args)
{
  GError *error = NULL;
  GstElement *element;
  gchar *line = g_strdup_vprintf (format, args);

  element = gst_parse_launch (line, &error);
  if (error)
    g_printerr ("%s: %s\n", line, error->message);
  g_clear_error (&error);
  g_free (line);
  return element;
}

gboolean
flows_play (GstElement ** element)
{
  if (*element
      && gst_element_set_state (*element, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
    flows_stop (element);
  return *element != NULL;
}

GstElement *
flows_prepare (const gchar * format, ...)
{
  GstElement *element;
  va_list args;

  va_start (args, format);
  element = parse (format, args);
  va_end (args);
  if (element)
    gst_element_set_state (element, GST_STATE_READY);
  return element;
}

GstElement *
flows_launch (const gchar * format, ...)
{
  GstElement *element;
  va_list args;

  va_start (args, format);
  element = parse (format, args);
  va_end (args);
  flows_play (&element);
  return element;
}

void
flows_stop (GstElement ** element)
{
  if (*element)
    gst_element_set_state (*element, GST_STATE_NULL);
  gst_clear_object (element);
}

GstElement *
flows_sender (guint port, const gchar * law, guint64 most_bps, const gchar * properties)
{
  return flows_launch ("audiotestsrc wave=silence samplesperbuffer=4800 "
      "! audio/x-raw,format=S16BE,rate=48000,channels=2 ! rtpL16pay mtu=1200 ! rmcsink name=sink "
      "sync=false async=false host=127.0.0.1 port=%u congestion-control=%s max-bitrate=%"
      G_GUINT64_FORMAT " min-bitrate=100000 start-bitrate=500000 %s", port, law, most_bps,
      properties);
}

GstElement *
flows_receiver (guint port)
{
  return flows_launch ("arcsrc address=127.0.0.1 port=%u caps=application/x-rtp ! fakesink "
      "sync=false", port);
}

gdouble
flows_pacing_cpu_s (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  guint64 ns = 0;
  const gchar *id;

  while ((id = g_dir_read_name (dir))) {
    gchar *name = g_strdup_printf ("/proc/self/task/%s/comm", id), *comm = NULL, *stat = NULL;
    gchar *path = g_strdup_printf ("/proc/self/task/%s/schedstat", id);

    if (g_file_get_contents (name, &comm, NULL, NULL) && g_str_has_prefix (comm, "rmc-pacing")
        && g_file_get_contents (path, &stat, NULL, NULL))
      ns = g_ascii_strtoull (stat, NULL, 10);
    g_free (name);
    g_free (path);
    g_free (comm);
    g_free (stat);
  }
  g_dir_close (dir);
  return ns / 1e9;
}
