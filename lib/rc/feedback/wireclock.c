/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/wireclock.h>

/* 4 years of RFC 8888, 70 years of TWCC. A clock beyond them is false, and would overflow. */
#define MAX_WRAPS 2048

int64_t
rc_wireclock_follow (RcWireClock *self, uint32_t value, unsigned bits)
{
  int64_t wrap = INT64_C (1) << bits, step;

  if (self->begun) {
    step = (value - self->ticks) & (wrap - 1);
    self->ticks += step < wrap / 2 ? step : step - wrap;
  }
  if (!self->begun || self->ticks < wrap || self->ticks >= MAX_WRAPS * wrap)
    self->ticks = wrap + value;
  self->begun = true;
  return self->ticks;
}
