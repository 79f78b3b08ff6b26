/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An arcsrc under test and those who send to it, over real sockets. */
#pragma once

#include <gst/arc/arc.h>
#include <gst/check/gstharness.h>
#include <gst/net/net.h>
#include <gst/rtp/rtp.h>

#include "rtp/rtcpwriter.h"
#include "quiet.h"
#include "readstat.h"
#include "boundsocket.h"
#include "rtpmedia.h"

#define SSRC 0x11111111
#define ANSWER_TIMEOUT_S 30
#define PAYLOAD_BYTES 300       /* pays for a notice and a report */

typedef struct
{
  GstHarness *media;
  GstElement *src;
  GstBus *bus;
} Receiver;

static inline void
receiver_open_at (Receiver * r, const gchar * address, gint port, GstClockTime timeout)
{
  r->src = gst_element_factory_make ("arcsrc", NULL);
  g_object_set (r->src, "address", address, "port", port, "timeout", timeout, NULL);
  r->bus = gst_bus_new ();
  gst_element_set_bus (r->src, r->bus);
  r->media = gst_harness_new_with_element (r->src, NULL, "src");
  gst_harness_use_systemclock (r->media);
  gst_harness_play (r->media);
}

/* At any free port. */
static inline void
receiver_open (Receiver * r, const gchar * address, GstClockTime timeout)
{
  receiver_open_at (r, address, 0, timeout);
}

static inline void
receiver_close (Receiver * r)
{
  gst_element_set_bus (r->src, NULL);
  gst_harness_teardown (r->media);
  gst_bus_set_flushing (r->bus, TRUE);
  gst_object_unref (r->bus);
  gst_object_unref (r->src);
}

#define RECEIVER(address, timeout) Receiver, r, \
    receiver_open (r, address, timeout), receiver_close (r)

static inline gint
receiver_port (Receiver * r)
{
  gint port;

  g_object_get (r->src, "port", &port, NULL);
  fail_unless (port > 0);
  return port;
}

/* Of an rmcsink that sends to it, protected by this key. */
static inline GstHarness *
harness_to (Receiver * r, GstElement * rmcsink, const gchar * key)
{
  GstHarness *h;

  g_object_set (rmcsink, "port", receiver_port (r), "start-bitrate", 20000000, "async", FALSE,
      "sync", FALSE, NULL);
  gst_util_set_object_arg (G_OBJECT (rmcsink), "congestion-control", "fixed");
  gst_util_set_object_arg (G_OBJECT (rmcsink), "srtp-key", key);
  h = gst_harness_new_with_element (rmcsink, "sink", NULL);
  gst_harness_set_src_caps_str (h, "application/x-rtp, media=video, payload=96, clock-rate=90000, "
      "encoding-name=X-TEST");
  gst_harness_play (h);
  return h;
}

static guint64
receiver_stat (Receiver * r, const gchar * name)
{
  return read_stat (r->src, name);
}

/* A counter may be raised just after what it counts was seen. */
static inline void
wait_stat (Receiver * r, const gchar * name, guint64 value)
{
  guint tries;

  for (tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && receiver_stat (r, name) != value; tries++)
    g_usleep (1000);
  fail_unless_equals_uint64 (receiver_stat (r, name), value);
}

/* A socket of a sender, on its own port. */
static inline GSocket *
sender_new (const gchar * address)
{
  GSocket *socket = bound_socket (address, 0);

  g_socket_set_timeout (socket, ANSWER_TIMEOUT_S);
  return socket;
}

static inline gint
sender_port (GSocket * socket)
{
  return bound_port (socket);
}

/* Takes the buffer. */
static inline void
sender_send (GSocket * socket, const gchar * address, gint port, GstBuffer * buffer)
{
  g_autoptr (GSocketAddress) to = g_inet_socket_address_new_from_string (address, port);
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  fail_unless_equals_int (g_socket_send_to (socket, to, (const gchar *) map.data, map.size,
          NULL, NULL), map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static inline GstBuffer *
media_new (guint32 ssrc, guint16 seq)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD_BYTES, 0, 0);
  AT_END (gst_rtp_buffer_unmap) GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  memset (gst_rtp_buffer_get_payload (&rtp), 0, PAYLOAD_BYTES);
  gst_rtp_buffer_set_ssrc (&rtp, ssrc);
  gst_rtp_buffer_set_seq (&rtp, seq);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  return buffer;
}

