/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Request pads for somebody else's RTCP, as rtpbin's, over our socket. */

#include "gstrmcsinkprivate.h"

static GstStaticPadTemplate rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("rtcp_sink", GST_PAD_SINK, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src", GST_PAD_SRC, GST_PAD_REQUEST,
    GST_STATIC_CAPS ("application/x-rtcp"));

void
gst_rmc_sink_add_rtcp_templates (GstElementClass * klass)
{
  gst_element_class_add_static_pad_template (klass, &rtcp_sink_template);
  gst_element_class_add_static_pad_template (klass, &rtcp_src_template);
}

static GstFlowReturn
rtcp_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  RmcSession *session = gst_rmc_sink_dup_session (GST_RMC_SINK (parent));

  if (session) {
    rmc_session_push_rtcp (session, buffer);
    rmc_session_unref (session);
  }
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* RTCP ends and flushes without us: nothing to pass on. */
static gboolean
rtcp_sink_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

static gboolean
rtcp_src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  switch (GST_QUERY_TYPE (query)) {
    case GST_QUERY_LATENCY:
      gst_query_set_latency (query, TRUE, 0, GST_CLOCK_TIME_NONE);
      return TRUE;
    case GST_QUERY_CAPS:
    case GST_QUERY_ACCEPT_CAPS:
      return gst_pad_query_default (pad, parent, query);
    default:
      return FALSE;
  }
}

/* What goes in here does not come out there. */
static GstIterator *
no_links (GstPad * pad, GstObject * parent)
{
  return NULL;
}

static void
set_wants_rtcp (GstRmcSink * self, gboolean wants)
{
  RmcSession *session = gst_rmc_sink_dup_session (self);

  if (session) {
    rmc_session_set_wants_rtcp (session, wants);
    rmc_session_unref (session);
  }
}

GstPad *
gst_rmc_sink_request_pad (GstElement * element, GstPadTemplate * template, const gchar * name, const GstCaps * caps)
{
  GstRmcSink *self = GST_RMC_SINK (element);
  gboolean is_sink = GST_PAD_TEMPLATE_DIRECTION (template) == GST_PAD_SINK;
  GstPad **place = is_sink ? &self->rtcp_sink : &self->rtcp_src, *pad;

  pad = gst_pad_new_from_template (template, GST_PAD_TEMPLATE_NAME_TEMPLATE (template));
  GST_OBJECT_LOCK (self);
  if (*place) {
    GST_OBJECT_UNLOCK (self);
    GST_WARNING_OBJECT (self, "pad %s exists already", GST_PAD_NAME (pad));
    gst_object_unref (pad);
    return NULL;
  }
  *place = pad;
  GST_OBJECT_UNLOCK (self);

  GST_PAD_SET_ACCEPT_INTERSECT (pad);
  gst_pad_set_iterate_internal_links_function (pad, no_links);
  if (is_sink) {
    gst_pad_set_chain_function (pad, rtcp_chain);
    gst_pad_set_event_function (pad, rtcp_sink_event);
  } else {
    gst_pad_set_query_function (pad, rtcp_src_query);
    set_wants_rtcp (self, TRUE);
  }
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (element, pad);
  return pad;
}

void
gst_rmc_sink_release_pad (GstElement * element, GstPad * pad)
{
  GstRmcSink *self = GST_RMC_SINK (element);

  GST_OBJECT_LOCK (self);
  if (pad == self->rtcp_sink)
    self->rtcp_sink = NULL;
  else
    self->rtcp_src = NULL;
  GST_OBJECT_UNLOCK (self);
  if (GST_PAD_IS_SRC (pad))
    set_wants_rtcp (self, FALSE);
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

static void
push_first_events (GstPad * pad)
{
  gchar *id = g_strdup_printf ("rmcsink/rtcp/%08x", g_random_int ());
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-rtcp");
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start (id));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  g_free (id);
}

void
gst_rmc_sink_push_rtcp (GstRmcSink * self, GQueue * buffers)
{
  GstEvent *segment;
  GstBuffer *buffer;
  GstPad *pad;

  if (g_queue_is_empty (buffers))
    return;
  GST_OBJECT_LOCK (self);
  pad = self->rtcp_src ? gst_object_ref (self->rtcp_src) : NULL;
  GST_OBJECT_UNLOCK (self);
  segment = pad ? gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0) : NULL;
  if (pad && !segment)
    push_first_events (pad);
  g_clear_pointer (&segment, gst_event_unref);
  while ((buffer = g_queue_pop_head (buffers))) {
    if (pad)
      gst_pad_push (pad, buffer);
    else
      gst_buffer_unref (buffer);
  }
  gst_clear_object (&pad);
}
