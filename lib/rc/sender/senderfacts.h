/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sender and each of its lanes are told, and what they tell. */
#pragma once

#include <rc/feedback/formatchoice.h>
#include <rc/feedback/reports.h>
#include <rc/law/limits.h>
#include <rc/pace/paceplan.h>
#include <rc/pace/rmc.h>

/* One path: lane.h. */
typedef struct _RcLane RcLane;

typedef enum
{
  RC_LANES_ONE,                 /* there is one path */
  RC_LANES_SUM,                 /* all carry, each what it can */
  RC_LANES_BACKUP,              /* the first that works carries */
  RC_LANES_DUPLICATE,           /* each packet leaves by two */
} RcLanesMode;

/* Of a sender and each of its lanes. */
typedef struct
{
  const RcController *controller;       /* law and parameters, not started */
  RcLimits limits;              /* of all lanes together */
  RcRmcParams pacing;
  uint32_t overhead_bytes;      /* UDP and IP headers: RC_OVERHEAD_* */
  bool ecn; /* packets may be ECN-capable once a trial has shown that the path can do it */
  /* The shell is inside an RTP session of another component, so no RTCP is planned. Feedback may
   * never arrive: until the first feedback is accepted, the rate stays at limits.start_bps. */
  bool guest;
  RcTime epoch; /* plus `now` is UTC, which senders of several hosts share; 0: they share `now` */
  RcLanesMode mode;
  RcTime latency; /* several lanes: how much later than by the fastest one a packet may come */
} RcSenderConfig;

/* One RTP packet. */
typedef struct
{
  uint32_t ssrc;
  uint16_t seq;
  uint32_t rtp_bytes;           /* the whole packet */
  uint32_t media_bytes;         /* of it, what the encoder made */
  bool has_transport_number;    /* it carries a transport-wide number too */
  uint16_t transport_number;
  bool again;                   /* it left before, under this number of its SSRC */
  bool more;                    /* the next one leaves at the same time: that tells the law */
} RcSenderPacket;

/* Of a lane, or sums of all lanes. */
typedef struct
{
  uint64_t packets, bytes;      /* media that left, with headers */
  uint64_t bandwidth_bps;       /* B as reported last */
  uint64_t made_bps, sent_bps;  /* over the last second; sent: with headers and RTCP */
  RcLedgersStats reports;
  uint64_t receiver_reports;         /* receiver reports of RTP that held */
  uint64_t bound_bps;           /* that the receiver sets (REMB); 0: none at present */
  RcFormat format;              /* of the feedback that counts */
  uint64_t ignored;             /* messages in a worse format beside it */
} RcSenderStats;
