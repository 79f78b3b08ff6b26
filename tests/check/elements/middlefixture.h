/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* An element with a source pad between a thread that feeds it and pads that count what comes out.
 * Each such element is a subject. */
#pragma once

#include <gio/gio.h>
#include <gst/rtp/rtp.h>

#include "claim.h"

#define PATIENCE_US (30 * G_USEC_PER_SEC)
#define ENOUGH 5
#define PACKET_US 2000
#define RTP_BYTES 60
#define RTP_CAPS "application/x-rtp,media=video,encoding-name=X-TEST,payload=96,clock-rate=90000," \
    "ssrc=(uint)7"
#define WIDTH 64
#define HEIGHT 48
#define RAW_CAPS "video/x-raw,format=I420,width=64,height=48,framerate=25/1"

typedef struct
{
  const gchar *line, *caps;
  gboolean queues;              /* a thread of its own pushes */
} Subject;

static const Subject subjects[] = {
  {"arcsrc port=0 address=127.0.0.1 caps=application/x-rtp", NULL, TRUE},
  {"arcreceiver", RTP_CAPS, FALSE},
  {"rtparcbwe", RTP_CAPS, TRUE},
  {"rampscheduler", RTP_CAPS, TRUE},
  {"arcscale", RAW_CAPS, FALSE},
};

typedef struct
{
  GstPad *pad;
  gint n;                       /* atomic: buffers that came */
} Follower;

typedef struct
{
  const Subject *subject;
  GstElement *element;
  GstPad *in, *src;             /* in: that feeds the element; NULL: its socket does */
  GstPad *requested;            /* of the element, or NULL */
  GSocket *socket;
  GThread *feeder;
  GMutex lock;                  /* held while a packet is pushed */
  gint over, last_ret;          /* atomic */
  guint16 n;
  Follower followers[2];
} Fixture;

#define wait_until(condition)                                                  \
  G_STMT_START {                                                               \
    gint64 end = g_get_monotonic_time () + PATIENCE_US;                        \
    while (!(condition)) {                                                     \
      fail_unless (g_get_monotonic_time () < end, "waited for %s", #condition); \
      g_usleep (1000);                                                         \
    }                                                                          \
  } G_STMT_END

/* --- before it --- */

static inline GstBuffer *
new_buffer (Fixture * f)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBuffer *buffer;

  f->n++;
  if (g_strcmp0 (f->subject->caps, RAW_CAPS) == 0) {
    buffer = gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 3 / 2, NULL);
    gst_buffer_memset (buffer, 0, 100, WIDTH * HEIGHT * 3 / 2);
    GST_BUFFER_PTS (buffer) = f->n * 40 * GST_MSECOND;
    return buffer;
  }
  buffer = gst_rtp_buffer_new_allocate (RTP_BYTES, 0, 0);
  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, 7);
  gst_rtp_buffer_set_seq (&rtp, f->n);
  gst_rtp_buffer_set_timestamp (&rtp, f->n * 3000u);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static inline void
send_datagram (Fixture * f, GstBuffer * buffer)
{
  g_autoptr (GSocketAddress) to = NULL;
  GstMapInfo map;
  gint port;

  g_object_get (f->element, "port", &port, NULL);
  to = g_inet_socket_address_new_from_string ("127.0.0.1", (guint) port);
  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_socket_send_to (f->socket, to, (const gchar *) map.data, map.size, NULL, NULL);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

static inline gpointer
feed (gpointer data)
{
  Fixture *f = data;

  while (!g_atomic_int_get (&f->over)) {
    g_mutex_lock (&f->lock);
    if (f->in)
      g_atomic_int_set (&f->last_ret, gst_pad_push (f->in, new_buffer (f)));
    else
      send_datagram (f, new_buffer (f));
    g_mutex_unlock (&f->lock);
    g_usleep (PACKET_US);
  }
  return NULL;
}

static inline GstPad *
sink_of (Fixture * f)
{
  GstPad *pad = gst_element_get_static_pad (f->element, "sink");

  if (!pad)
    pad = f->requested = gst_element_request_pad_simple (f->element, "sink_%u");
  return pad;
}

static inline void
link_input (Fixture * f)
{
  GstPad *sink = sink_of (f);
  g_autoptr (GstCaps) caps = gst_caps_from_string (f->subject->caps);
  GstSegment segment;

  f->in = gst_pad_new ("in", GST_PAD_SRC);
  gst_pad_set_active (f->in, TRUE);
  fail_unless_equals_int (gst_pad_link (f->in, sink), GST_PAD_LINK_OK);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (f->in, gst_event_new_stream_start ("relink"));
  gst_pad_push_event (f->in, gst_event_new_caps (caps));
  gst_pad_push_event (f->in, gst_event_new_segment (&segment));
  if (!f->requested)
    gst_object_unref (sink);
}

/* --- behind it --- */

static inline GstFlowReturn
count (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  g_atomic_int_inc (&((Follower *) gst_pad_get_element_private (pad))->n);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static inline void
follower_init (Follower * self)
{
  self->pad = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SINK));
  gst_pad_set_element_private (self->pad, self);
  gst_pad_set_chain_function (self->pad, count);
  gst_pad_set_active (self->pad, TRUE);
}

static inline void
follower_clear (Follower * self)
{
  gst_pad_set_active (self->pad, FALSE);
  gst_object_unref (self->pad);
}

static inline gboolean
flows_to (Fixture * f, guint i)
{
  return g_atomic_int_get (&f->followers[i].n) >= ENOUGH;
}

/* --- both --- */

static inline void
fixture_start_feeding (Fixture * f)
{
  g_atomic_int_set (&f->over, FALSE);
  f->feeder = g_thread_new ("feeder", feed, f);
}

static inline void
fixture_stop_feeding (Fixture * f)
{
  g_atomic_int_set (&f->over, TRUE);
  g_clear_pointer (&f->feeder, g_thread_join);
}

static inline void
fixture_init (Fixture * f, const Subject * subject)
{
  *f = (Fixture) { .subject = subject };
  g_mutex_init (&f->lock);
  f->element = gst_object_ref_sink (gst_parse_launch (subject->line, NULL));
  f->src = gst_element_get_static_pad (f->element, "src");
  for (guint i = 0; i < 2; i++)
    follower_init (&f->followers[i]);
  fail_unless_equals_int (gst_pad_link (f->src, f->followers[0].pad), GST_PAD_LINK_OK);
  f->socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP,
      NULL);
  gst_element_set_state (f->element, GST_STATE_PLAYING);
  if (subject->caps)
    link_input (f);
  fixture_start_feeding (f);
  wait_until (flows_to (f, 0));
}

static inline void
fixture_clear (Fixture * f)
{
  if (f->feeder)
    fixture_stop_feeding (f);
  gst_element_set_state (f->element, GST_STATE_NULL);
  if (f->requested)
    gst_element_release_request_pad (f->element, f->requested);
  gst_clear_object (&f->requested);
  if (f->in) {
    gst_pad_set_active (f->in, FALSE);
    gst_object_unref (f->in);
  }
  gst_object_unref (f->src);
  gst_object_unref (f->element);
  for (guint i = 0; i < 2; i++)
    follower_clear (&f->followers[i]);
  g_object_unref (f->socket);
  g_mutex_clear (&f->lock);
}
