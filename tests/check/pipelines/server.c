/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* examples/embed/serve.c as a process, with three viewers: one on a fast network, one behind 800
 * kbit/s, one that never answers. Real time. Each gets the picture that its network carries,
 * whatever the others do. */
#include <gio/gio.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../link/emulator.h"
#include "quiet.h"

#define FAST_PORT 15760
#define SLOW_PORT 15761
#define DEAD_PORT 15762
#define SERVE_S 14
#define FPS 25
#define LARGE_WIDTH 640

typedef struct
{
  GstElement *pipeline;
  gint frames, large_frames, width; /* atomic; of the last one */
} Receiver;

static void
on_decoded (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  Receiver *self = user_data;
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  gint width = 0;

  gst_structure_get_int (gst_caps_get_structure (caps, 0), "width", &width);
  g_atomic_int_inc (&self->frames);
  if (width == LARGE_WIDTH)
    g_atomic_int_inc (&self->large_frames);
  g_atomic_int_set (&self->width, width);
}

static void
receiver_start (Receiver * self, guint port)
{
  g_autofree gchar *text = g_strdup_printf ("arcsrc address=127.0.0.1 port=%u "
      "caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 "
      "! rtpjitterbuffer latency=100 ! rtph264depay ! avdec_h264 ! fakesink "
      "name=out signal-handoffs=true async=false sync=false", port);
  g_autoptr (GstElement) out = NULL;

  self->pipeline = gst_parse_launch (text, NULL);
  out = gst_bin_get_by_name (GST_BIN (self->pipeline), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (on_decoded), self);
  fail_if (gst_element_set_state (self->pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
}

static void
receiver_stop (Receiver * self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->pipeline);
  GST_INFO ("%d frames, %d of them large, the last one %d wide", self->frames, self->large_frames,
      self->width);
}

static GPid
start_link (guint * port)
{
  gchar *options = g_strdup_printf ("--listen 0 --to 127.0.0.1:%u --rate 800k --delay 20",
      SLOW_PORT);
  int stderr_fd;
  GPid pid;

  *port = emulator_listen (options, &pid, &stderr_fd);
  g_free (options);
  return pid;
}

static void
serve (guint slow_port)
{
  gchar *command = g_strdup_printf ("%s --seconds=%u 127.0.0.1:%u 127.0.0.1:%u 127.0.0.1:%u",
      SERVE, SERVE_S, FAST_PORT, slow_port, DEAD_PORT);
  g_auto (GStrv) argv = g_strsplit (command, " ", -1);
  GError *error = NULL;
  GSubprocess *process = g_subprocess_newv ((const gchar * const *) argv, G_SUBPROCESS_FLAGS_NONE,
      &error);

  fail_unless (process != NULL, "%s", error ? error->message : "");
  fail_unless (g_subprocess_wait_check (process, NULL, &error), "%s", error ? error->message : "");
  g_object_unref (process);
  g_free (command);
}

CLAIM_TIMEOUT_S (240)

TIMED_CLAIM (test_each_viewer_gets_what_its_network_carries)
{
  Receiver fast = { NULL }, slow = { NULL };
  guint slow_port;
  GPid link;

  receiver_start (&fast, FAST_PORT);
  receiver_start (&slow, SLOW_PORT);
  link = start_link (&slow_port);
  serve (slow_port);
  kill (link, SIGTERM);
  waitpid (link, NULL, 0);
  receiver_stop (&fast);
  receiver_stop (&slow);
  fail_unless (fast.width == LARGE_WIDTH, "%d wide after %d frames", fast.width, fast.frames);
  fail_unless (fast.frames > SERVE_S * FPS / 2, "%d frames", fast.frames);
  fail_unless (slow.frames > SERVE_S * FPS / 2, "%d frames", slow.frames);
  fail_unless (slow.large_frames < slow.frames / 2,
      "%d of %d frames large", slow.large_frames, slow.frames);
}
