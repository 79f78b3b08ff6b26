/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Without caps, or with those of another codec, there is no picture and nothing downstream says
 * why. Media shows only its payload type; rmcsink announces the rest, from which caps are made
 * unless the user has set some. The first packets wait for them. */

#include "gstarcsrcprivate.h"

#include <gst/rtp/rtp.h>

#include "base/binparts.h"
#include "base/clockglue.h"
#include "rtp/mediaformat.h"

#define RTP_MEDIA_TYPE "application/x-rtp"
/* The user is told once that many came in MEDIA_GATE_MAX_TIME or longer. */
#define PATIENCE_PKTS 100

/* Those of the user, or NULL; to be unreferenced. */
static GstCaps *
dup_user_caps (GstArcSrc * self)
{
  GstCaps *caps;

  GST_OBJECT_LOCK (self);
  caps = self->caps ? gst_caps_ref (self->caps) : NULL;
  GST_OBJECT_UNLOCK (self);
  return caps;
}

/* The source has these until the sender's format is known, so that caps come before the segment.
 * They go no further. */
static gboolean
is_placeholder (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  return gst_structure_n_fields (s) == 0;
}

/* NULL: there is none. */
static GstElement *
dup_next (GstArcSrc * self)
{
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (self), "src"),
      *peer = gst_pad_get_peer (pad);
  GstElement *element = peer ? gst_pad_get_parent_element (peer) : NULL;

  gst_clear_object (&peer);
  gst_object_unref (pad);
  return element;
}

static guint
question_of (GstElement * element)
{
  return g_signal_lookup ("request-pt-map", G_OBJECT_TYPE (element));
}

/* Of all downstream, rtpbin, rtpjitterbuffer and the demuxers ask the application, if it is
 * connected. */
static gboolean
application_is_asked (GstArcSrc * self)
{
  GstElement *element = dup_next (self);
  guint signal = element ? question_of (element) : 0;
  gboolean asked = signal && g_signal_has_handler_pending (element, signal, 0, FALSE);

  gst_clear_object (&element);
  return asked;
}

/* It drops media without caps, or errs. Others, such as a capsfilter, may know what it holds. */
static gboolean
needs_caps_for_certain (GstArcSrc * self)
{
  GstElement *element = dup_next (self);
  gboolean needs = self->buffer || (element && (question_of (element)
          || GST_IS_RTP_BASE_DEPAYLOAD (element)));

  gst_clear_object (&element);
  return needs && !application_is_asked (self);
}

/* What the payload type says if RFC 3551 gave it away, as 33 to MPEG-TS; else a likely format. */
static RcMediaFormat
likely_format (guint8 payload_type)
{
  const GstRTPPayloadInfo *info = gst_rtp_payload_info_for_pt (payload_type);
  RcMediaFormat format = { "H264", payload_type, RC_MEDIA_VIDEO, 90000 };

  if (info && info->clock_rate) {
    g_strlcpy (format.encoding_name, info->encoding_name, sizeof (format.encoding_name));
    format.media = g_str_equal (info->media, "audio") ? RC_MEDIA_AUDIO : RC_MEDIA_VIDEO;
    format.clock_rate_hz = info->clock_rate;
  }
  return format;
}

/* --- what the sender announces --- */

/* Takes the fields. TRUE: it is another format. */
static gboolean
set_format (GstArcSrc * self, const RcMediaFormat * format, GBytes * fields)
{
  gboolean same = rc_media_format_equal (&self->format, format)
      && (fields == self->fields
      || (fields && self->fields && g_bytes_equal (fields, self->fields)));

  g_clear_pointer (&self->fields, g_bytes_unref);
  self->fields = fields;
  self->format = *format;
  return !same;
}

static void
forget_announced (GstArcSrc * self)
{
  self->parts = (RcFormatParts) { 0 };
  set_format (self, &(RcMediaFormat) { 0 }, NULL);
  self->format_welcome = self->peer.welcomes;
}

