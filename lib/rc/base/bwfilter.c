/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Used-bandwidth filter; the equations are in bwfilter.h [ARC 3.1.3].
 *
 * In a nutshell: bytes and the time they took in (D bytes, T seconds), a sample B and its
 * low-passed value F out, both in bit/s. The low-pass 1/(1 + s tau) is made discrete by the
 * bilinear rule s = 2/T (1 - z^-1)/(1 + z^-1), with the T of each sample, since samples come with
 * reports and reports are not equidistant.
 *
 * Where we differ from the paper and why: tau is ours (the paper names none); no ringing after a
 * gap; the first sample sets the state, so that a flow does not begin with a B far below what it
 * uses. */
#include <rc/base/bwfilter.h>

#include <assert.h>

void
rc_bwfilter_init (RcBwFilter *self, RcTime tau)
{
  assert (tau >= 0);
  *self = (RcBwFilter) { .tau = tau };
}

void
rc_bwfilter_sample (RcBwFilter *self, uint64_t bytes, RcTime interval)
{
  double t = (double) interval, two_tau = 2.0 * (double) self->tau;
  double raw_bps = (double) bytes * 8e9 / t;    /* B(k) = D(k) / T(k) [ARC 3.1.3] */

  assert (interval > 0);
  if (!self->primed || two_tau < t)
    self->filtered_bps = raw_bps;
  else                          /* bilinear low-pass [ARC 3.1.3] */
    self->filtered_bps = ((two_tau - t) * self->filtered_bps + t * (raw_bps + self->raw_bps))
        / (two_tau + t);
  self->raw_bps = raw_bps;
  self->primed = true;
}

void
rc_bwfilter_restart (RcBwFilter *self, uint64_t received_bytes, RcTime now)
{
  self->sampled_at = now;
  self->sampled_bytes = received_bytes;
  self->primed = false;
}

void
rc_bwfilter_follow (RcBwFilter *self, uint64_t received_bytes, RcTime now)
{
  if (now < self->sampled_at)   /* one message had times of a false clock */
    rc_bwfilter_restart (self, received_bytes, now);
  if (now - self->sampled_at < RC_BWFILTER_MIN_SAMPLE)
    return;
  rc_bwfilter_sample (self, received_bytes - self->sampled_bytes, now - self->sampled_at);
  self->sampled_at = now;
  self->sampled_bytes = received_bytes;
}
