/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/base/bwfilter.h>

#include "claim.h"

#define T (20 * RC_MSEC)

static RcBwFilter f;

BEFORE_EACH
{
  rc_bwfilter_init (&f, 200 * RC_MSEC);
}

static void
assert_near (double a, double b, double tolerance)
{
  fail_unless (fabs (a - b) <= tolerance, "%.9g is not near %.9g", a, b);
}

/* [ARC 3.1.3] B(k) = D(k) / T(k) */
CLAIM (test_raw_sample_is_bytes_over_time)
{
  rc_bwfilter_sample (&f, 2500, T);
  assert_near (f.raw_bps, 1e6, 1e-3);
}

CLAIM (test_first_sample_sets_the_state)
{
  rc_bwfilter_sample (&f, 2500, T);
  assert_near (f.filtered_bps, 1e6, 1e-3);
}

/* [ARC 3.1.3] bilinear low-pass: one step by hand, tau 200 ms, T 20 ms, B from 1 to 2 Mbit/s:
 * (380 * 1 + 20 * (2 + 1)) / 420 */
CLAIM (test_step_follows_the_bilinear_equation)
{
  rc_bwfilter_sample (&f, 2500, T);
  rc_bwfilter_sample (&f, 5000, T);
  assert_near (f.filtered_bps, 440e6 / 420, 1e-3);
}

/* The continuous filter reaches 1 - 1/e after tau; the bilinear one also takes half of the
 * sample before. */
CLAIM (test_step_reaches_63_percent_after_tau)
{
  int i;

  rc_bwfilter_sample (&f, 0, T);
  for (i = 0; i < 10; i++)
    rc_bwfilter_sample (&f, 2500, T);
  assert_near (f.filtered_bps, 1e6 * (1 - exp (-1)), 25e3);
}

CLAIM (test_constant_rate_passes_whatever_the_intervals)
{
  int i;

  for (i = 1; i < 1000; i++)
    rc_bwfilter_sample (&f, (guint64) i * 125, i * RC_MSEC);
  assert_near (f.filtered_bps, 1e6, 1e-3);
}

CLAIM (test_gap_longer_than_two_tau_does_not_ring)
{
  rc_bwfilter_sample (&f, 250000, T);
  rc_bwfilter_sample (&f, 0, 2 * RC_BWFILTER_TAU + 1);
  assert_near (f.filtered_bps, 0, 0);
  rc_bwfilter_sample (&f, 250000, T);
  rc_bwfilter_sample (&f, 0, 2 * RC_BWFILTER_TAU);
  fail_unless (f.filtered_bps > 0);
}

CLAIM (test_extreme_samples_stay_finite_and_positive)
{
  int i;

  for (i = 0; i < 100; i++) {
    rc_bwfilter_sample (&f, i % 2 ? G_MAXUINT64 : 0, i % 3 ? 1 : G_MAXINT64);
    fail_unless (isfinite (f.filtered_bps) && f.filtered_bps >= 0);
  }
}

/* One report whose times are an hour ahead must not stop the bandwidth for an hour. */
CLAIM (test_clock_that_is_set_back_does_not_stop_the_samples)
{
  rc_bwfilter_restart (&f, 0, 3600 * RC_SECOND);
  rc_bwfilter_follow (&f, 2500, RC_SECOND);
  rc_bwfilter_follow (&f, 5000, RC_SECOND + 20 * RC_MSEC);
  assert_near (f.filtered_bps, 1e6, 1e-3);
}
