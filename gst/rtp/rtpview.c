/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/rtpview.h"

#define HEADER_BYTES 12
#define EXTENSION_BYTES 4       /* before its words */
#define VERSION_PADDING_MASK 0xe0
#define VERSION_2 0x80          /* and no padding */
#define EXTENSION_BIT 0x10

/* Fills in data and size of header and extension. FALSE: it is left to GStreamer, as padding is. */
static gboolean
read_header (GstRTPBuffer * rtp, const GstMapInfo * map)
{
  guint8 *data = map->data;
  gsize bytes;

  if (map->size < HEADER_BYTES || (data[0] & VERSION_PADDING_MASK) != VERSION_2)
    return FALSE;
  bytes = HEADER_BYTES + 4 * (data[0] & 0x0f);
  rtp->data[0] = data;
  rtp->size[0] = bytes;
  if (!(data[0] & EXTENSION_BIT))
    return map->size >= bytes;
  if (map->size < bytes + EXTENSION_BYTES)
    return FALSE;
  rtp->data[1] = data + bytes;
  rtp->size[1] = EXTENSION_BYTES + 4 * (gsize) GST_READ_UINT16_BE (data + bytes + 2);
  return map->size >= bytes + rtp->size[1];
}

static gboolean
open_memories (RtpView * self, GstBuffer * buffer, guint n)
{
  GstRTPBuffer *rtp = &self->rtp;
  GstMapInfo *first = &rtp->map[0], *second = &rtp->map[2];
  gsize bytes;

  if (!gst_memory_map (gst_buffer_peek_memory (buffer, 0), first, GST_MAP_READ))
    return FALSE;
  if (read_header (rtp, first)) {
    bytes = rtp->size[0] + rtp->size[1];
    rtp->data[2] = (guint8 *) first->data + bytes;
    rtp->size[2] = first->size - bytes;
    if (n == 1)
      return TRUE;
    if (first->size == bytes
        && gst_memory_map (gst_buffer_peek_memory (buffer, 1), second, GST_MAP_READ)) {
      rtp->data[2] = second->data;
      rtp->size[2] = second->size;
      return TRUE;
    }
  }
  gst_memory_unmap (first->memory, first);
  return FALSE;
}

gboolean
rtp_view_open (RtpView * self, GstBuffer * buffer)
{
  guint n = gst_buffer_n_memory (buffer);

  *self = (RtpView) {.rtp = {.buffer = buffer },.n_memories = n };
  if ((n == 1 || n == 2) && open_memories (self, buffer, n))
    return TRUE;
  *self = (RtpView) {.rtp = GST_RTP_BUFFER_INIT };
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READ, &self->rtp))
    return FALSE;
  gst_rtp_buffer_get_payload (&self->rtp);
  return TRUE;
}

void
rtp_view_close (RtpView * self)
{
  if (self->n_memories == 0) {
    gst_rtp_buffer_unmap (&self->rtp);
    return;
  }
  gst_memory_unmap (self->rtp.map[0].memory, &self->rtp.map[0]);
  if (self->n_memories == 2)
    gst_memory_unmap (self->rtp.map[2].memory, &self->rtp.map[2]);
}
