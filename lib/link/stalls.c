/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "stalls.h"

#include "random.h"

static void
next_after (LinkStalls *self, RcTime at)
{
  double gap = (double) (self->mean - self->length) * link_random_exponential (&self->random);

  self->begin_at = at + (RcTime) gap;
  self->end_at = self->begin_at + self->length;
}

void
link_stalls_init (LinkStalls *self, RcTime mean, RcTime length, uint64_t random, RcTime now)
{
  *self = (LinkStalls) { mean, length, random, INT64_MAX, INT64_MAX };
  if (length > 0)
    next_after (self, now);
}

void
link_stalls_forget (LinkStalls *self, RcTime until)
{
  while (self->end_at <= until)
    next_after (self, self->end_at);
}

RcTime
link_stalls_ready_at (const LinkStalls *self, RcTime at)
{
  LinkStalls ahead = *self;

  link_stalls_forget (&ahead, at);
  return at < ahead.begin_at ? at : ahead.end_at;
}

RcTime
link_stalls_finish_at (const LinkStalls *self, RcTime from, RcTime work)
{
  LinkStalls ahead = *self;
  RcTime at = from;

  for (;;) {
    link_stalls_forget (&ahead, at);
    if (at < ahead.begin_at) {
      if (work <= ahead.begin_at - at)
        return at + work;
      work -= ahead.begin_at - at;
    }
    at = ahead.end_at;
  }
}

RcTime
link_stalls_served (const LinkStalls *self, RcTime from, RcTime to)
{
  LinkStalls ahead = *self;
  RcTime served = 0, at = from;

  while (at < to) {
    RcTime until;

    link_stalls_forget (&ahead, at);
    until = ahead.begin_at < to ? ahead.begin_at : to;
    if (until > at)
      served += until - at;
    at = ahead.end_at;
  }
  return served;
}
