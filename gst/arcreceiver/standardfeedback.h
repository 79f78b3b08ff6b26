/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a receiver sends to senders that do not know our own report: a compound of RTCP as RFC 3550
 * wants it, a receiver report and the source description with the CNAME, and after them what lists
 * packets. Where the caps agree to reduced size (RFC 5506), lists go alone, and the rest goes along
 * once a second. No clock and no lock: both are the caller's. */
#pragma once

#include "feedbackchoice.h"
#include "packetlists.h"
#include "rtppacket.h"
#include "sourcetable.h"

#include <rc/receiver/rtcptiming.h>

G_BEGIN_DECLS

#define STANDARD_FEEDBACK_CNAME_CHARS 16

typedef struct
{
  RcRtcpTiming timing;
  RcTime compound_at;           /* RC_TIME_NONE: none yet */
  PacketLists *lists;
  /* RFC 7022 4.2: 96 random bits, in base 64. */
  gchar cname[STANDARD_FEEDBACK_CNAME_CHARS + 1];
  guint32 clock_rate_hz[128];   /* by payload type; 0: unknown */
} StandardFeedback;

void standard_feedback_init (StandardFeedback * self);
void standard_feedback_clear (StandardFeedback * self);
/* Another participant of the session. Format and clock rates stay. */
void standard_feedback_begin (StandardFeedback * self);
void standard_feedback_set_caps (StandardFeedback * self, const GstCaps * caps);
/* 0: the caps do not say. */
guint32 standard_feedback_clock_rate (const StandardFeedback * self, guint8 payload_type);
/* CCFB or TWCC: lists packets from now on. Cheap when it does. */
void standard_feedback_set_format (StandardFeedback * self, GstArcFeedback format);
/* verdict: of the packet in its source. */
void standard_feedback_on_packet (StandardFeedback * self, const SourceTable * sources,
    Source * source, RcLossVerdict verdict, const RtpPacket * packet, RcTime arrived_at);
/* A requested retransmission arrived under its original number. Only TWCC reports it: it has
 * another number there. */
void standard_feedback_on_repair (StandardFeedback * self, const RtpPacket * packet,
    RcTime arrived_at);
/* Anything came, of so many bytes with headers: it pays for reports. */
void standard_feedback_count (StandardFeedback * self, guint bytes);
void standard_feedback_on_sender_report (StandardFeedback * self, Source * source, guint64 ntp,
    RcTime arrived_at);
/* As rc_rtcptiming_due_at(). */
RcTime standard_feedback_due_at (const StandardFeedback * self, const SourceTable * sources,
    const FeedbackOffer * offer, RcTime now);
/* ssrc: ours. */
GstBuffer *standard_feedback_new_report (StandardFeedback * self, SourceTable * sources,
    const FeedbackOffer * offer, guint32 ssrc, RcTime now);

G_END_DECLS
