/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/path/delivery.h>

#include <string.h>

#define MIN_APART RC_MSEC       /* closer arrivals measure the line, not the path */

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
measure (RcDelivery *self, RcTime arrived_at_remote, RcTime span)
{
  for (unsigned i = 0; i < self->n_recent; i++) {
    unsigned place = (self->newest + RC_DELIVERY_RECENT - i) % RC_DELIVERY_RECENT;
    RcTime apart = arrived_at_remote - self->recent[place].arrived_at_remote;

    if (apart < span && i + 1 < self->n_recent)
      continue;
    if (apart >= MIN_APART)
      self->bps = (double) (self->received_bytes - self->recent[place].received_bytes) * 8 / rc_time_to_s (apart);
    break;
  }
}

void
rc_delivery_add (RcDelivery *self, const RcFeedback *feedback, RcTime span)
{
  RcTime arrived_at_remote;

  self->received_bytes += feedback->received_bytes;
  if (feedback->rtt == RC_TIME_NONE || feedback->sent_at == RC_TIME_NONE || feedback->received_pkts == 0)
    return;
  arrived_at_remote = feedback->owd_remote + feedback->sent_at;
  measure (self, arrived_at_remote, span);
  self->newest = (self->newest + 1) % RC_DELIVERY_RECENT;
  self->recent[self->newest].arrived_at_remote = arrived_at_remote;
  self->recent[self->newest].received_bytes = self->received_bytes;
  if (self->n_recent < RC_DELIVERY_RECENT)
    self->n_recent++;
}
