/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "standardfeedback.h"

#include "rtp/rtcpwriter.h"

#define CNAME_BYTES 12          /* base 64 of it has STANDARD_FEEDBACK_CNAME_CHARS */
#define REPORT_BYTES 8          /* an RR without blocks */
#define BLOCK_BYTES 24
/* Header, SSRC, type and length of the item, its text, zeros up to a word. */
#define DESCRIPTION_BYTES (4 + 4 + 2 + STANDARD_FEEDBACK_CNAME_CHARS + 2)
#define COMPOUND_INTERVAL RC_SECOND

void
standard_feedback_init (StandardFeedback * self)
{
  *self = (StandardFeedback) {.lists = g_new0 (PacketLists, 1) };
  standard_feedback_begin (self);
}

void
standard_feedback_clear (StandardFeedback * self)
{
  g_free (self->lists);
}

void
standard_feedback_begin (StandardFeedback * self)
{
  guint32 random[CNAME_BYTES / 4];
  gchar *text;

  for (guint i = 0; i < G_N_ELEMENTS (random); i++)
    random[i] = g_random_int ();
  text = g_base64_encode ((const guchar *) random, sizeof random);
  g_strlcpy (self->cname, text, sizeof self->cname);
  g_free (text);
  rc_rtcptiming_init (&self->timing);
  self->compound_at = RC_TIME_NONE;
  packet_lists_begin (self->lists, self->lists->format);
}

void
standard_feedback_set_caps (StandardFeedback * self, const GstCaps * caps)
{
  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    const GstStructure *structure = gst_caps_get_structure (caps, i);
    gint payload_type, clock_rate_hz;

    if (gst_structure_get_int (structure, "payload", &payload_type)
        && gst_structure_get_int (structure, "clock-rate", &clock_rate_hz)
        && payload_type >= 0 && payload_type < (gint) G_N_ELEMENTS (self->clock_rate_hz)
        && clock_rate_hz > 0)
      self->clock_rate_hz[payload_type] = (guint32) clock_rate_hz;
  }
}

guint32
standard_feedback_clock_rate (const StandardFeedback * self, guint8 payload_type)
{
  return self->clock_rate_hz[payload_type % G_N_ELEMENTS (self->clock_rate_hz)];
}

void
standard_feedback_set_format (StandardFeedback * self, GstArcFeedback format)
{
  if (format != self->lists->format)
    packet_lists_begin (self->lists, format);
}

void
standard_feedback_on_packet (StandardFeedback * self, const SourceTable * sources, Source * source,
    RcLossVerdict verdict, const RtpPacket * packet, RcTime arrived_at)
{
  rc_rtcptiming_on_packet (&self->timing, 0, TRUE);
  source->heard = TRUE;
  packet_lists_note (self->lists, (guint) (source - sources->sources), packet, arrived_at);
  if (verdict != RC_LOSSHIST_STRAY && verdict != RC_LOSSHIST_DUPLICATE)
    rc_reception_on_packet (&source->reception, packet->timestamp,
        standard_feedback_clock_rate (self, packet->payload_type), arrived_at);
}

void
standard_feedback_on_repair (StandardFeedback * self, const RtpPacket * packet, RcTime arrived_at)
{
  if (self->lists->format == GST_ARC_FEEDBACK_TWCC)
    packet_lists_note (self->lists, 0, packet, arrived_at);
}

void
standard_feedback_count (StandardFeedback * self, guint bytes)
{
  rc_rtcptiming_on_packet (&self->timing, bytes, FALSE);
}

void
standard_feedback_on_sender_report (StandardFeedback * self, Source * source, guint64 ntp,
    RcTime arrived_at)
{
  rc_rtcptiming_on_packet (&self->timing, 0, TRUE);
  source->heard = source->receiver.stats.loss.primed;
  rc_reception_on_sender_report (&source->reception, ntp, arrived_at);
}

static guint
count_heard (const SourceTable * sources)
{
  guint n = 0;

  for (guint i = 0; i < sources->n_sources; i++)
    n += sources->sources[i].heard;
  return n;
}

static guint
compound_bytes (const SourceTable * sources)
{
  return REPORT_BYTES + BLOCK_BYTES * count_heard (sources) + DESCRIPTION_BYTES;
}

/* What lists packets may go without the rest of a compound. */
static gboolean
goes_alone (const StandardFeedback * self, const FeedbackOffer * offer, RcTime now)
{
  return offer->reduced_size && packet_lists_bytes (self->lists) > 0
      && self->compound_at != RC_TIME_NONE && now - self->compound_at < COMPOUND_INTERVAL;
}

RcTime
standard_feedback_due_at (const StandardFeedback * self, const SourceTable * sources,
    const FeedbackOffer * offer, RcTime now)
{
  static const RcRtcpRule lists = RC_RTCP_RULE_LISTS, avpf = RC_RTCP_RULE_AVPF,
      avp = RC_RTCP_RULE_AVP;
  guint list_bytes = packet_lists_bytes (self->lists), bytes;

  if (packet_lists_pressing (self->lists))
    return now;
  bytes = RC_OVERHEAD_IPV4_BYTES + list_bytes
      + (goes_alone (self, offer, now) ? 0 : compound_bytes (sources));
  return rc_rtcptiming_due_at (&self->timing, list_bytes > 0 ? &lists : offer->avpf ? &avpf : &avp,
      bytes, now);
}

static void
add_report (GstRTCPBuffer * rtcp, SourceTable * sources, guint32 ssrc, RcTime now)
{
  RtcpReception blocks[SOURCE_TABLE_SIZE];
  guint n = 0;

  for (guint i = 0; i < sources->n_sources; i++) {
    Source *source = &sources->sources[i];

    if (!source->heard)
      continue;
    source->heard = FALSE;
    blocks[n].ssrc = source->receiver.ssrc;
    rc_reception_tell (&source->reception, &source->receiver.stats.loss, now, &blocks[n++].block);
  }
  rtcp_add_receiver_report (rtcp, ssrc, blocks, n);
}

GstBuffer *
standard_feedback_new_report (StandardFeedback * self, SourceTable * sources,
    const FeedbackOffer * offer, guint32 ssrc, RcTime now)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (SOURCE_TABLE_COMPOUND_BYTES);
  guint room = SOURCE_TABLE_COMPOUND_BYTES;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  if (!goes_alone (self, offer, now)) {
    room -= compound_bytes (sources);
    add_report (&rtcp, sources, ssrc, now);
    rtcp_add_cname (&rtcp, ssrc, self->cname);
    self->compound_at = now;
  }
  packet_lists_add (self->lists, &rtcp, ssrc, room, now);
  gst_rtcp_buffer_unmap (&rtcp);
  rc_rtcptiming_on_sent (&self->timing, now);
  rc_rtcptiming_on_packet (&self->timing, 0, packet_lists_bytes (self->lists) > 0);
  return buffer;
}
