/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/**
 * SECTION:element-arcavsrc
 * @title: arcavsrc
 * @see_also: arcavsink, arcsrc
 *
 * Receives audio and video of an arcavsink.
 *
 * ## Behaviour
 * The element is a bin: an arcsrc, an rtpbin, which asks for lost packets again and plays sound and
 * picture together by the sender's reports, and a depayloader for each stream. A pad video_N,
 * audio_N or data_N appears with each stream: N counts the streams of that kind as they come, from
 * 0. It goes some seconds after its BYE, or 25 s or more after its last packet without one. What
 * leaves is encoded: decodebin takes it. What leaves by a pad that is not linked, or whose branch
 * is stopped, is dropped; the others go on.
 *
 * ## Tuning
 * #GstArcAvSrc:latency: a round trip and a half, and what the network varies. Properties of the
 * elements inside: `source::srtp-key=...` of the arcsrc, `rtpbin::` of the rtpbin.
 *
 * ## Statistics
 * `source::stats`.
 *
 * ## Clock and threads
 * As the elements inside.
 *
 * ## Example
 * |[
 * gst-launch-1.0 arcavsrc name=r port=5004 \
 *     r. ! video/x-h264 ! decodebin ! videoconvert ! autovideosink \
 *     r. ! audio/x-opus ! opusdec ! audioconvert ! autoaudiosink
 * ]|
 *
 * ## Limits
 * Payload types are those of arcavsink.
 *
 * Since: 0.1
 */

#include "gstarcavsrc.h"

#include "arcav/avformats.h"
#include "arcsrc/gstarcsrc.h"
#include "base/binparts.h"
#include "base/propertyrows.h"
#include "net/arcuri.h"
#include "rtp/payloaders.h"

#include <gst/base/gstflowcombiner.h>
#include <stdio.h>

GST_DEBUG_CATEGORY_STATIC (gst_arc_av_src_debug);
#undef GST_CAT_DEFAULT
#define GST_CAT_DEFAULT gst_arc_av_src_debug

#define DEFAULT_PORT ARC_URI_DEFAULT_PORT
#define DEFAULT_LATENCY 200
#define RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"
#define OURS "gst-arc-pad"      /* data of a pad of rtpbin: that of arcavsrc */
#define OWNER "owner"           /* data of the pad inside a ghost pad: its element */

typedef enum
{
  KIND_VIDEO,
  KIND_AUDIO,
  KIND_DATA,
  N_KINDS
} Kind;

struct _GstArcAvSrc
{
  GstBin parent;
  GstElement *source, *rtpbin;
  /* object lock */
  guint n_pads[N_KINDS];        /* so far */
  GstFlowCombiner *flows;       /* of the pads */
};

G_DEFINE_TYPE_WITH_CODE (GstArcAvSrc, gst_arc_av_src, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_av_src_debug, "arcavsrc", 0, "audio and video, received"));
GST_ELEMENT_REGISTER_DEFINE (arcavsrc, "arcavsrc", GST_RANK_NONE, GST_TYPE_ARC_AV_SRC);

#define TEMPLATE(name) \
    GST_STATIC_PAD_TEMPLATE (name, GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY)

static GstStaticPadTemplate templates[N_KINDS] = {
  [KIND_VIDEO] = TEMPLATE ("video_%u"),
  [KIND_AUDIO] = TEMPLATE ("audio_%u"),
  [KIND_DATA] = TEMPLATE ("data_%u"),
};

/* --- streams --- */

static GstCaps *
on_request_pt_map (GstElement * rtpbin, guint session, guint payload_type, gpointer self)
{
  const AvFormat *format = av_format_of_payload_type (payload_type);

  if (format)
    return av_format_new_caps (format);
  GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("payload type %u is none of arcavsink: its packets "
          "are dropped; send by arcavsink, or receive by arcsrc and rtpbin", payload_type),
      (NULL));
  return NULL;
}

/* What rtpbin has for a stream: recv_rtp_src_SESSION_SSRC_PT. */
static const AvFormat *
format_of (GstPad * pad)
{
  guint session, ssrc, payload_type;

  if (sscanf (GST_PAD_NAME (pad), "recv_rtp_src_%u_%u_%u", &session, &ssrc, &payload_type) != 3)
    return NULL;
  return av_format_of_payload_type (payload_type);
}

/* One branch must not end the others: all have one udpsrc. At EOS is the element once all branches
 * are. */
static GstFlowReturn
combine (GstArcAvSrc * self, GstPad * pad, GstFlowReturn ret)
{
  if (ret == GST_FLOW_NOT_LINKED || (ret == GST_FLOW_FLUSHING && !GST_PAD_IS_FLUSHING (pad)))
    ret = GST_FLOW_OK;
  GST_OBJECT_LOCK (self);
  ret = gst_flow_combiner_update_pad_flow (self->flows, pad, ret);
  GST_OBJECT_UNLOCK (self);
  return ret;
}

/* Of the pad inside a ghost pad. */
static GstFlowReturn
on_chain (GstPad * inner, GstObject * pad, GstBuffer * buffer)
{
  GstArcAvSrc *self = g_object_get_data (G_OBJECT (inner), OWNER);

  return combine (self, GST_PAD (pad), gst_proxy_pad_chain_default (inner, pad, buffer));
}

