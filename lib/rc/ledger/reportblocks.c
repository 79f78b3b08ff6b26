/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ledger/reportblocks.h>

#include <string.h>

/* A receiver that began anew contradicts what it said before. Its second block in a row is
 * believed, so that a single forged one changes nothing. */
#define CONTRADICTIONS 2
#define DLSR_UNIT_S 0x1p-16
#define MAX_GAP 64              /* numbers that never left, between two packets */

void
rc_reportblocks_init (RcReportBlockLog *self)
{
  memset (self, 0, sizeof *self);
  self->rtt = RC_TIME_NONE;
}

void
rc_reportblocks_on_sr (RcReportBlockLog *self, uint32_t ntp, RcTime now)
{
  self->newest_sr = (self->newest_sr + 1) % RC_REPORTBLOCKS_SRS;
  self->srs[self->newest_sr].ntp = ntp;
  self->srs[self->newest_sr].sent_at = now;
  if (self->n_srs < RC_REPORTBLOCKS_SRS)
    self->n_srs++;
}

/* RC_TIME_NONE: the block contains none. */
static RcTime
rtt_of_sr (const RcReportBlockLog *self, const RcReportBlock *block, RcTime now)
{
  double dlsr_s = block->dlsr * DLSR_UNIT_S;

  if (block->lsr == 0 || dlsr_s > RC_REPORTBLOCKS_MAX_DLSR_S)
    return RC_TIME_NONE;
  for (unsigned i = 0; i < self->n_srs; i++) {
    unsigned place = (self->newest_sr + RC_REPORTBLOCKS_SRS - i) % RC_REPORTBLOCKS_SRS;

    if (self->srs[place].ntp == block->lsr) {
      RcTime rtt = now - self->srs[place].sent_at - rc_time_from_s (dlsr_s);

      return rtt > 0 ? rtt : RC_TIME_NONE;
    }
  }
  return RC_TIME_NONE;
}

/* What one block says. */
typedef struct
{
  uint64_t seq;
  RcLedgerEntry up_to;
  uint64_t expected, lost;      /* since the block before; found again: 0 */
  bool anew;                    /* nothing to compare with */
} Span;

/* The first block covers all packets sent before it if its loss count is consistent with them. A
 * receiver that joined later or restarted acknowledges only its highest packet. */
static void
begin (const RcReportBlock *block, const RcLedger *ledger, bool first, Span *span)
{
  uint64_t all = span->seq + 1 - ledger->first_seq;

  span->anew = true;
  span->expected = 1;
  span->lost = 0;
  if (first && block->lost_pkts >= 0 && (uint64_t) block->lost_pkts < all) {
    span->expected = all;
    span->lost = (uint64_t) block->lost_pkts;
  }
}

/* false: the block contradicts the one before. */
static bool
compare (const RcReportBlockLog *self, const RcReportBlock *block, Span *span)
{
  int64_t lost = (int64_t) block->lost_pkts - self->lost_pkts;

  span->expected = span->seq - self->seq;
  span->lost = lost > 0 ? (uint64_t) lost : 0;
  if (block->instance != self->instance
      || block->highest_seq - self->highest_seq != (uint32_t) span->expected)
    return false;
  return span->expected == 0 ? lost <= 0 : span->lost < span->expected;
}

/* When the first packet after this one left; RC_TIME_NONE: none did. */
static RcTime
next_sent_at (const RcLedger *ledger, uint64_t seq)
{
  RcTime sent_at;
  uint32_t network_bytes;

  for (unsigned i = 1; i <= MAX_GAP; i++)
    if (rc_ledger_find (ledger, seq + i, &sent_at, &network_bytes))
      return sent_at;
  return RC_TIME_NONE;
}

