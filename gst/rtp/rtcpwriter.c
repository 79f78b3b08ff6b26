/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcpwriter.h"

#include <rc/base/bytes.h>
#include <string.h>

#define APP_HEADER_BYTES 12
#define FB_HEADER_BYTES 12
#define FIR_ENTRY_WORDS 2
#define KEYFRAME_BYTES (FB_HEADER_BYTES + 4 * FIR_ENTRY_WORDS)
#define MAX_REPORT_BYTES 512    /* a sender report and a CNAME of at most 255 bytes */

/* --- ours --- */

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
rtcp_new_reports (guint32 sender_ssrc, const RcReport * reports, guint n)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  guint8 bytes[RC_WIRE_MAX_BYTES];
  GstBuffer *buffer;
  guint i;

  g_return_val_if_fail (n >= 1 && n <= RTCP_MAX_REPORTS, NULL);
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

  g_return_val_if_fail (n >= 1 && n <= RTCP_MAX_REPORTS, NULL);
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
rtcp_new_infos (guint32 sender_ssrc, const RcSenderInfo * infos, guint n)
{
  return new_infos (sender_ssrc, infos, n, FALSE);
}

GstBuffer *
rtcp_new_farewell (guint32 sender_ssrc, const RcSenderInfo * infos, guint n)
{
  return new_infos (sender_ssrc, infos, n, TRUE);
}

/* Of one APP packet. */
static GstBuffer *
new_app (guint32 ssrc, const gchar * name, const guint8 * bytes, gsize size)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = new_buffer (1, &rtcp);

  add_app (&rtcp, ssrc, name, bytes, size);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

GstBuffer *
rtcp_new_notice (guint32 sender_ssrc, const RcNotice * notice)
{
  guint8 bytes[RC_WIRE_NOTICE_BYTES];

  return new_app (sender_ssrc, RC_WIRE_NOTICE_NAME, bytes,
      rc_wire_encode_notice (notice, bytes, sizeof bytes));
}

GstBuffer *
rtcp_new_call (const RcCall * call)
{
  guint8 bytes[RC_CALL_MOST_BYTES];

  return new_app (0, RC_CALL_NAME, bytes, rc_call_encode (call, bytes, sizeof bytes));
}

GstBuffer *
rtcp_new_answer (const RcAnswer * answer)
{
  guint8 bytes[RC_ANSWER_MOST_BYTES];

  return new_app (0, RC_ANSWER_NAME, bytes, rc_answer_encode (answer, bytes, sizeof bytes));
}

/* --- reports of RTP --- */

void
rtcp_add_receiver_report (GstRTCPBuffer * rtcp, guint32 ssrc, const RtcpReception * blocks,
    guint n)
{
  GstRTCPPacket packet;

  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RR, &packet))
    return;
  gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
  for (guint i = 0; i < n; i++) {
    const RcReceptionBlock *block = &blocks[i].block;

    gst_rtcp_packet_add_rb (&packet, blocks[i].ssrc, block->fraction_lost, block->lost_pkts,
        block->highest_seq, block->jitter, block->lsr, block->dlsr);
  }
}

void
rtcp_add_cname (GstRTCPBuffer * rtcp, guint32 ssrc, const gchar * cname)
{
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_SDES, &packet);
  gst_rtcp_packet_sdes_add_item (&packet, ssrc);
  gst_rtcp_packet_sdes_add_entry (&packet, GST_RTCP_SDES_CNAME, (guint8) strlen (cname),
      (const guint8 *) cname);
}

GstBuffer *
rtcp_new_sender_report (const RtcpSenderReport * report, const gchar * cname, gboolean bye)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (MAX_REPORT_BYTES);
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_SR, &packet);
  gst_rtcp_packet_sr_set_sender_info (&packet, report->ssrc, report->ntp, report->rtp,
      report->packets, report->octets);
  rtcp_add_cname (&rtcp, report->ssrc, cname);
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, report->ssrc);
  }
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

/* --- requests for keyframes --- */

