/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much of the allowed rate the source used lately: is the flow network-limited or
 * application-limited? */
#pragma once

#include <rc/base/types.h>

typedef struct
{
  double sent_bits, allowed_bits;       /* leaky sums over RC_PATH_MEAN_S */
  RcTime updated_at;
} RcUse;

void rc_use_init (RcUse *self, RcTime now);
/* allowed_bps: the rate that held until now; sent_bits: what has just left, and what the sender
 * dropped, since the source used the rate all the same; 0 to let time pass. */
void rc_use_update (RcUse *self, double allowed_bps, double sent_bits, RcTime now);
/* At least this share of what was allowed was sent. */
bool rc_use_reaches (const RcUse *self, double share_ratio);
