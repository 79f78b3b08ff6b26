/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The receiver starts while the sender already runs: its socket is open, and fills, before the
 * pipeline has a base time. Fifty times, each time until frames come through a jitter buffer.
 * GST_ARC_STARTS sets how often. */
#include <gio/gio.h>
#include <stdlib.h>

#include "claim.h"

#define RECEIVER \
    "arcsrc name=src address=127.0.0.1 " \
    "port=%u caps=application/x-rtp,media=video,encoding-name=H264,payload=96,clock-rate=90000 " \
    "! rtpjitterbuffer latency=20 ! fakesink name=out signal-handoffs=true sync=false"
#define PACKETS 5               /* show that media flows */
#define PATIENCE (30 * G_TIME_SPAN_SECOND)
#define PACKET_DISTANCE (2 * G_TIME_SPAN_MILLISECOND)   /* 4.8 Mbit/s: some come into each start */

static GMutex lock;
static GCond arrived;
static guint n_packets;
static gint stop;

static guint
starts (void)
{
  const gchar *text = g_getenv ("GST_ARC_STARTS");

  return text ? (guint) atoi (text) : 50;
}

/* To a port, whoever is there, as a sender would that does not stop for silence. */
static gpointer
send_media (gpointer to)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  guint8 packet[1200] = { 0x80, 96,[8] = 1, 2, 3, 4 };
  gint64 start = g_get_monotonic_time ();
  guint16 seq;

  for (seq = 0; !g_atomic_int_get (&stop); seq++) {
    gint64 elapsed = g_get_monotonic_time () - start;

    GST_WRITE_UINT16_BE (packet + 2, seq);
    GST_WRITE_UINT32_BE (packet + 4, (guint32) (elapsed * 9 / 100));
    g_socket_send_to (socket, to, (const gchar *) packet, sizeof packet, NULL, NULL);
    g_usleep (PACKET_DISTANCE);
  }
  return NULL;
}

static void
on_handoff (GstElement * sink, GstBuffer * buffer, GstPad * pad, gpointer user_data)
{
  g_mutex_lock (&lock);
  n_packets++;
  g_cond_signal (&arrived);
  g_mutex_unlock (&lock);
}

static gboolean
wait_for_packets (void)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  gboolean came = TRUE;

  g_mutex_lock (&lock);
  while (n_packets < PACKETS && came)
    came = g_cond_wait_until (&arrived, &lock, end);
  g_mutex_unlock (&lock);
  return came;
}

static gboolean
start_once (guint port)
{
  g_autofree gchar *text = g_strdup_printf (RECEIVER, port);
  g_autoptr (GstElement) pipeline = gst_parse_launch (text, NULL), out = NULL;
  gboolean came;

  fail_unless (pipeline != NULL);
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  g_signal_connect (out, "handoff", G_CALLBACK (on_handoff), NULL);
  n_packets = 0;
  /* a pipeline takes its time from READY to PLAYING: decoders, displays */
  gst_element_set_state (pipeline, GST_STATE_READY);
  g_usleep (5 * G_TIME_SPAN_MILLISECOND);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  came = wait_for_packets ();
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return came;
}

/* A port that was free just now. */
static GSocketAddress *
find_port (void)
{
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GSocketAddress *any = g_inet_socket_address_new_from_string ("127.0.0.1", 0), *local;

  fail_unless (g_socket_bind (socket, any, FALSE, NULL));
  local = g_socket_get_local_address (socket, NULL);
  g_object_unref (any);
  return local;
}

CLAIM_TIMEOUT_S (300)

CLAIM (test_media_comes_at_each_start_beside_a_running_sender)
{
  GSocketAddress *to = find_port ();
  guint i, n = starts (), port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (to));
  GThread *sender = g_thread_new ("sender", send_media, to);

  for (i = 0; i < n && start_once (port); i++);
  g_atomic_int_set (&stop, TRUE);
  g_thread_join (sender);
  g_object_unref (to);
  fail_unless (i == n, "start %u of %u is without media", i + 1, n);
}
