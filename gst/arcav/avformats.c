/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "avformats.h"

static const AvFormat formats[] = {
  {96, "video", "H264", 90000, "video/x-h264"},
  {97, "audio", "OPUS", 48000, "audio/x-opus"},
  {98, "video", "H265", 90000, "video/x-h265"},
  {99, "video", "VP8", 90000, "video/x-vp8"},
  {100, "video", "VP9", 90000, "video/x-vp9"},
  {101, "video", "AV1", 90000, "video/x-av1"},
  {26, "video", "JPEG", 90000, "image/jpeg"},
  {0, "audio", "PCMU", 8000, "audio/x-mulaw"},
  {8, "audio", "PCMA", 8000, "audio/x-alaw"},
  {9, "audio", "G722", 8000, "audio/G722"},
};

const AvFormat *
av_format_of_payload_type (guint payload_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].payload_type == payload_type)
      return &formats[i];
  return NULL;
}

const AvFormat *
av_format_of_caps (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (s, "encoding-name");

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (gst_structure_has_name (s, formats[i].caps_name)
        || (name && g_ascii_strcasecmp (name, formats[i].encoding_name) == 0))
      return &formats[i];
  return NULL;
}

GstCaps *
av_format_new_caps (const AvFormat * self)
{
  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, self->media,
      "encoding-name", G_TYPE_STRING, self->encoding_name, "clock-rate", G_TYPE_INT,
      self->clock_rate, "payload", G_TYPE_INT, (gint) self->payload_type, NULL);
}

gchar *
av_format_list (void)
{
  GString *list = g_string_new (formats[0].encoding_name);

  for (guint i = 1; i < G_N_ELEMENTS (formats); i++)
    g_string_append_printf (list, ", %s", formats[i].encoding_name);
  return g_string_free (list, FALSE);
}
