/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcpfeedback.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#define APP_HEADER_BYTES 12

gboolean
rtcp_feedback_is_rtcp (const guint8 * data, gsize size)
{
  return size >= 2 && data[0] >> 6 == GST_RTCP_VERSION && data[1] >= 192 && data[1] <= 223;
}

static gboolean
is_app_named (GstRTCPPacket * packet, const gchar * name)
{
  return memcmp (gst_rtcp_packet_app_get_name (packet), name, 4) == 0;
}

/* Ours with another subtype is another version, which we cannot read; padding nobody adds to the
 * only kind of packet that we send. */
static gboolean
is_readable (GstRTCPPacket * packet, gsize * size)
{
  *size = gst_rtcp_packet_app_get_data_length (packet) * 4;
  return *size > 0 && !packet->padding
      && gst_rtcp_packet_app_get_subtype (packet) == RC_WIRE_VERSION;
}

static gboolean
parse_report (GstRTCPPacket * packet, RtcpFeedback * out)
{
  gsize size;

  return is_readable (packet, &size) && out->n_reports < RTCP_FEEDBACK_MAX_REPORTS
      && rc_wire_decode_report (gst_rtcp_packet_app_get_data (packet),
      size, &out->reports[out->n_reports++]);
}

static gboolean
parse_info (GstRTCPPacket * packet, RtcpFeedback * out)
{
  gsize size;

  return is_readable (packet, &size) && out->n_infos < RTCP_FEEDBACK_MAX_REPORTS
      && rc_wire_decode_info (gst_rtcp_packet_app_get_data (packet),
      size, &out->infos[out->n_infos++]);
}

static gboolean
parse_notice (GstRTCPPacket * packet, RtcpFeedback * out)
{
  gsize size;

  out->noticed = is_readable (packet, &size)
      && rc_wire_decode_notice (gst_rtcp_packet_app_get_data (packet), size, &out->notice);
  return out->noticed;
}

/* FALSE: malformed. */
static gboolean
parse_app (GstRTCPPacket * packet, RtcpFeedback * out)
{
  gboolean report = is_app_named (packet, RC_WIRE_REPORT_NAME),
      info = is_app_named (packet, RC_WIRE_INFO_NAME);

  if (is_app_named (packet, RC_WIRE_NOTICE_NAME))
    return parse_notice (packet, out);
  if (!report && !info) {
    out->others = TRUE;
    return TRUE;
  }
  if (out->n_reports + out->n_infos == 0)
    out->sender_ssrc = gst_rtcp_packet_app_get_ssrc (packet);
  return report ? parse_report (packet, out) : parse_info (packet, out);
}

/* RFC 8888 has the SSRC of the first stream where other formats have that of the media. Of padding
 * (RFC 3550 6.4.1) the last byte tells how much it is. */
static gboolean
parse_list (GstRTCPBuffer * rtcp, GstRTCPPacket * packet, RtcpFeedback * out)
{
  guint8 format = (guint8) gst_rtcp_packet_fb_get_type (packet);
  guint offset = packet->offset + (format == RC_CCFB_FORMAT ? 8 : 12);
  guint end = packet->offset + 4 * (packet->length + 1), padding = 0;

  if (format != RC_CCFB_FORMAT && format != RC_TWCC_FORMAT)
    return TRUE;
  if (packet->padding)
    padding = rtcp->map.data[end - 1];
  if (out->n_lists == RTCP_FEEDBACK_MAX_LISTS || end < offset + padding
      || (packet->padding && padding == 0))
    return FALSE;
  out->lists[out->n_lists++] = (RtcpFeedbackList) { format,
    gst_rtcp_packet_fb_get_sender_ssrc (packet), offset, end - padding - offset };
  return TRUE;
}

/* FALSE: malformed. */
static gboolean
parse_packet (GstRTCPBuffer * rtcp, GstRTCPPacket * packet, RtcpFeedback * out)
{
  GstRTCPType type = gst_rtcp_packet_get_type (packet);

  if (type == GST_RTCP_TYPE_APP)
    return parse_app (packet, out);
  out->others = TRUE;
  out->bye |= type == GST_RTCP_TYPE_BYE;
  return type != GST_RTCP_TYPE_RTPFB || parse_list (rtcp, packet, out);
}

/* Two traps: where a packet is too short for its type GStreamer ends the iteration as if that
 * were the end of the buffer. And gst_rtcp_buffer_validate_reduced() refuses a compound whose last
 * packet is padded, so it is not asked. */
