/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtppacket.h"

#include "rtp/extmap.h"
#include "rtp/ratestamp.h"

#include <gst/rtp/rtp.h>
#include <rc/base/bytes.h>

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

  return payload && gst_rtp_buffer_get_payload_len (rtp) >= 2 ? rc_get16 (payload) : 0;
}

gboolean
rtp_packet_read (GstBuffer * buffer, RtpPacketExtensions extensions, RtpPacket * packet)
{
  guint64 attached_bps = rate_stamp_attached (buffer);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  RcEcnBits ecn;
  gboolean ecn_read = ecn_bits_of_buffer (buffer, &ecn);

  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ | GST_RTP_BUFFER_MAP_FLAG_SKIP_PADDING, &rtp))
    return FALSE;
  *packet = (RtpPacket) {
    .ssrc = gst_rtp_buffer_get_ssrc (&rtp),
    .timestamp = gst_rtp_buffer_get_timestamp (&rtp),
    .seq = gst_rtp_buffer_get_seq (&rtp),
    .payload_type = gst_rtp_buffer_get_payload_type (&rtp),
    .marker = gst_rtp_buffer_get_marker (&rtp),
    .osn = read_osn (&rtp),
    .transport_number = read_transport_number (&rtp, extensions.twcc),
    .explicit_bps = attached_bps ? attached_bps : rate_stamp_read (&rtp, extensions.stamp),
    .ecn_read = ecn_read,
    .ecn = ecn,
    .bytes = (guint) gst_buffer_get_size (buffer),
  };
  gst_rtp_buffer_unmap (&rtp);
  return TRUE;
}
