/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Bits per second over the last second, in tenths. */
#pragma once

#include <rc/base/types.h>

#define RC_RATEMETER_SLOTS 10

typedef struct
{
  uint64_t bytes[RC_RATEMETER_SLOTS];
  int64_t slot;                 /* number of the newest slot since the clock's origin */
} RcRateMeter;

void rc_ratemeter_add (RcRateMeter *self, uint64_t bytes, RcTime now);
uint64_t rc_ratemeter_get_bps (RcRateMeter *self, RcTime now);