/* It holds once all of its fields are there. TRUE: there is another format. */
static gboolean
take_announced (GstArcSrc * self, const RtcpMessage * message)
{
  const RcSenderInfo *info = NULL;

  for (guint i = 0; i < message->n_infos; i++)
    if (message->infos[i].format.encoding_name[0] != '\0')
      info = &message->infos[i];
  if (!info)
    return FALSE;
  if (info->part.count == 0)
    return set_format (self, &info->format, NULL);
  return rc_format_parts_take (&self->parts, &info->part)
      && set_format (self, &info->format, g_bytes_new (self->parts.bytes, self->parts.n_bytes));
}

/* --- the gate --- */

static void
count_refused (GstArcSrc * self, guint pkts)
{
  GST_OBJECT_LOCK (self);
  self->misfit_pkts += pkts;
  GST_OBJECT_UNLOCK (self);
}

/* It passes, and so will all that comes until it is shut or the element starts anew. */
static gboolean
is_done (const GstArcSrc * self)
{
  const MediaGate *gate = &self->gate;

  return gate->state == MEDIA_GATE_OPEN && !gate->shut
      && (gate->has_caps || !self->format_awaited);
}

/* What takes anything, such as a udpsink, gets media at once. */
static gboolean
downstream_needs_caps (GstArcSrc * self, GstPad * pad)
{
  GstCaps *taken = gst_pad_peer_query_caps (pad, NULL);
  gboolean needs = !gst_caps_is_any (taken);

  gst_caps_unref (taken);
  return needs && !application_is_asked (self);
}

/* Takes the media unless it passes. */
static GstPadProbeReturn
take_media (GstArcSrc * self, GstPad * pad, GstMiniObject * media)
{
  MediaGate *gate = &self->gate;
  RcTime now = clock_glue_monotonic ();

  if (gate->shut) {
    count_refused (self, GST_IS_BUFFER_LIST (media)
        ? gst_buffer_list_length (GST_BUFFER_LIST_CAST (media)) : 1);
    gst_mini_object_unref (media);
    return GST_PAD_PROBE_HANDLED;
  }
  /* Caps that were taken come before the next packet. */
  if (gate->state == MEDIA_GATE_HOLDS && !gate->has_caps && (self->format_taken
          || (!self->caps_checked && media_gate_is_patient (gate, now)))) {
    media_gate_hold (gate, media, now);
    return GST_PAD_PROBE_HANDLED;
  }
  if (gate->state == MEDIA_GATE_HOLDS && !gate->has_caps && needs_caps_for_certain (self)) {
    count_refused (self, media_gate_shut (gate));
    return take_media (self, pad, media);
  }
  media_gate_open (gate, pad);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_event (GstArcSrc * self, GstPad * pad, GstEvent * event)
{
  MediaGate *gate = &self->gate;
  GstCaps *caps;

  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gate->has_caps = !self->format_awaited || !is_placeholder (caps);
    return gate->has_caps ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
  }
  if (GST_EVENT_TYPE (event) != GST_EVENT_SEGMENT || gate->releasing
      || gate->state == MEDIA_GATE_OPEN)
    return GST_PAD_PROBE_OK;
  if (gate->state == MEDIA_GATE_NEW && (gate->has_caps || !downstream_needs_caps (self, pad)))
    return GST_PAD_PROBE_OK;
  gate->state = MEDIA_GATE_HOLDS;
  gate->holds_segment = TRUE;
  return GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
on_passing (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstArcSrc *self = user_data;
  GstPadProbeReturn ret;

  if (info->type & GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM)
    return on_event (self, pad, info->data);
  if (self->gate.releasing)
    return GST_PAD_PROBE_OK;
  if (is_done (self)) {
    self->gate_watched = FALSE;
    return GST_PAD_PROBE_REMOVE;
  }
  if (self->gate.state == MEDIA_GATE_OPEN && !self->gate.shut)
    return GST_PAD_PROBE_OK;
  ret = take_media (self, pad, info->data);
  if (ret == GST_PAD_PROBE_HANDLED)
    info->data = NULL;
  return ret;
}

static void
watch_gate (GstArcSrc * self)
{
  if (!self->gate_watched)
    bin_part_probe (self->receiver, "src", GST_PAD_PROBE_TYPE_BUFFER
        | GST_PAD_PROBE_TYPE_BUFFER_LIST | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_passing, self);
  self->gate_watched = TRUE;
}

/* --- what of it, or of its lack, the user is told --- */

/* caps: of what was announced, if that is enough for any. */
static void
warn_of_no_caps (GstArcSrc * self, gboolean announced, const GstCaps * caps, GstBuffer * packet)
{
  RcMediaFormat likely;
  guint8 byte = 96;
  gchar *text;

  if (self->caps_told)
    return;
  self->caps_told = TRUE;
  gst_buffer_extract (packet, 1, &byte, 1);
  likely = likely_format (byte & 0x7f);
  text = announced ? media_format_to_string (&self->format, self->fields)
      : media_format_to_string (&likely, NULL);
  GST_ELEMENT_WARNING (self, STREAM, FORMAT,
      ("media comes, but arcsrc has no caps, so that nothing downstream knows what it holds: "
          "set caps='%s'%s", text, !announced ? ", or what the sender's payloader says. If the "
          "sender is rmcsink, let the reports of this end back through every firewall between: "
          "where they arrive, it names its format"
          : caps ? "" : " and what else the sender's payloader says"), (NULL));
  g_free (text);
}

static void
warn_of_streams (GstArcSrc * self)
{
  if (!self->caps_told)
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("several streams come together (payload types %u "
            "and %u), which arcsrc alone cannot tell apart: receive an arcavsink by arcavsrc. To "
            "pass sound and picture on to viewers, let the sender put both in MPEG-TS "
            "(docs/guide/faq.md)", self->first_payload_type, self->other_payload_type), (NULL));
  self->caps_told = TRUE;
}

