/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* In a nutshell [RFC 5348 5.2]:
 *   T_loss = T_before + (T_after - T_before) (S_loss - S_before) / (S_after - S_before) */
#include <rc/loss/losstimes.h>

void
rc_losstimes_init (RcLossTimes *self)
{
  *self = (RcLossTimes) { 0 };
  for (unsigned i = 0; i < RC_LOSSTIMES_ARRIVALS; i++)
    self->arrivals[i].at = RC_TIME_NONE;
}

void
rc_losstimes_on_arrival (RcLossTimes *self, uint32_t seq, RcTime now)
{
  self->arrivals[seq % RC_LOSSTIMES_ARRIVALS].seq = seq;
  self->arrivals[seq % RC_LOSSTIMES_ARRIVALS].at = now;
}

/* The nearest remembered packet from `seq` on, in steps of +1 or -1. RC_TIME_NONE: forgotten. */
static RcTime
nearest_arrival (const RcLossTimes *self, uint32_t seq, int step, unsigned *distance)
{
  for (*distance = 1; *distance < RC_LOSSTIMES_ARRIVALS; ++*distance) {
    seq += (uint32_t) step;
    if (self->arrivals[seq % RC_LOSSTIMES_ARRIVALS].seq == seq)
      return self->arrivals[seq % RC_LOSSTIMES_ARRIVALS].at;
  }
  return RC_TIME_NONE;
}

RcTime
rc_losstimes_get (const RcLossTimes *self, uint32_t seq, RcTime now)
{
  unsigned back, on;
  RcTime before = nearest_arrival (self, seq, -1, &back),
      after = nearest_arrival (self, seq, 1, &on);

  if (before == RC_TIME_NONE || after == RC_TIME_NONE)
    return now;
  return before + (after - before) * back / (back + on);
}
