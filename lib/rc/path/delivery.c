/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* B is computed from the arrivals at the sender and not taken from the receiver's filter
 * (bwfilter.h, as the paper has it): the law then knows of a step of the capacity after 0.1 s. */

#include <rc/path/delivery.h>

/* Of the span. A backlog behind a stall arrives at the speed of the line: 20 ms of it gave 388
 * Mbit/s on a link of 20. While a rate is known, no shorter time replaces it. */
#define LEAST_SHARE 0.5

void
rc_delivery_restart (RcDelivery *self, RcTime now)
{
  self->ring.n = 0;
  self->since = now;
}

static void
measure (RcDelivery *self, RcTime arrived_at_remote, uint64_t received_bytes, RcTime span)
{
  RcTime least = self->bps > 0 ? (RcTime) (LEAST_SHARE * (double) span) : 1;

  for (unsigned i = 0; i < self->ring.n; i++) {
    unsigned place = rc_ring_at (&self->ring, i);
    RcTime apart = arrived_at_remote - self->recent[place].arrived_at_remote;

    if (apart < span && i + 1 < self->ring.n)
      continue;
    if (apart >= least && received_bytes >= self->recent[place].received_bytes)
      self->bps = (double) (received_bytes - self->recent[place].received_bytes) * 8
          / rc_time_to_s (apart);
    break;
  }
}

void
rc_delivery_add (RcDelivery *self, RcTime arrived_at_remote, uint64_t received_bytes, RcTime span)
{
  unsigned place;

  measure (self, arrived_at_remote, received_bytes, span);
  place = rc_ring_add (&self->ring);
  self->recent[place].arrived_at_remote = arrived_at_remote;
  self->recent[place].received_bytes = received_bytes;
}
