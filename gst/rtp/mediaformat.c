/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/mediaformat.h"

#include <string.h>

/* By RcMedia. */
static const gchar *const media_names[] = { NULL, "audio", "video", "application" };

static guint8
media_number (const gchar * name)
{
  guint8 i;

  for (i = 1; i < G_N_ELEMENTS (media_names); i++)
    if (g_strcmp0 (name, media_names[i]) == 0)
      return i;
  return RC_MEDIA_OTHER;
}

RcMediaFormat
media_format_from_caps (const GstCaps * caps)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (s, "encoding-name");
  RcMediaFormat self = { "", 0, media_number (gst_structure_get_string (s, "media")), 0 };
  gint payload, clock_rate;

  if (!name || strlen (name) > RC_WIRE_ENCODING_BYTES || !gst_structure_get_int (s,
          "payload", &payload) || !gst_structure_get_int (s, "clock-rate", &clock_rate)
      || payload < 0 || payload > 127 || clock_rate <= 0)
    return self;
  g_strlcpy (self.encoding_name, name, sizeof (self.encoding_name));
  self.payload_type = (guint8) payload;
  self.clock_rate_hz = (guint32) clock_rate;
  return self;
}

gchar *
media_format_to_string (const RcMediaFormat * self)
{
  const gchar *media = self->media < G_N_ELEMENTS (media_names) ? media_names[self->media] : NULL;

  return g_strdup_printf ("application/x-rtp%s%s,encoding-name=%s,payload=%u,clock-rate=%u",
      media ? ",media=" : "",
      media ? media : "", self->encoding_name, self->payload_type, self->clock_rate_hz);
}

/* Of RTP; a jitter buffer computes times by it. Text has 1000, video 90000, audio up to 384000. */
#define MIN_CLOCK_RATE_HZ 1000
#define MAX_CLOCK_RATE_HZ 1000000

/* Without these fields a depayloader guesses wrong, or refuses. */
static const gchar *const need_more[] = { "MPEG4-GENERIC", "RAW", "JPEG2000", NULL };

GstCaps *
media_format_to_caps (const RcMediaFormat * self)
{
  if (self->encoding_name[0] == '\0' || self->media == RC_MEDIA_OTHER
      || self->media >= G_N_ELEMENTS (media_names) || self->clock_rate_hz < MIN_CLOCK_RATE_HZ
      || self->clock_rate_hz > MAX_CLOCK_RATE_HZ || g_strv_contains (need_more,
          self->encoding_name))
    return NULL;
  return gst_caps_new_simple ("application/x-rtp", "media", G_TYPE_STRING, media_names[self->media],
      "encoding-name", G_TYPE_STRING, self->encoding_name, "payload", G_TYPE_INT,
      (gint) self->payload_type, "clock-rate", G_TYPE_INT, (gint) self->clock_rate_hz, NULL);
}

static gboolean
structure_agrees (const RcMediaFormat * self, const GstStructure * s)
{
  const gchar *name = gst_structure_get_string (s, "encoding-name");
  gint payload, clock_rate;

  if (gst_structure_get_int (s, "payload", &payload) && payload != self->payload_type)
    return TRUE;
  if (gst_structure_get_int (s, "clock-rate", &clock_rate)
      && (guint32) clock_rate != self->clock_rate_hz)
    return FALSE;
  return !name || g_ascii_strcasecmp (name, self->encoding_name) == 0;
}

gboolean
media_format_agrees (const RcMediaFormat * self, const GstCaps * caps)
{
  guint i, n = gst_caps_is_any (caps) ? 0 : gst_caps_get_size (caps);

  for (i = 0; i < n; i++)
    if (structure_agrees (self, gst_caps_get_structure (caps, i)))
      return TRUE;
  return n == 0;
}
