/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* How much does the capacity vary?
 * ================================
 *
 * In a nutshell: the capacity C is seen now and then, whenever a queue shows it. Between two times
 * that are T apart a random walk changes the logarithm of C by sigma sqrt (T).
 *
 *   V := V + (1 - exp (-T / tau)) (ln^2 (C / C_before) / T - V),  sigma = sqrt (V)
 *
 *   V    [variance]      of ln C in a second     tau     [TAU_S] memory
 *   T    [span_s]        between C_before and C
 *
 * Rejected, as ways to use a capacity that varies: growth by the root of the time since the cut,
 * as the model has it (less use at the same delay); a faster drain (stalls cost more); doubling
 * g sooner, or a cut that keeps its root (flows on a wire share worse); fast growth below the
 * highest B of 10 s (three times the delay); a frame at twice the rate as a probe (a flow of a
 * tenth of the link stretches its own train by 1.6 ms, which noise hides).
 *
 * Price: flows behind one uplink that varies are less equal, since each grows by a share of
 * itself (docs/results/uplink.md). A relay that learns the capacity makes them equal again. */
#include <rc/path/volatility.h>

#include <math.h>

/* Of several changes: a single step of a wire is forgotten after some cuts. */
#define TAU_S 10.0

void
rc_volatility_add (RcVolatility *self, double bps, RcTime now)
{
  self->before_bps = self->bps;
  self->span_s = rc_time_to_s (now - self->at);
  self->variance_before = self->variance;
  self->at = now;
  rc_volatility_correct (self, bps);
}

void
rc_volatility_correct (RcVolatility *self, double bps)
{
  double change;

  self->bps = bps;
  if (self->before_bps <= 0 || bps <= 0 || self->span_s <= 0)
    return;
  change = log (bps / self->before_bps);
  self->variance = self->variance_before + (1 - exp (-self->span_s / TAU_S))
      * (change * change / self->span_s - self->variance_before);
}

double
rc_volatility_sigma (const RcVolatility *self)
{
  return sqrt (self->variance);
}
