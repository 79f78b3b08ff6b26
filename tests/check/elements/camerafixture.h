/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A live source behind an rmcsink that sends all the time, and an arcsrc that counts what it
 * gets. In real time. */
#pragma once

#include "rmcsinkfixture.h"

#define FRAME_TIME 10000        /* us */

typedef struct
{
  Fixture fixture;
  GThread *thread;
  gint ends;                    /* atomic */
  guint packets;                /* a frame, of packet_bytes */
  gsize packet_bytes;
} Camera;

/* Keyframes at the beginning and when asked for. */
static inline gpointer
push_frames (gpointer data)
{
  Camera *camera = data;
  gint keyframes = -1, asked;

  for (guint i = 0; !g_atomic_int_get (&camera->ends); i++) {
    asked = g_atomic_int_get (&camera->fixture.keyframe_events);
    push_frame (&camera->fixture, i * 900, asked == keyframes, camera->packets,
        camera->packet_bytes);
    keyframes = asked;
    g_usleep (FRAME_TIME);
  }
  return NULL;
}

static inline void
camera_start_with (Camera * camera, const gchar * host, guint port, const gchar * properties,
    guint packets, gsize packet_bytes)
{
  gchar *line = g_strdup_printf ("adapt-encoder=false host=%s port=%u %s", host, port, properties);

  *camera = (Camera) {.packets = packets,.packet_bytes = packet_bytes };
  fixture_init (&camera->fixture, TRUE, line);
  fixture_play (&camera->fixture);
  camera->thread = g_thread_new ("camera", push_frames, camera);
  g_free (line);
}

/* 400 kbit/s */
static inline void
camera_start (Camera * camera, const gchar * host, guint port, const gchar * properties)
{
  camera_start_with (camera, host, port, properties, 1, 500);
}

static inline void
camera_stop (Camera * camera)
{
  g_atomic_int_set (&camera->ends, TRUE);
  g_thread_join (camera->thread);
  fixture_clear (&camera->fixture);
}

typedef struct
{
  GstElement *pipeline, *source;
  guint port;
  gint packets;                 /* atomic */
} Receiver;

static inline void
on_handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  g_atomic_int_inc (&((Receiver *) user_data)->packets);
}

static inline void
receiver_start (Receiver * receiver, const gchar * address, guint port)
{
  g_autofree gchar *line = g_strdup_printf ("arcsrc name=source address=%s "
      "port=%u caps=application/x-rtp,clock-rate=90000 ! fakesink name=out signal-handoffs=true "
      "sync=false async=false", address, port);
  g_autoptr (GstElement) out = NULL;

  *receiver = (Receiver) { 0 };
  receiver->pipeline = gst_parse_launch (line, NULL);
  receiver->source = gst_bin_get_by_name (GST_BIN (receiver->pipeline), "source");
  out = gst_bin_get_by_name (GST_BIN (receiver->pipeline), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (on_handoff), receiver);
  fail_if (gst_element_set_state (receiver->pipeline, GST_STATE_PLAYING)
      == GST_STATE_CHANGE_FAILURE);
  g_object_get (receiver->source, "port", &receiver->port, NULL);
}

static inline void
receiver_stop (Receiver * receiver)
{
  gst_element_set_state (receiver->pipeline, GST_STATE_NULL);
  gst_object_unref (receiver->source);
  gst_object_unref (receiver->pipeline);
}

static inline void
assert_media (Receiver * receiver, guint packets, gint64 within_us, const gchar * what)
{
  gint64 begin = g_get_monotonic_time (), us;
  gint before = g_atomic_int_get (&receiver->packets);
  QuietWatch *watch = quiet_watch_new ();

  wait_until (g_atomic_int_get (&receiver->packets) >= before + (gint) packets);
  us = g_get_monotonic_time () - begin;
  quiet_figure (watch, us < within_us, "%s: %u packets in %d ms", what, packets,
      (gint) (us / 1000));
}
