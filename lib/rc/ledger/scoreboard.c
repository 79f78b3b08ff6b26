/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* In a nutshell: locate what the message acknowledges, measure the round trip, compare with the
 * message before, and only then commit: mark, judge, sum up.
 *
 *   next_seq of the messages       highest            next_seq of the ledger
 *   -----+------- missing ---------+--+--+--------------+---> numbers
 *        hole of a lost message?      acknowledged
 *
 * With t the third highest packet received, each packet below t that left and was not received is
 * lost.
 *
 * Limits: a packet that left the ring of the ledger before it was judged counts neither as received
 * nor as lost. */
#include <rc/ledger/scoreboard.h>

#include <rc/feedback/feedback.h>
#include <rc/loss/losshist.h>
#include <string.h>

#define NEVER (-2 * RC_BWFILTER_PAUSE)

/* What a message says: not yet committed. */
typedef struct
{
  uint64_t first_seq;           /* the lowest that it acknowledges */
  uint64_t seq;                 /* the highest */
  uint16_t number;              /* of the highest, as reported */
  RcLedgerEntry mark;           /* up to seq */
  RcTime arrived_at_remote;     /* of the highest */
  RcTime told_at_remote, rtt;
  unsigned first_ack;           /* in the list of acknowledgements */
  bool known, progress, baseline;
} Claim;

void
rc_scoreboard_init (RcScoreboard *self)
{
  memset (self, 0, sizeof *self);
  rc_bwfilter_init (&self->bandwidth, RC_BWFILTER_TAU);
  self->arrived_at_remote = NEVER;
}

/* --- what the message says --- */

static RcTime
told_at (const RcArrivals *message)
{
  RcTime at = message->told_at_remote;

  for (unsigned i = 0; i < message->n_arrivals; i++)
    if (message->arrivals[i].arrived_at_remote > at)
      at = message->arrivals[i].arrived_at_remote;
  return at;
}

static void
note_highest (Claim *claim, uint64_t seq, const RcArrival *arrival, const RcLedgerEntry *mark)
{
  bool first = claim->mark.sent_at == RC_TIME_NONE;

  if (first || seq < claim->first_seq)
    claim->first_seq = seq;
  if (!first && seq <= claim->seq)
    return;
  claim->seq = seq;
  claim->number = arrival->number;
  claim->mark = *mark;
  claim->arrived_at_remote = arrival->arrived_at_remote;
}

/* Joins each packet with its departure. false: none of them is in the ledger. */
static bool
locate (RcLedger *ledger, const RcArrivals *message, RcTime now, RcAcks *acks, Claim *claim,
    unsigned *n_false)
{
  claim->mark.sent_at = RC_TIME_NONE;
  for (unsigned i = 0; i < message->n_arrivals; i++) {
    const RcArrival *arrival = &message->arrivals[i];
    RcAck ack = { .ecn = arrival->ecn, .arrived_at_remote = arrival->arrived_at_remote };
    RcLedgerEntry mark;

    if (!rc_ledger_locate (ledger, arrival->number, &ack.seq, &mark)) {
      ++*n_false;
      continue;
    }
    if (!rc_ledger_find (ledger, ack.seq, &ack.sent_at, &ack.bytes))
      continue;                 /* it left too long ago */
    note_highest (claim, ack.seq, arrival, &mark);
    if (!rc_acks_time_holds (mark.sent_at, claim->told_at_remote - ack.arrived_at_remote, now)) {
      ++*n_false;
      ack.sent_at = RC_TIME_NONE;
    }
    if (mark.again)
      ack.sent_at = RC_TIME_NONE;
    rc_acks_add (acks, &ack);
  }
  return claim->mark.sent_at != RC_TIME_NONE;
}

static bool
measure_rtt (RcTime now, Claim *claim)
{
  RcTime hold = claim->told_at_remote - claim->arrived_at_remote;
  RcTime rtt = now - claim->mark.sent_at - hold;

  claim->rtt = RC_TIME_NONE;
  if (!claim->progress)
    return true;
  if (!rc_acks_time_holds (claim->mark.sent_at, hold, now))
    return false;
  if (hold <= RC_LEDGER_MAX_HOLD && !claim->mark.again)
    claim->rtt = rtt > RC_USEC ? rtt : RC_USEC;
  return true;
}

