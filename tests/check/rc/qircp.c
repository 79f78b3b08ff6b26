/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/router/rates.h>

#include "claim.h"

#define MAX_DELAY 128
#define GAMMA 0.95
#define CAPACITY 100e6

/* [PIQI eq. 3] */
CLAIM (test_error_is_what_is_missing_to_gamma_of_the_capacity)
{
  fail_unless (rc_qircp_error (0, GAMMA, CAPACITY) == 1);
  fail_unless (fabs (rc_qircp_error (95e6, GAMMA, CAPACITY)) < 1e-12);
  fail_unless (fabs (rc_qircp_error (190e6, GAMMA, CAPACITY) + 1) < 1e-12);
}

/* [PIQI eq. 4] */
CLAIM (test_rate_follows_the_error)
{
  fail_unless (fabs (rc_qircp_rate (10e6, 0.1, 0.5) - 10.5e6) < 1e-3);
  fail_unless (fabs (rc_qircp_rate (10e6, 0.1, -0.5) - 9.5e6) < 1e-3);
}

/* [PIQI eq. 6]: values of the formula, and 2 for D^ = 1, as the paper says */
CLAIM (test_bound_has_the_values_of_the_paper)
{
  static const struct { double delay, kappa; } rows[] = {
    {1, 2}, {2, 1}, {5, 0.34730}, {12, 0.13648}, {30, 0.05324}, {71, 0.02228},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    fail_unless (fabs (rc_qircp_bound (rows[i].delay) - rows[i].kappa) < 1e-5,
        "D^ = %g", rows[i].delay);
}

/* The loop [PIQI eq. 5] after a small disturbance: the largest deviation late over that early. */
static double
growth (const guint * delays, guint n_flows, double kappa, guint steps)
{
  double history[MAX_DELAY], rest = GAMMA * CAPACITY / n_flows, r = rest * 1.0001, early = 0,
      late = 0;

  for (guint i = 0; i < MAX_DELAY; i++)
    history[i] = rest;
  for (guint n = 0; n < steps; n++) {
    double y = 0, deviation;

    for (guint i = 0; i < n_flows; i++)
      y += history[(n + MAX_DELAY - delays[i]) % MAX_DELAY];
    r = rc_qircp_rate (r, kappa, rc_qircp_error (y, GAMMA, CAPACITY));
    history[n % MAX_DELAY] = r;
    deviation = fabs (r / rest - 1);
    if (n >= steps / 10 && n < steps / 5)
      early = MAX (early, deviation);
    if (n >= steps * 9 / 10)
      late = MAX (late, deviation);
  }
  return late / early;
}

/* [PIQI theorem 1] */
CLAIM (test_bound_is_the_limit_for_equal_delays)
{
  static const guint delays[] = { 2, 4, 5, 12, 30, 71 };

  for (guint i = 0; i < G_N_ELEMENTS (delays); i++) {
    guint two[2] = { delays[i], delays[i] };
    double bound = rc_qircp_bound (delays[i]);

    fail_unless (growth (two, 2, 0.99 * bound, 400 * delays[i]) < 0.5, "D^ = %u", delays[i]);
    fail_unless (growth (two, 2, 1.01 * bound, 400 * delays[i]) > 2, "D^ = %u", delays[i]);
  }
}

/* [PIQI theorem 1]: sufficient, no more */
CLAIM (test_bound_is_safe_for_different_delays)
{
  static const guint delays[] = { 12, 30 };
  double bound = rc_qircp_bound (30);

  fail_unless (growth (delays, 2, 0.99 * bound, 1000) < 0.5);
  fail_unless (growth (delays, 2, 1.6 * bound, 1000) < 0.5);
  fail_unless (growth (delays, 2, 2 * bound, 1000) > 2);
}
