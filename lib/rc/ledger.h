/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sender's ledger for one SSRC: what left when, and whether a report about it can be true.
 *
 * Remembers the last `capacity` packets so that a report's highest sequence number gives the RTT and the one-way
 * delay without any header extension. digest() turns one RcReport (cumulative, receiver's clock, claimed) into one
 * RcFeedback (differences, checked). What cannot be true is refused and changes nothing:
 *   - acknowledges a packet that was never sent, or one older than what the report before acknowledged
 *   - a report number not ahead of the last (replayed or reordered), counters or clocks that run backwards
 *   - more packets or bytes received than were ever sent; a hold time longer than the packet has been away.
 * A new receiver (other instance id: the RTCP sender SSRC) starts a new baseline, at most once a second. */
#pragma once

#include <rc/types.h>
#include <rc/wire.h>

typedef struct
{
  RcTime sent_at;
  uint64_t end_bytes;           /* network bytes sent up to and with this packet */
} RcLedgerEntry;

typedef enum
{
  RC_DIGEST_OK,
  RC_DIGEST_HELLO,              /* somebody listens but has no media yet: *out holds only `restarted` */
  RC_DIGEST_OLD,                /* replayed, reordered or duplicate */
  RC_DIGEST_NEVER_SENT,
  RC_DIGEST_IMPOSSIBLE,         /* counters or times that cannot be */
  RC_DIGEST_TOO_MANY_RESTARTS,
} RcDigest;

typedef struct
{
  uint32_t ssrc;
  RcLedgerEntry *entries;       /* the caller's memory */
  uint32_t capacity;            /* power of two */
  uint32_t overhead_bytes;      /* UDP/IP bytes a packet: RC_OVERHEAD_* */
  uint64_t first_seq, next_seq; /* extended to 64 bits; first_seq >= 2^16 so that lower ones exist */
  uint64_t sent_bytes, sent_pkts;
  /* of the last report accepted */
  RcReport last;
  uint32_t instance;
  uint64_t acked_seq, acked_end_bytes;
  uint64_t baseline_pkts, baseline_bytes;       /* sent before this receiver instance was first heard */
  uint64_t lost_pkts;           /* highest cumulative loss handed out */
  RcTime restarted_at;
  bool primed, heard;
} RcLedger;

void rc_ledger_init (RcLedger *self, uint32_t ssrc, uint32_t overhead_bytes, RcLedgerEntry *entries, uint32_t capacity);
/* Moves to larger memory; the caller frees the old after. capacity: power of two, not smaller than now. */
void rc_ledger_move (RcLedger *self, RcLedgerEntry *entries, uint32_t capacity);
/* rtp_bytes: the whole RTP packet. Returns its network size. A sequence number that does not follow the last (source
 * restarted) starts a new baseline; small gaps (dropped before sending) are kept as gaps. */
uint32_t rc_ledger_on_sent (RcLedger *self, uint16_t seq, uint32_t rtp_bytes, RcTime now);
/* instance: SSRC of the RTCP sender. */
RcDigest rc_ledger_digest (RcLedger *self, const RcReport *report, uint32_t instance, RcTime now, RcFeedback *out);
uint64_t rc_ledger_outstanding_bytes (const RcLedger *self);
/* Adds b (another SSRC of the same compound report) to *a: rates and counters add up, the newest RTT sample stays. */
void rc_feedback_add (RcFeedback *a, const RcFeedback *b);
