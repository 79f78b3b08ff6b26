/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* For which sources a receiver asks their senders for keyframes, and the RTCP that asks. When, is
 * lib/rc/keyframe/keywish.h, of which each source has one.
 *
 * A loss may still be repaired. Problem: what repairs it, and how long that is waited for, is known
 * downstream, to the jitter buffer. Rule: a jitter buffer that wants retransmissions says so by the
 * event GstRTPRetransmissionRequest, and with it its latency: so long a loss is left to it. Where
 * no such event came within REPAIR_SPAN, there is no retransmission, and a loss asks at once.
 * Nothing is asked of sources that the caps call audio, or that send nothing.
 *
 * Problem: after an outage the jitter buffer asks for what was lost in it, and waits for its
 * latency once more. Rule: what is lost in a gap that lasted longer than that latency asks at
 * once.
 *
 * A stream may have FEC: packets of a payload type that the caps do not name, beside those that
 * they name. Problem: it recovers losses behind the jitter buffer and does not report the others. A
 * depayloader (request-keyframe=true) misses a frame of which nothing came. Rule: a loss that FEC
 * mends (lib/rc/fec/fecwatch.h) asks for nothing; another one asks FEC_TIME later, since the
 * FEC may be on its way.
 *
 * A repair may come in a stream of its own (RFC 4588), which no caps name here. Such a packet leads
 * its payload with the number of the packet that it repeats. So while a jitter buffer asks, a
 * packet of another source and payload type that begins with a missing number counts as the repair.
 * By chance one packet of sound in 65536 does so too, and a request is left out.
 *
 * The request is a PLI, since decoders and encoders make no difference between a lost picture and a
 * new receiver. It is a FIR where the caps offer FIR (rtcp-fb-ccm-fir) and no PLI
 * (rtcp-fb-nack-pli). No clock and no lock: both are the caller's. */
#pragma once

#include "rtppacket.h"
#include "rtp/rtpcodec.h"
#include "sourcetable.h"

G_BEGIN_DECLS

/* Requests of a jitter buffer go on while losses do; streams of few losses have few. */
#define KEYFRAME_WISHES_REPAIR_SPAN (10 * RC_SECOND)

typedef struct
{
  gboolean enabled;
  gboolean fir;                 /* what the caps offer */
  gboolean is_audio[128], is_named[128];        /* by payload type */
  gboolean names_any;
  RtpCodec codec[128];
  RcTime repair_time, repair_at;        /* of the last request downstream; RC_TIME_NONE: none */
  RcTime spread;                /* so much later than others a packet may come in any case */
  guint64 requests;
} KeyframeWishes;

void keyframe_wishes_init (KeyframeWishes * self);
/* Of another clock. */
void keyframe_wishes_begin (KeyframeWishes * self);
void keyframe_wishes_set_caps (KeyframeWishes * self, const GstCaps * caps);
/* first: the source begins here. */
void keyframe_wishes_on_packet (KeyframeWishes * self, Source * source, const RtpPacket * packet,
    GstBuffer * buffer, gboolean first);
/* A packet of the source comes. gap: some are missing before it. */
void keyframe_wishes_on_gap (Source * source, gboolean gap, RcTime now);
/* A packet of the source was found lost; it came after all, or came again. seq: of the loss
 * history. */
void keyframe_wishes_on_lost (KeyframeWishes * self, Source * source, guint32 seq, RcTime now);
void keyframe_wishes_on_came (KeyframeWishes * self, Source * source, guint32 seq);
/* What was lost cannot be repaired in time any more: it asks at once. */
void keyframe_wishes_on_hopeless (KeyframeWishes * self, Source * source, guint32 seq, RcTime now);
/* If the packet repeats one of another source, that one is no longer missing. */
void keyframe_wishes_on_repeat (const KeyframeWishes * self, SourceTable * sources,
    const RtpPacket * packet, GstBuffer * buffer, RcTime now);
/* The upstream events GstForceKeyUnit and GstRTPRetransmissionRequest. */
void keyframe_wishes_on_event (KeyframeWishes * self, SourceTable * sources,
    const GstStructure * event, RcTime now);
/* As rc_keywish_due_at(). */
RcTime keyframe_wishes_due_at (const KeyframeWishes * self, const SourceTable * sources,
    RcTime now);
/* RTCP packets with the requests that are due, or NULL. ssrc: ours. */
GstBuffer *keyframe_wishes_take (KeyframeWishes * self, SourceTable * sources, guint32 ssrc,
    RcTime now);

G_END_DECLS
