/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ledger/ledgers.h>

#include <rc/feedback/feedback.h>
#include <string.h>

/* Packets. With 1024 a ledger is a third of what a viewer of 0.5 Mbit/s takes. It grows to so many
 * before it forgets what left within the last second: a late report finds that. */
#define FIRST_CAPACITY 64
#define SECOND_CAPACITY 1024    /* 1 s at 10 Mbit/s */
/* The blocks of a receiver report and our own reports may come from one RTCP sender, and count from
 * different beginnings: to the ledger they are two receivers. */
#define BLOCK_INSTANCE 0x80000000U
#define LAST_CAPACITY 65536     /* the whole range of 16-bit numbers */
/* The lists of a receiver and its reports of our own count from different beginnings: to the ledger
 * they are two receivers. */
#define LIST_INSTANCE 0x40000000U

void
rc_feedback_add (RcFeedback *a, const RcFeedback *b)
{
  bool b_is_last = b->rtt != RC_TIME_NONE && (a->rtt == RC_TIME_NONE || b->sent_at > a->sent_at);

  if (b_is_last) {
    a->rtt = b->rtt;
    a->owd_remote = b->owd_remote;
    a->sent_at = b->sent_at;
  }
  a->bandwidth_bps += b->bandwidth_bps;
  a->received_bytes += b->received_bytes;
  a->received_pkts += b->received_pkts;
  a->lost_pkts += b->lost_pkts;
  a->ce_pkts += b->ce_pkts;
  a->ecn_pkts += b->ecn_pkts;
  a->ect1_pkts += b->ect1_pkts;
  a->ecn_read = a->ecn_read || b->ecn_read;
  a->outstanding_bytes += b->outstanding_bytes;
  if (a->explicit_rate_bps == 0
      || (b->explicit_rate_bps != 0 && b->explicit_rate_bps < a->explicit_rate_bps))
    a->explicit_rate_bps = b->explicit_rate_bps;
  a->restarted = a->restarted || b->restarted;
}

void
rc_ledgers_init (RcLedgers *self, uint32_t overhead_bytes)
{
  memset (self, 0, sizeof *self);
  self->overhead_bytes = overhead_bytes;
}

static RcLedgerSlot *
find_slot (RcLedgers *self, RcNumberSpace space)
{
  for (unsigned i = 0; i < self->n_slots; i++)
    if (rc_numbers_equal (self->slots[i].space, space))
      return &self->slots[i];
  return NULL;
}

/* Where a new space could go: one past the end, or that of one which has ended. */
static RcLedgerSlot *
free_slot (RcLedgers *self, RcTime now)
{
  RcLedgerSlot *oldest = &self->slots[0];

  if (self->n_slots < RC_LEDGERS_MAX)
    return &self->slots[self->n_slots];
  for (unsigned i = 1; i < self->n_slots; i++)
    if (self->slots[i].sent_at < oldest->sent_at)
      oldest = &self->slots[i];
  return now - oldest->sent_at > RC_LEDGERS_IDLE_TIME ? oldest : NULL;
}

uint32_t
rc_ledgers_wants (RcLedgers *self, RcNumberSpace space, RcTime now)
{
  RcLedgerSlot *slot = find_slot (self, space);
  const RcLedger *ledger;
  uint64_t first;

  if (!slot)
    return free_slot (self, now) ? FIRST_CAPACITY : 0;
  /* Before what is on its way could overwrite itself. */
  ledger = &slot->ledger;
  if (!ledger->heard && self->stats.accepted > 0)
    return 0;                   /* reports name other numbers */
  if (ledger->capacity < SECOND_CAPACITY && rc_ledger_spans_less (ledger, RC_SECOND, now))
    return 2 * ledger->capacity;
  first = ledger->heard ? ledger->acked_seq : ledger->first_seq;
  if (ledger->capacity >= LAST_CAPACITY || ledger->next_seq - first <= ledger->capacity / 2)
    return 0;
  return 2 * ledger->capacity;
}

RcLedgerEntry *
rc_ledgers_give (RcLedgers *self, RcNumberSpace space, RcLedgerEntry *entries, uint32_t capacity,
    RcTime now)
{
  RcLedgerSlot *slot = find_slot (self, space);
  RcLedgerEntry *old;

  if (slot) {
    old = slot->ledger.entries;
    rc_ledger_move (&slot->ledger, entries, capacity);
    return old;
  }
  slot = free_slot (self, now);
  if (!slot)
    return entries;
  if (slot == &self->slots[self->n_slots])
    self->n_slots++;
  old = slot->ledger.entries;
  *slot = (RcLedgerSlot) { .space = space, .sent_at = now };
  rc_ledger_init (&slot->ledger, space.ssrc, self->overhead_bytes, entries, capacity);
  rc_reportblocks_init (&slot->block_log);
  rc_scoreboard_init (&slot->scoreboard);
  return old;
}

