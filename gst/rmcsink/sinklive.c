/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live or not: whether frames may be dropped, and whether the clock is waited for. */

#include "gstrmcsinkprivate.h"

static void
set_live (GstRmcSink * self, gboolean live)
{
  g_atomic_int_set (&self->live, live);
  /* One of many receivers must not keep the others waiting. */
  session_host_set_live (&self->host, live || self->served);
  if (!g_atomic_int_get (&self->sync_by_user))
    gst_base_sink_set_sync (GST_BASE_SINK (self), !live);
  GST_INFO_OBJECT (self, "upstream is %slive", live ? "" : "not ");
}

gboolean
gst_rmc_sink_ask_live (GstRmcSink * self)
{
  gboolean live, known = session_host_ask_live (&self->host, &live);

  if (known)
    set_live (self, live);
  return known;
}

/* Before the base class waits for the clock: it must know by then whether it shall. */
static GstFlowReturn
gst_rmc_sink_prepare (GstBaseSink * sink, GstBuffer * buffer)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (sink);

  if (!g_atomic_int_get (&self->host.live_known) && !gst_rmc_sink_ask_live (self))
    set_live (self, FALSE);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_rmc_sink_prepare_list (GstBaseSink * sink, GstBufferList * list)
{
  return gst_rmc_sink_prepare (sink, NULL);
}

/* What the user sets `sync` to holds. */
static void
gst_rmc_sink_notify (GObject * object, GParamSpec * pspec)
{
  if (g_str_equal (pspec->name, "sync"))
    g_atomic_int_set (&GST_RMC_SINK_CAST (object)->sync_by_user, TRUE);
  session_host_on_notify (&GST_RMC_SINK_CAST (object)->host, pspec);
}

/* Latency is distributed anew: perhaps a stream has joined, or an encoder did not know before. */
static gboolean
gst_rmc_sink_send_event (GstElement * element, GstEvent * event)
{
  gpointer parent_class = g_type_class_peek_parent (G_OBJECT_GET_CLASS (element));

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY)
    g_atomic_int_set (&GST_RMC_SINK_CAST (element)->host.live_known, FALSE);
  return GST_ELEMENT_CLASS (parent_class)->send_event (element, event);
}

void
gst_rmc_sink_install_live (GstRmcSinkClass * klass)
{
  GstBaseSinkClass *sink_class = GST_BASE_SINK_CLASS (klass);

  G_OBJECT_CLASS (klass)->notify = gst_rmc_sink_notify;
  GST_ELEMENT_CLASS (klass)->send_event = gst_rmc_sink_send_event;
  sink_class->prepare = gst_rmc_sink_prepare;
  sink_class->prepare_list = gst_rmc_sink_prepare_list;
}
