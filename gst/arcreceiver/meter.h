/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Measures the packets that pass and writes the reports about them, in the format that is chosen:
 * sources, clock and counters under one lock that is never held across a call out. Threads and pads
 * are the element's. */
#pragma once

#include "base/description.h"
#include "feedbackchoice.h"
#include "keyframewishes.h"
#include "repairs.h"
#include "rtp/rtcpmessage.h"
#include "sourcetable.h"
#include "standardfeedback.h"

#include <gst/arc/arc.h>

G_BEGIN_DECLS

/* Of meter_to_structure(), for gst-inspect-1.0 and the reference. */
#define METER_FIELDS_PACKETS \
    DESCRIPTION_FIELD ("bandwidth", "uint64, bit/s", "that arrives, low-passed") \
    DESCRIPTION_FIELD ("packets-received", "uint64", "packets that count as media") \
    DESCRIPTION_FIELD ("bytes-received", "uint64, bytes", "the same, as RTP") \
    DESCRIPTION_FIELD ("packets-lost", "uint64", "less those found again") \
    DESCRIPTION_FIELD ("packets-reordered", "uint64", "came behind later ones") \
    DESCRIPTION_FIELD ("packets-duplicate", "uint64", "came twice") \
    DESCRIPTION_FIELD ("packets-stray", "uint64", "sequence number too far off") \
    DESCRIPTION_FIELD ("packets-ecn", "uint64", "came ECN-capable") \
    DESCRIPTION_FIELD ("packets-ce", "uint64", "of these: marked by a router")


#define METER_FIELDS \
    METER_FIELDS_PACKETS \
    DESCRIPTION_FIELD ("invalid-packets", "uint64", "neither RTP nor RTCP") \
    DESCRIPTION_FIELD ("feedback", "string", "format of the reports now, as the property") \
    DESCRIPTION_FIELD ("reports-sent", "uint64", "reports made") \
    DESCRIPTION_FIELD ("keyframe-requests", "uint64", "PLI and FIR made") \
    DESCRIPTION_FIELD ("sender-infos", "uint64", "messages of rmcsink that came") \
    DESCRIPTION_FIELD ("sender-reports", "uint64", "sender reports of RTP that came") \
    DESCRIPTION_FIELD ("numbers-untold", "uint64", "packets that left before a list told of them") \
    REPAIRS_FIELDS \
    DESCRIPTION_FIELD ("rtcp-other", "uint64", "RTCP that is not for us") \
    DESCRIPTION_FIELD ("rtcp-malformed", "uint64", "RTCP that could not be read") \
    DESCRIPTION_FIELD ("sources-evicted", "uint64", "silent SSRCs that gave their place to " \
        "others") \
    DESCRIPTION_FIELD ("sources-refused", "uint64", "SSRCs that found no place") \
    DESCRIPTION_FIELD ("sources", "array", "of " GST_ARC_RECEIVER_SOURCE_STATS ", one an SSRC")
#define METER_SOURCE_FIELDS \
    DESCRIPTION_NEXT_STRUCTURE (GST_ARC_RECEIVER_SOURCE_STATS, "one SSRC, in the field sources") \
    DESCRIPTION_FIELD ("ssrc", "uint", "its number") \
    DESCRIPTION_FIELD ("bandwidth-raw", "uint64, bit/s", "the last sample") \
    METER_FIELDS_PACKETS \
    DESCRIPTION_FIELD ("reports", "uint64", "reports made about it") \
    DESCRIPTION_FIELD ("rtt", "uint64, ns", "round trip that its sender told; 0: unknown")
/* A message of both elements. */
#define METER_LATENCY_TEXT \
    "repair by retransmission needs more latency than there is; again " \
        "when it has grown by a quarter"
#define METER_LATENCY_FIELDS \
    DESCRIPTION_FIELD ("needed", "uint64, ns", "that the path needs") \
    DESCRIPTION_FIELD ("latency", "uint64, ns", "that the jitter buffer has, or else the pipeline")

typedef struct
{
  GMutex lock;
  GstClock *clock;
  guint32 instance; /* SSRC of our reports: tells the sender that counters and clock began anew */
  SourceTable sources;
  gint stamp_id, twcc_id;       /* atomic: RtpPacketExtensions */
  RcTime arrived_at;            /* of the last packet: arrivals must not run backwards */
  FeedbackChoice choice;
  StandardFeedback standard;
  KeyframeWishes keyframes;
  Repairs repairs;
  guint64 reports_sent, sender_infos, sender_reports, rtcp_other, rtcp_malformed, invalid_pkts;
} Meter;

void meter_init (Meter * self);
void meter_clear (Meter * self);
/* From zero, as a new instance. */
void meter_restart (Meter * self);
/* Another clock than before makes a new instance. There must be one before the first packet. */
void meter_set_clock (Meter * self, GstClock * clock);
/* caps of the RTP packets to come: the id of the stamp's header extension, clock rates, feedback
 * that is offered. */
void meter_set_caps (Meter * self, const GstCaps * caps);
void meter_set_feedback (Meter * self, GstArcFeedback feedback);
GstArcFeedback meter_feedback (Meter * self);
/* FALSE: none are requested. */
void meter_set_request_keyframes (Meter * self, gboolean request);
gboolean meter_request_keyframes (Meter * self);

/* claimed_at: when the packet came by the same clock, GST_CLOCK_TIME_NONE if unknown; believed
 * if it is not in the future and at most a second ago. FALSE: not RTP; counted. *repair: it came
 * again because we asked for it. *due_at: when a report is due now, as rc_receiver_due_at(). */
gboolean meter_take_rtp (Meter * self, GstBuffer * buffer, GstClockTime claimed_at,
    gboolean * repair, RcTime * due_at);
/* What the sender says, in RTCP of so many bytes. TRUE: there is RTCP for somebody else in it.
 * claimed_at, *due_at: as above. */
gboolean meter_take_rtcp (Meter * self, const RtcpMessage * message, guint bytes,
    GstClockTime claimed_at, RcTime * due_at);
/* An upstream event: what a decoder or a jitter buffer wants. TRUE: it goes no further. *due_at: as
 * above. */
gboolean meter_take_event (Meter * self, const GstStructure * event, RcTime * due_at);
/* Somebody else has asked for packets again. */
void meter_note_nacks (Meter * self, const RtcpNacks * nacks);
/* Of the whole pipeline, from the LATENCY event. */
void meter_set_latency (Meter * self, GstClockTime latency);
/* As repairs_lack_latency(). */
gboolean meter_lacks_latency (Meter * self, RcTime * needed, RcTime * there);
/* TWCC is wanted, but no packet had a transport-wide number, or the caps do not name it. */
gboolean meter_lacks_transport_numbers (Meter * self);
/* The compound packet of reports and requests that is due now, or NULL; in any case *due_at of the
 * next. */
GstBuffer *meter_report (Meter * self, RcTime * due_at);
void meter_count_sent (Meter * self);
/* GstArcReceiver:stats */
GstStructure *meter_to_structure (Meter * self);

G_END_DECLS
