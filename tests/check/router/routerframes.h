/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Frames as a router passes them on, with stamps as rmcsink writes them, and a user-space packet
 * for tools/arcrouter/stampwriter.h. */
#pragma once

#include <gst/gst.h>

typedef struct
{
  guint8 *data;
  gsize size;
} StampPacket;

/* Copies what is there, else returns -1. */
long stamp_packet_read (StampPacket * packet, guint32 at, void *to, guint32 bytes);
void stamp_packet_replace (StampPacket * packet, guint32 udp_at, guint32 at, const guint8 from[4],
    const guint8 to[4]);

#define FRAME_RTT_US 123456
#define FRAME_ID 12

typedef struct
{
  const gchar *name;
  gboolean ipv6, raw_ip, trailer, two_bytes, no_checksum;
  guint vlan_tags, csrcs, ip_options, segments;  /* 0 segments: one */
} FrameKind;

extern const FrameKind frame_kinds[];
extern const guint n_frame_kinds;

GByteArray *frame_new (const FrameKind * kind);
guint frame_udp_at (const FrameKind * kind);
guint frame_segment_bytes (const FrameKind * kind);
/* Of a segment, in Mbit/s: 0: no relay has written. */
guint64 frame_rate_bps (const GByteArray * frame, const FrameKind * kind, guint segment);
/* Writes the right UDP checksum; or is it right? */
void frame_seal (GByteArray * frame, const FrameKind * kind);
gboolean frame_is_sound (const GByteArray * frame, const FrameKind * kind);
/* Bytes that differ, but for the stamps' rates and the checksum. */
guint frame_differs (const GByteArray * a, const GByteArray * b, const FrameKind * kind);
