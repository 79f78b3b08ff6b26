/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An rmcsink between a pad that the test drives and a socket that it reads. */
#pragma once

#include <rtp/rtcpwriter.h>
#include <gio/gio.h>
#include <gst/arc/arc.h>
#include <gst/video/video.h>

#include "quiet.h"
#include "rtpmedia.h"
#include "readstat.h"
#include "boundsocket.h"

#define SSRC 0x12345678
#define RECEIVER_SSRC 0xabcdef01
#define PATIENCE (30 * RC_SECOND)  /* with what must come, however slow the machine is */
#define RTP_CAPS \
    "application/x-rtp, media=video, encoding-name=X-TEST, payload=96, clock-rate=90000"

G_GNUC_UNUSED static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

typedef struct
{
  GstElement *sink;
  GstPad *src;                  /* feeds the sink */
  GstBus *bus;
  GSocket *socket;              /* the receiver's */
  guint port;
  GSocketAddress *sender;       /* where packets came from; NULL before the first */
  gboolean live, mute;          /* what the pad answers; mute: nothing */
  guint16 seq;
  gint keyframe_events, target_events;  /* atomic */
  guint target_bps, target_ssrc, keyframe_ssrc; /* of the last event */
} Fixture;

typedef struct
{
  guint8 data[2048];
  gssize size;
  RcTime at;
  gboolean rtcp;
  guint16 seq;
  guint32 timestamp;
} Datagram;

static inline GSocket *
socket_new (GSocketFamily family, guint * port)
{
  GSocket *socket = bound_socket (family == G_SOCKET_FAMILY_IPV4 ? "127.0.0.1" : "::1", 0);

  g_socket_set_option (socket, 1 /* SOL_SOCKET */ , 8 /* SO_RCVBUF */ , 4 << 20, NULL);
  *port = bound_port (socket);
  return socket;
}

static inline gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  Fixture *f = pad->querydata;

  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, query);
  gst_query_set_latency (query, f->live, 0, GST_CLOCK_TIME_NONE);
  return !f->mute;
}

static inline gboolean
src_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Fixture *f = pad->eventdata;
  const GstStructure *s = gst_event_get_structure (event);

  if (s && gst_structure_has_name (s, GST_ARC_TARGET_BITRATE)) {
    /* Not check's own words: this is a worker, which may outlive the test's end. */
    g_assert_true (gst_structure_get_uint (s, "bitrate", &f->target_bps));
    g_assert_true (gst_structure_get_uint (s, "ssrc", &f->target_ssrc));
    g_atomic_int_inc (&f->target_events);
  }
  if (gst_video_event_is_force_key_unit (event)) {
    g_assert_true (gst_structure_get_uint (s, "ssrc", &f->keyframe_ssrc));
    g_atomic_int_inc (&f->keyframe_events);
  }
  gst_event_unref (event);
  return TRUE;
}

/* properties: as in a launch line. The sink is left in NULL. */
static inline void
fixture_init (Fixture * f, gboolean live, const gchar * properties)
{
  g_autofree gchar *line = NULL;

  *f = (Fixture) {.live = live };
  f->socket = socket_new (G_SOCKET_FAMILY_IPV4, &f->port);
  line = g_strdup_printf ("rmcsink name=sink port=%u %s", f->port, properties);
  f->sink = gst_parse_launch_full (line, NULL, GST_PARSE_FLAG_NONE, NULL);
  fail_unless (f->sink != NULL);
  gst_object_ref_sink (f->sink);
  f->bus = gst_bus_new ();
  gst_element_set_bus (f->sink, f->bus);
  f->src = gst_check_setup_src_pad (f->sink, &src_template);
  gst_pad_set_query_function_full (f->src, src_query, f, NULL);
  gst_pad_set_event_function_full (f->src, src_event, f, NULL);
}

static inline void
push_first_events (Fixture * f)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (RTP_CAPS);

  gst_check_setup_events (f->src, f->sink, caps, GST_FORMAT_TIME);
}

static inline void
fixture_play (Fixture * f)
{
  fail_if (gst_element_set_state (f->sink, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE);
  gst_pad_set_active (f->src, TRUE);
  push_first_events (f);
}

static inline void
fixture_stop (Fixture * f)
{
  fail_unless_equals_int (gst_element_set_state (f->sink, GST_STATE_NULL),
      GST_STATE_CHANGE_SUCCESS);
  gst_pad_set_active (f->src, FALSE);
}

static inline void
fixture_clear (Fixture * f)
{
  fixture_stop (f);
  gst_check_teardown_src_pad (f->sink);
  gst_element_set_bus (f->sink, NULL);
  gst_object_unref (f->bus);
  gst_object_unref (f->sink);
  g_clear_object (&f->sender);
  g_object_unref (f->socket);
}

#define SINK(live, properties) Fixture, f, fixture_init (f, live, properties), fixture_clear (f)

static inline GstFlowReturn
push_frame (Fixture * f, guint32 timestamp, gboolean delta, guint packets, guint rtp_bytes)
{
  GstFlowReturn ret = GST_FLOW_OK;

  while (packets-- > 0 && ret == GST_FLOW_OK)
    ret = gst_pad_push (f->src, rtp_new (SSRC, f->seq++, timestamp, delta, rtp_bytes));
  return ret;
}

/* FALSE: nothing came in time. */
static inline gboolean
receive (Fixture * f, Datagram * out, RcTime timeout)
{
  GSocketAddress *from = NULL;

  if (!g_socket_condition_timed_wait (f->socket, G_IO_IN, timeout / RC_USEC, NULL, NULL))
    return FALSE;
  out->at = monotonic_ns ();
  out->size = g_socket_receive_from (f->socket, &from, (gchar *) out->data, sizeof out->data,
      NULL, NULL);
  fail_unless (out->size >= 0);
  g_clear_object (&f->sender);
  f->sender = from;
  out->rtcp = rtcp_is_rtcp (out->data, (gsize) out->size);
  out->seq = GST_READ_UINT16_BE (out->data + 2);
  out->timestamp = GST_READ_UINT32_BE (out->data + 4);
  return TRUE;
}

static inline gboolean
receive_rtp (Fixture * f, Datagram * out, RcTime timeout)
{
  RcTime until = monotonic_ns () + timeout, now;

  while ((now = monotonic_ns ()) < until)
    if (receive (f, out, until - now) && !out->rtcp)
      return TRUE;
  return FALSE;
}

static inline void
send_buffer (Fixture * f, GstBuffer * buffer)
{
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_READ));
  fail_unless (g_socket_send_to (f->socket, f->sender, (gchar *) map.data, map.size, NULL,
          NULL) > 0);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* Answers to whom sent last. */
static inline void
send_report (Fixture * f, RcReport report)
{
  send_buffer (f, rtcp_new_reports (RECEIVER_SSRC, &report, 1));
}

/* A statistics counter (uint64 or uint). */
static inline guint64
stat_of (Fixture * f, const gchar * field)
{
  return read_stat (f->sink, field);
}

static inline gboolean
state_is (Fixture * f, const gchar * state)
{
  return stat_reads (f->sink, "state", state);
}