/* Without any better knowledge: what was known before. */
static RcTime
measure_rtt (const RcReportBlockLog *self, const RcReportBlock *block, const RcLedger *ledger,
    const Span *span, RcTime now)
{
  RcTime rtt = rtt_of_sr (self, block, now), next = next_sent_at (ledger, span->seq);
  RcTime most = now - span->up_to.sent_at, least = next == RC_TIME_NONE ? 0 : now - next;

  if (rtt == RC_TIME_NONE)
    rtt = next == RC_TIME_NONE && self->rtt != RC_TIME_NONE ? self->rtt : least;
  return rtt < least ? least : rtt > most ? most : rtt;
}

/* The ledger asks that arrivals do not run backwards: in the clock of this summary, which is ours,
 * the highest packet came when a hold of what the RTT leaves had to begin. */
static void
sum_up (RcReportBlockLog *self, const RcLedger *ledger, const Span *span, RcTime now,
    RcReport *out)
{
  uint64_t received = span->expected - span->lost;
  uint64_t since = span->anew ? ledger->before_first.end_bytes : self->up_to.end_bytes;
  uint64_t since_pkts = span->anew ? ledger->before_first.end_pkts : self->up_to.end_pkts;
  uint64_t sent_pkts = span->up_to.end_pkts - since_pkts;
  uint64_t bytes = sent_pkts > 0 ? (span->up_to.end_bytes - since) / sent_pkts : 0;
  RcTime hold = now - span->up_to.sent_at - self->rtt;
  uint64_t came_us = (uint64_t) ((now - hold) / RC_USEC);

  if (received > sent_pkts)     /* numbers that never left lie between */
    received = sent_pkts;
  bytes = bytes > ledger->overhead_bytes ? (bytes - ledger->overhead_bytes) * received : received;
  self->received_pkts += (uint32_t) received;
  self->all_lost_pkts += (uint32_t) span->lost;
  self->received_bytes += bytes;
  if (came_us > self->arrival_us)
    self->arrival_us = came_us;
  if (!span->anew && now > self->at)
    out->bandwidth_bps = (uint64_t) ((double) bytes * 8e9 / (double) (now - self->at));
}

static void
fill (RcReportBlockLog *self, const RcReportBlock *block, const RcLedger *ledger, const Span *span,
    RcTime now, RcReport *out)
{
  memset (out, 0, sizeof *out);
  if (span->expected > 0) {
    self->rtt = measure_rtt (self, block, ledger, span, now);
    sum_up (self, ledger, span, now, out);
  }
  out->ssrc = block->ssrc;
  out->number = ++self->number;
  out->highest_seq = (uint32_t) span->seq;
  out->arrival_us_remote = self->arrival_us;
  out->hold_us = (uint32_t) ((uint64_t) (now / RC_USEC) - self->arrival_us);
  out->received_pkts = self->received_pkts;
  out->lost_pkts = self->all_lost_pkts;
  out->received_bytes = self->received_bytes;
}

static void
commit (RcReportBlockLog *self, const RcReportBlock *block, const Span *span, RcTime now)
{
  self->begun = true;
  self->instance = block->instance;
  self->highest_seq = block->highest_seq;
  self->lost_pkts = block->lost_pkts;
  self->seq = span->seq;
  self->up_to = span->up_to;
  self->at = now;
  self->contradictions = 0;
}

RcDigest
rc_reportblocks_add (RcReportBlockLog *self, const RcReportBlock *block, const RcLedger *ledger,
    RcTime now, RcReport *report)
{
  Span span = { 0 };

  if (!rc_ledger_locate (ledger, (uint16_t) block->highest_seq, &span.seq, &span.up_to)
      || span.up_to.sent_at == RC_TIME_NONE)
    return RC_DIGEST_NEVER_SENT;
  if (!self->begun) {
    begin (block, ledger, true, &span);
  } else if (span.seq < self->seq && block->instance == self->instance) {
    return RC_DIGEST_OLD;
  } else if (span.seq < self->seq || !compare (self, block, &span)) {
    if (++self->contradictions < CONTRADICTIONS)
      return RC_DIGEST_IMPOSSIBLE;
    begin (block, ledger, false, &span);
  }
  fill (self, block, ledger, &span, now, report);
  commit (self, block, &span, now);
  return RC_DIGEST_OK;
}