RcLedgerEntry *
rc_ledgers_take_back (RcLedgers *self)
{
  return self->n_slots > 0 ? self->slots[--self->n_slots].ledger.entries : NULL;
}

void
rc_ledgers_on_again (RcLedgers *self, uint32_t ssrc, uint16_t seq)
{
  RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (ssrc));

  if (slot)
    rc_ledger_on_again (&slot->ledger, seq);
}

bool
rc_ledgers_on_sent (RcLedgers *self, RcNumberSpace space, uint16_t number, uint32_t rtp_bytes,
    RcTime now)
{
  RcLedgerSlot *slot = find_slot (self, space);
  bool is_new;

  if (!slot) {
    self->stats.untracked_pkts++;
    return false;
  }
  is_new = !slot->ledger.primed;
  rc_ledger_on_sent (&slot->ledger, number, rtp_bytes, now);
  slot->sent_at = now;
  if (now > self->sent_at)
    self->sent_at = now;
  return is_new;
}

void
rc_ledgers_on_left (RcLedgers *self, RcNumberSpace space, uint16_t number, RcTime left_at)
{
  RcLedgerSlot *slot = find_slot (self, space);

  if (slot)
    rc_ledger_on_left (&slot->ledger, number, left_at);
}

static uint64_t *
refusal_counter (RcLedgers *self, RcDigest digest)
{
  switch (digest) {
    case RC_DIGEST_OLD:
      return &self->stats.old;
    case RC_DIGEST_NEVER_SENT:
      return &self->stats.never_sent;
    case RC_DIGEST_TOO_MANY_RESTARTS:
      return &self->stats.too_many_restarts;
    default:
      return &self->stats.impossible;
  }
}

/* What the summaries or lists of one message add up to. */
typedef struct
{
  RcFeedback sum, hello;
  bool any, any_hello;
  RcAcks acks;
} Sum;

static void
begin_sum (Sum *sum)
{
  sum->any = sum->any_hello = false;
  sum->acks.n = 0;
}

static void
add_feedback (RcLedgers *self, RcLedgerSlot *slot, const RcFeedback *one, RcTime now, Sum *sum)
{
  self->stats.accepted++;
  self->stats.received_pkts += one->received_pkts;
  self->stats.lost_pkts += one->lost_pkts;
  self->stats.ce_pkts += one->ce_pkts;
  self->received_bytes += one->received_bytes;
  slot->reported_at = now;
  slot->bandwidth_bps = one->bandwidth_bps;
  if (sum->any)
    rc_feedback_add (&sum->sum, one);
  else
    sum->sum = *one;
  sum->any = true;
}

static void
add_report (RcLedgers *self, RcLedgerSlot *slot, const RcReport *report, uint32_t instance,
    RcTime now, Sum *sum)
{
  RcFeedback one;
  RcDigest digest = rc_ledger_digest (&slot->ledger, report, instance, now, &one);

  if (digest == RC_DIGEST_HELLO) {
    one.restarted |= sum->any_hello && sum->hello.restarted;
    sum->hello = one;
    sum->any_hello = true;
    return;
  }
  if (digest != RC_DIGEST_OK) {
    (*refusal_counter (self, digest))++;
    return;
  }
  self->stats.false_arrivals += rc_acks_add_report (&sum->acks, &slot->ledger, report, &one, now);
  add_feedback (self, slot, &one, now, sum);
}

static void
add_list (RcLedgers *self, RcLedgerSlot *slot, const RcArrivals *list, RcTime now, Sum *sum)
{
  RcArrivals message = *list;
  RcFeedback one;
  unsigned n_false;
  RcDigest digest;

  message.instance ^= LIST_INSTANCE;
  digest = rc_scoreboard_digest (&slot->scoreboard, &slot->ledger, &message, now, &sum->acks, &one,
      &n_false);
  self->stats.false_arrivals += n_false;
  if (digest == RC_DIGEST_OK)
    add_feedback (self, slot, &one, now, sum);
  else
    (*refusal_counter (self, digest))++;
}

/* A message holds the spaces with news: the others still use what they used. */
static void
add_bandwidth_of_others (const RcLedgers *self, RcNumbers kind, RcTime now, RcFeedback *out)
{
  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedgerSlot *slot = &self->slots[i];

    if (slot->space.kind != kind || slot->bandwidth_bps == 0 || slot->reported_at == now
        || now - slot->reported_at > RC_BWFILTER_PAUSE)
      continue;
    out->bandwidth_bps += slot->bandwidth_bps;
  }
}