/* Arrival times do not run backwards. */
static RcDigest
compare (const RcLedger *ledger, RcTime now, Claim *claim)
{
  bool follows = claim->known && (!claim->progress
      || claim->arrived_at_remote / RC_USEC >= (RcTime) ledger->last.arrival_us_remote);

  return rc_ledger_admit (ledger, claim->known, follows, now, &claim->baseline);
}

/* --- what it changes --- */

static void
begin (RcScoreboard *self, const RcLedger *ledger, const Claim *claim)
{
  rc_scoreboard_init (self);
  rc_bwfilter_restart (&self->bandwidth, 0, claim->told_at_remote);
  /* Of a receiver that came later nothing before is waited for. */
  self->judged_seq = ledger->heard ? claim->seq : claim->first_seq - 1;
}

static void
receive (RcScoreboard *self, RcLedgerEntry *entry, uint32_t bytes, bool marked, RcFeedback *out)
{
  /* Some were lost before the baseline. */
  self->lost_pkts -= entry->fate == RC_FATE_LOST && self->lost_pkts > 0;
  entry->fate = marked ? RC_FATE_MARKED : RC_FATE_RECEIVED;
  self->received_bytes += bytes;
  out->received_bytes += bytes;
  out->received_pkts++;
  out->ce_pkts += marked;
}

/* The packets between the message before and this one, if a message about them was lost. */
static void
assume_untold (RcScoreboard *self, RcLedger *ledger, const RcArrivals *message, const Claim *claim,
    RcFeedback *out)
{
  uint16_t reported = (uint16_t) (claim->number - message->arrivals[0].number
      + message->n_missing_before);
  uint64_t first = claim->seq - reported, unreported = first - self->next_seq;
  bool none_lost = message->counted && (uint8_t) (message->count - self->count) <= 1;

  if (!self->begun || none_lost || first <= self->next_seq || unreported >= RC_LOSSHIST_WINDOW)
    return;
  for (uint64_t seq = self->next_seq; seq < first; seq++) {
    RcLedgerEntry *entry = rc_ledger_entry_of (ledger, seq);
    RcTime sent_at;
    uint32_t bytes;

    if (entry && (entry->fate == RC_FATE_OPEN || entry->fate == RC_FATE_LOST)
        && rc_ledger_find (ledger, seq, &sent_at, &bytes))
      receive (self, entry, bytes, false, out);
  }
}

static void
take_acks (RcScoreboard *self, RcLedger *ledger, const RcArrivals *message, RcAcks *acks,
    const Claim *claim, RcFeedback *out)
{
  for (unsigned i = claim->first_ack; i < acks->n; i++) {
    RcAck *ack = &acks->acks[i];
    RcLedgerEntry *entry = rc_ledger_entry_of (ledger, ack->seq);
    RcEcnBits ecn = message->ecn_read ? (RcEcnBits) ack->ecn : RC_ECN_BITS_NOT_ECT;

    if (entry->fate == RC_FATE_RECEIVED || entry->fate == RC_FATE_MARKED) {
      ack->sent_at = RC_TIME_NONE;      /* reported before, or assumed */
      continue;
    }
    receive (self, entry, ack->bytes, ack->ecn == RC_ECN_BITS_CE, out);
    out->ecn_pkts += ecn != RC_ECN_BITS_NOT_ECT;
    out->ect1_pkts += ecn == RC_ECN_BITS_ECT_1;
    if (ack->arrived_at_remote - self->arrived_at_remote > RC_BWFILTER_PAUSE)
      rc_bwfilter_restart (&self->bandwidth, self->received_bytes, ack->arrived_at_remote);
    self->arrived_at_remote = ack->arrived_at_remote;
  }
}

static uint64_t
first_unjudged (const RcScoreboard *self, const RcLedger *ledger)
{
  return self->judged_seq >= ledger->oldest_seq ? self->judged_seq + 1 : ledger->oldest_seq;
}

