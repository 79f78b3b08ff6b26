/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* RTP packets that wait for their turn, first in, first out, in frames of flows: a flow is an
 * SSRC, a frame the packets of one RTP timestamp. What is dropped is dropped by whole frames;
 * the sequence numbers of what follows are closed up, so that the receiver does not take for
 * network loss what never left. A frame of a transport stream is a picture and what comes
 * meanwhile: of that only the picture is dropped. No locks: the owner has one. */
#pragma once

#include <gst/gst.h>
#include <gst/rtp/gstrtpbuffer.h>
#include "packetsource.h"
#include "pacing/ownheaders.h"
#include "rtp/rtpcodec.h"
#include <rc/base/types.h>

G_BEGIN_DECLS

typedef struct _SendQueue SendQueue;
typedef struct _SendFrame SendFrame;

typedef struct
{
  GstBuffer *buffer;
  /* The same but for SSRC and number, of which others have references; NULL: there is none. */
  GstBuffer *shared;
  OwnHeader own;                /* what `buffer` is, if there is one */
  guint8 header[OWN_HEADER_BYTES];      /* as it came; only with a mask */
  guint size_bytes;             /* at the network layer: RTP packet and overhead */
  guint rtp_bytes, payload_bytes;
  guint32 ssrc;
  guint64 number;               /* of all that came, from 0 */
  guint16 seq_in, seq;          /* as it came; as it leaves (valid once numbered) */
  guint16 gap;                  /* packets of the flow dropped right before it */
  guint8 transport_id;          /* of the extension with its transport-wide number; 0: none */
  guint16 transport_number;     /* valid once numbered */
  gboolean fec;                 /* it protects its frame's packets from fec_base on (as it came) */
  guint16 fec_base;
  guint16 inner_at;             /* in the payload: what RED holds; 0: it is no RED */
  gboolean ends_dropped;        /* what it begins with is of a picture that was dropped */
  SendFrame *frame;
} SendPacket;

typedef struct
{
  guint64 packets_in, frames_in, frames_dropped, packets_dropped;
  guint64 bytes_dropped;        /* of these, while it was open */
  guint64 fec_in, fec_dropped;  /* packets, of the above; dropped: without their frame */
  /* Quantiles, of the flow that is held longest: from when the first packet of a frame came until
   * its last one left; of the last RC_RECENT_SIZE frames. RC_TIME_NONE: unknown. */
  RcTime held_p50, held_p95, held_p99;
  RcTime key_interval;          /* of the flow where it is longest; 0: unknown */
} SendQueueStats;

/* overhead_bytes: UDP and IP headers. renumber: close up sequence numbers after drops. */
SendQueue *send_queue_new (guint overhead_bytes, gboolean renumber);
void send_queue_free (SendQueue * self);
/* Packets leave with their SSRC XOR this, under which they are known as soon as they came. */
void send_queue_set_ssrc_mask (SendQueue * self, guint32 mask);
/* The packet with this SSRC and number, in a first memory of its own; it shares the rest. */
GstBuffer *send_packet_own_header (GstBuffer * packet, guint32 ssrc, guint16 seq);
/* The queue as a source of packets; as long as the queue. */
PacketSource *send_queue_get_source (SendQueue * self);

/* Takes the buffer in any case. FALSE, nothing counted: not an RTP packet. */
gboolean send_queue_push (SendQueue * self, GstBuffer * buffer, RtpCodec codec, RcTime now);
/* The same of a packet that is mapped, with its payload. */
void send_queue_push_mapped (SendQueue * self, GstBuffer * buffer, GstRTPBuffer * rtp,
    RtpCodec codec, RcTime now);
/* SSRC and timestamp of the packet that came last. */
void send_queue_get_last (const SendQueue * self, guint32 * ssrc, guint32 * timestamp);
/* Payload of the packet that came last, as far as an encoder made it: none of FEC and repeats. */
guint send_queue_made_bytes (const SendQueue * self);
/* Of the packet that came last, at the network layer. */
guint send_queue_last_bytes (const SendQueue * self);
/* TRUE: an extension was added to what comes from now on, which FEC does not know. */
void send_queue_set_enlarges (SendQueue * self, gboolean enlarges);
/* The packet that will leave after `nth` others, or NULL; valid until the queue changes. */
SendPacket *send_queue_peek (SendQueue * self, guint nth);
/* Closes up the sequence numbers of the first n packets, which may then be sent in this order, and
 * writes their transport-wide numbers, which count what leaves. What is not sent now stays, and is
 * numbered again. */
void send_queue_number (SendQueue * self, guint n);
/* The head has been sent: it is freed. The queue must not be empty. */
void send_queue_pop (SendQueue * self, RcTime now);

