/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Content of one feedback report in any format, checked, as differences to the report before. */
#pragma once

#include <rc/feedback/reports.h>

/* One-way delays (OWD) of the packets that one report covers. Delays are of the receiver's
 * clock less ours, with an unknown offset: only differences mean anything. */
struct _RcDelays
{
  uint32_t pkts; /* whose departure and arrival are known; 0: nothing below is valid */
  RcTime mean_remote, least_remote;     /* OWD */
  RcTime second_remote;         /* the least OWD but one; of a single packet its own */
  RcTime last_remote;           /* OWD of the packet with the highest number */
  RcTime least_sent_at;         /* when the packet with the least OWD left */
  uint64_t least_bytes; /* received when it came, since the first report, at the network layer */
};

/* Content of one feedback report, after rc_ledger_digest() checked it, unwrapped it and took
 * differences. Deltas are since the report before. */
struct _RcFeedback
{
  RcTime rtt;                   /* sample, hold time removed; RC_TIME_NONE: no sample */
  /* Arrival (receiver clock) - departure (ours): unknown offset; valid iff rtt is. */
  RcTime owd_remote;
  uint64_t bandwidth_bps;       /* B: used bandwidth, low-passed by the receiver */
  uint64_t received_bytes;      /* delta, at the network layer */
  uint32_t received_pkts;       /* delta */
  uint32_t lost_pkts; /* delta; never negative: packets found again only lower later deltas */
  uint32_t ce_pkts;             /* delta: ECN congestion experienced */
  uint32_t ecn_pkts;            /* delta: ECN-capable, or CE; 0 without ecn_read */
  uint32_t ect1_pkts;           /* delta: ECT(1), as far as the format reports it */
  bool ecn_read;                /* the receiver can read ECN bits */
  bool left_as_ect1;            /* the packets: marks may be those of an L4S queue */
  uint64_t outstanding_bytes;   /* sent after the highest packet that the report acknowledges */
  RcTime sent_at;               /* when that highest packet left; RC_TIME_NONE if unknown */
  uint64_t explicit_rate_bps;   /* echoed stamp of the relays on the path; 0: none */
  bool restarted;               /* the receiver is a new one: counters and clocks started afresh */
  RcReportPolicy policy;        /* of the receiver's format */
  RcDelays delays;
};
