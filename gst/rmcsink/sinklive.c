/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Live or not: whether frames may be dropped, and whether the clock is waited for. */

#include "gstrmcsinkprivate.h"

#include <gst/arc/arc.h>

/* A rampscheduler upstream holds the queues, and drops what is too late. So that its order counts,
 * nothing waits here: it gets our pacer, and pushes each packet when it is due. */
static gboolean
ask_scheduled (GstRmcSink * self, RmcSession * session)
{
  GstQuery *query = gst_query_new_custom (GST_QUERY_CUSTOM,
      gst_structure_new (GST_ARC_QUEUES_UPSTREAM, "overhead", G_TYPE_UINT, self->overhead_bytes,
          "pacer", PACER_TYPE, rmc_session_get_pacer (session), NULL));
  gboolean scheduled = gst_pad_peer_query (GST_BASE_SINK_PAD (self), query);

  gst_query_unref (query);
  return scheduled;
}

static void
set_live (GstRmcSink * self, gboolean live)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);

  if (session)
    rmc_session_set_live (session, live && !ask_scheduled (self, session));
  if (!g_atomic_int_get (&self->sync_by_user))
    gst_base_sink_set_sync (GST_BASE_SINK (self), !live);
  g_atomic_int_set (&self->live_known, session != NULL);
  g_clear_pointer (&session, rmc_session_unref);
  GST_INFO_OBJECT (self, "upstream is %slive", live ? "" : "not ");
}

gboolean
gst_rmc_sink_ask_live (GstRmcSink * self)
{
  GstQuery *query = gst_query_new_latency ();
  gboolean live, known = gst_pad_peer_query (GST_BASE_SINK_PAD (self), query);

  if (known) {
    gst_query_parse_latency (query, &live, NULL, NULL);
    set_live (self, live);
  }
  gst_query_unref (query);
  return known;
}

/* Before the base class waits for the clock: it must know by then whether it shall. */
static GstFlowReturn
gst_rmc_sink_prepare (GstBaseSink * sink, GstBuffer * buffer)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (sink);

  if (!g_atomic_int_get (&self->live_known) && !gst_rmc_sink_ask_live (self))
    set_live (self, FALSE);
  return GST_FLOW_OK;
}

static GstFlowReturn
gst_rmc_sink_prepare_list (GstBaseSink * sink, GstBufferList * list)
{
  return gst_rmc_sink_prepare (sink, NULL);
}

/* Whoever sets `sync` shall have it. */
static void
gst_rmc_sink_notify (GObject * object, GParamSpec * pspec)
{
  if (g_str_equal (pspec->name, "sync"))
    g_atomic_int_set (&GST_RMC_SINK_CAST (object)->sync_by_user, TRUE);
  /* Here and not where they are set: of several set at a time this comes after the last. */
  else if (g_str_has_suffix (pspec->name, "-bitrate") && !g_str_equal (pspec->name,
          "target-bitrate"))
    gst_rmc_sink_check_limits (GST_RMC_SINK_CAST (object));
}

/* Latency is distributed anew: perhaps a stream has joined, or an encoder could not tell before. */
static gboolean
gst_rmc_sink_send_event (GstElement * element, GstEvent * event)
{
  gpointer parent_class = g_type_class_peek_parent (G_OBJECT_GET_CLASS (element));

  if (GST_EVENT_TYPE (event) == GST_EVENT_LATENCY)
    g_atomic_int_set (&GST_RMC_SINK_CAST (element)->live_known, FALSE);
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
