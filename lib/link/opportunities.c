/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "opportunities.h"

static RcTime
time_of (const LinkOpportunities *self, uint64_t number)
{
  return (RcTime) (number / self->n) * self->at[self->n - 1] + self->at[number % self->n];
}

uint64_t
link_opportunities_count (const LinkOpportunities *self, RcTime until)
{
  RcTime period = self->at[self->n - 1], rest = until % period;
  uint64_t rounds = (uint64_t) (until / period);
  uint32_t low = 0, high = self->n;

  if (rounds > 0 && rest == 0) {        /* the last time of a round is 0 of the next */
    rounds--;
    rest = period;
  }
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;

    if (self->at[middle] <= rest)
      low = middle + 1;
    else
      high = middle;
  }
  return rounds * self->n + low;
}

void
link_opportunities_skip (LinkOpportunities *self, RcTime now)
{
  uint64_t next = link_opportunities_count (self, now);

  /* Of a list that begins at 0, the next round may have begun. */
  while (time_of (self, next) <= now)
    next++;
  self->next = next;
  self->left_bytes = 0;
}

void
link_opportunities_init (LinkOpportunities *self, const RcTime *at, uint32_t n, RcTime now)
{
  *self = (LinkOpportunities) { .at = at, .n = n };
  if (n > 0)
    link_opportunities_skip (self, now);
}

RcTime
link_opportunities_begin_at (const LinkOpportunities *self, RcTime at, uint64_t bytes)
{
  if (bytes < self->left_bytes)
    return at;
  return time_of (self, self->next + (bytes - self->left_bytes) / LINK_OPPORTUNITY_BYTES);
}

RcTime
link_opportunities_finish_at (const LinkOpportunities *self, RcTime at, uint64_t bytes)
{
  return link_opportunities_begin_at (self, at, bytes - 1);
}

void
link_opportunities_serve (LinkOpportunities *self, uint64_t bytes)
{
  uint64_t more;

  if (bytes <= self->left_bytes) {
    self->left_bytes -= (uint32_t) bytes;
    return;
  }
  bytes -= self->left_bytes;
  more = (bytes + LINK_OPPORTUNITY_BYTES - 1) / LINK_OPPORTUNITY_BYTES;
  self->next += more;
  self->left_bytes = (uint32_t) (more * LINK_OPPORTUNITY_BYTES - bytes);
}
