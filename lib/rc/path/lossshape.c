/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How packets get lost.
 *
 *   p = lost / packets, over the last MEMORY_PKTS
 *   D = variance of the losses of a report / N p (1 - p)
 *   b = (D + 1) / 2
 *
 * In the channel of Gilbert (two states; all is lost in the bad one) losses come in runs of b
 * packets in the mean. The numbers lost of N successive packets vary the more, the longer the runs:
 * for N >> b, D = (1 + c) / (1 - c), where c is the correlation of neighbours, 1 - 1/b for small p.
 *
 * Why not the runs themselves: reports have counts and not numbers, and a packet that comes late is
 * no part of a run.
 *
 * Inputs: packets received and lost since the report before. Outputs: p and b.
 * Source: E. N. Gilbert, Capacity of a burst-noise channel, 1960. The estimate of b is ours.
 * Limits: where a report covers few packets, b comes out too small (3.5 instead of 5 with 14
 * packets a report). */
#include <rc/path/lossshape.h>

#include <math.h>

#define MEMORY_PKTS 1000.0      /* 7 s of 1.5 Mbit/s: some tens of losses at 5 % */
#define LEAST_PKTS 100.0        /* one loss among fewer says little about the share */
#define LEAST_LOST_PKTS 5.0     /* fewer say nothing about runs */
#define MOST_BURST_PKTS 20.0

void
rc_lossshape_init (RcLossShape *self)
{
  *self = (RcLossShape) { 0 };
}

double
rc_lossshape_ratio (const RcLossShape *self)
{
  return self->lost_pkts / fmax (self->pkts, LEAST_PKTS);
}

void
rc_lossshape_on_report (RcLossShape *self, uint32_t received_pkts, uint32_t lost_pkts)
{
  double pkts = (double) received_pkts + lost_pkts, keep = exp (-pkts / MEMORY_PKTS);
  double ratio, beyond;

  self->pkts = self->pkts * keep + pkts;
  self->lost_pkts = self->lost_pkts * keep + lost_pkts;
  ratio = rc_lossshape_ratio (self);
  beyond = lost_pkts - ratio * pkts;
  self->square = self->square * keep + beyond * beyond;
  self->square_of_single = self->square_of_single * keep + pkts * ratio * (1 - ratio);
}

double
rc_lossshape_burst_pkts (const RcLossShape *self)
{
  if (self->lost_pkts < LEAST_LOST_PKTS || self->square_of_single <= 0)
    return 1;
  return rc_clampd ((self->square / self->square_of_single + 1) / 2, 1, MOST_BURST_PKTS);
}
