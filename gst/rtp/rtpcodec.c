/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Sources: RFC 6184 (H.264), RFC 7798 (H.265), RFC 7741 (VP8), RFC 9628 (VP9), AV1 RTP payload
 * specification. */

#include "rtp/rtpcodec.h"

typedef gboolean (*IsKeyNal) (const guint8 * nal);

static gboolean
is_key_nal_h264 (const guint8 * nal)
{
  guint type = nal[0] & 0x1f;

  return type == 5 || type == 7 || type == 8;   /* IDR, SPS, PPS */
}

static gboolean
is_key_nal_h265 (const guint8 * nal)
{
  guint type = nal[0] >> 1 & 0x3f;

  return (type >= 16 && type <= 21) || (type >= 32 && type <= 34);      /* IRAP; VPS, SPS, PPS */
}

/* Units of an aggregation packet: two bytes of length before each. */
static gboolean
any_key_nal (const guint8 * p, gsize size, IsKeyNal is_key)
{
  gsize length;

  while (size > 2) {
    length = (gsize) p[0] << 8 | p[1];
    p += 2;
    size -= 2;
    if (length == 0 || length > size)
      return FALSE;
    if (is_key (p))
      return TRUE;
    p += length;
    size -= length;
  }
  return FALSE;
}

static gboolean
is_key_h264 (const guint8 * p, gsize size)
{
  guint type = p[0] & 0x1f;

  if (type == 24)               /* STAP-A */
    return any_key_nal (p + 1, size - 1, is_key_nal_h264);
  if (type == 28 || type == 29) /* FU: its first fragment has the start bit */
    return size > 1 && (p[1] & 0x80) && (p[1] & 0x1f) == 5;
  return is_key_nal_h264 (p);
}

static gboolean
is_key_h265 (const guint8 * p, gsize size)
{
  guint type = p[0] >> 1 & 0x3f;

  if (type == 48)               /* AP */
    return size > 2 && any_key_nal (p + 2, size - 2, is_key_nal_h265);
  if (type == 49)               /* FU */
    return size > 2 && (p[2] & 0x80) && (p[2] & 0x3f) >= 16 && (p[2] & 0x3f) <= 21;
  return is_key_nal_h265 (p);
}

static gboolean
is_key_vp8 (const guint8 * p, gsize size)
{
  gsize at = 1;

  if ((p[0] & 0x17) != 0x10)    /* S set and partition 0: the start of a frame */
    return FALSE;
  if (p[0] & 0x80) {            /* X: which of PictureID, TL0PICIDX, TID/KEYIDX follow */
    if (size < 3)
      return FALSE;
    at = 2;
    if (p[1] & 0x80)
      at += p[2] & 0x80 ? 2 : 1;
    at += (p[1] & 0x40) != 0;
    at += (p[1] & 0x30) != 0;
  }
  return at < size && !(p[at] & 0x01);
}

static gboolean
is_key_vp9 (const guint8 * p, gsize size)
{
  return !(p[0] & 0x40) && (p[0] & 0x08); /* not predicted from other pictures, begins a frame */
}

static gboolean
is_key_av1 (const guint8 * p, gsize size)
{
  return (p[0] & 0x08) != 0;    /* N: a coded video sequence begins */
}

/* A slice that is no reference (nal_ref_idc 0), whole or a fragment. */
static gboolean
is_discardable_h264 (const guint8 * p, gsize size)
{
  guint type = p[0] & 0x1f;

  if (type == 28 || type == 29)
    type = size > 1 ? p[1] & 0x1f : 0;
  return type == 1 && !(p[0] & 0x60);
}

/* A sub-layer non-reference picture: TRAIL_N, TSA_N and so on. */
static gboolean
is_discardable_h265 (const guint8 * p, gsize size)
{
  guint type = p[0] >> 1 & 0x3f;

  if (type == 49)
    type = size > 2 ? p[2] & 0x3f : 1;
  return type < 16 && type % 2 == 0;
}

static gboolean
is_discardable_vp8 (const guint8 * p, gsize size)
{
  return (p[0] & 0x20) != 0;    /* N */
}

static const struct
{
  const gchar *encoding_name;
  gboolean (*is_key) (const guint8 * p, gsize size);
  gboolean (*is_discardable) (const guint8 * p, gsize size);
} rules[] = {
  [RTP_CODEC_OTHER] = {"", NULL},
  [RTP_CODEC_H264] = {"H264", is_key_h264, is_discardable_h264},
  [RTP_CODEC_H265] = {"H265", is_key_h265, is_discardable_h265},
  [RTP_CODEC_VP8] = {"VP8", is_key_vp8, is_discardable_vp8},
  [RTP_CODEC_VP9] = {"VP9", is_key_vp9},
  [RTP_CODEC_AV1] = {"AV1", is_key_av1},
};

RtpCodec
rtp_codec_from_caps (const GstCaps * caps)
{
  const gchar *name = NULL;
  guint i;

  if (caps && gst_caps_get_size (caps) > 0)
    name = gst_structure_get_string (gst_caps_get_structure (caps, 0), "encoding-name");
  for (i = 0; name && i < G_N_ELEMENTS (rules); i++)
    if (g_ascii_strcasecmp (rules[i].encoding_name, name) == 0)
      return (RtpCodec) i;
  return RTP_CODEC_OTHER;
}

gboolean
rtp_codec_is_keyframe_start (RtpCodec codec, const guint8 * payload, gsize size)
{
  return rules[codec].is_key && size > 0 && rules[codec].is_key (payload, size);
}

gboolean
rtp_codec_is_discardable (RtpCodec codec, const guint8 * payload, gsize size)
{
  return rules[codec].is_discardable && size > 0 && rules[codec].is_discardable (payload, size);
}
