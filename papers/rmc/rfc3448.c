/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The send loop of RFC 3448
 * =========================
 *
 * In a nutshell: after a packet sleep p / r, then send the next; a packet may go a little early to
 * make up for timers that come late. Nothing measures what really went, so what a sleep takes too
 * long is lost for ever.
 *
 * Model, in the paper's symbols (code names in brackets):
 *
 *   t_ipi = p / r                                      [RMC eq. 1]
 *   delta = min (t_ipi / 2, t_g / 2)                   [RMC eq. 2]
 *   t_k+1 = t_k + t_ipi            [next_at]           [RMC alg. 1]
 *                                                      send if now > t_k+1 - delta, else sleep
 *   bursts, if t_ipi < t_g: r t_g bytes each t_g
 *
 * Inputs: wanted rate, sizes, times. Output: when the next packet may go.
 * Source: RFC 3448 4.6; L. De Cicco, S. Mascolo, ICNP 2009. See docs/papers.md.
 *
 * What the paper leaves open:
 *   - t_k is the time when packet k went: only so does the paper's re = p / (t + tw) hold. The RFC
 *     counts from when it should have gone, which makes up for late timers (and knows no bound for
 *     it): `nominal`.
 *   - With bursts the paper sets t_ipi to min (p / r, t_g), which changes nothing when t_ipi < t_g
 *     and sends r t_g bytes each p / r: far too much unless the timer itself takes t_g. BURSTS
 *     takes it for max.
 *   - A burst is whole packets, rounded down: 41 of 1500 bytes each ms are 492 Mbit/s, which is the
 *     paper's mean for a wanted rate of 500 (Fig. 10b); 8 each ms are the 4 % that it misses at
 *     worst (Fig. 7b, 100 Mbit/s).
 *
 * Limits: no credit, no bound of what `nominal` repays after a stall. Not for use in an element.
 */
#include "rfc3448.h"

#include <assert.h>

/* [RMC eq. 1] */
static RcTime
packet_interval (const RcRfc3448 *self, uint32_t size_bytes)
{
  return rc_time_of_bytes (size_bytes, self->rate_bps);
}

static bool
makes_bursts (const RcRfc3448 *self, uint32_t size_bytes)
{
  return self->params.bursts != RC_RFC3448_NO_BURSTS
      && packet_interval (self, size_bytes) < self->params.granularity;
}

/* t_ipi after what the bursts make of it. */
static RcTime
send_interval (const RcRfc3448 *self, uint32_t size_bytes)
{
  if (self->params.bursts == RC_RFC3448_BURSTS && makes_bursts (self, size_bytes))
    return self->params.granularity;
  return packet_interval (self, size_bytes);
}

static uint32_t
burst_pkts (const RcRfc3448 *self, uint32_t size_bytes)
{
  double burst_bytes = (double) self->rate_bps * rc_time_to_s (self->params.granularity) / 8;

  return makes_bursts (self, size_bytes)
      && burst_bytes > size_bytes ? (uint32_t) (burst_bytes / size_bytes) : 1;
}

void
rc_rfc3448_init (RcRfc3448 *self, const RcRfc3448Params *params, uint64_t rate_bps, RcTime now)
{
  assert (params->granularity > 0);
  self->params = *params;
  self->rate_bps = rate_bps;
  self->next_at = now;
  self->burst_pkts = 0;
}

void
rc_rfc3448_set_rate (RcRfc3448 *self, uint64_t rate_bps)
{
  self->rate_bps = rate_bps;
}

RcTime
rc_rfc3448_due_at (const RcRfc3448 *self, uint32_t size_bytes, RcTime now)
{
  RcTime interval, delta;

  if (self->rate_bps == 0)
    return RC_TIME_NONE;
  if (self->burst_pkts > 0)
    return now;
  interval = send_interval (self, size_bytes);
  /* [RMC eq. 2] */
  delta = (interval < self->params.granularity ? interval : self->params.granularity) / 2;
  return now > self->next_at - delta ? now : self->next_at;
}

void
rc_rfc3448_on_sent (RcRfc3448 *self, uint32_t size_bytes, RcTime now)
{
  if (self->burst_pkts == 0) {
    self->burst_pkts = burst_pkts (self, size_bytes);
    self->next_at = (self->params.nominal ? self->next_at : now) + send_interval (self, size_bytes);
  }
  self->burst_pkts--;
}
