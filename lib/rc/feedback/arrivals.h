/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feedback that lists single packets (RFC 8888, transport-wide congestion control), as the sender
 * sees it.
 *
 * Such a receiver only writes down what came when. The sender, who remembers the sizes, runs the
 * receive statistics itself and comes to the same summary as a receiver of ours: an RcReport,
 * which the ledger then checks as any other. */
#pragma once

#include <rc/feedback/ledger.h>
#include <rc/feedback/numbers.h>
#include <rc/feedback/receivestats.h>

/* One packet that arrived. Those that did not are left out: the gap tells. */
typedef struct
{
  uint16_t number;              /* in the space of the message */
  RcTime arrived_at_remote;     /* receiver's clock, any origin, not negative */
  bool ecn_capable, ecn_ce;     /* as it came; both false if bits are not told */
} RcArrival;

/* One feedback message about one number space, as a codec hands it over. */
typedef struct
{
  RcNumberSpace space;
  const RcArrival *arrivals;    /* in the order of their numbers */
  unsigned n_arrivals;
  RcTime told_at_remote; /* when it left, in the clock of the arrivals; RC_TIME_NONE: not told */
  uint32_t instance;            /* SSRC of the RTCP sender */
  bool ecn_read;                /* the receiver can read ECN bits */
  RcReportPolicy policy;        /* how long the format may hold a message back */
} RcArrivals;

/* The receive statistics of one space, at the sender. */
typedef struct
{
  RcReceiveStats stats;
  uint32_t number;              /* of the summary */
  uint32_t instance;
  bool begun;
} RcArrivalLog;

void rc_arrivallog_init (RcArrivalLog *self);
/* Sums a message up into *report. srtt: RC_TIME_NONE while unknown. false: it tells of no packet
 * in the ledger. */
bool rc_arrivallog_add (RcArrivalLog *self, const RcArrivals *message, const RcLedger *ledger,
    RcTime srtt, RcReport *report);