static inline void
send_rtp (GSocket * socket, Receiver * r, guint32 ssrc, guint16 seq)
{
  sender_send (socket, "127.0.0.1", receiver_port (r), media_new (ssrc, seq));
}

static inline GstBuffer *
info_new (guint64 cookie)
{
  RcSenderInfo info = {.ssrc = SSRC,.srtt_us = 40000,.report_interval_us = 50000,.cookie = cookie };

  return rtcp_new_infos (SSRC, &info, 1);
}

/* Waits for a datagram; *from_port where it came from. */
static inline GstBuffer *
sender_receive (GSocket * socket, gint * from_port)
{
  guint8 bytes[2048];
  g_autoptr (GSocketAddress) from = NULL;
  gssize size = g_socket_receive_from (socket, &from, (gchar *) bytes, sizeof (bytes), NULL, NULL);

  fail_unless (size > 0, "no answer");
  *from_port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (from));
  return gst_buffer_new_memdup (bytes, size);
}

/* The next notice; reports before it are lost. */
static inline RcNotice
sender_wait_notice (GSocket * socket)
{
  RtcpMessage feedback;
  gint from_port;

  do {
    g_autoptr (GstBuffer) buffer = sender_receive (socket, &from_port);

    fail_unless_equals_int (rtcp_message_read_buffer (&feedback, buffer), RTCP_VALID);
  } while (!feedback.noticed);
  return feedback.notice;
}

/* Which has sent media: waits for the cookie and brings it back. */
static inline void
sender_prove (GSocket * socket, Receiver * r)
{
  GstStructure *stats;
  gboolean proven = FALSE;

  sender_send (socket,
      "127.0.0.1", receiver_port (r), info_new (sender_wait_notice (socket).cookie));
  for (guint tries = 0; tries < 1000 * ANSWER_TIMEOUT_S && !proven; tries++) {
    g_usleep (1000);
    g_object_get (r->src, "stats", &stats, NULL);
    fail_unless (gst_structure_get_boolean (stats, "sender-proven", &proven));
    gst_structure_free (stats);
  }
  fail_unless (proven);
}

/* About SSRC, or about no media yet. Reports made before the last packet came may be on the way
 * still, and so may some about a sender that had the place before. */
static inline void
check_report_returns (GSocket * socket, Receiver * r, guint received_pkts)
{
  RtcpMessage feedback;
  gboolean is_about_it;
  guint i, received = 0;
  gint from_port;

  do {
    GstBuffer *report = sender_receive (socket, &from_port);

    fail_unless_equals_int (rtcp_message_read_buffer (&feedback, report), RTCP_VALID);
    gst_buffer_unref (report);
    fail_unless_equals_int (from_port, receiver_port (r));
    is_about_it = FALSE;
    for (i = 0; i < feedback.n_reports; i++) {
      if (feedback.reports[i].ssrc != SSRC && feedback.reports[i].ssrc != 0)
        continue;
      is_about_it = TRUE;
      received = feedback.reports[i].received_pkts;
    }
    fail_unless (received <= received_pkts);
  } while (!is_about_it || received < received_pkts);
}

static inline void
check_media_comes (Receiver * r, guint16 seq)
{
  g_autoptr (GstBuffer) buffer = gst_harness_pull (r->media);

  fail_unless_equals_int (rtp_header_of (buffer).seq, seq);
}

static inline void
check_no_datagram_waits (GSocket * socket)
{
  fail_unless ((g_socket_condition_check (socket, G_IO_IN) & G_IO_IN) == 0);
}

/* The next element message of the bin itself. */
static inline GstMessage *
wait_message (Receiver * r, const gchar * name)
{
  GstMessage *message = gst_bus_timed_pop_filtered (r->bus, ANSWER_TIMEOUT_S * GST_SECOND,
      GST_MESSAGE_ELEMENT);

  fail_unless (message != NULL, "no message %s", name);
  fail_unless (GST_MESSAGE_SRC (message) == GST_OBJECT (r->src));
  fail_unless_equals_string (gst_structure_get_name (gst_message_get_structure (message)), name);
  return message;
}
