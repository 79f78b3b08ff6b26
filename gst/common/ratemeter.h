/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bits per second over the last second, in tenths. */
#pragma once

#include <rc/types.h>

#define RATE_METER_SLOTS 10

typedef struct
{
  uint64_t bytes[RATE_METER_SLOTS];
  int64_t slot;                 /* number of the newest slot since the clock's origin */
} RateMeter;

void rate_meter_add (RateMeter * self, uint64_t bytes, RcTime now);
uint64_t rate_meter_get_bps (RateMeter * self, RcTime now);
