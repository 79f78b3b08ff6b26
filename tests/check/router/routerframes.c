/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "routerframes.h"

#include <arcrouter/stampwriter.h>
#include <gst/rtp/rtp.h>
#include <rtp/ratestamp.h>
#include <rtp/stamptrailer.h>
#include <string.h>

#define PAYLOAD_BYTES 101       /* odd: checksums end on half a word */

const FrameKind frame_kinds[] = {
  {.name = "IPv4" },
  {.name = "IPv6",.ipv6 = TRUE },
  {.name = "IPv4 with options, one VLAN",.ip_options = 2,.vlan_tags = 1 },
  {.name = "IPv6, two VLANs, three CSRCs",.ipv6 = TRUE,.vlan_tags = 2,.csrcs = 3 },
  {.name = "two-byte extensions",.two_bytes = TRUE },
  {.name = "SRTP",.trailer = TRUE },
  {.name = "SRTP over IPv6, CSRCs",.trailer = TRUE,.ipv6 = TRUE,.csrcs = 15 },
  {.name = "IPv4 without a checksum",.no_checksum = TRUE },
  {.name = "IPv4 on a link without a header",.raw_ip = TRUE },
  {.name = "IPv6 on a link without a header",.raw_ip = TRUE,.ipv6 = TRUE },
  {.name = "three segments",.segments = 3 },
  {.name = "three segments of SRTP over IPv6",.segments = 3,.trailer = TRUE,.ipv6 = TRUE },
};
const guint n_frame_kinds = G_N_ELEMENTS (frame_kinds);

/* --- a packet in memory --- */

long
stamp_packet_read (StampPacket * packet, guint32 at, void *to, guint32 bytes)
{
  if (at > packet->size || bytes > packet->size - at)
    return -1;
  memcpy (to, packet->data + at, bytes);
  return 0;
}

/* RFC 1624, eq. 3 */
static guint16
changed (guint16 sum, const guint8 from[4], const guint8 to[4])
{
  guint32 total = (guint16) ~ sum;

  for (guint i = 0; i < 4; i += 2)
    total += (guint16) ~ rc_get16 (from + i) + rc_get16 (to + i);
  while (total >> 16)
    total = (total & 0xffff) + (total >> 16);
  return (guint16) ~ total ? (guint16) ~ total : 0xffff;
}

void
stamp_packet_replace (StampPacket * packet, guint32 udp_at, guint32 at, const guint8 from[4],
    const guint8 to[4])
{
  guint8 *sum = packet->data + udp_at + 6, before[4], after[4];

  g_assert (at + 4 <= packet->size && udp_at + 8 <= at);
  stamp_align (before, from, at - udp_at);
  stamp_align (after, to, at - udp_at);
  if (rc_get16 (sum))
    rc_put16 (sum, changed (rc_get16 (sum), before, after));
  memcpy (packet->data + at, to, 4);
}

/* --- how they are made --- */

static GstBuffer *
rtp_new (const FrameKind * kind, guint number)
{
  static const guint8 other[20] = { 9, 8, 7 };
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (PAYLOAD_BYTES, 0, (guint8) kind->csrcs);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  g_assert_true (gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp));
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, (guint16) number);
  memset (gst_rtp_buffer_get_payload (&rtp), 0xa5, PAYLOAD_BYTES);
  if (kind->two_bytes)
    gst_rtp_buffer_add_extension_twobytes_header (&rtp, 5, 3, other, sizeof other);
  else
    gst_rtp_buffer_add_extension_onebyte_header (&rtp, 3, other, 3);
  gst_rtp_buffer_unmap (&rtp);
  return kind->trailer ? buffer : rate_stamp_insert (buffer, FRAME_ID, FRAME_RTT_US * RC_USEC);
}

static void
append_rtp (GByteArray * frame, const FrameKind * kind, guint number)
{
  GstBuffer *buffer = rtp_new (kind, number);
  guint8 trailer[STAMP_TRAILER_BYTES];
  GstMapInfo map;

  gst_buffer_map (buffer, &map, GST_MAP_READ);
  g_byte_array_append (frame, map.data, (guint) map.size);
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  if (!kind->trailer)
    return;
  stamp_trailer_write (trailer, FRAME_RTT_US * RC_USEC);
  g_byte_array_append (frame, trailer, sizeof trailer);
}

static guint
segments (const FrameKind * kind)
{
  return MAX (kind->segments, 1);
}

guint
frame_udp_at (const FrameKind * kind)
{
  return (kind->raw_ip ? 0 : 14 + 4 * kind->vlan_tags)
      + (kind->ipv6 ? 40 : 20 + 4 * kind->ip_options);
}

