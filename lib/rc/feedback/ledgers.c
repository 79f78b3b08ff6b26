/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/ledgers.h>

#include <rc/feedback/delays.h>
#include <rc/feedback/feedbacksum.h>
#include <string.h>

#define FIRST_CAPACITY 1024     /* packets: 1 s at 10 Mbit/s */
/* The blocks of a receiver report and our own reports may come from one RTCP sender, and count from
 * different beginnings: to the ledger they are two receivers. */
#define BLOCK_INSTANCE 0x80000000U
#define LAST_CAPACITY 65536     /* all that 16-bit numbers tell apart */
/* The lists of a receiver and its reports of our own count from different beginnings: to the ledger
 * they are two receivers. */
#define LIST_INSTANCE 0x40000000U

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
  RcArrivalLog *log;
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
  log = slot->log;
  *slot = (RcLedgerSlot) { .space = space, .log = log, .sent_at = now };
  rc_ledger_init (&slot->ledger, space.ssrc, self->overhead_bytes, entries, capacity);
  rc_reportblocks_init (&slot->block_log);
  if (log)
    rc_arrivallog_init (log);
  return old;
}

bool
rc_ledgers_wants_log (RcLedgers *self, RcNumberSpace space)
{
  const RcLedgerSlot *slot = find_slot (self, space);

  return slot && !slot->log;
}

RcArrivalLog *
rc_ledgers_give_log (RcLedgers *self, RcNumberSpace space, RcArrivalLog *log)
{
  RcLedgerSlot *slot = find_slot (self, space);
  RcArrivalLog *old;

  if (!slot)
    return log;
  old = slot->log;
  slot->log = log;
  if (log)
    rc_arrivallog_init (log);
  return old;
}

RcLedgerEntry *
rc_ledgers_take_back (RcLedgers *self)
{
  return self->n_slots > 0 ? self->slots[--self->n_slots].ledger.entries : NULL;
}

RcArrivalLog *
rc_ledgers_take_back_log (RcLedgers *self)
{
  for (unsigned i = 0; i < self->n_slots; i++)
    if (self->slots[i].log)
      return rc_ledgers_give_log (self, self->slots[i].space, NULL);
  return NULL;
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

/* What the summaries of one message add up to. */
typedef struct
{
  RcFeedback sum, hello;
  bool any_hello;
  /* those that hold */
  struct
  {
    const RcLedger *ledger;
    const RcReport *report;
    RcFeedback feedback;
  } parts[RC_LEDGERS_MAX];
  unsigned n_parts;
} Sum;

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
  self->stats.accepted++;
  self->stats.lost_pkts += one.lost_pkts;
  self->stats.ce_pkts += one.ce_pkts;
  self->stats.false_arrivals += rc_delays_measure (&one.delays, &slot->ledger, report, &one, now);
  self->received_bytes += one.received_bytes;
  slot->reported_at = now;
  slot->bandwidth_bps = one.bandwidth_bps;
  if (sum->n_parts > 0)
    rc_feedback_add (&sum->sum, &one);
  else
    sum->sum = one;
  sum->parts[sum->n_parts].ledger = &slot->ledger;
  sum->parts[sum->n_parts].report = report;
  sum->parts[sum->n_parts++].feedback = one;
}

/* What had been received when the packet with the least delay came: all, less what each list shows
 * to have come later. It is counted from the end, so that it is true after a lost report too. */
static uint64_t
count_least_bytes (const RcLedgers *self, const Sum *sum, RcTime now)
{
  const RcDelays *delays = &sum->sum.delays;
  uint64_t bytes = self->received_bytes;

  for (unsigned i = 0; i < sum->n_parts; i++) {
    const RcFeedback *feedback = &sum->parts[i].feedback;
    uint64_t later = rc_delays_later_bytes (sum->parts[i].ledger, sum->parts[i].report, feedback,
        delays->least_sent_at + delays->least_remote, now);

    bytes -= later < feedback->received_bytes ? later : feedback->received_bytes;
  }
  return bytes;
}

