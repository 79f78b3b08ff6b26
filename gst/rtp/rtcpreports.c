/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcpreports.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#define RR_HEADER_BYTES 8
#define SR_HEADER_BYTES 28
#define BLOCK_BYTES 24
#define BYE_HEADER_BYTES 4
#define FB_HEADER_BYTES 12
#define REMB_NAME "REMB"
#define REMB_BYTES 8            /* of the FCI, without its SSRCs */
#define MAX_REPORT_BYTES 512    /* a sender report and a CNAME of at most 255 bytes */

static gsize
size_of (const GstRTCPPacket * packet)
{
  return 4 * ((gsize) packet->length + 1);
}

static gboolean
parse_blocks (GstRTCPPacket * packet, guint32 instance, gsize header_bytes, RtcpReports * out)
{
  guint n = gst_rtcp_packet_get_rb_count (packet);

  if (size_of (packet) < header_bytes + n * BLOCK_BYTES || out->n_blocks + n > RTCP_REPORTS_MAX)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    RcReportBlock *block = &out->blocks[out->n_blocks++];
    guint8 fraction;
    guint32 jitter;

    gst_rtcp_packet_get_rb (packet, i, &block->ssrc, &fraction, &block->lost_pkts,
        &block->highest_seq, &jitter, &block->lsr, &block->dlsr);
    block->instance = instance;
  }
  return TRUE;
}

static gboolean
parse_sr (GstRTCPPacket * packet, RtcpReports * out)
{
  RtcpSenderReport *report = &out->sender_reports[out->n_sender_reports];

  if (size_of (packet) < SR_HEADER_BYTES || out->n_sender_reports == RTCP_REPORTS_MAX)
    return FALSE;
  out->n_sender_reports++;
  gst_rtcp_packet_sr_get_sender_info (packet, &report->ssrc, &report->ntp, &report->rtp,
      &report->packets, &report->octets);
  return parse_blocks (packet, report->ssrc, SR_HEADER_BYTES, out);
}

static gboolean
parse_rr (GstRTCPPacket * packet, RtcpReports * out)
{
  return size_of (packet) >= RR_HEADER_BYTES
      && parse_blocks (packet, gst_rtcp_packet_rr_get_ssrc (packet), RR_HEADER_BYTES, out);
}

/* Other feedback of the application layer is none of ours. */
static gboolean
parse_remb (GstRTCPPacket * packet, RtcpReports * out)
{
  gsize size = size_of (packet);
  const guint8 *fci;
  guint n;

  if (size < FB_HEADER_BYTES + REMB_BYTES
      || gst_rtcp_packet_fb_get_type (packet) != GST_RTCP_PSFB_TYPE_AFB)
    return TRUE;
  fci = gst_rtcp_packet_fb_get_fci (packet);
  if (memcmp (fci, REMB_NAME, 4) != 0)
    return TRUE;
  n = fci[4];
  if (size < FB_HEADER_BYTES + REMB_BYTES + 4 * n)
    return FALSE;
  out->bound_bps = (guint64) (GST_READ_UINT24_BE (fci + 5) & 0x3ffff) << (fci[5] >> 2);
  out->n_bound_ssrcs = MIN (n, RTCP_REPORTS_MAX);
  for (guint i = 0; i < out->n_bound_ssrcs; i++)
    out->bound_ssrcs[i] = GST_READ_UINT32_BE (fci + REMB_BYTES + 4 * i);
  return TRUE;
}

static gboolean
parse_bye (GstRTCPPacket * packet, RtcpReports * out)
{
  guint n = gst_rtcp_packet_bye_get_ssrc_count (packet);

  if (size_of (packet) < BYE_HEADER_BYTES + 4 * n || out->n_byes + n > RTCP_REPORTS_MAX)
    return FALSE;
  for (guint i = 0; i < n; i++)
    out->byes[out->n_byes++] = gst_rtcp_packet_bye_get_nth_ssrc (packet, i);
  return TRUE;
}

static gboolean
parse_packet (GstRTCPPacket * packet, RtcpReports * out)
{
  switch (gst_rtcp_packet_get_type (packet)) {
    case GST_RTCP_TYPE_SR:
      return parse_sr (packet, out);
    case GST_RTCP_TYPE_RR:
      return parse_rr (packet, out);
    case GST_RTCP_TYPE_BYE:
      return parse_bye (packet, out);
    case GST_RTCP_TYPE_PSFB:
      return parse_remb (packet, out);
    default:
      return TRUE;
  }
}

gboolean
rtcp_reports_parse (GstBuffer * buffer, RtcpReports * out)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  gboolean more, ok = FALSE;

  memset (out, 0, G_STRUCT_OFFSET (RtcpReports, blocks));
  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
      more = gst_rtcp_packet_move_to_next (&packet)) {
    ok = parse_packet (&packet, out);
    if (!ok)
      break;
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return ok;
}

GstBuffer *
rtcp_reports_new (const RtcpSenderReport * report, const gchar * cname, gboolean bye)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (MAX_REPORT_BYTES);
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet);
  gst_rtcp_packet_sr_set_sender_info (&packet, report->ssrc, report->ntp, report->rtp,
      report->packets, report->octets);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SDES, &packet);
  gst_rtcp_packet_sdes_add_item (&packet, report->ssrc);
  gst_rtcp_packet_sdes_add_entry (&packet, GST_RTCP_SDES_CNAME, (guint8) strlen (cname),
      (const guint8 *) cname);
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, report->ssrc);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

guint32
rtcp_reports_lsr (guint64 ntp)
{
  return (guint32) (ntp >> 16);
}
