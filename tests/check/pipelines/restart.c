/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Start, stream, stop, many times over, with a real encoder and real sockets; the same pipelines
 * again, and new ones. What must not grow: descriptors and threads. Under valgrind or ASan
 * (scripts/sanitize.sh) also memory. GST_ARC_CYCLES sets how often (default 20). */
#include <stdlib.h>

#include "launch.h"

#define SENDER \
    "videotestsrc is-live=true ! video/x-raw,width=160,height=120,framerate=30/1 ! x264enc " \
    "tune=zerolatency speed-preset=ultrafast threads=1 ! rtph264pay mtu=1200 ! rmcsink " \
    "name=sink port=%u"
#define RECEIVER \
    "arcsrc name=src address=127.0.0.1 " \
    "port=0 caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 " \
    "! rtph264depay ! fakesink name=out signal-handoffs=true async=false sync=false"
#define FRAMES 5
#define WARM_CYCLES 3           /* GStreamer's own pools and threads are there after these */

static guint
cycles (void)
{
  const gchar *text = g_getenv ("GST_ARC_CYCLES");

  return text ? (guint) atoi (text) : 20;
}

static GMutex lock;
static GCond arrived;
static guint n_frames;

static void
on_handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  g_mutex_lock (&lock);
  n_frames++;
  g_cond_signal (&arrived);
  g_mutex_unlock (&lock);
}

static void
wait_for_frames (guint cycle)
{
  gint64 end = g_get_monotonic_time () + 30 * G_TIME_SPAN_SECOND;
  gboolean came = TRUE;

  g_mutex_lock (&lock);
  while (n_frames < FRAMES && came)
    came = g_cond_wait_until (&arrived, &lock, end);
  n_frames = 0;
  g_mutex_unlock (&lock);
  fail_unless (came, "no media in cycle %u", cycle);
}

static GstElement *
new_receiver (void)
{
  GstElement *pipeline = launch (RECEIVER), *out = gst_bin_get_by_name (GST_BIN (pipeline), "out");

  g_signal_connect (out, "handoff", G_CALLBACK (on_handoff), NULL);
  gst_object_unref (out);
  return pipeline;
}

static gint
start_receiver (GstElement * pipeline)
{
  GstElement *src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  gint port;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_object_get (src, "port", &port, NULL);
  gst_object_unref (src);
  fail_unless (port > 0);
  return port;
}

static void
free_pipeline (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
check_growth (guint fds, guint threads)
{
  fail_unless (count_files () <= fds,
      "%u descriptors, %u before", count_files (), fds);
  /* idle threads of GStreamer's pool come and go; one leaked each time would be more */
  fail_unless (count_threads (NULL) < threads + cycles () / 2, "%u threads, %u before",
      count_threads (NULL), threads);
}

CLAIM_TIMEOUT_S (600)

CLAIM (test_new_pipelines_leave_nothing_behind)
{
  guint fds = 0, threads = 0, i;

  for (i = 0; i < WARM_CYCLES + cycles (); i++) {
    GstElement *receiver = new_receiver (), *sender;
    g_autofree gchar *text = g_strdup_printf (SENDER, start_receiver (receiver));

    sender = launch (text);
    gst_element_set_state (sender, GST_STATE_PLAYING);
    wait_for_frames (i);
    free_pipeline (sender);
    free_pipeline (receiver);
    if (i + 1 == WARM_CYCLES) {
      fds = count_files ();
      threads = count_threads (NULL);
    }
  }
  check_growth (fds, threads);
}

CLAIM (test_same_sender_starts_again)
{
  GstElement *receiver = new_receiver (), *sender;
  g_autofree gchar *text = g_strdup_printf (SENDER, start_receiver (receiver));
  guint fds = 0, threads = 0, i;

  sender = launch (text);
  for (i = 0; i < WARM_CYCLES + cycles (); i++) {
    /* each start has another port: arcsrc takes it for another sender, once the last has been
     * silent */
    GstElement *src = gst_bin_get_by_name (GST_BIN (receiver), "src");

    g_object_set (src, "sender-timeout", 20 * GST_MSECOND, NULL);
    gst_object_unref (src);
    gst_element_set_state (sender, GST_STATE_PLAYING);
    wait_for_frames (i);
    gst_element_set_state (sender, i % 2 ? GST_STATE_NULL : GST_STATE_READY);
    g_usleep (50000);
    if (i + 1 == WARM_CYCLES) {
      fds = count_files ();
      threads = count_threads (NULL);
    }
  }
  gst_element_set_state (sender, GST_STATE_READY);
  check_growth (fds + 1, threads);
  free_pipeline (sender);
  free_pipeline (receiver);
}
