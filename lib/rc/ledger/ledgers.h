/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The ledgers of one sender, one for each number space, and what became of the reports about them.
 *
 * The memory is the caller's: before a packet leaves it asks rc_ledgers_wants() how many entries
 * the ledger of that space should have, and gives them. So nothing is allocated here, and a
 * source at 1 Mbit/s costs 32 KiB, not 2 MiB. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/feedback/numbers.h>
#include <rc/ledger/ledger.h>
#include <rc/ledger/reportblocks.h>
#include <rc/ledger/scoreboard.h>

/* A space that has sent nothing for so long while others did has ended: it gives its place to a
 * new one, and gets no infos. */
#define RC_LEDGERS_IDLE_TIME (2 * RC_SECOND)

typedef struct
{
  RcNumberSpace space;
  RcLedger ledger;
  RcScoreboard scoreboard;      /* of formats that list single packets */
  RcReportBlockLog block_log;    /* of receiver reports of RTP */
  RcTime sent_at;
  /* of its last report that holds */
  RcTime reported_at;
  uint64_t bandwidth_bps;
} RcLedgerSlot;

typedef struct
{
  RcLedgerSlot slots[RC_LEDGERS_MAX];
  unsigned n_slots;
  uint32_t overhead_bytes;
  RcTime sent_at;               /* the last packet of all */
  uint64_t received_bytes;      /* reported, of all spaces, at the network layer */
  RcLedgersStats stats;
} RcLedgers;

void rc_ledgers_init (RcLedgers *self, uint32_t overhead_bytes);
/* Entries that this space should have before its next packet leaves; 0: it has enough, or gets
 * no place. */
uint32_t rc_ledgers_wants (RcLedgers *self, RcNumberSpace space, RcTime now);
/* Gives as many entries as are wanted, at least. Returns the memory to free, or NULL. */
RcLedgerEntry *rc_ledgers_give (RcLedgers *self, RcNumberSpace space, RcLedgerEntry *entries,
    uint32_t capacity, RcTime now);
/* All entries that were given, one after the other, to be freed; NULL: no more. */
RcLedgerEntry *rc_ledgers_take_back (RcLedgers *self);
/* true: the first packet of this space. */
bool rc_ledgers_on_sent (RcLedgers *self, RcNumberSpace space, uint16_t number, uint32_t rtp_bytes,
    RcTime now);
/* A packet of this space left later than recorded: rc_ledger_on_left (). */
void rc_ledgers_on_left (RcLedgers *self, RcNumberSpace space, uint16_t number, RcTime left_at);
/* A packet of this SSRC has left once more, under the number that it had. */
void rc_ledgers_on_again (RcLedgers *self, uint32_t ssrc, uint16_t seq);
/* Combines the summaries that hold into one *out, with the bandwidth of the sources that they
 * have no news of; false: none holds. instance: SSRC of the RTCP sender. */
bool rc_ledgers_digest (RcLedgers *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now, RcFeedback *out);
/* The same for the lists of packets of one message, all of one kind of numbers and one format,
 * with at most RC_ACKS_MAX packets in all. */
bool rc_ledgers_digest_arrivals (RcLedgers *self, const RcArrivals *messages, unsigned n,
    RcTime now, RcFeedback *out);
/* A packet with this number has left, or one with a higher number did: it is at most so far back
 * from the newest. */
bool rc_ledgers_knows (const RcLedgers *self, uint32_t ssrc, uint16_t number, uint16_t most_back);
/* Packets of this SSRC have left. */
bool rc_ledgers_have (const RcLedgers *self, uint32_t ssrc);
/* The last reports that held about some space came from the receiver that reports as this SSRC. */
bool rc_ledgers_heard (const RcLedgers *self, uint32_t instance);
/* It has left: the blocks of the next one contradict nothing. */
void rc_ledgers_forget (RcLedgers *self, uint32_t instance);
/* A sender report of RTP left about this space. */
void rc_ledgers_on_sr (RcLedgers *self, uint32_t ssrc, uint32_t ntp, RcTime now);
/* The same for the report blocks of one receiver report of RTP. */
bool rc_ledgers_digest_blocks (RcLedgers *self, const RcReportBlock *blocks, unsigned n,
    RcTime now, RcFeedback *out);
/* Fills infos[RC_LEDGERS_MAX], one for each SSRC that has not ended; returns how many. */
unsigned rc_ledgers_fill_infos (const RcLedgers *self, RcTime srtt, RcTime report_interval,
    RcSenderInfo *infos);
/* Merges the feedback of b (another SSRC of the same compound) into *a: rates and counters are
 * added, the most recent RTT sample and the lowest explicit rate are kept. Delays are not merged:
 * the caller computes them over all acknowledgements (rc_acks_get_delays). */
void rc_feedback_add (RcFeedback *a, const RcFeedback *b);
