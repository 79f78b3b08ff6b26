/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* CUBIC's window
 * ==============
 *
 *   W_cubic (t) = C (t - K)^3 + W_max                            [RFC 9438 fig. 1]
 *   K           = cbrt (W_max (1 - beta) / C)                    [RFC 9438 fig. 2]
 *   C          := min (C, W_max (1 - beta) / K_least^3)          so that K >= K_least
 *   W_est       = beta W_max + alpha t / RTT                     [RFC 9438 4.3]
 *   alpha       = 3 (1 - beta) / (1 + beta)                      [RFC 9438 fig. 4]
 *   W           = max (W_cubic, W_est)
 *   a loss with W < W_max of before: W_max := W (1 + beta) / 2                    [RFC 9438 4.7]
 *
 * C is lowered at each loss.
 *
 * Units: packets and seconds. What is left out: slow start and timeouts, which the law has its
 * own of. */
#include <rc/law/cubic.h>

#include <math.h>

/* Beside Reno a small window would be back at W_max sooner than Reno is, so that the rate varied
 * more than Reno's does [ARC fig. 5]. */
#define K_LEAST_S 2.25

static void
begin_epoch (RcCubic *self, double window_pkts, RcTime now)
{
  double dip_pkts = (1 - RC_CUBIC_BETA) * fmax (self->w_max_pkts, 1);

  self->c = fmin (RC_CUBIC_C, dip_pkts / (K_LEAST_S * K_LEAST_S * K_LEAST_S));
  self->k_s = cbrt (fmax (0, self->w_max_pkts - window_pkts) / self->c);
  self->w_est_pkts = window_pkts;
  self->epoch_at = self->updated_at = now;
  self->grows = true;
}

void
rc_cubic_on_congestion (RcCubic *self, double flight_pkts, RcTime now)
{
  bool shrinks = self->grows && flight_pkts < self->w_max_pkts;

  self->w_max_pkts = shrinks ? flight_pkts * (1 + RC_CUBIC_BETA) / 2 : flight_pkts;
  begin_epoch (self, flight_pkts * RC_CUBIC_BETA, now);
}

void
rc_cubic_start_slowly (RcCubic *self)
{
  self->grows = false;
}

void
rc_cubic_resume (RcCubic *self, double window_pkts, RcTime now)
{
  begin_epoch (self, window_pkts, now);
}

double
rc_cubic_window (RcCubic *self, double srtt_s, RcTime now)
{
  double t = rc_time_to_s (now - self->epoch_at) + srtt_s;
  double alpha = self->w_est_pkts < self->w_max_pkts
      ? 3 * (1 - RC_CUBIC_BETA) / (1 + RC_CUBIC_BETA) : 1;
  double cubic = self->c * pow (t - self->k_s, 3) + self->w_max_pkts;

  self->w_est_pkts += alpha * rc_time_to_s (now - self->updated_at) / srtt_s;
  self->updated_at = now;
  return fmax (cubic, self->w_est_pkts);
}
