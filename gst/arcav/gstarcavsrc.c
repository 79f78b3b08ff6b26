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
 * 0. What leaves is encoded: decodebin takes it. What leaves by a pad that is not linked, or whose
 * branch is stopped, is dropped; the others go on.
 *
 * A linked pad stays until READY, without EOS, when its stream ends. The next stream of the same
 * format takes over the first such pad, with a new stream-start and segment; also that of a stream
 * without BYE that is silent for 1 s, or twice as long as it is between its packets. Another format
 * gets a new pad. A pad that is not linked goes some seconds after the BYE of its stream, or 25 s
 * or more after its last packet. The end of a stream is `on-bye-ssrc` and `on-timeout` of the
 * rtpbin.
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

#include "arcav/avpads.h"
#include "arcsrc/gstarcsrc.h"
#include "base/binparts.h"
#include "base/propertyrows.h"
#include "net/arcuri.h"
#include "rtp/payloaders.h"

#include <stdio.h>

GST_DEBUG_CATEGORY_STATIC (gst_arc_av_src_debug);
#undef GST_CAT_DEFAULT
#define GST_CAT_DEFAULT gst_arc_av_src_debug

#define DEFAULT_PORT ARC_URI_DEFAULT_PORT
#define DEFAULT_LATENCY 200
#define RETRANSMISSION_REQUEST "GstRTPRetransmissionRequest"
#define OURS "gst-arc-pad"      /* data of a pad of rtpbin: the pad behind its depayloader */

struct _GstArcAvSrc
{
  GstBin parent;
  GstElement *source, *rtpbin;
  AvPads *pads;
};

G_DEFINE_TYPE_WITH_CODE (GstArcAvSrc, gst_arc_av_src, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (gst_arc_av_src_debug, "arcavsrc", 0, "audio and video, received"));
GST_ELEMENT_REGISTER_DEFINE (arcavsrc, "arcavsrc", GST_RANK_NONE, GST_TYPE_ARC_AV_SRC);

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
format_of (GstPad * pad, guint * ssrc)
{
  guint session, payload_type;

  if (sscanf (GST_PAD_NAME (pad), "recv_rtp_src_%u_%u_%u", &session, ssrc, &payload_type) != 3)
    return NULL;
  return av_format_of_payload_type (payload_type);
}

static void
on_pad_added (GstElement * rtpbin, GstPad * from, gpointer user_data)
{
  GstArcAvSrc *self = user_data;
  guint ssrc;
  const AvFormat *format = format_of (from, &ssrc);
  GstElement *depayloader;
  GstPad *sinkpad, *srcpad;
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
  srcpad = gst_element_get_static_pad (depayloader, "src");
  g_object_set_data_full (G_OBJECT (from), OURS, av_pads_begin (self->pads, srcpad, format, ssrc),
      gst_object_unref);
  gst_object_unref (srcpad);
  sinkpad = gst_element_get_static_pad (depayloader, "sink");
  gst_pad_link (from, sinkpad);
  gst_object_unref (sinkpad);
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
on_bye (GstElement * rtpbin, guint session, guint ssrc, gpointer user_data)
{
  av_pads_bye (GST_ARC_AV_SRC (user_data)->pads, ssrc);
}

static void
on_pad_removed (GstElement * rtpbin, GstPad * from, gpointer user_data)
{
  GstPad *pad = g_object_steal_data (G_OBJECT (from), OURS), *srcpad;
  GstElement *depayloader;

  if (!pad)
    return;
  srcpad = gst_pad_get_peer (pad);
  depayloader = srcpad ? gst_pad_get_parent_element (srcpad) : NULL;
  gst_clear_object (&srcpad);
  av_pads_end (GST_ARC_AV_SRC (user_data)->pads, pad);
  gst_object_unref (pad);
  if (!depayloader)
    return;
  bin_part_take_out (depayloader);
  gst_object_unref (depayloader);
}

/* A branch whose stream has gone ends with the others. */
static GstPadProbeReturn
on_end (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    av_pads_finish_idle (GST_ARC_AV_SRC (user_data)->pads);
  return GST_PAD_PROBE_OK;
}

/* --- the element --- */

static GstStateChangeReturn
gst_arc_av_src_change_state (GstElement * element, GstStateChange transition)
{
  GstArcAvSrc *self = GST_ARC_AV_SRC (element);
  GstStateChangeReturn ret;

  if (!bin_parts_are_there (self))
    return GST_STATE_CHANGE_FAILURE;
  ret = GST_ELEMENT_CLASS (gst_arc_av_src_parent_class)->change_state (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    av_pads_clear (self->pads);
  return ret;
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
  av_pads_free (GST_ARC_AV_SRC (object)->pads);
  G_OBJECT_CLASS (gst_arc_av_src_parent_class)->finalize (object);
}

/* A message on the bus may keep rtpbin longer than us, and it removes pads as it goes. */
static void
watch_streams (GstArcAvSrc * self, GstElement * rtpbin)
{
  g_signal_connect_object (rtpbin, "new-jitterbuffer", G_CALLBACK (on_new_jitterbuffer), self, 0);
  g_signal_connect_object (rtpbin, "request-pt-map", G_CALLBACK (on_request_pt_map), self, 0);
  g_signal_connect_object (rtpbin, "on-bye-ssrc", G_CALLBACK (on_bye), self, 0);
  g_signal_connect_object (rtpbin, "pad-added", G_CALLBACK (on_pad_added), self, 0);
  g_signal_connect_object (rtpbin, "pad-removed", G_CALLBACK (on_pad_removed), self, 0);
}

static void
gst_arc_av_src_init (GstArcAvSrc * self)
{
  GstCaps *caps = gst_caps_new_empty_simple ("application/x-rtp");

  self->pads = av_pads_new (GST_ELEMENT (self));
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
  bin_part_probe (self->source, "src", GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_end, self);
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
  av_pads_add_templates (element_class);
  gst_element_class_set_static_metadata (element_class, "Adaptive audio and video receiver",
      "Source/Network/RTP", "Receives audio and video of an arcavsink",
      "the gst-arc authors");
}
