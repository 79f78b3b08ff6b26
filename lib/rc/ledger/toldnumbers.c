/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ledger/toldnumbers.h>

/* A message reaches no further back than half of all numbers. */
#define HALF 32768

static uint16_t
distance (uint16_t from, uint16_t to)
{
  return (uint16_t) (to - from);
}

/* Packets of one buffer list have the same departure. */
static bool
is_new (const RcToldNumbers *self, const RcTold *told)
{
  if (told->sent_at == RC_TIME_NONE || told->rtp_bytes == 0)
    return false;
  if (!self->any || told->sent_at > self->last_sent_at)
    return !self->any || told->number != self->last;
  return told->sent_at == self->last_sent_at && distance (self->last, told->number) > 0
      && distance (self->last, told->number) < HALF;
}

static bool
is_known (const RcToldNumbers *self, const RcTold *told)
{
  return self->any && distance (self->first, told->number) <= distance (self->first, self->last);
}

RcToldVerdict
rc_toldnumbers_take (RcToldNumbers *self, const RcTold *told, uint16_t *number)
{
  if (is_new (self, told)) {
    uint16_t ours = self->any ? (uint16_t) (self->last + self->offset + 1) : told->number;
    uint16_t offset = distance (told->number, ours);

    if (!self->any || offset != self->offset)
      self->first = told->number;
    else if (distance (self->first, told->number) >= HALF)
      self->first = (uint16_t) (told->number - HALF);
    self->any = true;
    self->offset = offset;
    self->last = told->number;
    self->last_sent_at = told->sent_at;
    *number = ours;
    return RC_TOLD_NEW;
  }
  if (!is_known (self, told))
    return RC_TOLD_UNKNOWN;
  *number = (uint16_t) (told->number + self->offset);
  return RC_TOLD_KNOWN;
}
