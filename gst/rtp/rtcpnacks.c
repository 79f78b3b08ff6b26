/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtcpnacks.h"

#include <gst/rtp/rtp.h>

#define FB_HEADER_BYTES 12
#define REPORT_BYTES 8          /* an RR without blocks */

static void
read_nack (GstRTCPPacket * packet, RtcpNacks * out)
{
  guint32 ssrc = gst_rtcp_packet_fb_get_media_ssrc (packet);
  gsize bytes = 4 * (gsize) gst_rtcp_packet_fb_get_fci_length (packet);
  guint16 numbers[RTCP_NACKS_MAX];
  guint n = rc_nack_decode (gst_rtcp_packet_fb_get_fci (packet), bytes, numbers, RTCP_NACKS_MAX);

  out->n_messages++;
  out->n_asked += n;
  for (guint i = 0; i < MIN (n, RTCP_NACKS_MAX) && out->n_packets < RTCP_NACKS_MAX; i++)
    out->packets[out->n_packets++] = (NackedPacket) { ssrc, numbers[i] };
}

gboolean
rtcp_nacks_read (GstBuffer * buffer, RtcpNacks * out)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  out->n_messages = out->n_asked = out->n_packets = 0;
  if (!gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp))
    return FALSE;
  for (gboolean more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
      more = gst_rtcp_packet_move_to_next (&packet))
    if (gst_rtcp_packet_get_type (&packet) == GST_RTCP_TYPE_RTPFB
        && gst_rtcp_packet_fb_get_type (&packet) == (GstRTCPFBType) RC_NACK_FORMAT)
      read_nack (&packet, out);
  gst_rtcp_buffer_unmap (&rtcp);
  return out->n_messages > 0;
}

/* Returns how many of the packets, all of one SSRC, it asks for; 0: there is no room. */
static guint
add_nack (GstRTCPBuffer * rtcp, guint32 ssrc, const NackedPacket * packets, guint n, guint room)
{
  guint8 fci[RTCP_NACKS_MAX * RC_NACK_WORD_BYTES];
  guint16 numbers[RTCP_NACKS_MAX];
  GstRTCPPacket packet;
  gsize bytes;
  guint n_told;

  if (room < FB_HEADER_BYTES + RC_NACK_WORD_BYTES)
    return 0;
  n = MIN (n, RTCP_NACKS_MAX);
  for (guint i = 0; i < n; i++)
    numbers[i] = packets[i].seq;
  bytes = rc_nack_encode (numbers, n, fci, MIN (sizeof fci, room - FB_HEADER_BYTES), &n_told);
  if (!gst_rtcp_buffer_add_packet (rtcp, GST_RTCP_TYPE_RTPFB, &packet))
    return 0;
  gst_rtcp_packet_fb_set_type (&packet, (GstRTCPFBType) RC_NACK_FORMAT);
  gst_rtcp_packet_fb_set_sender_ssrc (&packet, ssrc);
  gst_rtcp_packet_fb_set_media_ssrc (&packet, packets[0].ssrc);
  gst_rtcp_packet_fb_set_fci_length (&packet, (guint16) (bytes / 4));
  memcpy (gst_rtcp_packet_fb_get_fci (&packet), fci, bytes);
  return n_told;
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
rtcp_nacks_new (guint32 ssrc, const NackedPacket * packets, guint n, guint cap, gboolean continues,
    guint * n_told)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstBuffer *buffer = gst_rtcp_buffer_new (cap);
  GstRTCPPacket packet;
  guint told = 0, added = 1;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  if (!continues && gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet))
    gst_rtcp_packet_rr_set_ssrc (&packet, ssrc);
  while (told < n && added > 0) {
    added = add_nack (&rtcp, ssrc, packets + told, same_stream (packets + told, n - told),
        cap - (guint) rtcp.map.size);
    told += added;
  }
  gst_rtcp_buffer_unmap (&rtcp);
  *n_told = told;
  return buffer;
}