static void
add_keyframe (GstRTCPBuffer * rtcp, const RtcpKeyframe * request)
{
  GstRTCPPacket packet;
  guint8 *entry;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_PSFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet,
      request->fir ? GST_RTCP_PSFB_TYPE_FIR : GST_RTCP_PSFB_TYPE_PLI);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, request->from);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, request->fir ? 0 : request->ssrc);
  if (!request->fir)
    return;
  gst_rtcp_packet_fb_set_fci_length (&packet, FIR_ENTRY_WORDS);
  entry = gst_rtcp_packet_fb_get_fci (&packet);
  GST_WRITE_UINT32_BE (entry, request->ssrc);
  GST_WRITE_UINT32_BE (entry + 4, (guint32) request->number << 24);
}

GstBuffer *
rtcp_new_keyframes (const RtcpKeyframe * requests, guint n)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer;

  g_return_val_if_fail (n >= 1 && n <= RTCP_MAX_KEYFRAMES, NULL);
  buffer = gst_rtcp_buffer_new (n * KEYFRAME_BYTES + 4);
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  for (guint i = 0; i < n; i++)
    add_keyframe (&rtcp, &requests[i]);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

/* --- REMB --- */

#define REMB_MANTISSA_BITS 18

GstBuffer *
rtcp_new_bound (guint32 sender_ssrc, guint64 bps, const guint32 * ssrcs, guint n)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (FB_HEADER_BYTES + 8 + 4 * n + 4);
  GstRTCPPacket packet;
  guint8 *fci;
  guint exponent = 0;

  g_return_val_if_fail (n >= 1 && n <= RTCP_MAX_REPORTS, NULL);
  for (; bps >> exponent >> REMB_MANTISSA_BITS; exponent++);
  bps >>= exponent;
  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_PSFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, GST_RTCP_PSFB_TYPE_AFB);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, sender_ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, 0);
  gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (2 + n));
  fci = gst_rtcp_packet_fb_get_fci (&packet);
  memcpy (fci, "REMB", 4);
  GST_WRITE_UINT32_BE (fci + 4, n << 24 | exponent << REMB_MANTISSA_BITS | (guint32) bps);
  for (guint i = 0; i < n; i++)
    GST_WRITE_UINT32_BE (fci + 8 + 4 * i, ssrcs[i]);
  gst_rtcp_buffer_unmap (&rtcp);
  return buffer;
}

/* --- NACKs --- */

/* Returns how many of the packets, all of one SSRC, it asks for; 0: there is no room. */
static guint
add_nack (GstRTCPBuffer * rtcp, guint32 ssrc, const NackedPacket * packets, guint n, guint room)
{
  guint8 fci[RTCP_MAX_NACKED * RC_NACK_WORD_BYTES];
  guint16 numbers[RTCP_MAX_NACKED];
  GstRTCPPacket packet;
  gsize bytes;
  guint n_listed;

  if (room < FB_HEADER_BYTES + RC_NACK_WORD_BYTES)
    return 0;
  n = MIN (n, RTCP_MAX_NACKED);
  for (guint i = 0; i < n; i++)
    numbers[i] = packets[i].seq;
  bytes = rc_nack_encode (numbers, n, fci, MIN (sizeof fci, room - FB_HEADER_BYTES), &n_listed);
  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet))
    return 0;
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) RC_NACK_FMT);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, packets[0].ssrc);
  gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (bytes / 4));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), fci, bytes);
  return n_listed;
}

static guint
same_stream (const NackedPacket * packets, guint n)
{
  guint same = 1;

  while (same < n && packets[same].ssrc == packets[0].ssrc)
    same++;
  return same;
}

GstBuffer *
rtcp_new_nacks (guint32 ssrc, const NackedPacket * packets, guint n, guint cap, gboolean continues,
    guint * n_listed)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (cap);
  guint listed = 0, added = 1;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  if (!continues)
    rtcp_add_receiver_report (&rtcp, ssrc, NULL, 0);
  while (listed < n && added > 0) {
    added = add_nack (&rtcp, ssrc, packets + listed, same_stream (packets + listed, n - listed),
        cap - (guint) rtcp.map.size);
    listed += added;
  }
  gst_rtcp_buffer_unmap (&rtcp);
  *n_listed = listed;
  return buffer;
}

/* --- lists of packets --- */

void
rtcp_add_list (GstRTCPBuffer * rtcp, guint32 ssrc, guint8 fmt, const guint8 * bytes, gsize size)
{
  GstRTCPPacket packet;

  gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet);
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) fmt);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, rc_get32 (bytes));
  gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (size / 4 - 1));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), bytes + 4, size - 4);
}
