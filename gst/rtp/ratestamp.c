/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/ratestamp.h"
#include "rtp/extmap.h"

#include <string.h>

#define RTP_HEADER_BYTES 12
#define EXTENSION_HEADER_BYTES 4
#define ONE_BYTE_PROFILE 0xBEDE
#define TWO_BYTE_PROFILE 0x1000
#define TWO_BYTE_MASK 0xFFF0    /* the rest is application bits */
#define END_OF_ELEMENTS 15      /* one-byte header: nothing after it is read */
#define NOT_STAMPED G_MAXUINT32
#define META "GstArcRateStamp"

/* --- caps --- */

guint8
rate_stamp_id_of_caps (const GstCaps * caps)
{
  guint8 id = extmap_id_of_caps (caps, RATE_STAMP_URI);
  gboolean taken = caps && gst_caps_get_size (caps) > 0
      && extmap_uri (gst_caps_get_structure (caps, 0), RATE_STAMP_ID);

  return id > 0 ? id : taken ? 0 : RATE_STAMP_ID;
}

/* --- the stamp --- */

/* At any alignment: GStreamer's macros assume that the CPU takes that, which is undefined
 * behaviour. */
static guint32
get32 (const guint8 * at)
{
  guint32 value;

  memcpy (&value, at, sizeof value);
  return GUINT32_FROM_BE (value);
}

static void
put32 (guint8 * at, guint32 value)
{
  value = GUINT32_TO_BE (value);
  memcpy (at, &value, sizeof value);
}

void
rate_stamp_write (guint8 * stamp, RcTime rtt)
{
  put32 (stamp, NOT_STAMPED);
  put32 (stamp + 4, rtt > 0 ? (guint32) MIN (rtt / RC_USEC, G_MAXUINT32) : 0);
}

void
rate_stamp_offer (guint8 * stamp, guint64 bps)
{
  guint32 kbps = (guint32) CLAMP (bps / 1000, 1, NOT_STAMPED - 1);

  if (kbps < get32 (stamp))
    put32 (stamp, kbps);
}

guint64
rate_stamp_bps (const guint8 * stamp)
{
  guint32 kbps = get32 (stamp);

  return kbps == NOT_STAMPED ? 0 : (guint64) kbps * 1000;
}

RcTime
rate_stamp_rtt (const guint8 * stamp)
{
  guint32 us = get32 (stamp + 4);

  return us > 0 ? (RcTime) us * RC_USEC : RC_TIME_NONE;
}

/* --- in a packet --- */

static guint8 *
find_one_byte (guint8 * at, const guint8 * end, guint8 id)
{
  while (at < end) {
    guint8 found = at[0] >> 4, size = (at[0] & 0x0f) + 1;

    if (at[0] == 0) {           /* padding */
      at++;
      continue;
    }
    if (found == END_OF_ELEMENTS || end - at < 1 + size)
      return NULL;
    if (found == id && size == RATE_STAMP_BYTES)
      return at + 1;
    at += 1 + size;
  }
  return NULL;
}

static guint8 *
find_two_byte (guint8 * at, const guint8 * end, guint8 id)
{
  while (at < end) {
    if (at[0] == 0) {
      at++;
      continue;
    }
    if (end - at < 2 || end - at < 2 + at[1])
      return NULL;
    if (at[0] == id && at[1] == RATE_STAMP_BYTES)
      return at + 2;
    at += 2 + at[1];
  }
  return NULL;
}

guint8 *
rate_stamp_find (guint8 * packet, gsize size, guint8 id)
{
  gsize header, words;
  guint8 *elements;
  guint32 profile_and_words;
  guint16 profile;

  if (id == 0 || size < RTP_HEADER_BYTES + EXTENSION_HEADER_BYTES || packet[0] >> 6 != 2
      || !(packet[0] & 0x10))
    return NULL;
  header = RTP_HEADER_BYTES + 4 * (packet[0] & 0x0f);
  if (size < header + EXTENSION_HEADER_BYTES)
    return NULL;
  profile_and_words = get32 (packet + header);
  profile = profile_and_words >> 16;
  words = profile_and_words & 0xffff;
  elements = packet + header + EXTENSION_HEADER_BYTES;
  if (size - header - EXTENSION_HEADER_BYTES < 4 * words)
    return NULL;
  if (profile == ONE_BYTE_PROFILE)
    return find_one_byte (elements, elements + 4 * words, id);
  if ((profile & TWO_BYTE_MASK) == TWO_BYTE_PROFILE)
    return find_two_byte (elements, elements + 4 * words, id);
  return NULL;
}

guint64
rate_stamp_read (GstRTPBuffer * rtp, guint8 id)
{
  const guint8 *stamp = extmap_find (rtp, id, RATE_STAMP_BYTES);

  return stamp ? rate_stamp_bps (stamp) : 0;
}

GstBuffer *
rate_stamp_insert (GstBuffer * buffer, guint8 id, RcTime rtt)
{
  guint8 stamp[RATE_STAMP_BYTES];

  rate_stamp_write (stamp, rtt);
  return extmap_put (buffer, id, stamp, RATE_STAMP_BYTES);
}

/* A relay only lowers a rate, so it leaves 0 alone. */
GstBuffer *
rate_stamp_shut (GstBuffer * buffer, guint8 id)
{
  GstMapInfo map;
  guint8 *stamp;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return buffer;
  stamp = rate_stamp_find (map.data, map.size, id);
  gst_buffer_unmap (buffer, &map);
  if (!stamp)
    return buffer;
  buffer = gst_buffer_make_writable (buffer);
  if (gst_buffer_map (buffer, &map, GST_MAP_READWRITE)) {
    put32 (rate_stamp_find (map.data, map.size, id), 0);
    gst_buffer_unmap (buffer, &map);
  }
  return buffer;
}

/* --- beside a packet --- */

/* Looked up by its name once: each packet is asked for it. */
static const GstMetaInfo *
meta_info (void)
{
  static const gchar *no_tags[] = { NULL };
  static gsize info;

  if (g_once_init_enter (&info)) {
    const GstMetaInfo *known = gst_meta_get_info (META);

    g_once_init_leave (&info, (gsize) (known ? known
            : gst_meta_register_custom (META, no_tags, NULL, NULL, NULL)));
  }
  return (const GstMetaInfo *) info;
}

GstBuffer *
rate_stamp_attach (GstBuffer * buffer, guint64 bps)
{
  GstCustomMeta *meta;

  meta_info ();
  buffer = gst_buffer_make_writable (buffer);
  meta = gst_buffer_add_custom_meta (buffer, META);
  gst_structure_set (gst_custom_meta_get_structure (meta), "bps", G_TYPE_UINT64, bps, NULL);
  return buffer;
}

guint64
rate_stamp_attached (GstBuffer * buffer)
{
  GstCustomMeta *meta = (GstCustomMeta *) gst_buffer_get_meta (buffer, meta_info ()->api);
  guint64 bps = 0;

  if (meta)
    gst_structure_get_uint64 (gst_custom_meta_get_structure (meta), "bps", &bps);
  return bps;
}
