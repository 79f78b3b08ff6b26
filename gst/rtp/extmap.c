/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/extmap.h"

#include <string.h>

#define TWO_BYTE_PROFILE 0x1000
#define TWO_BYTE_MASK 0xFFF0    /* the rest is application bits */

const gchar *
extmap_uri (const GstStructure * structure, guint id)
{
  gchar *field = g_strdup_printf ("extmap-%u", id);
  const GValue *value = gst_structure_get_value (structure, field);

  g_free (field);
  if (value && GST_VALUE_HOLDS_ARRAY (value) && gst_value_array_get_size (value) == 3)
    value = gst_value_array_get_value (value, 1);       /* direction, URI, attributes */
  return value && G_VALUE_HOLDS_STRING (value) ? g_value_get_string (value) : NULL;
}

guint8
extmap_id_of_caps (const GstCaps * caps, const gchar * uri)
{
  const GstStructure *structure = caps
      && gst_caps_get_size (caps) > 0 ? gst_caps_get_structure (caps, 0) : NULL;

  for (guint id = 1; structure && id <= EXTMAP_MAX_ID; id++)
    if (g_strcmp0 (extmap_uri (structure, id), uri) == 0)
      return (guint8) id;
  return 0;
}

gpointer
extmap_find (GstRTPBuffer * rtp, guint8 id, guint size)
{
  guint found_size;
  gpointer data;

  if (id == 0 || !gst_rtp_buffer_get_extension (rtp))
    return NULL;
  if (!gst_rtp_buffer_get_extension_onebyte_header (rtp, id, 0, &data, &found_size)
      && !gst_rtp_buffer_get_extension_twobytes_header (rtp, NULL, id, 0, &data, &found_size))
    return NULL;
  return found_size == size ? data : NULL;
}

static gboolean
add_element (GstRTPBuffer * rtp, guint8 id, const guint8 * bytes, guint size)
{
  guint16 profile;
  guint words;
  gpointer data;

  if (gst_rtp_buffer_get_extension_data (rtp, &profile, &data, &words)
      && (profile & TWO_BYTE_MASK) == TWO_BYTE_PROFILE)
    return gst_rtp_buffer_add_extension_twobytes_header (rtp, profile & ~TWO_BYTE_MASK, id,
        bytes, size);
  return gst_rtp_buffer_add_extension_onebyte_header (rtp, id, bytes, size);
}

GstBuffer *
extmap_put (GstBuffer * buffer, guint8 id, const guint8 * bytes, guint size)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer old;

  buffer = gst_buffer_make_writable (buffer);
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return buffer;
  old = extmap_find (&rtp, id, size);
  if (old)
    memcpy (old, bytes, size);
  else
    add_element (&rtp, id, bytes, size);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

GstBuffer *
extmap_write_number (GstBuffer * buffer, guint8 id, guint16 number)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *at;

  buffer = gst_buffer_make_writable (buffer);
  if (!gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp))
    return buffer;
  at = extmap_find (&rtp, id, EXTMAP_NUMBER_BYTES);
  if (at) {
    /* Not GST_WRITE_UINT16_BE: an extension begins at any byte. */
    at[0] = number >> 8;
    at[1] = number & 0xff;
  }
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}