static void
warn_of_other_caps (GstArcSrc * self)
{
  gchar *text = media_format_to_string (&self->format, self->fields);

  if (!self->caps_told)
    GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
        ("the sender's media is %s with clock rate %u, the caps of arcsrc say otherwise: set "
            "caps='%s'", self->format.encoding_name, self->format.clock_rate_hz, text), (NULL));
  self->caps_told = TRUE;
  g_free (text);
}

static void
warn_of_refused_caps (GstArcSrc * self)
{
  if (!self->caps_told)
    GST_ELEMENT_WARNING (self, STREAM, WRONG_TYPE,
        ("the sender's media is %s with clock rate %u, which what is behind arcsrc does not take: "
            "it is dropped; use the depayloader and the decoder of that format",
            self->format.encoding_name, self->format.clock_rate_hz), (NULL));
  self->caps_told = TRUE;
}

/* Otherwise a sender could end the stream by its word, with caps that nothing takes. */
static gboolean
downstream_takes (GstArcSrc * self, GstCaps * caps)
{
  GstPad *pad = gst_element_get_static_pad (self->receiver, "src");
  GstCaps *taken = gst_pad_peer_query_caps (pad, NULL);
  gboolean takes = gst_caps_is_subset (caps, taken);

  gst_caps_unref (taken);
  gst_object_unref (pad);
  return takes;
}

static void
take_format (GstArcSrc * self, GstCaps * announced, GstBuffer * packet)
{
  if (!announced || (self->gate.state == MEDIA_GATE_OPEN && !self->gate.has_caps)) {
    warn_of_no_caps (self, TRUE, announced, packet);
  } else if (!downstream_takes (self, announced)) {
    warn_of_refused_caps (self);
    count_refused (self, media_gate_shut (&self->gate));
    watch_gate (self);
  } else {
    GST_INFO_OBJECT (self, "the sender announces %" GST_PTR_FORMAT, announced);
    self->gate.shut = FALSE;
    self->format_taken = TRUE;
    datagram_source_set_caps (self->source, announced);
  }
}

