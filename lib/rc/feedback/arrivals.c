/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/arrivals.h>

#include <string.h>

void
rc_arrivals_skip (RcArrivals *self, unsigned n)
{
  const RcArrival *next = self->arrivals + n;

  if (n == 0)
    return;
  self->arrivals = next;
  self->n_arrivals -= n;
  self->n_missing_before = 0;
  if (self->n_arrivals > 0)
    self->n_missing_before = (uint16_t) (next[0].number - next[-1].number - 1);
}

void
rc_arrivallog_init (RcArrivalLog *self)
{
  *self = (RcArrivalLog) { 0 };
  rc_receivestats_init (&self->stats, RC_BWFILTER_TAU);
}

/* Another receiver's arrivals are by another clock, and begin anew. */
static void
follow_instance (RcArrivalLog *self, uint32_t instance)
{
  if (self->begun && self->instance == instance)
    return;
  if (self->begun)
    rc_arrivallog_init (self);
  self->begun = true;
  self->instance = instance;
}

/* Packets of messages that were lost on their way. */
static void
assume_untold (RcArrivalLog *self, const RcArrivals *message, const RcLedger *ledger)
{
  uint16_t begin = (uint16_t) (message->arrivals[0].number - message->n_missing_before);
  uint16_t untold = (uint16_t) (begin - self->next);
  bool none_lost = message->counted && (uint8_t) (message->count - self->count) <= 1;

  if (!self->told || none_lost || untold >= RC_LOSSHIST_WINDOW)
    return;
  for (uint16_t number = self->next; number != begin; number++) {
    uint32_t rtp_bytes = rc_ledger_size_of (ledger, number);

    if (rtp_bytes > 0)
      rc_receivestats_assume (&self->stats, number, rtp_bytes);
  }
}

static void
remember_told (RcArrivalLog *self, const RcArrivals *message)
{
  uint16_t next = (uint16_t) (message->arrivals[message->n_arrivals - 1].number + 1);
  uint16_t ahead = (uint16_t) (next - self->next);

  if (!self->told || ahead < UINT16_MAX / 2)
    self->next = next;
  self->told = true;
  self->count = message->count;
}

bool
rc_arrivallog_add (RcArrivalLog *self, const RcArrivals *message, const RcLedger *ledger,
    RcTime srtt, RcReport *report, unsigned *n_false)
{
  RcTime told_at = message->told_at_remote;
  unsigned n = 0;

  *n_false = 0;
  follow_instance (self, message->instance);
  if (message->n_arrivals > 0) {
    assume_untold (self, message, ledger);
    remember_told (self, message);
  }
  for (unsigned i = 0; i < message->n_arrivals; i++) {
    const RcArrival *arrival = &message->arrivals[i];
    uint32_t rtp_bytes = rc_ledger_size_of (ledger, arrival->number);

    if (rtp_bytes == 0) {
      *n_false += !rc_ledger_has_sent (ledger, arrival->number);
      continue;
    }
    if (srtt != RC_TIME_NONE)
      rc_receivestats_set_srtt (&self->stats, srtt, arrival->arrived_at_remote);
    rc_receivestats_on_packet (&self->stats, arrival->number, rtp_bytes,
        arrival->ecn == RC_ECN_BITS_CE, arrival->arrived_at_remote);
    if (message->ecn_read)
      rc_receivestats_on_ecn (&self->stats, (RcEcnBits) arrival->ecn);
    n++;
  }
  if (n == 0)
    return false;
  if (told_at == RC_TIME_NONE || told_at < self->stats.last_arrived_at)
    told_at = self->stats.last_arrived_at;
  memset (report, 0, sizeof *report);
  report->ssrc = ledger->ssrc;
  report->number = ++self->number;
  rc_receivestats_sum_up (&self->stats, told_at, report);
  return true;
}
