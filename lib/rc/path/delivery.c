/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* B is computed from the arrivals at the sender and not taken from the receiver's filter
 * (bwfilter.h, as the paper has it): the law then knows of a step of the capacity after 0.1 s. */

#include <rc/path/delivery.h>

#include <string.h>

/* Of the span. A backlog behind a stall arrives at the speed of the line: 20 ms of it gave 388
 * Mbit/s on a link of 20. While a rate is known, no shorter time replaces it. */
#define LEAST_SHARE 0.5

void
rc_delivery_init (RcDelivery *self)
{
  memset (self, 0, sizeof *self);
}

void
rc_delivery_restart (RcDelivery *self)
{
  self->n_recent = 0;
}

static void
measure (RcDelivery *self, RcTime arrived_at_remote, uint64_t received_bytes, RcTime span)
{
  RcTime least = self->bps > 0 ? (RcTime) (LEAST_SHARE * (double) span) : 1;

  for (unsigned i = 0; i < self->n_recent; i++) {
    unsigned place = (self->newest + RC_DELIVERY_RECENT - i) % RC_DELIVERY_RECENT;
    RcTime apart = arrived_at_remote - self->recent[place].arrived_at_remote;

    if (apart < span && i + 1 < self->n_recent)
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
  measure (self, arrived_at_remote, received_bytes, span);
  self->newest = (self->newest + 1) % RC_DELIVERY_RECENT;
  self->recent[self->newest].arrived_at_remote = arrived_at_remote;
  self->recent[self->newest].received_bytes = received_bytes;
  if (self->n_recent < RC_DELIVERY_RECENT)
    self->n_recent++;
}
