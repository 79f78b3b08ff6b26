/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcppads.h"

#include "base/arcdebug.h"

/* What goes in at an inlet does not come out at an outlet. */
static GstIterator *
no_links (GstPad * pad, GstObject * parent)
{
  return NULL;
}

static gboolean
query (GstPad * pad, GstObject * parent, GstQuery * q)
{
  if (GST_QUERY_TYPE (q) != GST_QUERY_LATENCY)
    return gst_pad_query_default (pad, parent, q);
  gst_query_set_latency (q, FALSE, 0, GST_CLOCK_TIME_NONE);
  return TRUE;
}

void
rtcp_outlet_init (RtcpOutlet * self)
{
  self->pad = NULL;
  g_mutex_init (&self->lock);
}

void
rtcp_outlet_clear (RtcpOutlet * self)
{
  g_mutex_clear (&self->lock);
}

GstPad *
rtcp_outlet_request (RtcpOutlet * self, GstPadTemplate * templ)
{
  GstPad *pad = NULL;

  g_mutex_lock (&self->lock);
  if (!self->pad) {
    pad = self->pad = gst_pad_new_from_template (templ, GST_PAD_TEMPLATE_NAME_TEMPLATE (templ));
    gst_pad_set_query_function (pad, query);
    gst_pad_set_iterate_internal_links_function (pad, no_links);
    gst_pad_use_fixed_caps (pad);
  }
  g_mutex_unlock (&self->lock);
  return pad;
}

void
rtcp_outlet_release (RtcpOutlet * self, GstPad * pad)
{
  g_mutex_lock (&self->lock);
  if (self->pad == pad)
    self->pad = NULL;
  g_mutex_unlock (&self->lock);
}

static GstPad *
ref_pad (RtcpOutlet * self)
{
  GstPad *pad;

  g_mutex_lock (&self->lock);
  pad = self->pad ? gst_object_ref (self->pad) : NULL;
  g_mutex_unlock (&self->lock);
  return pad;
}

/* The sticky segment is gone before the first buffer and after each flush. */
static void
begin_stream (GstPad * pad)
{
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstCaps *caps;
  GstSegment segment;
  gchar *id;

  if (event) {
    gst_event_unref (event);
    return;
  }

  id = g_strdup_printf ("%08x%08x/%s", g_random_int (), g_random_int (), GST_PAD_NAME (pad));
  gst_pad_push_event (pad, gst_event_new_stream_start (id));
  g_free (id);

  caps = gst_pad_get_pad_template_caps (pad);
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_caps_unref (caps);

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
}

gboolean
rtcp_outlet_push (RtcpOutlet * self, GstBuffer * buffer)
{
  GstPad *pad = ref_pad (self);
  GstFlowReturn flow;

  if (!pad) {
    gst_buffer_unref (buffer);
    return FALSE;
  }
  begin_stream (pad);
  flow = gst_pad_push (pad, buffer);
  GST_LOG_OBJECT (pad, "RTCP pushed: %s", gst_flow_get_name (flow));
  gst_object_unref (pad);
  return flow == GST_FLOW_OK;
}

void
rtcp_outlet_push_event (RtcpOutlet * self, GstEvent * event)
{
  GstPad *pad = ref_pad (self);

  if (!pad)
    return;
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    begin_stream (pad);
  gst_pad_push_event (pad, gst_event_ref (event));
  gst_object_unref (pad);
}

gboolean
rtcp_outlet_is_requested (RtcpOutlet * self)
{
  GstPad *pad = ref_pad (self);
  gboolean is = pad != NULL;

  gst_clear_object (&pad);
  return is;
}

static gboolean
inlet_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  gst_event_unref (event);
  return TRUE;
}

GstPad *
rtcp_inlet_request (GstElement * element, GstPadTemplate * templ, GstPadChainFunction chain)
{
  const gchar *name = GST_PAD_TEMPLATE_NAME_TEMPLATE (templ);
  GstPad *pad = gst_element_get_static_pad (element, name);

  if (pad) {
    gst_object_unref (pad);
    return NULL;
  }
  pad = gst_pad_new_from_template (templ, name);
  gst_pad_set_chain_function (pad, chain);
  gst_pad_set_event_function (pad, inlet_event);
  gst_pad_set_iterate_internal_links_function (pad, no_links);
  GST_PAD_SET_ACCEPT_INTERSECT (pad);
  return pad;
}
