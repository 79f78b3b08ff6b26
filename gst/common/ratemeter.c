/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "common/ratemeter.h"

#define SLOT_TIME (RC_SECOND / RATE_METER_SLOTS)

static void
advance (RateMeter * self, RcTime now)
{
  int64_t slot = now / SLOT_TIME, cleared;

  for (cleared = self->slot + 1; cleared <= slot && cleared <= self->slot + RATE_METER_SLOTS; cleared++)
    self->bytes[cleared % RATE_METER_SLOTS] = 0;
  if (slot > self->slot)
    self->slot = slot;
}

void
rate_meter_add (RateMeter * self, uint64_t bytes, RcTime now)
{
  advance (self, now);
  self->bytes[self->slot % RATE_METER_SLOTS] += bytes;
}

/* The newest slot is not full yet: the span is nine whole slots and what has passed of the tenth. */
uint64_t
rate_meter_get_bps (RateMeter * self, RcTime now)
{
  RcTime span = (RATE_METER_SLOTS - 1) * SLOT_TIME + now % SLOT_TIME;
  uint64_t bytes = 0;
  unsigned i;

  advance (self, now);
  for (i = 0; i < RATE_METER_SLOTS; i++)
    bytes += self->bytes[i];
  return (uint64_t) ((double) bytes * 8e9 / (double) span);
}
