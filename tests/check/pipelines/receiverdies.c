/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Real elements, encoder and sockets: a receiver that comes late, dies, and is replaced. `stop`
 * is shortened from 5 s to 1 s; what is asked for is that media then stops, and that it is back
 * within 3 s of the receiver. */
#include "quiet.h"
#include "readstat.h"

#define PORT 15714
#define SENDER \
    "videotestsrc is-live=true pattern=smpte horizontal-speed=3 " \
    "! video/x-raw,width=320,height=180,framerate=30/1 ! x264enc tune=zerolatency " \
    "speed-preset=ultrafast key-int-max=3000 ! rtph264pay config-interval=-1 mtu=1200 " \
    "! rmcsink name=sink port=15714 max-bitrate=1000000 controller-params=\"params,stop=1.0\""
#define RECEIVER \
    "arcsrc address=127.0.0.1 port=15714 " \
    "caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 " \
    "! rtph264depay ! avdec_h264 ! fakesink name=out signal-handoffs=true async=false sync=false"
#define BACK_WITHIN (3 * G_TIME_SPAN_SECOND)
#define PATIENCE (30 * G_TIME_SPAN_SECOND)
#define DECODED_FRAMES 10

static gint n_decoded;

static void
on_handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  g_atomic_int_inc (&n_decoded);
}

static GstElement *
play (const gchar * text)
{
  GError *error = NULL;
  GstElement *pipeline = gst_parse_launch (text, &error), *out;

  fail_unless (error == NULL, "%s", error ? error->message : "");
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  if (out) {
    g_signal_connect (out, "handoff", G_CALLBACK (on_handoff), NULL);
    gst_object_unref (out);
  }
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

static guint64
sent (GstElement * sender, gboolean * stopped)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (sender), "sink");

  *stopped = stat_reads (sink, "state", "stopped");
  return read_stat (sink, "packets-sent");
}

static void
check_media_stops (GstElement * sender)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  gboolean stopped = FALSE;
  guint64 before, packets;
  QuietWatch *watch;

  while (!stopped && g_get_monotonic_time () < end) {
    g_usleep (100000);
    before = sent (sender, &stopped);
  }
  fail_unless (stopped);
  watch = quiet_watch_new ();
  g_usleep (500000);
  packets = sent (sender, &stopped);
  quiet_figure (watch, packets == before, "%u packets of media that had stopped",
      (guint) (packets - before));
}

/* Decoded, so a keyframe came too: the pictures before are gone, and the next one is 3000 frames
 * away. */
static GstElement *
check_media_comes (void)
{
  gint64 begin = g_get_monotonic_time ();
  QuietWatch *watch = quiet_watch_new ();
  GstElement *receiver;

  g_atomic_int_set (&n_decoded, 0);
  receiver = play (RECEIVER);
  while (g_atomic_int_get (&n_decoded) < DECODED_FRAMES
      && g_get_monotonic_time () < begin + PATIENCE)
    g_usleep (10000);
  fail_unless (g_atomic_int_get (&n_decoded) >= DECODED_FRAMES, "%d frames in 30 s",
      g_atomic_int_get (&n_decoded));
  quiet_figure (watch, g_get_monotonic_time () < begin + BACK_WITHIN, "media came after %d ms",
      (gint) ((g_get_monotonic_time () - begin) / 1000));
  return receiver;
}

CLAIM_TIMEOUT_S (150)

CLAIM (test_receiver_may_come_late_die_and_come_back)
{
  GstElement *sender = play (SENDER), *receiver;

  check_media_stops (sender);
  receiver = check_media_comes ();
  g_usleep (1000000);
  claim_stop (receiver);
  check_media_stops (sender);
  receiver = check_media_comes ();
  claim_stop (receiver);
  claim_stop (sender);
}
