/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Retransmission: packets that a receiver asks for leave again, before the media that waits.
 *
 * A requested packet is retransmitted if it was sent within `rtx-time` (so that nothing stale
 * follows an outage), was not retransmitted within the last three quarters of an RTT, and fits the
 * budget (rtxbudget.h). Streams with the lowest volume (audio) go first; within a stream, the
 * oldest packets, whose deadline is next.
 *
 * They have a deadline, so they leave at once and on loan (lib/rc/pace/rmc.c), as far as the loan
 * goes; media repays it.
 *
 * Problem: a repair that is lost is asked for again, but not when the next request would come
 * after `rtx-time`. Rule: on such a last try it leaves twice, the second time behind all others
 * that wait, so that a burst of losses does not take both. The budget holds for both. Second
 * copies come after all first ones, also of later messages, and get half of the budget only: else
 * a burst found no budget for its last packets, while its first ones left twice. FEC comes last,
 * gets that half too, and leaves once.
 *
 * How: as they were, or as RFC 4588 says where their payload type has one for it (rtxstreams.h).
 *
 * It is a source of packets in front of the send queue, so they pass the same pacer, inside the
 * mean rate. No locks: the owner has one.
 *
 * Why not rtprtxsend or rtprtxqueue upstream: what they repeat enters behind the media that
 * waits here, is part of no budget, is chosen by no deadline, and has the numbers from before
 * gaps were closed. At the receiver the stock elements do the work.
 *
 * Packets come again as they were unless `rtx-payload-type-map` names a payload type: that needs
 * no setting and works with every jitter buffer. Other people's receivers take such a repair for
 * a late packet; the sender takes no delay from a packet that left twice (RFC 8085 3.1.1), and
 * for them RFC 4588 is recommended. */
#pragma once

#include "pacing/rtxbudget.h"
#include "pacing/sendqueue.h"
#include "pacing/sentpackets.h"
#include "rtp/rtcpmessage.h"
#include "rtp/rtxstreams.h"

G_BEGIN_DECLS

typedef struct
{
  /* Messages; packets that they asked for; of these: */
  guint64 nacks, asked;
  guint64 resent, resent_bytes; /* left again, with headers, each time */
  guint64 too_old, never_sent;
  guint64 over_budget;          /* also what one message asks for beyond RTCP_MAX_NACKED */
  guint64 repeated;             /* asked for again within a round trip */
} ResenderStats;

/* A packet that waits to leave again. */
typedef struct
{
  GstBuffer *buffer;            /* as it left at first */
  GstBuffer *ready;             /* as it leaves now; NULL: not made ready */
  guint32 ssrc;                 /* of the media */
  guint16 seq;
  guint rtp_bytes, size_bytes;  /* as it leaves; size: at the network layer */
  RtxStream *stream;            /* NULL: it leaves as it was */
  guint8 transport_id;          /* as in SendPacket */
  guint16 transport_number;     /* valid once ready */
  RcTime sent_at;               /* at first */
  guint64 stream_bytes;         /* how thick its stream is */
  gboolean twice;               /* it leaves once more after this */
  gboolean second;              /* this is that once more */
  gboolean fec;
  /* Of several lanes: the one by which it left last, and it leaves by another; by that as well. */
  guint8 lane;
  gboolean by_both;
} ResentPacket;

typedef struct _Resender Resender;

/* queue: of the media; it lives longer. overhead_bytes: UDP and IP headers. */
Resender *resender_new (SendQueue * queue, guint overhead_bytes);
void resender_free (Resender * self);
/* What waits here, and then the queue; as long as the resender. */
PacketSource *resender_get_source (Resender * self);
/* How long packets are kept; 0, the default: no retransmission. */
void resender_set_time (Resender * self, RcTime keep);
RcTime resender_get_time (const Resender * self);
/* As rtx_streams_init(). */
void resender_set_payload_types (Resender * self, const GstStructure * map);

/* A packet of the queue has left. lane: of several, else 0. */
void resender_on_sent (Resender * self, SendPacket * packet, guint8 lane, RcTime now);
/* The packet that resender_peek () returns leaves by this lane. */
void resender_on_lane (Resender * self, guint8 lane);
/* A lane lost what left by it last, or is silent with it. FALSE: it waits already, has left by
 * another lane since, or is too old. */
gboolean resender_repeat (Resender * self, guint32 ssrc, guint16 seq, guint8 lane, gboolean by_both,
    RcTime now);
/* rtt: RC_TIME_NONE: unknown. */
void resender_ask (Resender * self, const RtcpNacks * nacks, guint64 rate_bps, RcTime rtt,
    RcTime now);
/* What has waited too long leaves no more. Before packets are sent. */
void resender_expire (Resender * self, RcTime now);
/* Nothing that left until now is sent again: a flush, or media has stopped. */
void resender_forget (Resender * self);
/* The packet that leaves next; NULL: none waits. */
const ResentPacket *resender_peek (const Resender * self);
void resender_get_stats (const Resender * self, ResenderStats * stats);
const RtxStreams *resender_get_streams (const Resender * self);

G_END_DECLS
