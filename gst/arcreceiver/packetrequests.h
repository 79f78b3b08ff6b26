/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets that a jitter buffer behind us asks for again (GstRTPRetransmissionRequest), on their way
 * into NACKs, and those that were asked for.
 *
 * Gathered: what is asked for within GATHER goes in one message, or with the report before that.
 *
 * Bounded: a request costs a credit, and each packet that comes earns a part of one (EARNED).
 * A receiver that misses more than that needs a lower rate and a keyframe, not retransmissions.
 *
 * A repair is a packet that comes again as it was, because we asked. For the sender's law its loss
 * must stay a loss, and its late arrival is no delay of the path; so it must be distinguished from
 * a packet that was only late. Rule: it was asked for, others with higher numbers came before it,
 * and it comes half a round trip after the request at the earliest, since no answer can be faster.
 * No clock and no locks: both are the caller's.
 *
 * A repaired loss is a loss for the law: repair changes the picture, not the path. A repair
 * leaves with GStreamer's flag of retransmission, else rtpjitterbuffer takes its late arrival
 * for jitter and asks later. */
#pragma once

#include "rtp/rtcpmessage.h"

#include <rc/base/types.h>

G_BEGIN_DECLS

#define PACKET_REQUESTS_GATHER RC_MSEC
#define PACKET_REQUESTS_MAX 256 /* that wait: 100 ms of 25 Mbit/s */

typedef struct
{
  NackedPacket packet;
  RcTime asked_at;              /* first; RC_TIME_NONE: this place is free */
  RcTime last_at;
  gboolean repaired;
  guint8 copies;                /* that were refused before they were measured */
} AskedPacket;

/* Numbers remembered, of all sources; the place of one is given by its number. */
#define PACKET_REQUESTS_ASKED 1024

typedef struct
{
  guint64 asked, nacks, limited, late, early, ahead, repaired, repeated;        /* late, ahead: the
                                                                                 * owner's */
} PacketRequestsStats;

typedef struct
{
  NackedPacket waiting[PACKET_REQUESTS_MAX];
  guint n_waiting;
  RcTime due_at;                /* RC_TIME_NONE: nothing waits */
  gdouble credit;
  AskedPacket *asked;           /* PACKET_REQUESTS_ASKED places */
  PacketRequestsStats stats;
} PacketRequests;

typedef enum
{
  PACKET_IS_NO_REPAIR,
  PACKET_IS_REPAIR,
  PACKET_IS_REPAIR_AGAIN,       /* it had come already */
} PacketRepair;

void packet_requests_init (PacketRequests * self);
void packet_requests_clear (PacketRequests * self);
/* Forgets what waits and what was asked; not what was counted. */
void packet_requests_forget (PacketRequests * self);
/* A packet of media came, which pays for requests. */
void packet_requests_on_packet (PacketRequests * self);
/* answer: how long one takes; before that a packet is not asked for again. rtpjitterbuffer does so
 * each 40 ms until it knows the time, and it never does where repeated requests get one answer.
 * FALSE: no, which is counted. */
gboolean packet_requests_add (PacketRequests * self, NackedPacket packet, RcTime answer,
    RcTime now);
/* Another element has requested it. */
void packet_requests_note (PacketRequests * self, NackedPacket packet, RcTime now);
/* The RTCP that asks for what waits, of at most `cap` bytes, or NULL: nothing is due. As
 * rtcp_new_nacks(). */
GstBuffer *packet_requests_take (PacketRequests * self, guint32 ssrc, guint cap,
    gboolean continues, RcTime now);
/* Of a packet whose number is below the highest of its source. rtt: 0: unknown. *waited: since it
 * was asked for; RC_TIME_NONE: more than once, so that the request it answers is ambiguous. */
PacketRepair packet_requests_on_arrival (PacketRequests * self, NackedPacket packet, RcTime rtt,
    RcTime now, RcTime * waited);
/* Of a packet that came before, which SRTP refuses. TRUE: it was asked for, so that its sender may
 * have sent it so often; a few times, so that replays are not taken for that. */
gboolean packet_requests_on_copy (PacketRequests * self, NackedPacket packet, RcTime now);
/* It was asked for, and has not come as a repair. */
gboolean packet_requests_misses (const PacketRequests * self, NackedPacket packet, RcTime now);
/* Such a packet has come as a repair. */
gboolean packet_requests_has_come (const PacketRequests * self, NackedPacket packet, RcTime now);

G_END_DECLS
