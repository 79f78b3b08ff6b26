/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/arrivals.h>

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