static GstFlowReturn
on_chain_list (GstPad * inner, GstObject * pad, GstBufferList * list)
{
  GstArcAvSrc *self = g_object_get_data (G_OBJECT (inner), OWNER);

  return combine (self, GST_PAD (pad), gst_proxy_pad_chain_list_default (inner, pad, list));
}

static void
watch_flow (GstArcAvSrc * self, GstPad * pad)
{
  GstPad *inner = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (pad)));

  g_object_set_data (G_OBJECT (inner), OWNER, self);
  gst_pad_set_chain_function (inner, on_chain);
  gst_pad_set_chain_list_function (inner, on_chain_list);
  gst_object_unref (inner);
  GST_OBJECT_LOCK (self);
  gst_flow_combiner_add_pad (self->flows, pad);
  GST_OBJECT_UNLOCK (self);
}

static Kind
kind_of (const AvFormat * format)
{
  return g_str_equal (format->media, "video") ? KIND_VIDEO
      : g_str_equal (format->media, "audio") ? KIND_AUDIO : KIND_DATA;
}

static GstPad *
new_pad (GstArcAvSrc * self, GstPad * target, Kind kind)
{
  GstPadTemplate *templ = gst_static_pad_template_get (&templates[kind]);
  GstPad *pad;
  gchar *name;

  GST_OBJECT_LOCK (self);
  name = g_strdup_printf (templ->name_template, self->n_pads[kind]++);
  GST_OBJECT_UNLOCK (self);
  pad = gst_ghost_pad_new_from_template (name, target, templ);
  watch_flow (self, pad);
  gst_pad_set_active (pad, TRUE);
  g_free (name);
  gst_object_unref (templ);
  return pad;
}

static GstPadProbeReturn
on_caps (GstPad * target, GstPadProbeInfo * info, gpointer pad)
{
  GstPad *inner;

  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  inner = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (pad)));
  gst_element_add_pad (g_object_get_data (G_OBJECT (inner), OWNER), pad);
  gst_object_unref (inner);
  return GST_PAD_PROBE_REMOVE;
}

/* A pad that fits all caps would be linked to the first branch that waits for one. What
 * rtpgstdepay gives is known by its first packet only. */
static void
add_pad (GstArcAvSrc * self, GstPad * target, GstPad * pad)
{
  GstCaps *caps = gst_pad_query_caps (target, NULL);

  if (gst_caps_is_any (caps))
    gst_pad_add_probe (target, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_caps, gst_object_ref (pad),
        gst_object_unref);
  else
    gst_element_add_pad (GST_ELEMENT (self), pad);
  gst_caps_unref (caps);
}

static void
on_pad_added (GstElement * rtpbin, GstPad * from, gpointer user_data)
{
  GstArcAvSrc *self = user_data;
  const AvFormat *format = format_of (from);
  GstElement *depayloader;
  GstPad *pad, *sinkpad, *target;
  GstCaps *caps;

  if (!format)
    return;
  caps = av_format_new_caps (format);
  depayloader = depayloader_new (caps);
  gst_caps_unref (caps);
  if (!depayloader) {
    GST_ELEMENT_WARNING (self, CORE, MISSING_PLUGIN, ("no depayloader of %s is installed: this "
            "stream is dropped", format->encoding_name), (NULL));
    return;
  }
  gst_bin_add (GST_BIN (self), depayloader);
  target = gst_element_get_static_pad (depayloader, "src");
  pad = gst_object_ref_sink (new_pad (self, target, kind_of (format)));
  g_object_set_data_full (G_OBJECT (from), OURS, pad, gst_object_unref);
  sinkpad = gst_element_get_static_pad (depayloader, "sink");
  gst_pad_link (from, sinkpad);
  gst_object_unref (sinkpad);
  add_pad (self, target, pad);
  gst_object_unref (target);
  gst_element_sync_state_with_parent (depayloader);
}

/* Requests for lost packets go past rtpsession, which would make NACKs of its own: arcreceiver asks
 * sooner and less often. */
static GstPadProbeReturn
on_request (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcAvSrc *self = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstPad *src;

  if (!gst_event_has_name (event, RETRANSMISSION_REQUEST))
    return GST_PAD_PROBE_OK;
  src = gst_element_get_static_pad (self->source, "src");
  gst_pad_send_event (src, event);
  gst_object_unref (src);
  return GST_PAD_PROBE_HANDLED;
}

static void
on_new_jitterbuffer (GstElement * rtpbin, GstElement * jitterbuffer, guint session, guint ssrc,
    gpointer self)
{
  g_object_set (jitterbuffer, "rtx-next-seqnum", FALSE, NULL);
  bin_part_probe (jitterbuffer, "sink", GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_request, self);
}

