/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The first bytes of a packet, as gst_buffer_extract (), in half its instructions where they are in
 * one memory: each packet is asked several times what it is. */
#pragma once

#include <gst/gst.h>
#include <string.h>

G_BEGIN_DECLS

static inline gsize
packet_head (GstBuffer * buffer, guint8 * head, gsize size)
{
  GstMemory *first = gst_buffer_n_memory (buffer) > 0 ? gst_buffer_peek_memory (buffer, 0) : NULL;
  GstMapInfo map;

  if (!first || first->size < size || !gst_memory_map (first, &map, GST_MAP_READ))
    return gst_buffer_extract (buffer, 0, head, size);
  memcpy (head, map.data, size);
  gst_memory_unmap (first, &map);
  return size;
}

G_END_DECLS
