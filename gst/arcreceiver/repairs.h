/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The receiver's side of retransmission: the wishes of a jitter buffer downstream
 * (GstRTPRetransmissionRequest) become requests (packetrequests.h), packets that come because of
 * them are recognised, and the latency that all this needs is measured. The jitter buffer does not
 * ask for what would come too late; late requests of other elements are dropped here.
 *
 * Problem: the jitter buffer asks late (lib/rc/receiver/askplan.c). Rule: once it has asked, and
 * for REPAIRS_SPAN after each time, a packet is asked for as soon as a higher number has come, and
 * again when the answer is overdue. Where packets were reordered in the last REPAIRS_SPAN, three
 * higher numbers must have come. Not where there is FEC, which may mend it without.
 *
 * Problem: with rtx-next-seqnum, its default, the jitter buffer also asks for the packet that it
 * expects next, and a frame comes when the encoder has made it. Rule: what no higher number has
 * overtaken is not asked for.
 * No clock and no locks: both are the caller's.
 *
 * Problem: packets of several lanes overtake each other, and the jitter buffer asks for those
 * that are late. Rule: a request is held for half as long again as packets were late lately, and
 * dropped when the packet comes.
 *
 * What comes too late is known here: a jitter buffer gives a packet up so long after the fastest
 * packets of the last seconds would have come. Rejected: telling the latency to the sender,
 * since a request that is late costs one packet of the budget and nothing else. */
#pragma once

#include "base/fields.h"
#include "packetrequests.h"
#include "rtppacket.h"
#include "sourcetable.h"

#include <rc/receiver/askplan.h>
#include <rc/receiver/repairtime.h>

G_BEGIN_DECLS

/* Requests of a jitter buffer go on while losses do; streams of few losses have few. */
#define REPAIRS_SPAN (10 * RC_SECOND)

/* A request that may be for a packet that is only late. */
typedef struct
{
  NackedPacket packet;
  RcTime asked_at;
  RcTime delay;                 /* of the packet, when it was asked for; RC_TIME_NONE: unknown */
  guint retry;
} HeldRequest;

#define REPAIRS_HELD 256

typedef struct
{
  HeldRequest held[REPAIRS_HELD];       /* in the order in which they came */
  guint n_held;
  RcTime hold;                  /* how long; 0: not at all */
  PacketRequests requests;
  RcAskPlan plan;
  RcTime wanted_at, reordered_at;       /* last; RC_TIME_NONE: never */
  RcRepairTime time;
  RcTime rtt;                   /* as the sender last reported it; RC_TIME_NONE: never */
  /* Of the jitter buffer, by its event or as it was set; by the LATENCY event. RC_TIME_NONE:
   * unknown. */
  RcTime jitter_latency, pipeline_latency;
  RcTime told_latency;          /* needed, as last reported; 0: not yet */
} Repairs;

void repairs_init (Repairs * self);
void repairs_clear (Repairs * self);
/* Packets come by several lanes, in no order. */
void repairs_set_lanes (Repairs * self, gboolean lanes);
/* Another clock, or another sender. */
void repairs_begin (Repairs * self);
/* An upstream event. TRUE: it was for us. */
gboolean repairs_on_event (Repairs * self, const SourceTable * sources, const GstStructure * event,
    RcTime now);
/* Another element has requested these. */
void repairs_note_nacks (Repairs * self, const RtcpNacks * nacks, RcTime now);
/* Of the jitter buffer, or else of the pipeline; RC_TIME_NONE: unknown. */
RcTime repairs_latency_there (const Repairs * self);
/* Before it counts in the statistics of its source, which a repair does not. */
PacketRepair repairs_on_packet (Repairs * self, const Source * source, const RtpPacket * packet,
    RcTime now);
/* A packet that counts may bring another stream's back (RFC 4588). Problem: which payload types do
 * so is known to rtprtxreceive, behind us. Rule: of another payload type, and its payload begins
 * with a number that was asked for and has not come. Returns the media's source and its number. */
Source *repairs_on_stream (Repairs * self, SourceTable * sources, const RtpPacket * packet,
    RcTime now, guint32 * seq);
/* A repair of this number has come. */
gboolean repairs_has_come (const Repairs * self, const Source * source, guint32 seq, RcTime now);
/* It counted, and so many were found lost by it. */
void repairs_on_counted (Repairs * self, const Source * source, guint32 lost_pkts);
/* n packets of the source are missing, `first` and those behind it, between the one of these
 * timestamps: the second came now. since: the arrival of the first. */
void repairs_on_gap (Repairs * self, const Source * source, guint32 first, guint n,
    const guint32 timestamps[2], RcTime since, RcTime now);
/* Three higher numbers have come. */
void repairs_on_lost (Repairs * self, const Source * source, guint32 seq, RcTime now);
/* One that had been counted as lost came, and nobody had asked for it. */
void repairs_on_late (Repairs * self, const Source * source, const RtpPacket * packet, RcTime now);
/* It came after all; late: not because it was asked for. */
void repairs_on_came (Repairs * self, const Source * source, guint32 seq, gboolean late,
    RcTime now);
/* A packet that will not come in time any more. FALSE: there is none. */
gboolean repairs_take_hopeless (Repairs * self, RcTime now, guint32 * ssrc, guint32 * seq);
/* RC_TIME_NONE: nothing waits. */
RcTime repairs_due_at (const Repairs * self);
/* As packet_requests_take(). */
GstBuffer *repairs_take (Repairs * self, guint32 ssrc, gboolean continues, RcTime now);
/* TRUE: the path needs more latency than there is, and more than was reported. */
gboolean repairs_lack_latency (Repairs * self, RcTime now, RcTime * needed, RcTime * there);
/* What repair needs, where it is asked for; RC_TIME_NONE: not known, or nobody asks. */
RcTime repairs_needed_latency (const Repairs * self, RcTime now);
void repairs_add_stats (const Repairs * self, RcTime now, GstStructure * stats);
/* Their fields: of the requests, and of the latency. */
extern const FieldRow repairs_request_fields[], repairs_latency_fields[];

G_END_DECLS
