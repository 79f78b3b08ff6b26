/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What left when: the entries of a ledger. Whether a report about them can be true is
 * ledgerdigest.c. */
#include <rc/ledger/ledger.h>

#include <assert.h>
#include <rc/loss/losshist.h>
#include <string.h>

/* How far back the 16 bits of a report reach. */
#define MATCH_DISTANCE 32768

static bool
is_power_of_two (uint32_t x)
{
  return x != 0 && (x & (x - 1)) == 0;
}

static RcLedgerEntry *
entry (const RcLedger *self, uint64_t seq)
{
  return &self->entries[seq & (self->capacity - 1)];
}

RcLedgerEntry
rc_ledger_mark_at (const RcLedger *self, uint64_t seq)
{
  RcLedgerEntry mark;

  if (seq < self->first_seq)
    return self->before_first;
  if (seq >= self->oldest_seq)
    return *entry (self, seq);
  mark = *entry (self, self->oldest_seq);
  mark.sent_at = RC_TIME_NONE;
  return mark;
}

void
rc_ledger_init (RcLedger *self, uint32_t ssrc, uint32_t overhead_bytes, RcLedgerEntry *entries,
    uint32_t capacity)
{
  assert (is_power_of_two (capacity));
  memset (self, 0, sizeof *self);
  self->ssrc = ssrc;
  self->overhead_bytes = overhead_bytes;
  self->entries = entries;
  self->capacity = capacity;
  self->before_first.sent_at = self->acked.sent_at = RC_TIME_NONE;
}

void
rc_ledger_move (RcLedger *self, RcLedgerEntry *entries, uint32_t capacity)
{
  RcLedger moved = *self;
  uint64_t seq;

  assert (is_power_of_two (capacity) && capacity >= self->capacity);
  moved.entries = entries;
  moved.capacity = capacity;
  for (seq = self->oldest_seq; seq < self->next_seq; seq++)
    *entry (&moved, seq) = *entry (self, seq);
  *self = moved;
}

bool
rc_ledger_spans_less (const RcLedger *self, RcTime span, RcTime now)
{
  return self->next_seq - self->oldest_seq >= self->capacity
      && now - entry (self, self->oldest_seq)->sent_at < span;
}

static void
begin_numbering (RcLedger *self, uint64_t seq)
{
  self->first_seq = self->oldest_seq = self->next_seq = seq;
  self->before_first = (RcLedgerEntry) { .sent_at = RC_TIME_NONE, .end_bytes = self->sent_bytes,
    .end_pkts = self->sent_pkts };
}

static void
append (RcLedger *self, RcTime sent_at)
{
  *entry (self, self->next_seq++) = (RcLedgerEntry) { .sent_at = sent_at,
    .end_bytes = self->sent_bytes, .end_pkts = self->sent_pkts };
  if (self->next_seq - self->oldest_seq > self->capacity)
    self->oldest_seq = self->next_seq - self->capacity;
}

uint32_t
rc_ledger_on_sent (RcLedger *self, uint16_t seq, uint32_t rtp_bytes, RcTime now)
{
  uint32_t size_bytes = rtp_bytes + self->overhead_bytes;
  uint16_t gap = (uint16_t) (seq - self->next_seq);

  if (!self->primed)
    begin_numbering (self, UINT64_C (0x10000) + seq);
  else if (gap > RC_LOSSHIST_MAX_JUMP)
    begin_numbering (self, self->next_seq + gap);
  self->primed = true;
  while ((uint16_t) self->next_seq != seq)
    append (self, RC_TIME_NONE);
  self->sent_bytes += size_bytes;
  self->sent_pkts++;
  append (self, now);
  return size_bytes;
}

uint64_t
rc_ledger_outstanding_bytes (const RcLedger *self)
{
  return self->sent_bytes - self->acked.end_bytes;
}

/* The packet that left and whose number ends in these 16 bits: the receiver may count its cycles
 * from anywhere. */
static bool
find_sent (const RcLedger *self, uint32_t highest_seq, uint64_t *seq)
{
  uint16_t back = (uint16_t) (self->next_seq - 1 - highest_seq);

  if (!self->primed || back >= MATCH_DISTANCE)
    return false;
  *seq = self->next_seq - 1 - back;
  if (*seq < self->first_seq)
    return false;
  return *seq < self->oldest_seq || entry (self, *seq)->sent_at != RC_TIME_NONE;
}

RcLedgerEntry *
rc_ledger_entry_of (RcLedger *self, uint64_t seq)
{
  if (seq < self->oldest_seq || seq >= self->next_seq || entry (self, seq)->sent_at == RC_TIME_NONE)
    return NULL;
  return entry (self, seq);
}

bool
rc_ledger_find (const RcLedger *self, uint64_t seq, RcTime *sent_at, uint32_t *network_bytes)
{
  if (seq < self->oldest_seq || seq >= self->next_seq || entry (self, seq)->sent_at == RC_TIME_NONE)
    return false;
  /* The oldest one's size went with the one before it. */
  if (seq == self->oldest_seq && seq != self->first_seq)
    return false;
  *sent_at = entry (self, seq)->sent_at;
  *network_bytes = (uint32_t) (entry (self, seq)->end_bytes
      - rc_ledger_mark_at (self, seq - 1).end_bytes);
  return true;
}

bool
rc_ledger_left_again (const RcLedger *self, uint64_t seq)
{
  return seq >= self->oldest_seq && seq < self->next_seq && entry (self, seq)->again;
}

void
rc_ledger_on_again (RcLedger *self, uint16_t seq)
{
  uint64_t found;

  if (find_sent (self, seq, &found) && found >= self->oldest_seq)
    entry (self, found)->again = true;
}

bool
rc_ledger_locate (const RcLedger *self, uint16_t number, uint64_t *seq, RcLedgerEntry *up_to)
{
  if (!find_sent (self, number, seq))
    return false;
  *up_to = rc_ledger_mark_at (self, *seq);
  return true;
}

void
rc_ledger_on_left (RcLedger *self, uint16_t seq, RcTime left_at)
{
  uint64_t found;

  if (find_sent (self, seq, &found) && found >= self->oldest_seq
      && entry (self, found)->sent_at < left_at)
    entry (self, found)->sent_at = left_at;
}
