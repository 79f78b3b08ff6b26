/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/extmap.h"

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
