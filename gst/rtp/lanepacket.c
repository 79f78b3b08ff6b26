/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/lanepacket.h"

#include <string.h>

#define HEADER_BYTES 12
#define SEQ_AT 2
#define SSRC_AT 8
#define VERSION_BITS 0xc0
#define VERSION_2 0x80
#define PADDING_BIT 0x20
#define FLAG_PADDED 1

gboolean
lane_packet_read (GstBuffer * buffer, guint32 * ssrc, guint16 * seq)
{
  guint8 header[HEADER_BYTES];

  if (gst_buffer_extract (buffer, 0, header, sizeof header) != sizeof header
      || (header[0] & VERSION_BITS) != VERSION_2)
    return FALSE;
  *ssrc = GST_READ_UINT32_BE (header + SSRC_AT);
  *seq = GST_READ_UINT16_BE (header + SEQ_AT);
  return TRUE;
}

static gboolean
wrap (guint8 * data, gsize size, guint32 ssrc, guint16 seq)
{
  guint8 *tail = data + size;
  gboolean padded = (data[0] & PADDING_BIT) != 0;
  guint count = LANE_PACKET_BYTES + (padded ? tail[-1] : 0);

  memcpy (tail, data + SSRC_AT, 4);
  memcpy (tail + 4, data + SEQ_AT, 2);
  tail[6] = padded ? FLAG_PADDED : 0;
  tail[7] = (guint8) count;
  data[0] |= PADDING_BIT;
  GST_WRITE_UINT32_BE (data + SSRC_AT, ssrc);
  GST_WRITE_UINT16_BE (data + SEQ_AT, seq);
  return count <= G_MAXUINT8;
}

GstBuffer *
lane_packet_wrap (GstBuffer * buffer, guint32 ssrc, guint16 seq)
{
  gsize size = gst_buffer_get_size (buffer);
  GstBuffer *packet;
  GstMapInfo map;
  gboolean ok;

  if (size < HEADER_BYTES)
    return NULL;
  packet = gst_buffer_new_allocate (NULL, size + LANE_PACKET_BYTES, NULL);
  gst_buffer_map (packet, &map, GST_MAP_WRITE);
  gst_buffer_extract (buffer, 0, map.data, size);
  ok = wrap (map.data, size, ssrc, seq);
  gst_buffer_unmap (packet, &map);
  if (!ok)
    gst_clear_buffer (&packet);
  return packet;
}

static gboolean
unwrap (guint8 * data, gsize size)
{
  const guint8 *tail = data + size - LANE_PACKET_BYTES;
  gboolean padded;

  if (size < HEADER_BYTES + LANE_PACKET_BYTES || !(data[0] & PADDING_BIT) || tail[6] > FLAG_PADDED)
    return FALSE;
  padded = tail[6] == FLAG_PADDED;
  if (padded ? tail[7] <= LANE_PACKET_BYTES || tail[7] - LANE_PACKET_BYTES != tail[-1]
      : tail[7] != LANE_PACKET_BYTES)
    return FALSE;
  memcpy (data + SSRC_AT, tail, 4);
  memcpy (data + SEQ_AT, tail + 4, 2);
  if (!padded)
    data[0] &= (guint8) ~ PADDING_BIT;
  return TRUE;
}

GstBuffer *
lane_packet_unwrap (GstBuffer * buffer)
{
  gsize size = gst_buffer_get_size (buffer);
  gboolean ok = FALSE;
  GstMapInfo map;

  buffer = gst_buffer_make_writable (buffer);
  if (gst_buffer_map (buffer, &map, GST_MAP_READWRITE)) {
    ok = unwrap (map.data, size);
    gst_buffer_unmap (buffer, &map);
  }
  if (ok)
    gst_buffer_set_size (buffer, (gssize) (size - LANE_PACKET_BYTES));
  else
    gst_clear_buffer (&buffer);
  return buffer;
}
