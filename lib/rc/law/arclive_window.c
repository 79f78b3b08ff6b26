/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "arclive_window.h"

#include <math.h>

#define RANDOM_LOSS_MOST 0.3    /* of a loss ratio, this much is made up for when B is measured behind a lossy hop */
#define UNUSED_CUT_GAIN 0.85    /* step down of a rate that the source does not use */

double
rc_arclive_window_time_s (const RcArcLive *self)
{
  return rc_path_base_rtt_s (&self->path) + 1 / self->params.k;
}

/* [ARC eq. 2] */
double
rc_arclive_window_for (const RcArcLive *self, double bps)
{
  return bps * rc_arclive_window_time_s (self);
}

void
rc_arclive_set_window (RcArcLive *self, double w_bits)
{
  double low = rc_arclive_window_for (self, (double) self->limits.min_bps);
  double high = rc_arclive_window_for (self, (double) self->limits.max_bps) + self->q_bits;

  self->w_bits = rc_clampd (w_bits, low, high);
}

/* [ARC eq. 1], with the integral as r mRTT and solved for r. */
void
rc_arclive_decide_rate (RcArcLive *self)
{
  double r = (self->w_bits - self->q_bits) / rc_arclive_window_time_s (self);

  self->rate_bps = rc_clampd (r, (double) self->limits.min_bps, (double) self->limits.max_bps);
}

double
rc_arclive_threshold_s (const RcArcLive *self)
{
  double b = fmax (rc_path_bandwidth_bps (&self->path), 1e3);
  double at_1m = self->params.qthresh * self->params.packet * 8 / 1e6;

  return rc_clampd (at_1m * pow (1e6 / b, self->params.qthresh_scale), fmax (self->params.tq_min, self->tolerated_s),
      self->params.tq_max);
}

bool
rc_arclive_network_limited (const RcArcLive *self)
{
  return rc_use_reaches (&self->use, self->starting ? self->params.used_start : self->params.used);
}

/* B for a reduction. Where the queue is not deep, B may be less than the path gives for two reasons that are not
 * congestion: packets lost on the radio, and a source that does not use its rate. Then step down, do not fall to it. */
static double
bandwidth_at_cut (const RcArcLive *self)
{
  double b = rc_path_bandwidth_bps (&self->path), lost = fmin (self->path.loss_ratio, RANDOM_LOSS_MOST);

  if (rc_time_to_s (self->path.tq) > 2 * rc_arclive_threshold_s (self))
    return b;
  if (self->params.delivery > 0)
    b /= 1 - lost;
  if (self->params.used > 0 && !rc_arclive_network_limited (self) && b < self->rate_bps * UNUSED_CUT_GAIN)
    b = self->rate_bps * UNUSED_CUT_GAIN;
  return b;
}

void
rc_arclive_cut (RcArcLive *self, double gain, RcTime now)
{
  double b = bandwidth_at_cut (self);
  bool was_recovering = self->known_bps > 0;

  rc_arclive_set_window (self, gain * rc_arclive_window_for (self, b));
  if (was_recovering)
    self->usual_bps = b;
  self->known_bps = self->params.recover > 0 ? fmax (b, self->usual_bps) : b;
  self->cut_at = now;
  self->growth_gain = 1;
  self->starting = false;
}
