/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The sender's ledger for one SSRC: what left when, and whether a report about it can be true.
 *
 * Remembers the last `capacity` packets so that a report's highest sequence number gives the RTT
 * and the one-way delay without any header extension. digest() turns one RcReport (cumulative,
 * receiver's clock, claimed) into one RcFeedback (differences, checked). What cannot be true is
 * refused and changes nothing:
 *   - acknowledges a packet that was never sent, or one older than what the report before
 *     acknowledged
 *   - a report number not ahead of the last (replayed or reordered), or so far ahead that not so
 *     many reports can have been made; counters or clocks that run backwards
 *   - more packets or bytes received than were ever sent; a hold time longer than the packet has
 *     been away.
 * A new receiver (other instance id: the RTCP sender SSRC) starts a new baseline, at most once a
 * second; so does a known one of which no report was accepted for a second, whatever it
 * contradicts: refusing it for ever would silence us, after one forged report. Counters may have
 * a past (the receiver listened to an earlier run of the same SSRC): only the first receiver's are
 * handed out, and only if they can be about our packets. */
#pragma once

#include <rc/feedback/reports.h>
#include <rc/feedback/wire.h>

/* Least time between two baselines. */
#define RC_LEDGER_RESTART_DISTANCE RC_SECOND
/* How far below 0 the RTT may come out: granularity of the two clocks. Added to it: hold / 1024,
 * for their skew. */
#define RC_LEDGER_RTT_TOLERANCE RC_MSEC
/* A longer hold gives no RTT: over an hour the skew of two clocks is as long as a route, and the
 * field ends at 71 minutes. */
#define RC_LEDGER_MAX_HOLD (10 * RC_SECOND)

/* What became of a packet, according to lists (scoreboard.h). */
typedef enum
{
  RC_FATE_OPEN,
  RC_FATE_RECEIVED,
  RC_FATE_MARKED,               /* received, with a congestion mark */
  RC_FATE_LOST,
} RcFate;

/* What had left up to and with one sequence number. */
typedef struct _RcLedgerEntry
{
  RcTime sent_at;               /* RC_TIME_NONE: this number never left (a gap) */
  uint64_t end_bytes;           /* network bytes since the ledger began */
  uint64_t end_pkts;
  /* It was sent again under its number: which departure its arrival belongs to is not known, so it
   * gives no delay sample [RFC 8085 3.1.1]. */
  bool again;
  uint8_t fate;                 /* RcFate */
} RcLedgerEntry;

/* The counters of a report. */
typedef struct
{
  uint32_t number, highest_seq;
  uint64_t arrival_us_remote, received_bytes;
  uint32_t received_pkts, lost_pkts, ce_pkts, ecn_pkts, ect1_pkts;
} RcLedgerReport;

/* Since the baseline; the model is in ledgerdigest.c. */
typedef struct
{
  int64_t counted_pkts;         /* l: lost, as the receiver counts */
  int64_t unreceived_pkts;      /* u: they left, and were not reported as received */
  int64_t gap_pkts;             /* g: of l, never left */
  int64_t peak_pkts;            /* the highest l - g that was handed out */
} RcLedgerLosses;

typedef enum
{
  RC_DIGEST_OK,
  /* The receiver is present but has received no media yet, or none since the source restarted: *out
   * holds only `restarted`, the ledger stays as it is. */
  RC_DIGEST_HELLO,
  RC_DIGEST_OLD,                /* replayed, reordered or duplicate */
  RC_DIGEST_NEVER_SENT,         /* or of another SSRC */
  RC_DIGEST_IMPOSSIBLE,         /* counters or times that cannot be */
  RC_DIGEST_TOO_MANY_RESTARTS,
} RcDigest;

typedef struct
{
  uint32_t ssrc;
  RcLedgerEntry *entries;       /* the caller's memory; holds oldest_seq .. next_seq - 1 */
  uint32_t capacity;            /* power of two */
  uint32_t overhead_bytes;      /* UDP/IP bytes a packet: RC_OVERHEAD_* */
  /* Extended to 64 bits; first_seq >= 2^16 so that lower ones exist. */
  uint64_t first_seq, oldest_seq, next_seq;
  RcLedgerEntry before_first;   /* what had left before first_seq */
  uint64_t sent_bytes, sent_pkts;
  /* of the last report accepted */
  RcLedgerReport last;
  uint32_t instance;
  uint64_t acked_seq;
  RcLedgerEntry acked;          /* up to acked_seq */
  /* sent up to acked_seq and not yet reported as received: a report cannot claim more */
  uint64_t missing_seqs, missing_pkts, missing_bytes;
  RcLedgerLosses losses;
  RcTime restarted_at, heard_at;
  bool primed, heard;
} RcLedger;

void rc_ledger_init (RcLedger *self, uint32_t ssrc, uint32_t overhead_bytes, RcLedgerEntry *entries,
    uint32_t capacity);
/* Moves to larger memory; the caller frees the old after. capacity: power of two, not smaller
 * than now. */
void rc_ledger_move (RcLedger *self, RcLedgerEntry *entries, uint32_t capacity);
/* Whether the memory is full, and the oldest packet in it left less than `span` ago. */
bool rc_ledger_spans_less (const RcLedger *self, RcTime span, RcTime now);
/* rtp_bytes: the whole RTP packet. Returns its network size. A sequence number that does not
 * follow the last (source restarted) starts a new numbering; up to RC_LOSSHIST_MAX_JUMP (dropped
 * before sending) are kept as gaps. */
uint32_t rc_ledger_on_sent (RcLedger *self, uint16_t seq, uint32_t rtp_bytes, RcTime now);
/* The packet was delayed behind the pacer: it left later than rc_ledger_on_sent() recorded. */
void rc_ledger_on_left (RcLedger *self, uint16_t seq, RcTime left_at);
/* The packet with this number has left once more, as it was. */
void rc_ledger_on_again (RcLedger *self, uint16_t seq);
/* instance: SSRC of the RTCP sender. *out is written only for RC_DIGEST_OK and RC_DIGEST_HELLO. */
RcDigest rc_ledger_digest (RcLedger *self, const RcReport *report, uint32_t instance, RcTime now,
    RcFeedback *out);
/* Whether a message may count. known: it is of the instance that the ledger listens to; follows: it
 * agrees with what came before. RC_DIGEST_OK with *baseline: it counts, and nothing before it
 * does. */
RcDigest rc_ledger_admit (const RcLedger *self, bool known, bool follows, RcTime now,
    bool *baseline);
/* A list of packets was found true, and this is its highest number. */
void rc_ledger_acknowledge (RcLedger *self, uint64_t seq, RcTime arrived_at_remote,
    uint32_t instance, bool baseline, RcTime now);
/* The packet with this number (of 64 bits); NULL: it never left, or too long ago. */
RcLedgerEntry *rc_ledger_entry_of (RcLedger *self, uint64_t seq);
/* When the packet with this number (of 64 bits) left, and its network bytes. false: it never did,
 * or too long ago. */
bool rc_ledger_find (const RcLedger *self, uint64_t seq, RcTime *sent_at, uint32_t *network_bytes);
/* Such a packet left more than once. */
bool rc_ledger_left_again (const RcLedger *self, uint64_t seq);
/* The packet that left and whose number ends in these 16 bits: its number of 64 bits, and what had
 * left up to and with it, with sent_at RC_TIME_NONE if that was too long ago. false: none did. */
bool rc_ledger_locate (const RcLedger *self, uint16_t number, uint64_t *seq, RcLedgerEntry *up_to);
/* What had left up to and with seq (< next_seq). Of a forgotten one that is known only from
 * above, and sent_at is RC_TIME_NONE. */
RcLedgerEntry rc_ledger_mark_at (const RcLedger *self, uint64_t seq);
uint64_t rc_ledger_outstanding_bytes (const RcLedger *self);