guint64 send_queue_bytes (SendQueue * self);
guint send_queue_packets (SendQueue * self);
/* Of all that came: the number of the next. */
guint64 send_queue_count (SendQueue * self);

/* For live flows: while more than limit_bytes wait, not counting the newest keyframe of each flow,
 * drops frames of the flow with the most bytes, up to its newest keyframe; without one, what comes
 * is dropped until a keyframe comes.
 */
void send_queue_shed (SendQueue * self, guint64 limit_bytes, RcTime now);
/* The same where no encoder makes less of it, so that what comes stays too much. What waits goes on
 * waiting until the next keyframe comes, and is dropped then if it is more than limit_bytes.
 * Meanwhile frames that no other needs are dropped beyond limit_bytes, and all that come beyond
 * hold_bytes, and beyond limit_bytes without the newest keyframe. */
void send_queue_shed_rigid (SendQueue * self, guint64 limit_bytes, guint64 hold_bytes, RcTime now);
/* Forgets what waits, as a flush wants it; not counted as dropped. */
void send_queue_flush (SendQueue * self);
/* The header extension (RFC 8285) of this id holds the transport-wide number, in the packets that
 * have it; 0: none has. For what comes from now on. */
void send_queue_set_transport_id (SendQueue * self, guint8 id);
/* The number of the next packet that leaves; and one that is not of the queue has left with it. */
guint16 send_queue_next_transport_number (const SendQueue * self);
void send_queue_use_transport_number (SendQueue * self);
/* Of packets that are RED (gst/rtp/ulpfec.h); -1: none. For what comes from now on. */
void send_queue_set_red (SendQueue * self, gint payload_type);
void send_queue_set_renumber (SendQueue * self, gboolean renumber);
/* With which number a packet of the flow came that left with `out`. FALSE: none has left, or too
 * long ago. */
gboolean send_queue_number_in (const SendQueue * self, guint32 ssrc, guint16 out, guint16 * in);
/* The reverse of what came with this timestamp, in any flow but one. The same number: nothing was
 * dropped before it, or it left too long ago. */
guint16 send_queue_number_out (const SendQueue * self, guint32 but_ssrc, guint32 timestamp,
    guint16 in);
/* Closed: drops all and whatever comes; opened again, flows with delta frames await a keyframe. */
void send_queue_set_closed (SendQueue * self, gboolean closed, RcTime now);
/* A closed queue takes one packet while it is empty, of whatever frame: as a probe. */
void send_queue_set_admits_one (SendQueue * self, gboolean admits_one);

/* Keyframes: when which encoder is asked for one (lib/rc/keyframe/keyrequest.h). */

typedef struct
{
  guint64 received, suppressed, unknown, ordered;
} SendQueueKeyStats;

/* TRUE: packets of that SSRC come, and they are no retransmissions. */
gboolean send_queue_has_media (SendQueue * self, guint32 ssrc);
/* A receiver requests one (PLI). rtt: RC_TIME_NONE: unknown. */
void send_queue_request_keyframe (SendQueue * self, guint32 ssrc, RcTime rtt, RcTime now);
/* The same by FIR, with its sender's SSRC and its sequence number. */
void send_queue_request_keyframe_by_fir (SendQueue * self, guint32 ssrc, guint32 from,
    guint8 number, RcTime rtt, RcTime now);
/* The first report of a receiver came. */
void send_queue_on_newcomer (SendQueue * self, RcTime rtt, RcTime now);
/* When an encoder is to be asked next: a time not after `now` means now; RC_TIME_NONE: none, as
 * things are. */
RcTime send_queue_keyframe_due_at (SendQueue * self, RcTime now);
/* TRUE: ask the encoder of this SSRC now. Call it until it is FALSE. */
gboolean send_queue_take_keyframe_order (SendQueue * self, RcTime now, guint32 * ssrc);
void send_queue_get_key_stats (SendQueue * self, SendQueueKeyStats * stats);

/* Of the stats, without the quantiles, which take sorting: for each packet. */
guint64 send_queue_frames_in (const SendQueue * self);
guint64 send_queue_dropped_bytes (const SendQueue * self);
void send_queue_get_stats (SendQueue * self, SendQueueStats * stats);
/* Of these what is counted, without the times, which take long. */
void send_queue_get_counts (SendQueue * self, SendQueueStats * stats);
/* The share (0..1) of each flow in the media bytes of the last second; returns how many flows,
 * at most n. */
guint send_queue_get_shares (SendQueue * self, guint32 * ssrcs, gdouble * shares, guint n,
    RcTime now);

G_END_DECLS
