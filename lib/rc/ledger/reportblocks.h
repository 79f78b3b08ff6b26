/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Receiver reports of RTP (RFC 3550 6.4), as the sender sees them: the report blocks that any RTP
 * receiver sends each half to seven seconds.
 *
 * A report block has the highest sequence number that came, how many packets are missing in all,
 * and, if the receiver heard a sender report (SR), when (LSR) and how long ago (DLSR). The sender
 * remembers when packets and SRs left, and makes a summary of it, an RcReport, which the ledger
 * then checks as any other:
 *
 *   received = sent up to the highest number since the block before, less what was newly missing
 *   bytes    = what these packets had on average, times received
 *   RTT      = now - departure of the SR - DLSR, but
 *              at least now - departure of the first packet after the highest, and
 *              at most  now - departure of the highest packet
 *
 * The bounds hold because the highest packet had come when the report left and the next one had
 * not. They are as new as the report; the RTT of the SR is exact, but as old as the SR. Without
 * an SR the lower bound is the RTT. A RTT is taken only for an SR that the sender remembers, so
 * that it needs no clock of the day and a false LSR gives none. The fraction lost and the jitter
 * of a block are not used: the differences of its counters are more exact, and survive lost
 * reports.
 *
 * Rejected: the RTT of LSR and DLSR alone, which misses a queue that has grown since the SR. */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/ledger/ledger.h>

/* The sender reports that an LSR may name. They leave half a second apart or more, and a receiver
 * names the last one that it heard. */
#define RC_REPORTBLOCKS_SRS 4
/* 1.5 times the 5 s of RFC 3550 6.2. */
#define RC_REPORTBLOCKS_POLICY ((RcReportPolicy) { 2000, 7500 * RC_MSEC })
/* A block beyond it says nothing about the RTT. */
#define RC_REPORTBLOCKS_MAX_DLSR_S 20.0

/* What the sender remembers of the blocks about one SSRC. */
typedef struct
{
  struct
  {
    uint32_t ntp;               /* its NTP time, middle 32 bits */
    RcTime sent_at;
  } srs[RC_REPORTBLOCKS_SRS];
  unsigned n_srs, newest_sr;
  /* of the last block that holds */
  bool begun;
  uint32_t instance, highest_seq;
  int32_t lost_pkts;
  uint64_t seq;                 /* the ledger's */
  RcLedgerEntry up_to;          /* sent up to seq */
  RcTime at;
  RcTime rtt;                   /* of the last block that had one; RC_TIME_NONE: none */
  unsigned contradictions;      /* since then, one after the other */
  /* what the summaries count */
  uint32_t number, received_pkts, all_lost_pkts;
  uint64_t received_bytes, arrival_us;
} RcReportBlockLog;

void rc_reportblocks_init (RcReportBlockLog *self);
/* A sender report of this SSRC left. ntp: the middle 32 bits of its NTP time. */
void rc_reportblocks_on_sr (RcReportBlockLog *self, uint32_t ntp, RcTime now);
/* Sums a block up into *report. Otherwise than RC_DIGEST_OK: it is refused. */
RcDigest rc_reportblocks_add (RcReportBlockLog *self, const RcReportBlock *block,
    const RcLedger *ledger, RcTime now, RcReport *report);
