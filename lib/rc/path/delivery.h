/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The rate at which packets arrive, at the sender, from the receiver's arrival times: exact
 * however irregular the reports. */
#pragma once

#include <rc/base/types.h>
#include <rc/path/ring.h>

typedef struct
{
  struct
  {
    RcTime arrived_at_remote;
    uint64_t received_bytes;
  } recent[RC_RING];            /* reports */
  RcRing ring;
  RcTime since;                 /* of what the rate comes from */
  double bps;                   /* 0: not known yet */
} RcDelivery;                   /* zeroed: of a new flow */

/* Keeps the last rate, forgets what it came from: another receiver, an outage, a stall. */
void rc_delivery_restart (RcDelivery *self, RcTime now);
/* Each report gives one point: when a packet of it arrived, and how much had come by then in
 * all. bps becomes what came over at least `span`. After a restart half of it is enough, and as
 * the first rate any time. */
void rc_delivery_add (RcDelivery *self, RcTime arrived_at_remote, uint64_t received_bytes,
    RcTime span);