static RtcpFeedbackKind
parse_packets (GstRTCPBuffer * rtcp, RtcpFeedback * out)
{
  GstRTCPPacket packet;
  gsize end;

  if (!gst_rtcp_buffer_get_first_packet (rtcp, &packet))
    return RTCP_FEEDBACK_MALFORMED;
  do {
    if (!parse_packet (rtcp, &packet, out))
      return RTCP_FEEDBACK_MALFORMED;
    end = packet.offset + 4 * (packet.length + 1);
  } while (gst_rtcp_packet_move_to_next (&packet));
  if (end != rtcp->map.size)
    return RTCP_FEEDBACK_MALFORMED;
  return out->n_reports + out->n_infos > 0
      || out->noticed ? RTCP_FEEDBACK_OURS : RTCP_FEEDBACK_OTHER;
}

RtcpFeedbackKind
rtcp_feedback_parse (GstBuffer * buffer, RtcpFeedback * out)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  RtcpFeedbackKind kind;
  guint8 head[2];

  /* Not the arrays: they are 10 KiB, and each RTP packet comes by here. */
  memset (out, 0, G_STRUCT_OFFSET (RtcpFeedback, notice));
  if (!rtcp_feedback_is_rtcp (head, gst_buffer_extract (buffer, 0, head, sizeof (head))))
    return RTCP_FEEDBACK_NOT_RTCP;
  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return RTCP_FEEDBACK_MALFORMED;
  kind = parse_packets (&rtcp, out);
  gst_rtcp_buffer_unmap (&rtcp);
  return kind;
}

static void
add_app (GstRTCPBuffer * rtcp, guint32 sender_ssrc, const gchar * name, const guint8 * data,
    gsize size)
{
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_APP, &packet);
  gst_rtcp_packet_app_set_subtype (&packet, RC_WIRE_VERSION);
  gst_rtcp_packet_app_set_ssrc (&packet, sender_ssrc);
  gst_rtcp_packet_app_set_name (&packet, name);
  gst_rtcp_packet_app_set_data_length (&packet, size / 4);
  memcpy (gst_rtcp_packet_app_get_data (&packet), data, size);
}

/* Large enough for n packets of any content; unmapping shrinks it to what was added. */
static GstBuffer *
new_buffer (guint n, GstRTCPBuffer * rtcp)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (n * (APP_HEADER_BYTES + RC_WIRE_MAX_BYTES));

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, rtcp);
  return buffer;
}

GstBuffer *
rtcp_feedback_new_reports (guint32 sender_ssrc, const RcReport * reports, guint n)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 bytes[RC_WIRE_MAX_BYTES];
  GstBuffer *buffer;
  guint i;

  g_return_val_if_fail (n >= 1 && n <= RTCP_FEEDBACK_MAX_REPORTS, NULL);
  buffer = new_buffer (n, &rtcp);
  for (i = 0; i < n; i++)
    add_app (&rtcp, sender_ssrc, RC_WIRE_REPORT_NAME, bytes,
        rc_wire_encode_report (&reports[i], bytes, sizeof (bytes)));
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

static GstBuffer *
new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n, gboolean bye)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 bytes[RC_WIRE_MAX_BYTES];
  GstRTCPPacket packet;
  GstBuffer *buffer;
  guint i;

  g_return_val_if_fail (n >= 1 && n <= RTCP_FEEDBACK_MAX_REPORTS, NULL);
  buffer = new_buffer (n + 1, &rtcp);
  for (i = 0; i < n; i++)
    add_app (&rtcp, sender_ssrc, RC_WIRE_INFO_NAME, bytes,
        rc_wire_encode_info (&infos[i], bytes, sizeof (bytes)));
  if (bye)
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
  for (i = 0; bye && i < n; i++)
    gst_rtcp_packet_bye_add_ssrc (&packet, infos[i].ssrc);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

GstBuffer *
rtcp_feedback_new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n)
{
  return new_infos (sender_ssrc, infos, n, FALSE);
}

GstBuffer *
rtcp_feedback_new_farewell (guint32 sender_ssrc, const RcSenderInfo * infos, guint n)
{
  return new_infos (sender_ssrc, infos, n, TRUE);
}

GstBuffer *
rtcp_feedback_new_notice (guint32 sender_ssrc, const RcNotice * notice)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 bytes[RC_WIRE_NOTICE_BYTES];
  GstBuffer *buffer = new_buffer (1, &rtcp);

  add_app (&rtcp, sender_ssrc, RC_WIRE_NOTICE_NAME, bytes,
      rc_wire_encode_notice (notice, bytes, sizeof (bytes)));
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}
