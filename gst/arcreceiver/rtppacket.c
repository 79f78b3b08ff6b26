/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtppacket.h"

#include "rtp/extmap.h"
#include "rtp/packethead.h"
#include "rtp/ratestamp.h"

#include <gst/rtp/rtp.h>
#include <rc/base/bytes.h>

#define HEADER_BYTES 12         /* without CSRCs and header extensions */
#define EXTRAS 0x1f             /* of the first byte: whether there are any of these */
#define OSN_BYTES 2

static gint
read_transport_number (GstRTPBuffer * rtp, guint8 id)
{
  const guint8 *number = extmap_find (rtp, id, EXTMAP_NUMBER_BYTES);

  return number ? rc_get16 (number) : -1;
}

static guint16
read_osn (GstRTPBuffer * rtp)
{
  const guint8 *payload = gst_rtp_buffer_get_payload (rtp);

  return payload && gst_rtp_buffer_get_payload_len (rtp) >= OSN_BYTES ? rc_get16 (payload) : 0;
}

/* FALSE: it is cut off. */
static gboolean
read_behind_extras (GstBuffer * buffer, RtpPacketExtensions extensions, RtpPacket * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ | GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING, &rtp))
    return FALSE;
  packet->osn = read_osn (&rtp);
  packet->transport_number = read_transport_number (&rtp, extensions.twcc);
  if (packet->explicit_bps == 0)
    packet->explicit_bps = rate_stamp_read (&rtp, extensions.stamp);
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}

gboolean
rtp_packet_read (GstBuffer * buffer, RtpPacketExtensions extensions, RtpPacket * packet)
{
  guint8 head[HEADER_BYTES + OSN_BYTES];
  gsize bytes = packet_head (buffer, head, sizeof head);

  if (bytes < HEADER_BYTES || head[0] >> 6 != GST_RTP_VERSION)
    return FALSE;
  *packet = (RtpPacket) {
    .ssrc = rc_get32 (head + 8),
    .timestamp = rc_get32 (head + 4),
    .seq = rc_get16 (head + 2),
    .payload_type = head[1] & 0x7f,
    .marker = head[1] >> 7,
    .osn = bytes == sizeof head ? rc_get16 (head + HEADER_BYTES) : 0,
    .transport_number = -1,
    .explicit_bps = rate_stamp_attached (buffer),
    .bytes = (guint) gst_buffer_get_size (buffer),
  };
  packet->ecn_read = ecn_bits_of_buffer (buffer, &packet->ecn);
  return !(head[0] & EXTRAS) || read_behind_extras (buffer, extensions, packet);
}