/* Below it a packet that was not received is lost. */
static uint64_t
overtaken_below (const RcScoreboard *self, RcLedger *ledger, uint64_t highest)
{
  uint64_t seq = highest, least = first_unjudged (self, ledger);
  unsigned found = 0;

  for (; seq > least; seq--) {
    const RcLedgerEntry *entry = rc_ledger_entry_of (ledger, seq);

    if (!entry)
      continue;
    found += entry->fate == RC_FATE_RECEIVED || entry->fate == RC_FATE_MARKED;
    if (found == RC_LOSSHIST_REORDER_PKTS)
      break;
  }
  return seq;
}

static void
judge (RcScoreboard *self, RcLedger *ledger, uint64_t highest)
{
  uint64_t below = overtaken_below (self, ledger, highest);

  for (uint64_t seq = first_unjudged (self, ledger); seq < below; seq++) {
    RcLedgerEntry *entry = rc_ledger_entry_of (ledger, seq);

    self->judged_seq = seq;
    if (entry && entry->fate == RC_FATE_OPEN) {
      entry->fate = RC_FATE_LOST;
      self->lost_pkts++;
    }
  }
}

/* Losses that were taken back lower later ones. */
static uint32_t
new_losses (RcScoreboard *self)
{
  int64_t more = self->lost_pkts - self->peak_lost_pkts;

  if (more <= 0)
    return 0;
  self->peak_lost_pkts = self->lost_pkts;
  return (uint32_t) more;
}

static void
remember_told (RcScoreboard *self, const RcArrivals *message, const Claim *claim)
{
  if (!self->begun || claim->seq >= self->next_seq)
    self->next_seq = claim->seq + 1;
  self->begun = true;
  self->count = message->count;
}

static void
hand_out (RcScoreboard *self, const RcLedger *ledger, const RcArrivals *message,
    const Claim *claim, RcFeedback *out)
{
  out->rtt = claim->rtt;
  out->sent_at = ledger->acked.sent_at;
  if (claim->rtt != RC_TIME_NONE)
    out->owd_remote = claim->arrived_at_remote - claim->mark.sent_at;
  out->bandwidth_bps = (uint64_t) (rc_clampd (self->bandwidth.filtered_bps, 0,
          (double) RC_WIRE_MAX_BPS) + 0.5);
  out->lost_pkts = new_losses (self);
  out->ecn_read = message->ecn_read;
  out->outstanding_bytes = rc_ledger_outstanding_bytes (ledger);
  out->policy = message->policy;
}

static void
commit (RcScoreboard *self, RcLedger *ledger, const RcArrivals *message, RcTime now,
    RcAcks *acks, const Claim *claim, RcFeedback *out)
{
  bool anew = claim->baseline && ledger->heard;

  *out = (RcFeedback) { .restarted = anew };
  if (claim->baseline)
    begin (self, ledger, claim);
  assume_untold (self, ledger, message, claim, out);
  take_acks (self, ledger, message, acks, claim, out);
  judge (self, ledger, claim->seq);
  remember_told (self, message, claim);
  rc_bwfilter_follow (&self->bandwidth, self->received_bytes, claim->told_at_remote);
  if (anew)                     /* the receiver before may have reported its packets */
    *out = (RcFeedback) { .restarted = true };
  rc_ledger_acknowledge (ledger, claim->progress ? claim->seq : ledger->acked_seq,
      claim->arrived_at_remote, message->instance, claim->baseline, now);
  hand_out (self, ledger, message, claim, out);
}

RcDigest
rc_scoreboard_digest (RcScoreboard *self, RcLedger *ledger, const RcArrivals *message, RcTime now,
    RcAcks *acks, RcFeedback *out, unsigned *n_false)
{
  Claim claim = { .known = ledger->heard && message->instance == ledger->instance,
    .first_ack = acks->n, .told_at_remote = told_at (message) };
  RcDigest result = RC_DIGEST_NEVER_SENT;

  *n_false = 0;
  if (locate (ledger, message, now, acks, &claim, n_false)) {
    claim.progress = !claim.known || claim.seq > ledger->acked_seq;
    result = measure_rtt (now, &claim) ? compare (ledger, now, &claim) : RC_DIGEST_IMPOSSIBLE;
  }
  if (result != RC_DIGEST_OK) {
    acks->n = claim.first_ack;
    return result;
  }
  claim.progress = claim.progress || claim.baseline;
  commit (self, ledger, message, now, acks, &claim, out);
  return RC_DIGEST_OK;
}
