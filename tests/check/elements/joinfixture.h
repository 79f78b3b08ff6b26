/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Pipelines that call and are called. Include quiet.h before. */
#pragma once

#include <gio/gio.h>
#include <rtp/rtcpmessage.h>
#include <rtp/rtcpwriter.h>

#include "rtpmedia.h"
#include "bustext.h"

#define MEDIA "audiotestsrc is-live=true samplesperbuffer=160 ! audio/x-raw,rate=8000 ! mulawenc " \
    "! rtppcmupay "
#define VIEW "rtppcmudepay ! fakesink name=out sync=false"
#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define OTHER_KEY "ff0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

static inline GstElement *
join_launch (const gchar * format, ...)
{
  GError *error = NULL;
  GstElement *pipeline;
  va_list args;
  g_autofree gchar *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (text, &error);
  fail_unless (error == NULL, "%s: %s", text, error ? error->message : "");
  return pipeline;
}

static inline GstPadProbeReturn
join_count (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  g_atomic_int_inc ((gint *) user_data);
  return GST_PAD_PROBE_OK;
}

/* Counts the buffers of its `out`. */
static inline GstElement *
join_play (GstElement * pipeline, gint * count)
{
  GstElement *out = gst_bin_get_by_name (GST_BIN (pipeline), "out");

  if (out) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (out, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, join_count, count, NULL);
    gst_object_unref (out);
  }
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

static inline guint
join_port (GstElement * pipeline)
{
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  guint port;

  g_object_get (sink, "port", &port, NULL);
  return port;
}

/* The text of the next message of that type; g_free(). */
static inline gchar *
join_await_text (GstElement * pipeline, GstMessageType type)
{
  gchar *text = element_text (pipeline, 30 * GST_SECOND, type);

  fail_unless (text != NULL, "no message");
  return text;
}

/* So many more buffers come. */
#define await_media(count, n)                                                  \
  G_STMT_START {                                                               \
    gint wanted = g_atomic_int_get (&(count)) + (n);                           \
    wait_until (g_atomic_int_get (&(count)) >= wanted);                        \
  } G_STMT_END

static inline GSocket *
join_socket (void)
{
  return g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, NULL);
}

static inline void
join_send_call (GSocket * socket, GSocketAddress * to, const RcCall * call)
{
  g_autoptr (GstBuffer) buffer = rtcp_new_call (call);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (socket, to, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
}

/* The next answer to a call from this socket; media may come before. */
static inline RcAnswer
await_answer (GSocket * socket)
{
  RtcpMessage message = { 0 };
  guint8 data[2048];
  gssize size;

  do {
    fail_unless (g_socket_condition_timed_wait (socket, G_IO_IN, 5 * G_USEC_PER_SEC, NULL, NULL));
    size = g_socket_receive (socket, (gchar *) data, sizeof data, NULL, NULL);
    fail_unless (size > 0);
  } while (rtcp_message_read (&message, data, (gsize) size) != RTCP_VALID || !message.answered);
  return message.answer;
}
