/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Problem: a tee with a pad for each viewer, and a sink behind each, cost a fifth of a viewer's
 * packet, and each of their lists is gone through when a viewer joins. Rule: packets go by the
 * feed; caps, flushes and the end of the stream, which are rare, by a call to each sink. */

#include "serverfan.h"

#include "pacing/pacingengine.h"
#include "rmcsink/gstrmcsink.h"
#include "rmcsink/sinkserve.h"

#define MAX_APPEND 64
/* Packets after which the sinks look at what their paths carry in one piece. */
#define LOOK_EACH_PKTS 64
#define ETHERNET_RTP_BYTES 1472 /* over IPv4 */

struct _ServerFan
{
  GstBaseSink parent;
  JoinServer *server;
  Feed *feed;
  GstCaps *caps;                /* object lock; or NULL */
  guint packets;                /* streaming thread, as the next */
  guint least_rtp_bytes;        /* that any path is known to carry in one piece */
  gint interrupted;             /* atomic: nobody waits */
};

G_DEFINE_FINAL_TYPE (ServerFan, server_fan, GST_TYPE_BASE_SINK);

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink", GST_PAD_SINK,
    GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

void
server_fan_set_server (ServerFan * self, JoinServer * server)
{
  self->server = server;
}

Feed *
server_fan_get_feed (ServerFan * self)
{
  return self->feed;
}

GstCaps *
server_fan_dup_caps (ServerFan * self)
{
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  caps = self->caps ? gst_caps_ref (self->caps) : NULL;
  GST_OBJECT_UNLOCK (self);
  return caps;
}

/* Calls func for the sink of each viewer, until it returns FALSE. */
static gboolean
all (ServerFan * self, gboolean (*func) (ServerFan * self, GstRmcSink * sink, gpointer data),
    gpointer data)
{
  GPtrArray *guests = join_server_list (self->server);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < guests->len; i++) {
    GstRmcSink *sink = GST_RMC_SINK (((JoinGuest *) g_ptr_array_index (guests, i))->owner);

    if (gst_rmc_sink_is_fed (sink))
      ok = func (self, sink, data);
  }
  g_ptr_array_unref (guests);
  return ok;
}

/* --- packets --- */

static gboolean
note_size (ServerFan * self, GstRmcSink * sink, gpointer rtp_bytes)
{
  guint most = gst_rmc_sink_note_size (sink, *(gsize *) rtp_bytes);

  self->least_rtp_bytes = most > 0 ? MIN (self->least_rtp_bytes, most) : self->least_rtp_bytes;
  return TRUE;
}

static void
look_at_size (ServerFan * self, gsize rtp_bytes)
{
  gboolean due = ++self->packets % LOOK_EACH_PKTS == 1;

  if (due)
    self->least_rtp_bytes = ETHERNET_RTP_BYTES;
  if (due || rtp_bytes > self->least_rtp_bytes)
    all (self, note_size, &rtp_bytes);
}

static void
hand_out (ServerFan * self, GstBuffer ** buffers, guint n)
{
  feed_append (self->feed, buffers, n);
  pacing_engine_wake_fed ();
  for (guint i = 0; i < n; i++)
    look_at_size (self, gst_buffer_get_size (buffers[i]));
}

static GstFlowReturn
render (GstBaseSink * sink, GstBuffer * buffer)
{
  hand_out (SERVER_FAN (sink), &buffer, 1);
  return GST_FLOW_OK;
}

static GstFlowReturn
render_list (GstBaseSink * sink, GstBufferList * list)
{
  guint length = gst_buffer_list_length (list), n;
  GstBuffer *buffers[MAX_APPEND];

  for (guint i = 0; i < length; i += n) {
    n = MIN (length - i, MAX_APPEND);
    for (guint k = 0; k < n; k++)
      buffers[k] = gst_buffer_list_get (list, i + k);
    hand_out (SERVER_FAN (sink), buffers, n);
  }
  return GST_FLOW_OK;
}

/* --- all else --- */

