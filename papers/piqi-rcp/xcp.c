/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* XCP
 * ===
 *
 * A router has two controllers, which step once a mean round-trip time d. The first one decides by
 * how much the load is to change, phi, from the spare bandwidth S and the standing queue Q (the
 * least of the interval). The second one divides phi over the packets: what is given is the same
 * increase of rate for all flows, what is taken is in proportion to their rates. A tenth of the
 * traffic is shuffled, h, so that shares level out while phi is 0.
 *
 *   phi   = alpha d S - beta Q,  alpha = 0.4, beta = 0.226
 *   h     = max (0, 0.1 y d - |phi|)
 *   xi_p  = (h + max (phi, 0)) / (d sum (rtt s / cwnd)),   p = xi_p rtt^2 s / cwnd
 *   xi_n  = (h + max (-phi, 0)) / (d sum s),                n = xi_n rtt s
 *   feedback = p - n, of a packet with size s; the sender adds it to cwnd
 *
 * Source: D. Katabi, M. Handley, C. Rohrs, Congestion control for high bandwidth-delay product
 * networks, SIGCOMM 2002, section 3.
 *
 * The sums are those of the interval before. A packet whose sender knows no RTT yet counts as load
 * only and brings no feedback. */
#include "xcp.h"

#include <math.h>

#define ALPHA 0.4
#define BETA 0.226
#define SHUFFLED 0.1
#define FIRST_INTERVAL_S 0.1
#define LEAST_INTERVAL_S 0.01

void
xcp_router_init (XcpRouter *self, uint64_t capacity_bps, RcTime now)
{
  *self = (XcpRouter) { .capacity_bytes_s = (double) capacity_bps / 8,
    .interval_s = FIRST_INTERVAL_S, .standing_bytes = -1, .began_at = now };
}

static void
count_flow (XcpRouter *self, uint32_t bytes, const XcpHeader *header)
{
  self->now.rtt_per_rate += header->rtt_s * header->rtt_s * bytes / header->cwnd_bytes;
}

void
xcp_router_on_arrival (XcpRouter *self, uint32_t bytes, const XcpHeader *header,
    uint64_t queue_bytes)
{
  double queue = (double) queue_bytes;

  self->now.bytes += bytes;
  self->standing_bytes = self->standing_bytes < 0 ? queue : fmin (self->standing_bytes, queue);
  if (!header || header->rtt_s <= 0)
    return;
  self->now.known_bytes += bytes;
  self->now.rtt_bytes += header->rtt_s * bytes;
  self->now.per_rate += header->rtt_s * bytes / header->cwnd_bytes;
  if (self->flows_mean)
    count_flow (self, bytes, header);
}

static double
mean_rtt_s (const XcpRouter *self)
{
  const XcpSums *sums = &self->now;
  double rtt_s;

  if (sums->known_bytes <= 0)
    return self->interval_s;
  rtt_s = self->flows_mean ? sums->rtt_per_rate / sums->per_rate
      : sums->rtt_bytes / sums->known_bytes;
  return fmax (rtt_s, LEAST_INTERVAL_S);
}

void
xcp_router_stamp (const XcpRouter *self, uint32_t bytes, XcpHeader *header)
{
  double up, down;

  if (header->rtt_s <= 0)
    return;
  up = self->xi_up * header->rtt_s * header->rtt_s * bytes / header->cwnd_bytes;
  down = self->xi_down * header->rtt_s * bytes;
  header->feedback_bytes = fmin (header->feedback_bytes, up - down);
}

RcTime
xcp_router_update (XcpRouter *self, RcTime now)
{
  const XcpSums *sums = &self->now;
  double span_s = fmax (rc_time_to_s (now - self->began_at), LEAST_INTERVAL_S);
  double load = sums->bytes / span_s, queue = fmax (self->standing_bytes, 0);
  double d = mean_rtt_s (self);
  double phi = ALPHA * d * (self->capacity_bytes_s - load) - BETA * queue;
  double shuffled = fmax (0, SHUFFLED * load * d - fabs (phi));
  double scale = d * d / span_s;        /* sums are of the interval that ends, d is of the next */

  self->xi_up = sums->per_rate > 0 ? (shuffled + fmax (phi, 0)) / (scale * sums->per_rate) : 0;
  self->xi_down = sums->known_bytes > 0 ? (shuffled + fmax (-phi, 0)) / (scale * sums->known_bytes)
      : 0;
  self->interval_s = d;
  self->now = (XcpSums) { 0 };
  self->standing_bytes = -1;
  self->began_at = now;
  return now + rc_time_from_s (d);
}

double
xcp_source_window (double cwnd_bytes, double feedback_bytes, uint32_t packet_bytes)
{
  return fmax (cwnd_bytes + feedback_bytes, packet_bytes);
}
