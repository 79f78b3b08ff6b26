/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/base/ratemeter.h>

#define SLOT_TIME (RC_SECOND / RC_RATEMETER_SLOTS)

static void
advance (RcRateMeter *self, RcTime now)
{
  int64_t slot = now / SLOT_TIME, cleared;

  for (cleared = self->slot + 1; cleared <= slot && cleared <= self->slot + RC_RATEMETER_SLOTS;
      cleared++)
    self->bytes[cleared % RC_RATEMETER_SLOTS] = 0;
  if (slot > self->slot)
    self->slot = slot;
}

void
rc_ratemeter_add (RcRateMeter *self, uint64_t bytes, RcTime now)
{
  advance (self, now);
  self->bytes[self->slot % RC_RATEMETER_SLOTS] += bytes;
}

/* The newest slot is not full yet: the span is nine whole slots and what has passed of the
 * tenth. */
uint64_t
rc_ratemeter_get_bps (RcRateMeter *self, RcTime now)
{
  RcTime span = (RC_RATEMETER_SLOTS - 1) * SLOT_TIME + now % SLOT_TIME;
  uint64_t bytes = 0;
  unsigned i;

  advance (self, now);
  for (i = 0; i < RC_RATEMETER_SLOTS; i++)
    bytes += self->bytes[i];
  return (uint64_t) ((double) bytes * 8e9 / (double) span);
}
