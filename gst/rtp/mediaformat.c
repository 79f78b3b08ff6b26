/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/mediaformat.h"

#include <rc/base/bytes.h>
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

/* --- the further fields --- */

/* Those of the format itself, and what holds for one session or one moment only. A sender that set
 * them could upset the receiver's jitter buffer, or its SRTP. */
static const gchar *const own_fields[] = { "media", "encoding-name", "payload", "clock-rate",
  "ssrc", "timestamp-offset", "seqnum-offset", "clock-base", "seqnum-base", "npt-start", "npt-stop",
  "play-speed", "play-scale", "roc", "mki", NULL
};

static gboolean
may_be_told (const gchar * name)
{
  return !g_strv_contains (own_fields, name) && !g_str_has_prefix (name, "srtp-")
      && !g_str_has_prefix (name, "srtcp-") && !g_str_has_prefix (name, "ssrc-");
}

typedef struct
{
  guint8 bytes[RC_FIELDS_BYTES_MAX];
  gsize at;
  guint n;
  gboolean overflow;
} FieldsWriter;

static void
put (FieldsWriter * self, const gchar * name, RcFieldType type, gconstpointer value, gsize len)
{
  gsize name_len = strlen (name), at = self->at;
  RcField field = { (guint8) type, (guint8) name_len, (guint16) len, name, value };

  if (self->n < RC_FIELDS_MAX && name_len <= RC_FIELDS_NAME_BYTES && len <= G_MAXUINT16)
    self->at = rc_fields_put (self->bytes, at, &field);
  self->n++;
  self->overflow |= self->at == at;
}

static void
put_list (FieldsWriter * self, const gchar * name, const GValue * list)
{
  GString *texts = g_string_new (NULL);
  guint i, n = gst_value_array_get_size (list);

  for (i = 0; i < n; i++) {
    const GValue *item = gst_value_array_get_value (list, i);

    if (G_VALUE_HOLDS_STRING (item) && g_value_get_string (item))
      g_string_append (texts, g_value_get_string (item));
    g_string_append_c (texts, '\0');
  }
  put (self, name, RC_FIELD_STRINGS, texts->str, texts->len);
  g_string_free (texts, TRUE);
}

static void
put_value (FieldsWriter * self, const gchar * name, const GValue * value)
{
  guint8 bytes[4];

  if (!may_be_told (name))
    return;
  if (G_VALUE_HOLDS_STRING (value) && g_value_get_string (value)) {
    put (self, name, RC_FIELD_STRING, g_value_get_string (value),
        strlen (g_value_get_string (value)));
  } else if (G_VALUE_HOLDS_INT (value)) {
    rc_put32 (bytes, (guint32) g_value_get_int (value));
    put (self, name, RC_FIELD_INT, bytes, 4);
  } else if (G_VALUE_HOLDS_BOOLEAN (value)) {
    bytes[0] = g_value_get_boolean (value) ? 1 : 0;
    put (self, name, RC_FIELD_BOOLEAN, bytes, 1);
  } else if (GST_VALUE_HOLDS_ARRAY (value) && gst_value_array_get_size (value) > 0) {
    put_list (self, name, value);
  }
}

gboolean
media_format_fields_of_caps (const GstCaps * caps, GBytes ** fields)
{
  const GstStructure *s = gst_caps_get_structure (caps, 0);
  FieldsWriter *writer = g_new0 (FieldsWriter, 1);
  gint i, n = gst_structure_n_fields (s);
  gboolean ok;

  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (s, (guint) i);

    put_value (writer, name, gst_structure_get_value (s, name));
  }
  ok = !writer->overflow;
  *fields = ok && writer->at > 0
      ? g_bytes_new (writer->bytes, rc_fields_end (writer->bytes, writer->at)) : NULL;
  g_free (writer);
  return ok;
}

static void
set_list (GstStructure * s, const gchar * name, const RcField * field)
{
  GValue list = G_VALUE_INIT, text = G_VALUE_INIT;
  const gchar *at = (const gchar *) field->value, *end = at + field->len;

  gst_value_array_init (&list, 4);
  for (; at < end; at += strlen (at) + 1) {
    g_value_init (&text, G_TYPE_STRING);
    g_value_set_string (&text, at);
    gst_value_array_append_and_take_value (&list, &text);
  }
  gst_structure_take_value (s, name, &list);
}

