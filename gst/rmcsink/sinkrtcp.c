/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Request pads for RTCP of other elements: what rtpbin sends and gets over our socket, and what a
 * receiver sends to another port. */

#include "gstrmcsinkprivate.h"

static GstStaticPadTemplate rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("rtcp_sink", GST_PAD_SINK,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate recv_rtcp_sink_template = GST_STATIC_PAD_TEMPLATE ("recv_rtcp_sink",
    GST_PAD_SINK, GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));
static GstStaticPadTemplate rtcp_src_template = GST_STATIC_PAD_TEMPLATE ("rtcp_src", GST_PAD_SRC,
    GST_PAD_REQUEST, GST_STATIC_CAPS ("application/x-rtcp"));

void
gst_rmc_sink_add_rtcp_templates (GstElementClass * klass)
{
  gst_element_class_add_static_pad_template (klass, &rtcp_sink_template);
  gst_element_class_add_static_pad_template (klass, &rtcp_src_template);
  gst_element_class_add_static_pad_template (klass, &recv_rtcp_sink_template);
}

static GstFlowReturn
rtcp_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  SendSession *session = session_host_dup_session (&GST_RMC_SINK_CAST (parent)->host);

  if (session) {
    send_session_push_rtcp (session, buffer);
    send_session_unref (session);
  }
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

/* The receiver's RTCP, which came to another port than ours. */
static GstFlowReturn
recv_rtcp_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  SendSession *session = session_host_dup_session (&GST_RMC_SINK_CAST (parent)->host);
  GstMapInfo map;

  buffer = gst_rmc_sink_open_rtcp (GST_RMC_SINK_CAST (parent), buffer);
  if (session && buffer && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    send_session_take_datagram (session, map.data, map.size);
    gst_buffer_unmap (buffer, &map);
  }
  g_clear_pointer (&session, send_session_unref);
  gst_clear_buffer (&buffer);
  return GST_FLOW_OK;
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

static void
set_wants_rtcp (GstRmcSink * self, gboolean wants)
{
  SendSession *session = session_host_dup_session (&self->host);

  if (session) {
    send_session_set_wants_rtcp (session, wants);
    send_session_unref (session);
  }
}

GstPad *
gst_rmc_sink_request_pad (GstElement * element, GstPadTemplate * template, const gchar * name,
    const GstCaps * caps)
{
  GstRmcSink *self = GST_RMC_SINK_CAST (element);
  gboolean is_sink = GST_PAD_TEMPLATE_DIRECTION (template) == GST_PAD_SINK;
  gboolean is_received = g_str_equal (GST_PAD_TEMPLATE_NAME_TEMPLATE (template), "recv_rtcp_sink");
  GstPad *pad = is_sink ? rtcp_inlet_request (element, template,
      is_received ? recv_rtcp_chain : rtcp_chain)
      : rtcp_outlet_request (&self->rtcp_outlet, template);

  if (!pad) {
    GST_WARNING_OBJECT (self, "pad %s exists already", GST_PAD_TEMPLATE_NAME_TEMPLATE (template));
    return NULL;
  }
  if (!is_sink) {
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
  GstRmcSink *self = GST_RMC_SINK_CAST (element);

  if (GST_PAD_IS_SRC (pad)) {
    rtcp_outlet_release (&self->rtcp_outlet, pad);
    set_wants_rtcp (self, FALSE);
  }
  gst_pad_set_active (pad, FALSE);
  gst_element_remove_pad (element, pad);
}

void
gst_rmc_sink_push_rtcp (GstRmcSink * self, GQueue * buffers)
{
  GstBuffer *buffer;

  while ((buffer = g_queue_pop_head (buffers)))
    rtcp_outlet_push (&self->rtcp_outlet, buffer);
}
