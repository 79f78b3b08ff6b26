/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "avformats.h"

#include <stdlib.h>
#include <string.h>

#define VIDEO(payload_type, name, caps_name) \
  { payload_type, "video", name, 90000, caps_name, NULL }
#define AUDIO(payload_type, name, clock_rate, caps_name) \
  { payload_type, "audio", name, clock_rate, caps_name, NULL }
/* AAC-LC, mono and stereo. */
#define AAC(payload_type, clock_rate, mono, stereo) \
  { payload_type, "audio", "MPEG4-GENERIC", clock_rate, "audio/mpeg", mono }, \
  { payload_type + 1, "audio", "MPEG4-GENERIC", clock_rate, "audio/mpeg", stereo }

static const AvFormat formats[] = {
  VIDEO (96, "H264", "video/x-h264"),
  AUDIO (97, "OPUS", 48000, "audio/x-opus"),
  VIDEO (98, "H265", "video/x-h265"),
  VIDEO (99, "VP8", "video/x-vp8"),
  VIDEO (100, "VP9", "video/x-vp9"),
  VIDEO (101, "AV1", "video/x-av1"),
  VIDEO (26, "JPEG", "image/jpeg"),
  AUDIO (0, "PCMU", 8000, "audio/x-mulaw"),
  AUDIO (8, "PCMA", 8000, "audio/x-alaw"),
  AUDIO (9, "G722", 8000, "audio/G722"),
  AAC (102, 96000, "1008", "1010"),
  AAC (104, 88200, "1088", "1090"),
  AAC (106, 64000, "1108", "1110"),
  AAC (108, 48000, "1188", "1190"),
  AAC (110, 44100, "1208", "1210"),
  AAC (112, 32000, "1288", "1290"),
  AAC (114, 24000, "1308", "1310"),
  AAC (116, 22050, "1388", "1390"),
  AAC (118, 16000, "1408", "1410"),
  AAC (120, 12000, "1488", "1490"),
  AAC (122, 11025, "1508", "1510"),
  AAC (124, 8000, "1588", "1590"),
  {126, "application", "SMPTE336M", 90000, "meta/x-klv", NULL},
  {127, "application", "X-GST", 90000, NULL, NULL},     /* rtpgstpay sends the caps as well */
};

const AvFormat *
av_format_of_payload_type (guint payload_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].payload_type == payload_type)
      return &formats[i];
  return NULL;
}

/* The profile, the rate and the channels are in the first 13 bits; what follows, such as a signal
 * that there is no SBR, a decoder can do without. */
static gboolean
config_agrees (const AvFormat * self, const gchar * config)
{
  gchar head[5];

  if (!config || strlen (config) < 4)
    return FALSE;
  g_strlcpy (head, config, sizeof head);
  return (strtoul (head, NULL, 16) & 0xfff8) == (strtoul (self->config, NULL, 16) & 0xfff8);
}

static gboolean
codec_data_agrees (const AvFormat * self, const GstStructure * s)
{
  const GValue *value = gst_structure_get_value (s, "codec_data");
  GstBuffer *data = value ? gst_value_get_buffer (value) : NULL;
  guint8 bytes[2];
  gchar text[5];

  if (!data || gst_buffer_extract (data, 0, bytes, sizeof bytes) != sizeof bytes)
    return FALSE;
  g_snprintf (text, sizeof text, "%02x%02x", bytes[0], bytes[1]);
  return config_agrees (self, text);
}

/* ADTS has it in each frame. */
static gboolean
is_aac (const AvFormat * self, const GstStructure * s)
{
  const gchar *form = gst_structure_get_string (s, "stream-format");
  gint version = 0, rate = 0, channels = 0;

  if (!gst_structure_get_int (s, "mpegversion", &version) || (version != 2 && version != 4))
    return FALSE;
  if (gst_structure_has_field (s, "codec_data"))
    return codec_data_agrees (self, s);
  gst_structure_get_int (s, "rate", &rate);
  gst_structure_get_int (s, "channels", &channels);
  return g_strcmp0 (form, "adts") == 0 && rate == self->clock_rate
      && channels == ((self->config[3] == '8') ? 1 : 2);
}

/* Such as MAVLink, which no payload format has. */
static gboolean
is_telemetry (const gchar * caps_name)
{
  return g_str_has_prefix (caps_name, "application/")
      && !g_str_has_prefix (caps_name, "application/x-rtp");
}

static gboolean
is_format (const AvFormat * self, const GstStructure * s)
{
  const gchar *name = gst_structure_get_string (s, "encoding-name");

  if (self->caps_name ? gst_structure_has_name (s, self->caps_name)
      : is_telemetry (gst_structure_get_name (s)))
    return !self->config || is_aac (self, s);
  return name && g_ascii_strcasecmp (name, self->encoding_name) == 0 && (!self->config
      || config_agrees (self, gst_structure_get_string (s, "config")));
}

const AvFormat *
av_format_of_caps (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (is_format (&formats[i], s))
      return &formats[i];
  return NULL;
}

GstCaps *
av_format_new_caps (const AvFormat * self)
{
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, self->media,
      "encoding-name", G_TYPE_STRING, self->encoding_name, "clock-rate", G_TYPE_INT,
      self->clock_rate, "payload", G_TYPE_INT, (gint) self->payload_type, NULL);

  if (self->config)             /* RFC 3640 3.3.6 */
    gst_caps_set_simple (caps, "config", G_TYPE_STRING, self->config, "streamtype", G_TYPE_STRING,
        "5", "mode", G_TYPE_STRING, "AAC-hbr", "sizelength", G_TYPE_STRING, "13", "indexlength",
        G_TYPE_STRING, "3", "indexdeltalength", G_TYPE_STRING, "3", NULL);
  return caps;
}

gchar *
av_format_list (void)
{
  GString *list = g_string_new (formats[0].encoding_name);

  for (guint i = 1; i < G_N_ELEMENTS (formats); i++)
    if (!formats[i].config)
      g_string_append_printf (list, ", %s", formats[i].encoding_name);
  return g_string_free (list, FALSE);
}
