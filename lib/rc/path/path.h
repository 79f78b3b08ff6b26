/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a sender knows of the path: round trip, queueing delay, used bandwidth, loss; how long the
 * receiver has been silent; timeouts and outages.
 *
 * The controller owns one and feeds it before the law hears of the same event; laws read it.
 *
 *   mRTT = min RTT                                        [ARC 3.1.1]   [base_rtt]
 *   Tq   = RTT - mRTT                                     [ARC 3.1.1]   [tq]
 *   B    as the receiver filters it                       [ARC 3.1.3]   [bandwidth_bps]
 *   SRTT with the gain of RFC 6298
 *   timeout: no report for 2 SRTT, each at least 100 ms   [ARC 3.1.4]   rc_path_timeout_at ()
 *            since what pays for one was sent (RcReportPolicy), and each further one after twice
 *            the time, as RTO [RFC 6298 5.5]
 *   outage: two timeouts in a row, or media was stopped, until a report comes */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/base/winmin.h>
#include <rc/path/silence.h>

typedef struct
{
  RcTime srtt;                  /* RC_TIME_NONE before the first sample */
  RcTime tq;                    /* of the last report */
  RcTime rtt;                   /* the last sample; RC_TIME_NONE: the last report had none */
  RcWinMin base_rtt;            /* the least RTT ever seen */
  double bandwidth_bps;         /* as the receiver filters it */
  double lost_pkts, told_pkts;  /* leaky sums over RC_PATH_LOSS_SPAN_S: lost; lost and received */
  double loss_ratio;
  RcTime loss_at;

  RcTime epoch;                 /* plus `now` is the time of a clock that all senders share */

  RcSilence silence;
  RcReportPolicy policy;        /* of the receiver; of the most patient one until it reports */
  uint64_t unreported_bytes;    /* sent since the last report */
  RcTime owed_at;               /* when that was enough for the next; RC_TIME_NONE: not yet */
  unsigned timeouts;            /* since the last report */
  bool resumed;                 /* media was stopped until the last report */
  RcTime told_at;               /* the last report came */
  RcTime arrived_remote;        /* a packet that it told of did, in the receiver's clock */
  bool reports_late;            /* it ended an outage of the way back alone, or a timeout */

  bool forgiving;               /* the first reports after an outage are left out */
  RcTime outage_ended_at;       /* RC_TIME_NONE: none has */
  RcTime forgiving_until;
  uint32_t after_outage_pkts;   /* came of those that left after it */
} RcPath;

#define RC_PATH_INITIAL_RTT RC_SECOND   /* RFC 8085 3.1.1 */
/* Hundreds of packets at video rates: a ratio of 10 % is then known to 2 %. */
#define RC_PATH_LOSS_SPAN_S 2.0
#define RC_PATH_OUTAGE_TIMEOUTS 2
/* What was lately is a mean over so long: several frames, and the lag of an encoder. */
#define RC_PATH_MEAN_S 0.5
#define RC_PATH_REPORT_MIN (20 * RC_MSEC)       /* no reports are closer */
/* What a change does shows no sooner: encoder and frames take time, and so does B, which is taken
 * over as long. After a stall nothing is known before. */
#define RC_PATH_REACTION_MIN_S 0.1

/* stop_s: as rc_silence_init (). */
void rc_path_init (RcPath *self, double stop_s, bool forgiving, RcTime now);
void rc_path_on_sent (RcPath *self, uint32_t size_bytes, RcTime now);
/* Takes out of the report what is of an outage, if forgiving. answers: it ends silence. */
void rc_path_on_feedback (RcPath *self, RcFeedback *report, bool answers, RcTime now);
/* Counts a timeout that is due. */
void rc_path_on_timer (RcPath *self, RcTime now);
/* When the next timeout strikes; RC_TIME_NONE: nothing is waited for, or media is stopped. */
RcTime rc_path_timeout_at (const RcPath *self);
/* The same for a law that waits for span_s at first, and has counted `timeouts`. */
RcTime rc_path_timeout_after (const RcPath *self, double span_s, unsigned timeouts);
double rc_path_srtt_s (const RcPath *self);
/* So long after a change its effect is seen: SRTT, at least RC_PATH_REACTION_MIN_S. */
double rc_path_reaction_s (const RcPath *self);
/* mRTT */
double rc_path_base_rtt_s (const RcPath *self);
