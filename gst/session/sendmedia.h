/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The media of a session: the queue, what is sent again before it, and the way out by the sender's
 * pacer over the transport. Callers that push into a full queue, or drain it, wait here.
 * The session's lock is held in all calls. */
#pragma once

#include "encoder/encoderorders.h"
#include "pacing/mediafeed.h"
#include "pacing/pacedegress.h"
#include "pacing/resender.h"
#include "pacing/sendqueue.h"
#include "sendlanes.h"
#include "rtp/rtcpmessage.h"
#include "senderpacer.h"
#include "senderreporter.h"

G_BEGIN_DECLS

typedef struct
{
  RcSender *sender;
  SendLane *lane;               /* the only one; NULL: */
  SendLanes *lanes;             /* there are several */
  gboolean has_trailers;        /* the transport has a place for stamps behind the packets */
  SendQueue *queue;
  Resender *resender;           /* in front of the queue */
  SenderPacer pacer;
  SenderReports reports;        /* of what came and left */
  PacedEgress egress;           /* of the queue, by the pacer, over the transport */
  RcTime max_queue_time;
  guint64 dropped_bytes;        /* of the queue, as the sender knows */
  RcTime hold_time;             /* no encoder follows: what comes waits so long; 0: one does */
  RtpCodec codec;
  guint8 stamp_id;              /* 0: packets get no stamp */
  gboolean takes_trailers;      /* the receiver knows what is behind the packets, if anything is */
  guint8 transport_id;          /* 0: packets get no transport-wide number */
  gboolean live;                /* drop what is too late, never wait */
  gboolean interrupted;         /* no caller waits */
  gboolean stopped;             /* as last set on the queue */
  gboolean aside;               /* nothing is queued, since the CPU is full */
  gboolean probing;             /* the next packet that comes is due as a probe */
  gboolean starved;             /* the pacer found the queue empty: wake it when something comes */
  /* Streams whose encoders should make a keyframe; the owner has yet to take them. */
  guint n_keyframes;
  guint32 keyframes[ENCODER_ORDERS_MAX_FLOWS];
  GCond changed;                /* queue, stop or interruption: for callers that wait */
  guint waiting;
  guint64 non_rtp_buffers;
} SendMedia;

/* sender, and lane or lanes: they live longer. overhead_bytes: of all below RTP. */
void send_media_init (SendMedia * self, RcSender * sender, SendLane * lane, SendLanes * lanes,
    guint overhead_bytes, gboolean renumber, RcTime max_queue_time);
void send_media_clear (SendMedia * self);

/* Codec of the packets, and the header extensions that they have. */
void send_media_set_caps (SendMedia * self, const GstCaps * caps, gint red_type);
void send_media_set_live (SendMedia * self, gboolean live, RcTime now);
void send_media_set_max_queue_time (SendMedia * self, RcTime max_queue_time);
/* hold_time: see above. */
void send_media_set_hold_time (SendMedia * self, RcTime hold_time);
void send_media_set_interrupted (SendMedia * self, gboolean interrupted);
/* What waits is dropped, and nothing more is taken until it is set back. */
void send_media_set_aside (SendMedia * self, gboolean aside, RcTime now);
/* After each input of the sender. TRUE: media has stopped, or flows again, since the last call. */
gboolean send_media_follow_sender (SendMedia * self, RcTime now);

/* --- in --- */

/* The queue is full, or media is stopped: send_media_wait() first. */
gboolean send_media_must_wait (const SendMedia * self);
/* Until something changes; leaves the lock meanwhile. */
void send_media_wait (SendMedia * self, GMutex * lock);
void send_media_wake_waiting (SendMedia * self);
/* By which a packet may grow before the transport gets it. */
guint send_media_added_bytes (const SendMedia * self);
/* Takes a reference of its own. FALSE: not an RTP packet. */
gboolean send_media_push (SendMedia * self, GstBuffer * buffer, RcTime now);
/* The same of a packet of a feed. */
gboolean send_media_push_fed (SendMedia * self, const FedPacket * packet, RcTime now);
/* TRUE: the pacer must be woken for what has come. */
gboolean send_media_take_wake_up (SendMedia * self);
/* The receiver asks for packets again. */
void send_media_ask_again (SendMedia * self, const RtcpNacks * nacks, RcTime now);
void send_media_flush (SendMedia * self, RcTime now);

/* Collects the streams whose encoders are to be asked for a keyframe now. Returns when to come
 * again. */
RcTime send_media_order_keyframes (SendMedia * self, RcTime now);

/* --- out --- */

/* Sends what is due. Returns when to come again. */
RcTime send_media_serve (SendMedia * self, RcTime now);
/* Media is stopped and would be a probe: of a live source, whose queue is closed, one packet may
 * come. Returns when to come again. */
RcTime send_media_admit_probe (SendMedia * self, RcTime now);
RcTime send_media_get_queue_time (const SendMedia * self);

G_END_DECLS
