/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A receiver's clock of which a format carries only the lower bits, which wrap around: those of RFC
 * 8888 after 18 hours, those of TWCC after 12 days. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of one receiver. All zero: no time received yet. */
typedef struct
{
  int64_t ticks;                /* the last time received, with its wraparounds */
  bool begun;
} RcWireClock;

/* The time with these lower bits that is closest to the last one received, in ticks. It is at least
 * one wrap, so that earlier times in the same message are not negative either. */
int64_t rc_wireclock_follow (RcWireClock *self, uint32_t value, unsigned bits);