static void
on_pad_removed (GstElement * rtpbin, GstPad * from, gpointer user_data)
{
  GstArcAvSrc *self = user_data;
  GstPad *pad = g_object_steal_data (G_OBJECT (from), OURS), *target;
  GstElement *depayloader;

  if (!pad)
    return;
  target = gst_ghost_pad_get_target (GST_GHOST_PAD (pad));
  depayloader = target ? gst_pad_get_parent_element (target) : NULL;
  gst_clear_object (&target);
  gst_pad_set_active (pad, FALSE);
  if (GST_OBJECT_PARENT (pad))
    gst_element_remove_pad (GST_ELEMENT (self), pad);
  GST_OBJECT_LOCK (self);
  gst_flow_combiner_remove_pad (self->flows, pad);
  GST_OBJECT_UNLOCK (self);
  gst_object_unref (pad);
  if (!depayloader)
    return;
  bin_part_take_out (depayloader);
  gst_object_unref (depayloader);
}

/* --- the element --- */

static GstStateChangeReturn
gst_arc_av_src_change_state (GstElement * element, GstStateChange transition)
{
  GstArcAvSrc *self = GST_ARC_AV_SRC (element);

  if (!bin_parts_are_there (self))
    return GST_STATE_CHANGE_FAILURE;
  return GST_ELEMENT_CLASS (gst_arc_av_src_parent_class)->change_state (element, transition);
}

static const PropertyRow properties[] = {
  PROPERTY_ROW_OWN (PROPERTY_UINT, PROPERTY_READY, "port", "Port",
      "UDP port to receive on; 0: the system chooses one", 0, 65535, DEFAULT_PORT),
  PROPERTY_ROW_OWN (PROPERTY_UINT, PROPERTY_PLAYING, "latency", "Latency",
      "Latency of the jitter buffers, in milliseconds", 0, G_MAXUINT, DEFAULT_LATENCY),
  {NULL}
};

static GstElement *
owner_of (GstArcAvSrc * self, const GParamSpec * pspec)
{
  return g_str_equal (pspec->name, "port") ? self->source : self->rtpbin;
}

static void
gst_arc_av_src_set_property (GObject * object, guint id, const GValue * value, GParamSpec * pspec)
{
  GstElement *owner = owner_of (GST_ARC_AV_SRC (object), pspec);

  if (owner)
    g_object_set_property (G_OBJECT (owner), pspec->name, value);
}

static void
gst_arc_av_src_get_property (GObject * object, guint id, GValue * value, GParamSpec * pspec)
{
  GstElement *owner = owner_of (GST_ARC_AV_SRC (object), pspec);

  if (owner)
    g_object_get_property (G_OBJECT (owner), pspec->name, value);
}

static void
gst_arc_av_src_finalize (GObject * object)
{
  gst_flow_combiner_free (GST_ARC_AV_SRC (object)->flows);
  G_OBJECT_CLASS (gst_arc_av_src_parent_class)->finalize (object);
}

/* A message on the bus may keep rtpbin longer than us, and it removes pads as it goes. */
static void
watch_streams (GstArcAvSrc * self, GstElement * rtpbin)
{
  g_signal_connect_object (rtpbin, "new-jitterbuffer", G_CALLBACK (on_new_jitterbuffer), self, 0);
  g_signal_connect_object (rtpbin, "request-pt-map", G_CALLBACK (on_request_pt_map), self, 0);
  g_signal_connect_object (rtpbin, "pad-added", G_CALLBACK (on_pad_added), self, 0);
  g_signal_connect_object (rtpbin, "pad-removed", G_CALLBACK (on_pad_removed), self, 0);
}

static void
gst_arc_av_src_init (GstArcAvSrc * self)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-rtp");

  self->flows = gst_flow_combiner_new ();
  self->source = g_object_new (GST_TYPE_ARC_SRC, "name", "source", "port", DEFAULT_PORT, "caps",
      caps, NULL);
  gst_caps_unref (caps);
  gst_bin_add (GST_BIN (self), self->source);
  self->rtpbin = bin_part_make (self, "rtpbin", "rtpbin");
  if (!self->rtpbin)
    return;
  g_object_set (self->rtpbin, "latency", DEFAULT_LATENCY, "do-retransmission", TRUE,
      "autoremove", TRUE, NULL);
  watch_streams (self, self->rtpbin);
  gst_element_link_pads (self->source, "src", self->rtpbin, "recv_rtp_sink_0");
  gst_element_link_pads (self->source, "rtcp_src", self->rtpbin, "recv_rtcp_sink_0");
  GST_OBJECT_FLAG_SET (self, GST_ELEMENT_FLAG_SOURCE);
}

static void
gst_arc_av_src_class_init (GstArcAvSrcClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->finalize = gst_arc_av_src_finalize;
  object_class->set_property = gst_arc_av_src_set_property;
  object_class->get_property = gst_arc_av_src_get_property;
  element_class->change_state = gst_arc_av_src_change_state;
  property_rows_install (object_class, 1, properties);
  for (guint i = 0; i < N_KINDS; i++)
    gst_element_class_add_static_pad_template (element_class, &templates[i]);
  gst_element_class_set_static_metadata (element_class, "Adaptive audio and video receiver",
      "Source/Network/RTP", "Receives audio and video of an arcavsink",
      "the gst-arc authors");
}
