/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Generic NACKs (RFC 4585 6.2.1) in RTCP, by GStreamer's RTCP helpers: which packets a receiver
 * asks for again. */
#pragma once

#include <gst/gst.h>
#include <rc/feedback/nack.h>

G_BEGIN_DECLS

typedef struct
{
  guint32 ssrc;                 /* of the media */
  guint16 seq;
} NackedPacket;

/* Of one RTCP packet that we read: half a second of 20 Mbit/s. */
#define RTCP_NACKS_MAX 1024

typedef struct
{
  guint n_messages;             /* NACKs */
  guint n_asked;                /* packets that they ask for */
  guint n_packets;              /* of these, in `packets` */
  NackedPacket packets[RTCP_NACKS_MAX];
} RtcpNacks;

/* FALSE: there is none. Reads what is well-formed. */
gboolean rtcp_nacks_read (GstBuffer * buffer, RtcpNacks * out);
/* An RTCP compound of at most `cap` bytes that asks for packets which are sorted by SSRC and then
 * by number; tells of how many in *n_told. It begins with an empty receiver report, as RFC 3550 6.1
 * wants of a compound, unless it continues another one. ssrc: who asks. */
GstBuffer *rtcp_nacks_new (guint32 ssrc, const NackedPacket * packets, guint n, guint cap,
    gboolean continues, guint * n_told);

G_END_DECLS
