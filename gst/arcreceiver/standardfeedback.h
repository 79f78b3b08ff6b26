/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a receiver sends to senders that do not know our own report: RTCP as RFC 3550 wants it, a
 * compound of a receiver report and the source description with the CNAME. No clock and no lock:
 * both are the caller's. */
#pragma once

#include "feedbackchoice.h"
#include "sourcetable.h"

#include <rc/feedback/rtcptiming.h>

G_BEGIN_DECLS

#define STANDARD_FEEDBACK_CNAME_CHARS 16

typedef struct
{
  RcRtcpTiming timing;
  /* RFC 7022 4.2: 96 random bits, in base 64. */
  gchar cname[STANDARD_FEEDBACK_CNAME_CHARS + 1];
  guint32 clock_rate_hz[128];   /* by payload type; 0: unknown */
} StandardFeedback;

/* Another participant of the session. The clock rates stay. */
void standard_feedback_begin (StandardFeedback * self);
void standard_feedback_set_caps (StandardFeedback * self, const GstCaps * caps);
/* source: NULL: refused. verdict: of the packet in it. bytes: with headers. */
void standard_feedback_on_packet (StandardFeedback * self, Source * source, RcLossVerdict verdict,
    guint8 payload_type, guint32 timestamp, guint bytes, RcTime arrived_at);
/* RTCP of the sender, of so many bytes with headers. */
void standard_feedback_on_rtcp (StandardFeedback * self, guint bytes);
void standard_feedback_on_sender_report (StandardFeedback * self, Source * source, guint64 ntp,
    RcTime arrived_at);
/* As rc_rtcptiming_due_at(). */
RcTime standard_feedback_due_at (const StandardFeedback * self, const SourceTable * sources,
    const FeedbackOffer * offer, RcTime now);
/* ssrc: ours. */
GstBuffer *standard_feedback_new_report (StandardFeedback * self, SourceTable * sources,
    guint32 ssrc, RcTime now);

G_END_DECLS
