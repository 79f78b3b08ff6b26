/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a receiver wants to know of an RTP packet, read from untrusted bytes. */
#pragma once

#include "net/ecnbits.h"

#include <gst/gst.h>

G_BEGIN_DECLS

/* Ids of header extensions (RFC 8285); 0: there is none. */
typedef struct
{
  guint8 stamp, twcc;
} RtpPacketExtensions;

typedef struct
{
  guint32 ssrc, timestamp;
  guint16 seq;
  guint8 payload_type;
  gboolean marker;
  guint16 osn;                  /* the first two bytes of the payload, of RFC 4588 */
  gint transport_number;        /* of TWCC; -1: none */
  guint64 explicit_bps;         /* stamp; 0: none */
  gboolean ecn_read;            /* FALSE: the ECN bits are not known */
  RcEcnBits ecn;
  guint bytes;                  /* with the RTP header, without those below */
} RtpPacket;

/* FALSE: not RTP. */
gboolean rtp_packet_read (GstBuffer * buffer, RtpPacketExtensions extensions, RtpPacket * packet);

G_END_DECLS
