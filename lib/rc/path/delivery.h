/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rate at which packets arrive, at the sender, from the receiver's arrival times: exact however irregular the reports. */
#pragma once

#include <rc/base/types.h>

#define RC_DELIVERY_RECENT 32   /* reports remembered */

typedef struct
{
  struct
  {
    RcTime arrived_at_remote;
    uint64_t received_bytes;
  } recent[RC_DELIVERY_RECENT];
  unsigned n_recent, newest;
  uint64_t received_bytes;
  double bps;                   /* 0: not known yet */
} RcDelivery;

void rc_delivery_init (RcDelivery *self);
/* Keeps the last rate, forgets what it came from: another receiver, or an outage. */
void rc_delivery_restart (RcDelivery *self);
/* Updates bps to what came over at least `span` (less while younger), as far as the report tells. */
void rc_delivery_add (RcDelivery *self, const RcFeedback *feedback, RcTime span);