guint
frame_segment_bytes (const FrameKind * kind)
{
  GByteArray *one = g_byte_array_new ();
  guint bytes;

  append_rtp (one, kind, 0);
  bytes = one->len;
  g_byte_array_unref (one);
  return bytes;
}

static void
put_ip (guint8 * ip, const FrameKind * kind, guint udp_bytes)
{
  if (kind->ipv6) {
    ip[0] = 0x60;
    rc_put16 (ip + 4, (guint16) udp_bytes);
    ip[6] = 17;
    ip[7] = 64;
    ip[23] = 1;                 /* addresses */
    ip[39] = 2;
    return;
  }
  ip[0] = (guint8) (0x40 | (5 + kind->ip_options));
  rc_put16 (ip + 2, (guint16) (20 + 4 * kind->ip_options + udp_bytes));
  ip[6] = 0x40;                 /* don't fragment */
  ip[8] = 64;
  ip[9] = 17;
  rc_put32 (ip + 12, 0x0a000001);
  rc_put32 (ip + 16, 0x0a000002);
}

GByteArray *
frame_new (const FrameKind * kind)
{
  guint udp_at = frame_udp_at (kind), link = kind->raw_ip ? 0 : 14 + 4 * kind->vlan_tags;
  GByteArray *frame = g_byte_array_new ();
  guint8 *at;

  g_byte_array_set_size (frame, udp_at + 8);
  memset (frame->data, 0, frame->len);
  for (guint i = 0; i < segments (kind); i++)
    append_rtp (frame, kind, i);
  if (!kind->raw_ip) {
    for (at = frame->data + 12; at < frame->data + link - 2; at += 4)
      rc_put16 (at, 0x8100);
    rc_put16 (at, kind->ipv6 ? 0x86dd : 0x0800);
  }
  put_ip (frame->data + link, kind, frame->len - udp_at);
  rc_put16 (frame->data + udp_at, 5004);
  rc_put16 (frame->data + udp_at + 2, 5004);
  rc_put16 (frame->data + udp_at + 4, (guint16) (frame->len - udp_at));
  if (!kind->no_checksum)
    frame_seal (frame, kind);
  return frame;
}

/* --- how they are read --- */

static guint8 *
stamp_of (const GByteArray * frame, const FrameKind * kind, guint segment)
{
  guint bytes = frame_segment_bytes (kind);
  guint8 *rtp = frame->data + frame_udp_at (kind) + 8 + segment * bytes;

  return kind->trailer ? stamp_trailer_find (rtp, bytes) : rate_stamp_find (rtp, bytes, FRAME_ID);
}

guint64
frame_rate_bps (const GByteArray * frame, const FrameKind * kind, guint segment)
{
  return rate_stamp_bps (stamp_of (frame, kind, segment));
}

/* Of pseudo header and datagram, with the checksum that is there [RFC 768]. */
static guint16
sum_of (const GByteArray * frame, const FrameKind * kind)
{
  guint udp_at = frame_udp_at (kind), bytes = frame->len - udp_at;
  guint addresses_at = kind->ipv6 ? udp_at - 32 : udp_at - 4 * kind->ip_options - 8;
  guint32 sum = 17 + bytes;

  for (guint i = addresses_at; i < addresses_at + (kind->ipv6 ? 32 : 8); i += 2)
    sum += rc_get16 (frame->data + i);
  for (guint i = 0; i < bytes; i++)
    sum += i % 2 ? frame->data[udp_at + i] : frame->data[udp_at + i] << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return (guint16) sum;
}

void
frame_seal (GByteArray * frame, const FrameKind * kind)
{
  guint8 *sum = frame->data + frame_udp_at (kind) + 6;

  rc_put16 (sum, 0);
  rc_put16 (sum, (guint16) ~ sum_of (frame, kind));
}

gboolean
frame_is_sound (const GByteArray * frame, const FrameKind * kind)
{
  if (kind->no_checksum)
    return rc_get16 (frame->data + frame_udp_at (kind) + 6) == 0;
  return sum_of (frame, kind) == 0xffff;
}

guint
frame_differs (const GByteArray * a, const GByteArray * b, const FrameKind * kind)
{
  guint sum_at = frame_udp_at (kind) + 6, n = a->len != b->len;

  for (guint i = 0; i < MIN (a->len, b->len); i++) {
    gboolean rate = i - sum_at < 2;

    for (guint s = 0; s < segments (kind); s++)
      rate |= i - (guint) (stamp_of (a, kind, s) - a->data) < 4;
    n += !rate && a->data[i] != b->data[i];
  }
  return n;
}
