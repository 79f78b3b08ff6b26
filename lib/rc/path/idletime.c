/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Idle time
 * =========
 *
 * Problem: a host stands still for 100 ms, and wakes with a burst. What arrived in the last 100 ms
 * is little, the burst looks like congestion, and eq. 2 of ARC takes the little for the bandwidth.
 * Rule: time in which the path had nothing to carry does not count as time in which it delivered.
 *
 *   u_i         = t_i + L_i / r         packet i leaves at t_i with L_i bits, at the rate r
 *               = max (t_i, u_(i-1)) + L_i / r    where frames leave faster than at r (Lindley's
 *                                       recursion); else what follows a stall would count so too
 *   busy until  = u_i + d               the queue before it lasts for d
 *   idle time  += t_(i+1) - busy until  where that is more than LEAST_GAP
 *
 * Inputs: departures. Output: idle time before a departure, which delivery.h takes from the clock.
 * Limits: the d of the last report is older than the packet by a round trip. */
#include <rc/path/idletime.h>

/* Sources of 20 and more frames a second leave no such gap. With 5 to 20 ms the time between frames
 * counts as well, B becomes the rate of the pacer, and ten flows share less evenly (Jain .90
 * instead of .94). */
#define LEAST_GAP (50 * RC_MSEC)

static void
end_gap (RcIdleTime *self, RcTime now)
{
  unsigned place = rc_ring_add (&self->ring);

  self->total += now - self->busy_until;
  self->gaps[place].until = now;
  self->gaps[place].total = self->total;
}

void
rc_idletime_on_sent (RcIdleTime *self, double size_bits, double rate_bps, double queued_s,
    bool ahead, RcTime now)
{
  RcTime from = ahead && self->left_until > now ? self->left_until : now;

  if (now - self->busy_until > LEAST_GAP)
    end_gap (self, now);
  self->left_until = from + rc_time_from_s (size_bits / rate_bps);
  self->busy_until = self->left_until + rc_time_from_s (queued_s);
}

RcTime
rc_idletime_before (const RcIdleTime *self, RcTime sent_at)
{
  for (unsigned i = 0; i < self->ring.n; i++) {
    unsigned place = rc_ring_at (&self->ring, i);

    if (self->gaps[place].until <= sent_at)
      return self->gaps[place].total;
  }
  return self->ring.n < RC_RING ? 0 : self->gaps[rc_ring_at (&self->ring, RC_RING - 1)].total;
}