/* Problem: a line with the four fields of H.264 showed nothing where parameter sets are in the
 * sender's caps only, as those of an encoder of hardware. Rule: what the user's caps leave open of
 * the format that they name, the sender completes. */
static void
complete_caps (GstArcSrc * self, const GstCaps * user, GstCaps * announced)
{
  GstCaps *caps = announced ? media_format_complete (&self->format, announced, user) : NULL;

  if (caps && downstream_takes (self, caps)) {
    GST_INFO_OBJECT (self, "the sender completes the caps: %" GST_PTR_FORMAT, caps);
    datagram_source_set_caps (self->source, caps);
  }
  gst_clear_caps (&caps);
}

/* announced: NULL: it says too little, or cannot be. */
static void
on_format (GstArcSrc * self, GstCaps * announced, GstBuffer * packet)
{
  GstCaps *caps = dup_user_caps (self);

  if (caps && !media_format_agrees (&self->format, caps))
    warn_of_other_caps (self);
  else if (caps)
    complete_caps (self, caps, announced);
  else if (!application_is_asked (self))
    take_format (self, announced, packet);
  gst_clear_caps (&caps);
}

static void
on_no_format (GstArcSrc * self, GstBuffer * packet)
{
  GstCaps *caps = dup_user_caps (self);

  if (caps || application_is_asked (self))
    GST_DEBUG_OBJECT (self, "the sender announces no format");
  else if (self->other_payload_type != self->first_payload_type)
    warn_of_streams (self);
  else
    warn_of_no_caps (self, FALSE, NULL, packet);
  gst_clear_caps (&caps);
}

/* FEC has an SSRC or a payload type of its own, a stream both. */
static void
note_stream (GstArcSrc * self, GstBuffer * packet)
{
  guint8 head[12], payload_type;
  guint32 ssrc;

  if (gst_buffer_extract (packet, 0, head, sizeof head) != sizeof head)
    return;
  payload_type = head[1] & 0x7f;
  ssrc = GST_READ_UINT32_BE (head + 8);
  if (self->unchecked_pkts == 0) {
    self->first_payload_type = self->other_payload_type = payload_type;
    self->first_ssrc = ssrc;
  } else if (ssrc != self->first_ssrc && payload_type != self->first_payload_type) {
    self->other_payload_type = payload_type;
  }
}

/* Of an announcement, at each packet. */
static gboolean
is_overdue (GstArcSrc * self)
{
  if (self->unchecked_pkts++ == 0)
    self->unchecked_since = clock_glue_monotonic ();
  return self->unchecked_pkts > PATIENCE_PKTS
      && clock_glue_monotonic () - self->unchecked_since >= MEDIA_GATE_MAX_TIME;
}

void
gst_arc_src_check_caps (GstArcSrc * self, GstBuffer * packet, const RtcpMessage * message)
{
  GstCaps *announced;

  if (self->format_welcome != self->peer.welcomes)
    forget_announced (self);
  if (take_announced (self, message)) {
    announced = media_format_to_caps (&self->format, self->fields);
    self->caps_checked = TRUE;
    on_format (self, announced, packet);
    gst_clear_caps (&announced);
  } else if (!self->caps_checked && message->verdict == RTCP_NOT_RTCP) {
    note_stream (self, packet);
    self->caps_checked = is_overdue (self);
    if (self->caps_checked)
      on_no_format (self, packet);
  }
}

void
gst_arc_src_forget_format (GstArcSrc * self)
{
  GstCaps *caps = dup_user_caps (self);

  self->caps_checked = self->caps_told = FALSE;
  self->unchecked_pkts = 0;
  forget_announced (self);
  media_gate_reset (&self->gate);
  watch_gate (self);
  GST_OBJECT_LOCK (self);
  self->misfit_pkts = 0;
  GST_OBJECT_UNLOCK (self);
  self->format_taken = FALSE;
  self->format_awaited = caps == NULL;
  if (!caps)
    caps = gst_caps_new_empty_simple (RTP_MEDIA_TYPE);
  datagram_source_set_caps (self->source, caps);
  gst_caps_unref (caps);
}
