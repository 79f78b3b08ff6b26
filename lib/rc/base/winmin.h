/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Minimum over a sliding time window, in constant memory: the window is cut into slots, the
 * oldest slot leaves as a whole. So a minimum lives between (SLOTS - 1) / SLOTS of the window
 * and the whole of it. Window 0: for ever. */
#pragma once

#include <rc/base/types.h>

#define RC_WINMIN_SLOTS 8

typedef struct
{
  RcTime window, slot_at;
  int64_t slot[RC_WINMIN_SLOTS];
  unsigned used;                /* slots filled; slot[0] is the newest */
} RcWinMin;

void rc_winmin_init (RcWinMin *self, RcTime window);
void rc_winmin_add (RcWinMin *self, int64_t value, RcTime now);
/* false while nothing was added. */
bool rc_winmin_get (const RcWinMin *self, int64_t *value);
