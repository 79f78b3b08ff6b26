/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What arrived of one source: loss, used bandwidth, ECN marks. Packets in, a summary
 * out.
 *
 * Our receiver runs it for its report (receiver.h).
 *
 * After a pause the filter of the bandwidth (bwfilter.h) begins anew: the pause says nothing about
 * the path. */
#pragma once

#include <rc/base/bwfilter.h>
#include <rc/feedback/arrivaltimes.h>
#include <rc/feedback/wire.h>
#include <rc/loss/losshist.h>

typedef struct
{
  RcLossHist loss;
  RcBwFilter bandwidth;
  uint64_t received_bytes;      /* cumulative RTP bytes */
  uint32_t ce_pkts, ecn_pkts, ect1_pkts;        /* cumulative: CE; ECT or CE; ECT(1) */
  bool ecn_read, counted;       /* ECN bits are available; the last packet is no duplicate */
  RcTime started_at, highest_arrived_at, last_arrived_at;       /* started_at: the first packet */
  RcTime srtt;                  /* told by the sender; RC_TIME_NONE: unknown */
  RcTime congested_at;          /* a loss or a mark, but for those within a round trip */
  uint64_t explicit_rate_bps;   /* stamp of the last packet; 0: it had none */
  RcArrivalTimes times;         /* since the last summary */
} RcReceiveStats;

/* The effect of one packet. */
typedef struct
{
  RcLossVerdict verdict;
  bool lost;                    /* it showed that others were lost */
  bool marked;                  /* CE, the first mark or loss in a round trip */
  bool resumed;                 /* it is the first, or ended a pause */
} RcArrived;

void rc_receivestats_init (RcReceiveStats *self, RcTime tau);
/* size_bytes: the whole RTP packet, header included. */
RcArrived rc_receivestats_on_packet (RcReceiveStats *self, uint16_t seq, uint32_t size_bytes,
    bool ecn_ce, RcTime now);
/* The ECN bits of the packet that came last could be read. */
void rc_receivestats_on_ecn (RcReceiveStats *self, RcEcnBits bits);
/* What relays stamped into the packet that came last, bit/s; 0: nothing. An absurd one is reported
 * as RC_WIRE_MAX_BPS. */
void rc_receivestats_on_stamp (RcReceiveStats *self, uint64_t bps);
/* No packet yet, or none for long. */
bool rc_receivestats_paused (const RcReceiveStats *self, RcTime now);
/* Takes the bandwidth sample, if one is due, and fills all of *report but `ssrc` and `number`. The
 * next summary lists what arrives from now on. */
void rc_receivestats_sum_up (RcReceiveStats *self, RcTime now, RcReport *report);
