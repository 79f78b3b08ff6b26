/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/loss/lossrate.h>

#include <rc/loss/tcpequation.h>

/* Of loss events, until SRTT is known: usual on the Internet. */
#define UNTOLD_RTT (100 * RC_MSEC)

void
rc_lossrate_init (RcLossRate *self)
{
  *self = (RcLossRate) { .srtt = RC_TIME_NONE, .counted_from = RC_TIME_NONE };
  rc_lossevents_init (&self->events);
}

static RcTime
event_rtt (const RcLossRate *self)
{
  return self->srtt == RC_TIME_NONE ? UNTOLD_RTT : self->srtt;
}

/* The interval before the first loss is the one at which the equation gives the largest X_recv
 * so far [RFC 5348 6.3.1]. In packets a second, so that sizes cancel. A loss within the first
 * round trip leaves only what came in it. */
static double
first_interval_pkts (const RcLossRate *self, RcTime now)
{
  RcTime rtt = event_rtt (self),
      span = now - self->counted_from > rtt ? now - self->counted_from : rtt;
  double pps = self->most_pps > 0 ? self->most_pps : (self->counted_pkts + 1) / rc_time_to_s (span);

  return 1 / rc_tcp_equation_loss (1, rc_time_to_s (rtt), pps);
}

/* Over one round trip after the other: less would take a burst for the rate. */
void
rc_lossrate_on_packet (RcLossRate *self, RcTime now)
{
  RcTime span = now - self->counted_from;

  if (self->counted_from == RC_TIME_NONE) {
    self->counted_from = now;
    return;
  }
  self->counted_pkts++;
  if (self->events.any || (span >= 0 && span < event_rtt (self)))
    return;
  if (span > 0 && self->counted_pkts / rc_time_to_s (span) > self->most_pps)
    self->most_pps = self->counted_pkts / rc_time_to_s (span);
  self->counted_from = now;
  self->counted_pkts = 0;
}

bool
rc_lossrate_on_loss (RcLossRate *self, uint32_t seq, RcTime at, RcTime now)
{
  double first_pkts = self->events.any ? 0 : first_interval_pkts (self, now);

  return rc_lossevents_on_loss (&self->events, seq, event_rtt (self), first_pkts, at);
}

void
rc_lossrate_set_srtt (RcLossRate *self, RcTime srtt, RcTime now)
{
  bool known = self->srtt != RC_TIME_NONE;

  self->srtt = srtt;
  if (!known && self->events.n_closed == 1)
    /* It was made with an RTT out of the air, whose square it goes with. */
    self->events.closed_pkts[0] = first_interval_pkts (self, now);
}

double
rc_lossrate_get (const RcLossRate *self, uint32_t highest_seq)
{
  return rc_lossevents_ratio (&self->events, highest_seq);
}
