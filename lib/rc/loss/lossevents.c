/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Loss events
 * ===========
 *
 * In a nutshell: losses within one round trip of the first of them are one loss event, because TCP
 * halves its window once for all of them. A loss interval is the number of packets from the start
 * of one event to the start of the next. The loss event rate p is one over the weighted mean of the
 * loss intervals.
 *
 * Model, in the RFC's symbols (code names in brackets):
 *
 *   [RFC 5348 5.2]   new event: T_loss > T_old + R
 *   [RFC 5348 5.3]   I_k = first lost of event k+1 - first lost of event k         [closed_pkts]
 *                    I_0 = packets since the last event
 *   [RFC 5348 5.4]   w   = 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2
 *   [RFC 5348 5.4]   I_mean = max (sum_0..n-1 I_i w_i / sum w, sum_1..n I_i w_i-1 / sum w)
 *                    p = 1 / I_mean                                                ratio ()
 *
 * Where we differ, and why:
 *   - RcLossHist decides what is lost: a packet after which three later ones came, as 5.1 asks.
 *     A packet that is found again later does not undo its event. */
#include <rc/loss/lossevents.h>

#include <math.h>
#include <string.h>

#define DISCOUNT_LEAST 0.25     /* THRESHOLD [RFC 5348 5.5] */

static const double weights[RC_LOSSEVENTS_INTERVALS] = { 1, 1, 1, 1, 0.8, 0.6, 0.4, 0.2 };

void
rc_lossevents_init (RcLossEvents *self)
{
  memset (self, 0, sizeof *self);
}

static double
open_interval (const RcLossEvents *self, uint32_t highest_seq)
{
  return (double) (uint32_t) (highest_seq - self->first_seq + 1);
}

/* DF: a long time without a loss makes what was before it count less. [RFC 5348 5.5] */
static double
discount (const RcLossEvents *self, double open_pkts)
{
  double total = 0, weight = 0;

  for (unsigned i = 0; i < self->n_closed; i++) {
    total += weights[i] * self->closed_pkts[i];
    weight += weights[i];
  }
  return rc_clampd (2 * total / weight / open_pkts, DISCOUNT_LEAST, 1);
}

static void
close_interval (RcLossEvents *self, double pkts)
{
  double gain = self->n_closed > 0 ? discount (self, pkts) : 1;

  if (self->n_closed < RC_LOSSEVENTS_INTERVALS)
    self->n_closed++;
  for (unsigned i = self->n_closed - 1; i > 0; i--) {
    self->closed_pkts[i] = self->closed_pkts[i - 1];
    self->discount_gain[i] = self->discount_gain[i - 1] * gain;
  }
  self->closed_pkts[0] = pkts;
  self->discount_gain[0] = 1;
}

bool
rc_lossevents_on_loss (RcLossEvents *self, uint32_t seq, RcTime rtt, double first_pkts, RcTime at)
{
  if (self->any && at <= self->began_at + rtt)
    return false;
  close_interval (self,
      self->any ? (double) (seq - self->first_seq) : first_pkts > 1 ? first_pkts : 1);
  self->any = true;
  self->first_seq = seq;
  self->began_at = at;
  return true;
}

double
rc_lossevents_ratio (const RcLossEvents *self, uint32_t highest_seq)
{
  double open, closed = 0, open_weight = weights[0], closed_weight = 0, gain, mean;

  if (!self->any)
    return 0;
  open = weights[0] * open_interval (self, highest_seq);
  gain = discount (self, open_interval (self, highest_seq));
  for (unsigned i = 0; i < self->n_closed; i++) {
    double w = weights[i] * self->discount_gain[i];

    closed += w * self->closed_pkts[i];
    closed_weight += w;
    if (i + 1 < self->n_closed) {
      w = weights[i + 1] * self->discount_gain[i] * gain;
      open += w * self->closed_pkts[i];
      open_weight += w;
    }
  }
  mean = fmax (open / open_weight, closed / closed_weight);
  return mean > 1 ? 1 / mean : 1;
}
