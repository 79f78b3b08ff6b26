/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What reports of all formats have in common, before they are digested. */
#pragma once

#include <rc/base/types.h>

#define RC_LEDGERS_MAX 16       /* as many reports fit one compound RTCP packet of 1500 bytes */

/* How long a receiver may hold a report back to save traffic. */
typedef struct
{
  uint32_t paying_bytes; /* until so many bytes of media have come since the last report ... */
  RcTime longest_interval;      /* ... but no longer than this */
} RcReportPolicy;

/* Of a receiver whose format is not known yet: reports of 100 bytes with all headers are 5 %
 * of 2000, the share that RFC 3550 6.2 gives to control traffic. */
#define RC_REPORT_POLICY_PATIENT ((RcReportPolicy) { 2000, 250 * RC_MSEC })

/* One report block of a receiver report of RTP. */
typedef struct
{
  uint32_t ssrc;                /* of the media */
  uint32_t instance;            /* SSRC of the reporting receiver */
  uint32_t highest_seq;         /* extended, as the receiver counts cycles */
  int32_t lost_pkts;            /* cumulative; negative: duplicates came */
  uint32_t lsr, dlsr;           /* NTP, middle 32 bits; units of 1/65536 s. lsr 0: no SR came yet */
} RcReportBlock;

/* What became of reports. */
typedef struct
{
  uint64_t accepted, old, never_sent, impossible, too_many_restarts;
  uint64_t foreign;             /* about a space that is not ours */
  uint64_t received_pkts, lost_pkts, ce_pkts;   /* reported */
  uint64_t false_arrivals;      /* listed, but never sent, or with an arrival before departure */
  uint64_t untracked_pkts;      /* sent in spaces beyond RC_LEDGERS_MAX */
} RcLedgersStats;

/* One that was digested: feedback.h. */
typedef struct _RcFeedback RcFeedback;
typedef struct _RcDelays RcDelays;
