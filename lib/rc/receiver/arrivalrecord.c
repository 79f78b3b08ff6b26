/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/arrivalrecord.h>

#include <rc/base/bwfilter.h>

#include <string.h>

static bool
is_before (uint32_t a, uint32_t b)
{
  return (int32_t) (a - b) < 0;
}

void
rc_arrivalrecord_init (RcArrivalRecord *self)
{
  memset (self, 0, sizeof *self);
}

/* The highest is at or above each number that is remembered. */
static uint32_t
extend (const RcArrivalRecord *self, uint16_t number)
{
  return self->history.highest_seq - (uint16_t) (self->history.highest_seq - number);
}

static void
forget_what_left (RcArrivalRecord *self)
{
  uint32_t oldest = self->history.highest_seq - RC_ARRIVALRECORD_NUMBERS + 1;

  if (!is_before (self->next, oldest))
    return;
  self->untold_numbers += oldest - self->next;
  self->next = oldest;
}

void
rc_arrivalrecord_note (RcArrivalRecord *self, uint16_t number, RcEcnBits ecn, RcTime arrived_at)
{
  bool begins = !self->history.primed;
  unsigned pending = rc_arrivalrecord_pending (self);
  uint32_t losses, ext, slot = self->history.highest_seq % RC_ARRIVALRECORD_NUMBERS;
  RcLossVerdict verdict;

  if (!begins && arrived_at - self->arrived_at[slot] > RC_BWFILTER_PAUSE)
    rc_losshist_on_pause (&self->history);
  verdict = rc_losshist_on_packet (&self->history, number, &losses);
  ext = extend (self, number);
  slot = ext % RC_ARRIVALRECORD_NUMBERS;
  if (verdict == RC_LOSSHIST_DUPLICATE && ecn == RC_ECN_BITS_CE)
    self->ecn[slot] = RC_ECN_BITS_CE;
  if (verdict == RC_LOSSHIST_DUPLICATE || verdict == RC_LOSSHIST_STRAY)
    return;
  if (verdict == RC_LOSSHIST_RESTARTED)
    self->untold_numbers += pending;
  self->arrived_at[slot] = arrived_at;
  self->ecn[slot] = (uint8_t) ecn;
  self->news = true;
  if (begins || verdict == RC_LOSSHIST_RESTARTED || is_before (ext, self->next))
    self->next = ext;
  forget_what_left (self);
}

unsigned
rc_arrivalrecord_pending (const RcArrivalRecord *self)
{
  return self->news ? self->history.highest_seq + 1 - self->next : 0;
}

bool
rc_arrivalrecord_pressing (const RcArrivalRecord *self)
{
  return rc_arrivalrecord_pending (self) >= RC_ARRIVALRECORD_NUMBERS / 2;
}

unsigned
rc_arrivalrecord_list (const RcArrivalRecord *self, RcArrival *arrivals, unsigned most,
    uint16_t *missing_before)
{
  unsigned n = 0, pending = rc_arrivalrecord_pending (self);

  *missing_before = 0;
  for (unsigned i = 0; i < pending && n < most; i++) {
    uint32_t ext = self->next + i, slot = ext % RC_ARRIVALRECORD_NUMBERS;

    if (!rc_losshist_seen (&self->history, ext))
      continue;
    if (n == 0)
      *missing_before = (uint16_t) i;
    arrivals[n++] = (RcArrival) {
      .number = (uint16_t) ext, .ecn = self->ecn[slot],
      .arrived_at_remote = self->arrived_at[slot],
    };
  }
  return n;
}

void
rc_arrivalrecord_told (RcArrivalRecord *self, uint16_t number)
{
  self->next = extend (self, number) + 1;
  self->news = self->next != self->history.highest_seq + 1;
}
