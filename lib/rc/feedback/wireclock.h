/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver's clock of which a format tells only the lower bits, which wrap around: those of RFC
 * 8888 after 18 hours, those of TWCC after 12 days. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of one receiver. All zero: nothing told yet. */
typedef struct
{
  int64_t ticks;                /* as told last, and as often as it wrapped around */
  bool begun;
} RcWireClock;

/* The time with these lower bits that is next to the one told last, in ticks. It is at least one
 * wrap: so what a message says to be earlier is not negative either. */
int64_t rc_wireclock_follow (RcWireClock *self, uint32_t value, unsigned bits);
