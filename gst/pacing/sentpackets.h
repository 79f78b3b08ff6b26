/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The packets that left lately, to be sent again if the receiver asks: by SSRC and sequence number,
 * for a time and up to MAX_BYTES. It holds references and copies nothing, as rtprtxsend does: of a
 * packet with a header of its own it has the one that others share, whose memory is in the cache
 * when it goes, and writes the header again if it is asked for. No locks: the owner has one. */
#pragma once

#include "pacing/sendqueue.h"

#include <rc/base/types.h>
#include <stdbool.h>

G_BEGIN_DECLS

/* Of all streams: 400 ms of 330 Mbit/s. */
#define SENT_PACKETS_MAX_BYTES (16 * 1024 * 1024)

typedef struct _SentPackets SentPackets;

/* A viewer has some fifty of them. */
typedef struct
{
  GstBuffer *buffer;            /* NULL: no packet of this number left, or it is forgotten */
  RcTime sent_at;
  RcTime again_at;              /* when it was sent again last; RC_TIME_NONE: not yet */
  guint size_bytes;             /* at the network layer */
  guint8 transport_id;          /* of the extension with its transport-wide number; 0: none */
  guint8 lane;                  /* of several: by which it left last */
  bool shared;                  /* it has another SSRC and number, until it is found */
  bool fec;
  bool waits;                   /* to be sent again */
} SentPacket;

typedef enum
{
  SENT_PACKET_FOUND,
  SENT_PACKET_TOO_OLD,
  SENT_PACKET_NEVER_SENT,
} SentPacketResult;

SentPackets *sent_packets_new (void);
void sent_packets_free (SentPackets * self);
/* How long a packet is kept; 0, the default: none is. */
void sent_packets_set_time (SentPackets * self, RcTime keep);
RcTime sent_packets_get_time (const SentPackets * self);
/* Takes the buffer out of it. What is behind the newest number of its stream is not kept. */
void sent_packets_add (SentPackets * self, SendPacket * packet, guint8 lane, RcTime now);
/* *packet: valid until the next call that changes something. */
SentPacketResult sent_packets_find (SentPackets * self, guint32 ssrc, guint16 seq, RcTime now,
    SentPacket ** packet);
/* How much of the stream is kept: a thin stream is sound, a thick one is the picture. */
guint64 sent_packets_stream_bytes (const SentPackets * self, guint32 ssrc);
void sent_packets_forget (SentPackets * self);

G_END_DECLS