/* A message holds the spaces with news: the others still use what they used. */
static void
add_bandwidth_of_others (const RcLedgers *self, RcNumbers kind, RcTime now, RcFeedback *out)
{
  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedgerSlot *slot = &self->slots[i];

    if (slot->space.kind != kind || slot->bandwidth_bps == 0 || slot->reported_at == now
        || now - slot->reported_at > RC_RECEIVESTATS_PAUSE)
      continue;
    out->bandwidth_bps += slot->bandwidth_bps;
  }
}

static bool
hand_out (const RcLedgers *self, const Sum *sum, RcNumbers kind, RcTime now, RcFeedback *out)
{
  if (sum->n_parts > 0) {
    *out = sum->sum;
    out->delays.least_bytes = count_least_bytes (self, sum, now);
    add_bandwidth_of_others (self, kind, now, out);
  } else if (sum->any_hello) {
    *out = sum->hello;
  }
  return sum->n_parts > 0 || sum->any_hello;
}

bool
rc_ledgers_digest (RcLedgers *self, const RcReport *reports, unsigned n, uint32_t instance,
    RcTime now, RcFeedback *out)
{
  Sum sum = { .n_parts = 0 };

  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (reports[i].ssrc));

    if (slot && sum.n_parts < RC_LEDGERS_MAX)
      add_report (self, slot, &reports[i], instance, now, &sum);
    else
      self->stats.foreign++;
  }
  return hand_out (self, &sum, RC_NUMBERS_RTP, now, out);
}

bool
rc_ledgers_digest_arrivals (RcLedgers *self, const RcArrivals *messages, unsigned n, RcTime srtt,
    RcTime now, RcFeedback *out)
{
  Sum sum = { .n_parts = 0 };
  RcReport reports[RC_LEDGERS_MAX];     /* of the parts */

  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, messages[i].space);
    RcReport *report = &reports[sum.n_parts % RC_LEDGERS_MAX];
    unsigned n_false;

    if (!slot || !slot->log || sum.n_parts == RC_LEDGERS_MAX) {
      self->stats.foreign++;
      continue;
    }
    if (rc_arrivallog_add (slot->log, &messages[i], &slot->ledger, srtt, report, &n_false))
      add_report (self, slot, report, messages[i].instance ^ LIST_INSTANCE, now, &sum);
    else
      self->stats.never_sent++;
    self->stats.false_arrivals += n_false;
  }
  if (n == 0 || !hand_out (self, &sum, messages[0].space.kind, now, out))
    return false;
  out->policy = messages[0].policy;
  return true;
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
  Sum sum = { .n_parts = 0 };
  RcReport reports[RC_LEDGERS_MAX];     /* of the parts */

  for (unsigned i = 0; i < n; i++) {
    RcLedgerSlot *slot = find_slot (self, rc_numbers_of_ssrc (blocks[i].ssrc));
    RcReport *report = &reports[sum.n_parts % RC_LEDGERS_MAX];
    RcDigest digest;

    if (!slot || sum.n_parts == RC_LEDGERS_MAX) {
      self->stats.foreign++;
      continue;
    }
    digest = rc_reportblocks_add (&slot->block_log, &blocks[i], &slot->ledger, now, report);
    if (digest != RC_DIGEST_OK)
      (*refusal_counter (self, digest))++;
    else
      add_report (self, slot, report, blocks[i].instance ^ BLOCK_INSTANCE, now, &sum);
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
rc_ledgers_fill_infos (const RcLedgers *self, const RcDecision *decision, RcSenderInfo *infos)
{
  unsigned n = 0;

  for (unsigned i = 0; i < self->n_slots; i++) {
    const RcLedgerSlot *slot = &self->slots[i];

    if (slot->space.kind != RC_NUMBERS_RTP || self->sent_at - slot->sent_at > RC_LEDGERS_IDLE_TIME)
      continue;
    infos[n++] = (RcSenderInfo) {
      .ssrc = slot->space.ssrc,
      .srtt_us = decision->srtt == RC_TIME_NONE ? 0 : to_us (decision->srtt),
      .report_interval_us = to_us (decision->report_interval),
    };
  }
  return n;
}