static bool
hand_out (const RcLedgers *self, const Sum *sum, RcNumbers kind, RcTime now, RcFeedback *out)
{
  if (sum->any) {
    *out = sum->sum;
    rc_acks_get_delays (&sum->acks, out->received_bytes, self->received_bytes, &out->delays);
    add_bandwidth_of_others (self, kind, now, out);
  } else if (sum->any_hello) {
    *out = sum->hello;
  }
  return sum->any || sum->any_hello;
}

bool
rc_ledgers_digest (RcLedgers *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now, RcFeedback *out)
{
  Sum sum;

  begin_sum (&sum);
  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (reports[i].ssrc));

    if (slot)
      add_report (self, slot, &reports[i], instance, now, &sum);
    else
      self->stats.foreign++;
  }
  return hand_out (self, &sum, RC_NUMBERS_RTP, now, out);
}

bool
rc_ledgers_digest_arrivals (RcLedgers *self, const RcArrivals *messages, unsigned n,
    RcTime now, RcFeedback *out)
{
  Sum sum;

  begin_sum (&sum);
  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, messages[i].space);

    if (slot)
      add_list (self, slot, &messages[i], now, &sum);
    else
      self->stats.foreign++;
  }
  if (n == 0 || !hand_out (self, &sum, messages[0].space.kind, now, out))
    return false;
  out->policy = messages[0].policy;
  return true;
}

bool
rc_ledgers_knows (const RcLedgers *self, uint32_t ssrc, uint16_t number, uint16_t most_back)
{
  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedger *ledger = &self->slots[i].ledger;

    if (rc_numbers_equal (self->slots[i].space, rc_numbers_of_ssrc (ssrc)))
      return ledger->primed && (uint16_t) (ledger->next_seq - 1 - number) < most_back;
  }
  return false;
}

bool
rc_ledgers_have (const RcLedgers *self, uint32_t ssrc)
{
  for (unsigned i = 0; i < self->n_slots; i++)
    if (rc_numbers_equal (self->slots[i].space, rc_numbers_of_ssrc (ssrc)))
      return true;
  return false;
}

bool
rc_ledgers_heard (const RcLedgers *self, uint32_t instance)
{
  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedger *ledger = &self->slots[i].ledger;
    uint32_t heard = ledger->instance;

    if (ledger->heard && (heard == instance || heard == (instance ^ LIST_INSTANCE)
            || heard == (instance ^ BLOCK_INSTANCE)))
      return true;
  }
  return false;
}

void
rc_ledgers_forget (RcLedgers *self, uint32_t instance)
{
  for (unsigned i = 0; i < self->n_slots; i++)
    if (self->slots[i].block_log.instance == instance)
      self->slots[i].block_log.begun = false;
}

void
rc_ledgers_on_sr (RcLedgers *self, uint32_t ssrc, uint32_t ntp, RcTime now)
{
  RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (ssrc));

  if (slot)
    rc_reportblocks_on_sr (&slot->block_log, ntp, now);
}

bool
rc_ledgers_digest_blocks (RcLedgers *self, const RcReportBlock *blocks, unsigned n, RcTime now,
    RcFeedback *out)
{
  Sum sum;

  begin_sum (&sum);
  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (blocks[i].ssrc));
    RcDigest digest;
    RcReport report;

    if (!slot) {
      self->stats.foreign++;
      continue;
    }
    digest = rc_reportblocks_add (&slot->block_log, &blocks[i], &slot->ledger, now, &report);
    if (digest != RC_DIGEST_OK)
      (*refusal_counter (self, digest))++;
    else
      add_report (self, slot, &report, blocks[i].instance ^ BLOCK_INSTANCE, now, &sum);
  }
  if (!hand_out (self, &sum, RC_NUMBERS_RTP, now, out))
    return false;
  out->policy = RC_REPORTBLOCKS_POLICY;
  return true;
}

static uint32_t
to_us (RcTime t)
{
  return (uint32_t) rc_clampd ((double) (t / RC_USEC), 1, UINT32_MAX);
}

unsigned
rc_ledgers_fill_infos (const RcLedgers *self, RcTime srtt, RcTime report_interval,
    RcSenderInfo *infos)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedgerSlot *slot = &self->slots[i];

    if (slot->space.kind != RC_NUMBERS_RTP || self->sent_at - slot->sent_at > RC_LEDGERS_IDLE_TIME)
      continue;
    infos[n++] = (RcSenderInfo) {
      .ssrc = slot->space.ssrc,
      .srtt_us = srtt == RC_TIME_NONE ? 0 : to_us (srtt),
      .report_interval_us = to_us (report_interval),
    };
  }
  return n;
}