static gboolean
follow_caps (ServerFan * self, GstRmcSink * sink, gpointer caps)
{
  gst_rmc_sink_follow_caps (sink, caps);
  return TRUE;
}

static gboolean
set_caps (GstBaseSink * sink, GstCaps * caps)
{
  ServerFan *self = SERVER_FAN (sink);

  GST_OBJECT_LOCK (self);
  gst_caps_replace (&self->caps, caps);
  GST_OBJECT_UNLOCK (self);
  return all (self, follow_caps, caps);
}

static gboolean
flush (ServerFan * self, GstRmcSink * sink, gpointer data)
{
  gst_rmc_sink_flush (sink);
  return TRUE;
}

static gboolean
event (GstBaseSink * sink, GstEvent * event)
{
  gboolean flushes = GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_START;
  gboolean ok = GST_BASE_SINK_CLASS (server_fan_parent_class)->event (sink, event);

  if (flushes)
    all (SERVER_FAN (sink), flush, NULL);
  return ok;
}

/* A viewer that leaves meanwhile is interrupted by itself, and nothing waits for it. */
static gboolean
finish (ServerFan * self, GstRmcSink * sink, gpointer data)
{
  return gst_rmc_sink_finish (sink) || !g_atomic_int_get (&self->interrupted);
}

static GstFlowReturn
wait_event (GstBaseSink * sink, GstEvent * event)
{
  GstFlowReturn ret = GST_BASE_SINK_CLASS (server_fan_parent_class)->wait_event (sink, event);

  while (ret == GST_FLOW_OK && GST_EVENT_TYPE (event) == GST_EVENT_EOS
      && !all (SERVER_FAN (sink), finish, NULL))
    ret = gst_base_sink_wait_preroll (sink);
  return ret;
}

static gboolean
set_interrupted (ServerFan * self, GstRmcSink * sink, gpointer interrupted)
{
  gst_rmc_sink_set_interrupted (sink, GPOINTER_TO_INT (interrupted));
  return TRUE;
}

static gboolean
unlock (GstBaseSink * sink)
{
  g_atomic_int_set (&SERVER_FAN (sink)->interrupted, TRUE);
  return all (SERVER_FAN (sink), set_interrupted, GINT_TO_POINTER (TRUE));
}

static gboolean
unlock_stop (GstBaseSink * sink)
{
  g_atomic_int_set (&SERVER_FAN (sink)->interrupted, FALSE);
  return all (SERVER_FAN (sink), set_interrupted, GINT_TO_POINTER (FALSE));
}

/* The feed's last packets are of a pool, perhaps of a device that another process waits for. */
static gboolean
stop (GstBaseSink * sink)
{
  feed_append (SERVER_FAN (sink)->feed, NULL, 0);
  GST_OBJECT_LOCK (sink);
  gst_caps_replace (&SERVER_FAN (sink)->caps, NULL);
  GST_OBJECT_UNLOCK (sink);
  return TRUE;
}

static void
finalize (GObject * object)
{
  gst_caps_replace (&SERVER_FAN (object)->caps, NULL);
  feed_unref (SERVER_FAN (object)->feed);
  G_OBJECT_CLASS (server_fan_parent_class)->finalize (object);
}

static void
server_fan_init (ServerFan * self)
{
  self->feed = feed_new ();
  gst_base_sink_set_sync (GST_BASE_SINK (self), FALSE);
  gst_base_sink_set_last_sample_enabled (GST_BASE_SINK (self), FALSE);
}

static void
server_fan_class_init (ServerFanClass * klass)
{
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  gst_element_class_add_static_pad_template (GST_ELEMENT_CLASS (klass), &sink_template);
  sink_class->render = render;
  sink_class->render_list = render_list;
  sink_class->set_caps = set_caps;
  sink_class->event = event;
  sink_class->wait_event = wait_event;
  sink_class->unlock = unlock;
  sink_class->unlock_stop = unlock_stop;
  sink_class->stop = stop;
}
