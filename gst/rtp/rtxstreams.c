/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtxstreams.h"

#include <gst/rtp/rtp.h>

#define PADDING_BIT 0x20
#define MARKER_BIT 0x80
#define MAX_PAYLOAD_TYPE 127

static gboolean
add_payload_type (GQuark field, const GValue * value, gpointer user_data)
{
  RtxStreams *self = user_data;
  guint64 media;

  if (G_VALUE_HOLDS_UINT (value) && g_value_get_uint (value) <= MAX_PAYLOAD_TYPE
      && g_ascii_string_to_unsigned (g_quark_to_string (field), 10, 0, MAX_PAYLOAD_TYPE, &media,
          NULL))
    self->payload_types[media] = (guint8) g_value_get_uint (value);
  return TRUE;
}

void
rtx_streams_init (RtxStreams * self, const GstStructure * map)
{
  *self = (RtxStreams) { 0 };
  if (map)
    gst_structure_foreach (map, add_payload_type, self);
}

RtxStream *
rtx_streams_get (RtxStreams * self, guint32 media_ssrc, guint8 payload_type)
{
  RtxStream *stream;

  if (self->payload_types[payload_type & MAX_PAYLOAD_TYPE] == 0)
    return NULL;
  for (guint i = 0; i < self->n_streams; i++)
    if (self->streams[i].media_ssrc == media_ssrc)
      return &self->streams[i];
  if (self->n_streams == RTX_STREAMS_MAX)
    return NULL;
  stream = &self->streams[self->n_streams++];
  *stream = (RtxStream) {.media_ssrc = media_ssrc,.ssrc = g_random_int (),
      .next_seq = (guint16) g_random_int () };
  stream->ready_seq = stream->next_seq;
  return stream;
}

GstBuffer *
rtx_stream_new_packet (const RtxStreams * self, const RtxStream * stream, GstBuffer * packet,
    guint16 seq)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBuffer *buffer;
  GstMapInfo map;
  guint header_bytes, payload_bytes;
  guint8 payload_type;
  guint16 osn;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp))
    return NULL;
  header_bytes = gst_rtp_buffer_get_header_len (&rtp);
  payload_bytes = gst_rtp_buffer_get_payload_len (&rtp);
  payload_type = self->payload_types[gst_rtp_buffer_get_payload_type (&rtp)];
  osn = gst_rtp_buffer_get_seq (&rtp);
  gst_rtp_buffer_unmap (&rtp);

  buffer = gst_buffer_new_allocate (NULL, header_bytes + RTX_STREAM_OSN_BYTES + payload_bytes,
      NULL);
  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  gst_buffer_extract (packet, 0, map.data, header_bytes);
  map.data[0] &= (guint8) ~ PADDING_BIT;
  map.data[1] = (guint8) ((map.data[1] & MARKER_BIT) | payload_type);
  GST_WRITE_UINT16_BE (map.data + 2, seq);
  GST_WRITE_UINT32_BE (map.data + 8, stream->ssrc);
  GST_WRITE_UINT16_BE (map.data + header_bytes, osn);
  gst_buffer_extract (packet, header_bytes, map.data + header_bytes + RTX_STREAM_OSN_BYTES,
      payload_bytes);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

GstStructure *
rtx_streams_to_structure (const RtxStreams * self)
{
  GstStructure *map = gst_structure_new_empty ("application/x-rtp-ssrc-map");

  for (guint i = 0; i < self->n_streams; i++) {
    gchar *name = g_strdup_printf ("%u", self->streams[i].media_ssrc);

    gst_structure_set (map, name, G_TYPE_UINT, self->streams[i].ssrc, NULL);
    g_free (name);
  }
  return map;
}