static void
set_field (GstStructure * s, const RcField * field)
{
  gchar *name = g_strndup (field->name, field->name_len), *text;

  if (may_be_told (name)) {
    switch (field->type) {
      case RC_FIELD_STRING:
        text = g_strndup ((const gchar *) field->value, field->len);
        gst_structure_set (s, name, G_TYPE_STRING, text, NULL);
        g_free (text);
        break;
      case RC_FIELD_INT:
        gst_structure_set (s, name, G_TYPE_INT, (gint) rc_get32 (field->value), NULL);
        break;
      case RC_FIELD_BOOLEAN:
        gst_structure_set (s, name, G_TYPE_BOOLEAN, field->value[0] == 1, NULL);
        break;
      default:
        set_list (s, name, field);
    }
  }
  g_free (name);
}

/* --- caps --- */

static GstCaps *
new_caps (const RcMediaFormat * self, GBytes * fields)
{
  const gchar *media = self->media < G_N_ELEMENTS (media_names) ? media_names[self->media] : NULL;
  GstStructure *s = gst_structure_new_empty ("application/x-rtp");
  gsize size = 0, at = 0;
  const guint8 *bytes = fields ? g_bytes_get_data (fields, &size) : NULL;
  RcField field;

  if (media)
    gst_structure_set (s, "media", G_TYPE_STRING, media, NULL);
  gst_structure_set (s, "encoding-name", G_TYPE_STRING, self->encoding_name, "payload", G_TYPE_INT,
      (gint) self->payload_type, "clock-rate", G_TYPE_INT, (gint) self->clock_rate_hz, NULL);
  while (bytes && rc_fields_next (bytes, size, &at, &field))
    set_field (s, &field);
  return gst_caps_new_full (s, NULL);
}

/* Without the types of the four fields, which are what a line without them has too. */
gchar *
media_format_to_string (const RcMediaFormat * self, GBytes * fields)
{
  const gchar *media = self->media < G_N_ELEMENTS (media_names) ? media_names[self->media] : NULL;
  GstCaps *caps;
  gchar *text;

  if (!fields)
    return g_strdup_printf ("application/x-rtp%s%s,encoding-name=%s,payload=%u,clock-rate=%u",
        media ? ",media=" : "",
        media ? media : "", self->encoding_name, self->payload_type, self->clock_rate_hz);
  caps = new_caps (self, fields);
  text = gst_caps_to_string (caps);
  gst_caps_unref (caps);
  return text;
}

/* Of RTP; a jitter buffer computes times by it. Text has 1000, video 90000, audio up to 384000. */
#define MIN_CLOCK_RATE_HZ 1000
#define MAX_CLOCK_RATE_HZ 1000000

/* Without further fields a depayloader of these guesses wrong, or refuses. A sender of an earlier
 * version tells none. */
static const gchar *const need_more[] = { "MPEG4-GENERIC", "MP4A-LATM", "MULTIOPUS", "RAW",
  "JPEG2000", "VORBIS", "THEORA", NULL
};

GstCaps *
media_format_to_caps (const RcMediaFormat * self, GBytes * fields)
{
  if (self->encoding_name[0] == '\0' || self->media == RC_MEDIA_OTHER
      || self->media >= G_N_ELEMENTS (media_names) || self->clock_rate_hz < MIN_CLOCK_RATE_HZ
      || self->clock_rate_hz > MAX_CLOCK_RATE_HZ || (!fields && g_strv_contains (need_more,
              self->encoding_name)))
    return NULL;
  return new_caps (self, fields);
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

static gboolean
names_it_alone (const RcMediaFormat * self, const GstCaps * caps)
{
  const GstStructure *s;
  gint payload;

  if (gst_caps_is_any (caps) || gst_caps_get_size (caps) != 1)
    return FALSE;
  s = gst_caps_get_structure (caps, 0);
  return gst_structure_has_field (s, "encoding-name") && structure_agrees (self, s)
      && gst_structure_get_int (s, "payload", &payload) && payload == self->payload_type;
}

GstCaps *
media_format_complete (const RcMediaFormat * self, const GstCaps * announced,
    const GstCaps * user)
{
  const GstStructure *from = gst_caps_get_structure (announced, 0);
  gint i, n = gst_structure_n_fields (from);
  GstCaps *caps;
  GstStructure *to;

  if (!names_it_alone (self, user))
    return NULL;
  caps = gst_caps_copy (user);
  to = gst_caps_get_structure (caps, 0);
  for (i = 0; i < n; i++) {
    const gchar *name = gst_structure_nth_field_name (from, (guint) i);

    if (!gst_structure_has_field (to, name) && !g_str_has_prefix (name, "extmap-")
        && !g_str_has_prefix (name, "rtcp-fb-"))
      gst_structure_set_value (to, name, gst_structure_get_value (from, name));
  }
  if (gst_caps_is_equal (caps, user))
    gst_clear_caps (&caps);
  return caps;
}
