/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The peer: its identity, whether it is silent, and its return path. Until the sender has
 * proven its address, which a notice with a cookie asks it to do, it gets no more bytes than
 * came from it. Posts the element messages GstArcSrcTimeout and GstArcSrcResumed, and of a stream
 * that stops the same in words. One lock, not held while posting or sending. */
#pragma once

#include <gst/gst.h>

#include "net/addresscookie.h"
#include "net/localaddress.h"
#include "peerlanes.h"
#include "rtp/rtcpmessage.h"
#include "senderlatch.h"
#include "srtp/securecontext.h"

#include <rc/feedback/wire.h>

G_BEGIN_DECLS

#define PEER_DEFAULT_RELEASE (2 * GST_SECOND)

typedef struct
{
  GstElement *element;          /* posts the messages; holds us, hence no reference */
  GMutex lock;
  /* under the lock */
  GSocket *socket;              /* NULL: closed */
  SecureContext *secure;        /* NULL: no SRTP; changes while nothing is received only */
  guint32 ssrc;                 /* of our notices */
  guint64 timeout;              /* ns, after which there is a message; 0: none, the default */
  guint64 release;              /* ns of silence after which another sender is taken */
  gboolean follow; /* FALSE: a sender that moves is foreign, unless it brings the cookie along */
  guint64 announced[2];         /* a bit for each payload type that may come */
  GSocketAddress *only;         /* nothing comes from elsewhere; NULL: from any sender */
  AddressCookie cookies;
  SenderLatch latch;
  PeerLanes lanes;              /* further addresses of the sender */
  LocalAddress local;           /* that the sender addressed last: answers leave from there */
  guint welcomes;               /* counts senders; changes in the receiving thread only */
  guint64 sender_cookie;        /* of the sender's address */
  /* What came from the sender and has not been answered, while it is not proven. */
  guint64 credit_bytes;
  RcTime notice_at, notice_interval;    /* the next to the sender */
  RcTime stranger_notice_at;    /* the next to any other host */
  RcTime media_at;              /* last media of the sender, or when we began to wait for it */
  RcTime info_at;               /* last info of a sender that sends media; 0: none */
  gboolean silent;              /* the timeout message is out */
  gboolean told_end;            /* in words, of a stream that ran */
  RcTime tell_end_at;           /* the next, at the earliest */
  gboolean told_misfit;         /* the warning about payload types is out */
  guint64 foreign_pkts, changes, send_errors, withheld_pkts, notices;
} Peer;

typedef struct
{
  gboolean for_first;           /* no packets have arrived from any host yet */
  GstClockTime silence;         /* without media */
  GstClockTime timeout;         /* of Peer */
} PeerWait;

void peer_init (Peer * self, GstElement * element);
void peer_clear (Peer * self);
/* Takes the socket, NULL: none, and returns the one before. */
GSocket *peer_change_socket (Peer * self, GSocket * socket);
/* Of the socket; 0: it is closed. */
guint16 peer_port (Peer * self);
/* Of the expected media: a packet with another payload type does not claim the sender's slot.
 * NULL: any payload type may come. */
void peer_set_caps (Peer * self, const GstCaps * caps);
/* NULL, the default: any address may become the sender's. */
void peer_set_only (Peer * self, GSocketAddress * only);
/* No sender, all counters 0. */
void peer_reset (Peer * self);
/* Silence counts from now on. */
void peer_expect_media (Peer * self);
/* With SRTP, what is not authentic must not get here. NULL: in the clear. */
void peer_set_secure (Peer * self, SecureContext * secure);
SecureContext *peer_dup_secure (Peer * self);
/* FALSE: to be dropped: not from the sender. local: where it was sent to. message: what RTCP is in
 * the buffer. secure: what SRTP says of it; NULL: it came in the clear. Called in the receiving
 * thread, as is the next. */
gboolean peer_admit (Peer * self, GstBuffer * buffer, const LocalAddress * local,
    const RtcpMessage * message, const SecureArrival * secure);
/* For admitted media: what came by a lane is made the packet that it was. Takes the buffer. NULL:
 * it came before by another lane. *packet: to be measured as one of the lane; 0 bytes: nothing. */
GstBuffer *peer_take_lane (Peer * self, GstBuffer * buffer, RtpPacket * packet);
/* Takes infos of lanes that did not join out of the message. */
void peer_take_lane_infos (Peer * self, GstBuffer * buffer, RtcpMessage * message);
/* SSRCs of those of the present sender; returns how many. */
guint peer_get_lanes (Peer * self, guint32 ssrcs[RC_LANES_MAX]);
void peer_check_silence (Peer * self);
PeerWait peer_wait (Peer * self);
/* To the sender, from the socket that its media comes to. Never blocks: what does not fit now
 * would be stale later. */
void peer_send (Peer * self, GstBuffer * buffer);
/* The same to any address, whether it has proven itself or not. clear: even with SRTP. */
gboolean peer_send_to (Peer * self, GSocketAddress * to, const LocalAddress * local,
    GstBuffer * buffer, gboolean clear);
void peer_add_stats (Peer * self, GstStructure * stats);
/* Its fields: as it is now, and counters of Peer. */
extern const FieldRow peer_fields_now[], peer_fields[];

G_END_DECLS
