/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Measures the packets that pass and writes the reports about them, in the format that is chosen:
 * sources, clock and counters under one lock that is never held across a call out. Threads and pads
 * are the element's. */
#pragma once

#include "base/description.h"
#include "base/fields.h"
#include "doubts.h"
#include "feedbackchoice.h"
#include "keyframewishes.h"
#include "repairs.h"
#include "rtp/rtcpmessage.h"
#include "sourcetable.h"
#include "standardfeedback.h"

#include <gst/arc/arc.h>

G_BEGIN_DECLS

/* A message of both elements. */
#define METER_LATENCY_TEXT \
    "repair by retransmission needs more latency than configured; posted again when the need has " \
        "grown by a quarter"
#define METER_LATENCY_FIELDS \
    DESCRIPTION_FIELD ("needed", "uint64, ns", "latency that the path needs") \
    DESCRIPTION_FIELD ("latency", "uint64, ns", "of the jitter buffer, or else of the pipeline")

/* A packet of media, and what becomes of it. */
typedef struct
{
  GstBuffer *buffer;
  /* When it came by the meter's clock, GST_CLOCK_TIME_NONE if unknown; believed if it is not in the
   * future and at most a second ago. */
  GstClockTime claimed_at;

  gboolean is_rtp;              /* FALSE: counted, and nothing else is known */
  gboolean repair;              /* it came again because we asked for it */
  gboolean waits;               /* another one must confirm its number before it may go on */
  gboolean anew;                /* the numbers go on elsewhere from here */
  GstBuffer *before;            /* goes on before it, since it waited; or NULL */
  gboolean unclocked; /* the clock rate of its payload type is unknown; now and then */
} MeterMedia;

/* What the user is to be told of. */
typedef enum
{
  /* once: TWCC is wanted, but no packet had a transport-wide number, or the caps do not name it */
  METER_LACKS_NUMBERS = 1 << 0,
  METER_LACKS_LATENCY = 1 << 1, /* as repairs_lack_latency() */
  /* once: for some seconds frames have come later than the jitter buffer waits for them, and
   * nothing adapts its latency */
  METER_COMES_LATE = 1 << 2,
} MeterFault;

typedef struct
{
  /* The compound packet of reports and requests that is due now, or the report of one lane, or
   * NULL. */
  GstBuffer *buffer;
  RcTime due_at;                /* of the next */
  MeterFault faults;
  RcTime needed, there;         /* METER_LACKS_LATENCY: the latency that is, and that is needed */
  RcTime delay;                 /* METER_COMES_LATE: after the fastest (95th percentile) */
} MeterReport;

/* For the latency of the jitter buffer behind. */
typedef struct
{
  RcTime now;
  RcTime latency;               /* that it should have; RC_TIME_NONE: not known */
  guint events;                 /* LATENCY events that came */
} MeterPlayout;

typedef struct _Meter
{
  GMutex lock;
  GstClock *clock;
  guint32 instance; /* SSRC of our reports: a new one signals that counters and clock restarted */
  SourceTable sources;
  gint stamp_id, twcc_id;       /* atomic: RtpPacketExtensions */
  RcTime arrived_at;            /* of the last packet: arrivals must not run backwards */
  guint max_bps; /* of all streams on the network, repeated with the reports; 0: no bound */
  RcTime bound_at;              /* when it is due again */
  RcTime wakes_at;              /* whoever reports comes then; RC_TIME_NONE: when woken */
  gboolean by_lanes;            /* media comes by lanes, which are reported in its place */
  FeedbackChoice choice;
  StandardFeedback standard;
  KeyframeWishes keyframes;
  Repairs repairs;
  Doubts doubts;
  gboolean plays;               /* the latency of a jitter buffer is computed */
  RcPlayoutParams playout_params;
  RcTime playout_begin;         /* the latency of a new source */
  RcTime playout_spare;         /* of the pipeline behind the jitter buffer, beside its latency */
  guint latency_events;         /* that came upstream */
  RcTime late_since;            /* frames come later than the latency; RC_TIME_NONE: in time */
  RcTime look_at;               /* whether they do */
  RcTime ask_at;                /* for a clock rate that is unknown */
  gboolean late_told, numbers_told;
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
/* caps downstream: clock rates only. */
void meter_learn_caps (Meter * self, const GstCaps * caps);
/* What relays have stamped into a packet as it came; 0: nothing. */
guint64 meter_read_stamp (Meter * self, GstBuffer * buffer);
/* As source_table_set_lanes(). n 0: media comes by lanes no longer. */
void meter_set_lanes (Meter * self, const guint32 * ssrcs, guint n);

/* So many, in the order in which they came, that have a buffer and a time. TRUE: something is due
 * sooner than meter_report() said. */
gboolean meter_take_rtp (Meter * self, MeterMedia * media, guint n);
/* A packet of a lane came; what it carries comes next, if it is new. claimed_at: as above. *wake:
 * something is due sooner than meter_report() said. */
void meter_take_lane (Meter * self, const RtpPacket * packet, GstClockTime claimed_at,
    gboolean * wake);
/* As packet_requests_on_copy(). */
gboolean meter_take_copy (Meter * self, guint32 ssrc, guint16 seq);
/* RTCP of the sender, of so many bytes. TRUE: it contains RTCP for other elements.
 * claimed_at, *wake: as above. */
gboolean meter_take_rtcp (Meter * self, const RtcpMessage * message, guint bytes,
    GstClockTime claimed_at, gboolean * wake);
/* An upstream event: what a decoder or a jitter buffer wants. TRUE: it goes no further. *wake: as
 * above. */
gboolean meter_take_event (Meter * self, const GstStructure * event, gboolean * wake);
/* Another element has requested retransmissions. */
void meter_note_nacks (Meter * self, const RtcpNacks * nacks);
/* Of the whole pipeline, from the LATENCY event. */
void meter_set_latency (Meter * self, GstClockTime latency);
/* The latency of the jitter buffer behind follows the path (rc/receiver/playout.h). params NULL: it
 * does not. latency: the one that there is, by which new sources begin. */
void meter_set_playout (Meter * self, const RcPlayoutParams * params, RcTime latency);
MeterPlayout meter_playout (Meter * self);
/* With a latency of 0 the jitter buffer would show this frame then, by the meter's clock. */
void meter_on_shown (Meter * self, guint32 ssrc, guint32 timestamp, GstClockTime due_at);
/* Of the jitter buffer, as it was set; RC_TIME_NONE: unknown again. */
void meter_set_jitter_latency (Meter * self, RcTime latency);
/* For the meter's other files, with the lock held: a packet of a frame came; packets were lost;
 * frames come too late, as of MeterReport. */
void meter_note_played (Meter * self, Source * source, guint32 timestamp, RcTime arrived_at,
    gboolean repair);
void meter_note_lost (Meter * self, RcTime now);
gboolean meter_comes_late (Meter * self, RcTime now, RcTime * delay, RcTime * there);
void meter_report (Meter * self, MeterReport * report);
void meter_count_sent (Meter * self);
/* GstArcReceiver:stats */
GstStructure *meter_to_structure (Meter * self);
/* Fields of the Meter itself, and of what is known when it is asked. */
extern const FieldRow meter_fields[], meter_fields_now[];
/* The tables of meter_to_structure(), and the structure of each source. */
#define METER_TABLES meter_fields_now, source_totals_fields, meter_fields, repairs_request_fields, \
    repairs_latency_fields
#define METER_SOURCE_STRUCTURE { GST_ARC_RECEIVER_SOURCE_STATS, "one SSRC, in the field sources", \
    {source_fields, source_totals_fields} }

G_END_DECLS
