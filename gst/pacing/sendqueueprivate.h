/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The inside of a queue, shared by sendqueue.c (in and out), sendqueuedrop.c, sendqueuefec.c,
 * sendqueuekeys.c and sendqueuenumbers.c. */
#pragma once

#include <rc/base/ratemeter.h>
#include <rc/base/recent.h>
#include <rc/keyframe/keyrequest.h>
#include "pacing/sendqueue.h"
#include "rtp/tspictures.h"

#include <gst/base/base.h>
#include <gst/rtp/rtp.h>

G_BEGIN_DECLS

typedef struct _SendFlow SendFlow;
typedef struct _SendNumbers SendNumbers;

struct _SendFrame
{
  SendFlow *flow;
  guint32 timestamp;
  guint8 payload_type;          /* of its media; FEC of the same frame has another */
  guint sent_packets;
  RcTime came_at, left_at;      /* its first packet; its last one so far */
  guint64 queued_bytes;
  gboolean key, dropped;
  gboolean discardable;         /* no other frame needs it */
  gboolean keeps;               /* its media packets come and leave, without a gap */
  guint16 kept_from;            /* since this number, as it came */
};

struct _SendFlow
{
  guint32 ssrc;
  guint64 queued_bytes;
  guint queued_packets;
  guint16 offset;               /* packets dropped before the one that left last */
  guint16 number_offset;        /* the same for the one numbered last */
  guint16 pending_gap;          /* packets dropped after the last one that waits */
  gboolean flags_deltas;        /* upstream sets GST_BUFFER_FLAG_DELTA_UNIT on this flow */
  gboolean has_deltas, awaits_key;
  gboolean repeats;             /* retransmissions of packets of other flows */
  gboolean has_gaps;            /* packets were dropped: numbers are closed up */
  RcTime awaits_since, active_at;
  RcTime key_interval;          /* from the keyframe before to the newest one; 0: unknown */
  SendFrame *frame;             /* the one that comes in; NULL before the first */
  SendFrame *newest_key;        /* or NULL */
  SendFrame *leaving;           /* of the packet that left last, or NULL */
  RcRecent held;                /* frames, from came_at to left_at */
  RcRateMeter incoming;           /* payload bytes */
  RcKeyRequest keys;
  TsPictures ts;                /* its video_pid is 0: no transport stream with pictures */
  SendNumbers *numbers;         /* of the packets that left since one was dropped, or NULL */
};

/* A GstQueueArray divides for each packet that it is asked for. */
typedef struct
{
  SendPacket *places;
  guint capacity;               /* power of two */
  guint first, n;               /* first: in the ring, modulo capacity */
} SendRing;

struct _SendQueue
{
  PacketSource source;          /* must stay first */
  SendRing packets;
  GPtrArray *flows;             /* of SendFlow */
  guint64 bytes, limit_bytes;   /* limit: of what waits, as it was shed last */
  guint overhead_bytes;
  guint32 ssrc_mask;
  gboolean renumber, closed;
  gboolean rigid;               /* no encoder follows */
  gint red_type;                /* payload type; -1: none */
  guint8 transport_id;
  guint16 next_transport_number;
  gboolean admits_one;          /* although it is closed, while nothing waits */
  gboolean enlarges;            /* what comes had an extension added here */
  gboolean has_gaps;            /* a flow has, or had */
  gboolean has_transport_numbers;       /* a packet has, or had */
  guint made_bytes;             /* of the packet that came last, as the next three */
  guint last_bytes;
  guint32 last_ssrc, last_timestamp;
  RcTime active_at;             /* the last packet of all flows came */
  SendQueueStats stats;
  SendQueueKeyStats key_stats;
};

/* The packet behind i others; there is one. */
static inline SendPacket *
send_queue_at (const SendQueue * self, guint i)
{
  return &self->packets.places[(self->packets.first + i) & (self->packets.capacity - 1)];
}

void send_queue_append (SendQueue * self, const SendPacket * packet);
SendPacket send_queue_remove_head (SendQueue * self);
/* Nothing came for long while others did. */
gboolean send_flow_has_ended (const SendQueue * self, const SendFlow * flow);
/* It has pictures that can be left out of it (tspictures.h); a frame of it is a picture with the
 * sound that comes meanwhile. */
gboolean send_flow_has_pictures (const SendFlow * flow);
/* The flow takes nothing but a keyframe. */
void send_flow_await_key (SendFlow * flow, RcTime now);
void send_frame_unref (SendFrame * frame);
/* Marks it and counts it once; send_queue_sweep() takes its packets out. */
void send_queue_drop_frame (SendQueue * self, SendFrame * frame);
/* A packet is about to leave the queue, or has. */
void send_queue_account_removed (SendQueue * self, const SendPacket * packet);
void send_packet_clear (SendPacket * packet);

/* The packet leaves, numbered (sendqueuenumbers.c). */
void send_numbers_add (SendFlow * flow, const SendPacket * packet);

/* FEC (sendqueuefec.c). FALSE: it is too short to be any. */
gboolean send_fec_read (SendPacket * packet, const guint8 * payload, gsize size);
/* A packet of the frame's media comes, and is dropped or not. */
void send_fec_on_media (SendFrame * frame, guint16 seq, gboolean dropped);
/* What it protects leaves as it was protected; else it would mend losses wrongly. */
gboolean send_fec_holds (const SendQueue * self, const SendFlow * flow, const SendPacket * packet);
/* Its number changed: so did those that it names. */
void send_fec_move_base (const SendPacket * packet, GstRTPBuffer * rtp);

G_END_DECLS
