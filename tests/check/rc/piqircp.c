/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <complex.h>
#include <math.h>
#include <rc/law/rcp_source.h>
#include <rc/router/rates.h>

#include "claim.h"

#define MAX_DELAY 128
#define GAMMA 0.95
#define CAPACITY 100e6

/* [PIQI eq. 18] */
CLAIM (test_rate_follows_this_error_and_the_one_before)
{
  fail_unless (fabs (rc_piqircp_rate (10e6, 0.1, 0.2, 0.5, -0.5) - 10e6 * (1 + 0.05 - 0.1)) < 1e-3);
  fail_unless (rc_piqircp_rate (10e6, 0.1, 0, 0.5, 9) == rc_qircp_rate (10e6, 0.1, 0.5),
      "without kappa2 it is eq. 4");
}

/* [PIQI eq. 20], and [PIQI eq. 35] with T = 10 ms, which is never above it */
CLAIM (test_bounds_have_the_values_of_the_paper)
{
  static const struct { double delay, kappa, simple; } rows[] = {
    {2, 0.5, 0.16667}, {5, 0.17365, 0.08333}, {12, 0.06824, 0.03846}, {30, 0.02662, 0.01613},
    {71, 0.01114, 0.00694},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    fail_unless (fabs (rc_piqircp_bound (rows[i].delay) - rows[i].kappa) < 1e-5);
    fail_unless (fabs (rc_piqircp_simple_bound (10, 10 * rows[i].delay) - rows[i].simple) < 1e-5);
  }
  for (double d = 1; d < 1000; d += 0.5)
    fail_unless (rc_piqircp_simple_bound (1, d) <= rc_piqircp_bound (d));
}

/* [PIQI eq. 19] */
CLAIM (test_source_approaches_the_rate_and_follows_its_change)
{
  fail_unless (rc_piqircp_source (10e6, 10e6, 10e6, 1, 0.1, 0.5) == 10e6);
  fail_unless (fabs (rc_piqircp_source (10e6, 20e6, 20e6, 1, 0.1, 0.5) - 11e6) < 1e-3);
  fail_unless (fabs (rc_piqircp_source (10e6, 20e6, 18e6, 1, 0.1, 0.5) - 12e6) < 1e-3);
}

CLAIM (test_steps_in_one_are_as_steps_one_by_one)
{
  double x = rc_piqircp_source (10e6, 20e6, 15e6, 1, 0.1, 0.5);

  for (guint i = 0; i < 6; i++)
    x = rc_piqircp_source (x, 20e6, 20e6, 1, 0.1, 0.5);
  fail_unless (fabs (x - (rc_piqircp_source (10e6, 20e6, 20e6, 7, 0.1, 0) + 2.5e6 * pow (0.9,
                  6))) < 1);
  x = rc_piqircp_source (10e6, 20e6, 20e6, 0.3, 0.1, 0.5);
  x = rc_piqircp_source (x, 20e6, 20e6, 0.7, 0.1, 0.5);
  fail_unless (fabs (x - 11e6) < 1e-3);
}

/* The loop of eq. 18 and 19, linear, without kappa: between e and R, then between R and y,
 * delayed. */
static double complex
open_loop (double w, guint delay, double tau1, double tau2)
{
  double complex z1 = cexp (-I * w);

  return (1 + z1) / (1 - z1) * (tau1 + tau2 - tau2 * z1)
      / (1 - (1 - tau1) * z1) * cexp (-I * w * delay);
}

/* Nyquist: 1 / what the loop has where it crosses the negative real axis first. */
static double
exact_limit (guint delay, double tau1, double tau2)
{
  double step = G_PI / delay / 20000, least = G_MAXDOUBLE;
  double complex before = open_loop (step, delay, tau1, tau2), at;

  for (double w = 2 * step; w < G_PI; w += step, before = at) {
    at = open_loop (w, delay, tau1, tau2);
    if (cimag (before) * cimag (at) <= 0 && creal (at) < 0)
      least = MIN (least, -1 / creal (at));
  }
  return least;
}

/* What the paper's theorem 2 misses: the exact limit goes with tau1 and tau2. */
CLAIM (test_limit_depends_on_tau)
{
  static const struct { guint delay; double tau1, tau2, ratio; } rows[] = {
    {12, 0.01, 0.1, 2.33}, {30, 0.01, 0.1, 0.96}, {71, 0.01, 0.1, 0.80},
    {5, 0.1, 0.1, 0.84}, {12, 0.1, 0.1, 0.79}, {30, 0.1, 0.1, 0.84}, {71, 0.1, 0.1, 0.91},
    {12, 0.5, 0.5, 0.96},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    double ratio = exact_limit (rows[i].delay, rows[i].tau1,
        rows[i].tau2) / rc_piqircp_bound (rows[i].delay);

    fail_unless (fabs (ratio - rows[i].ratio) < 0.0051, "%g at D^ = %u", ratio, rows[i].delay);
  }
}

/* Eq. 18 and 19 for equal delays after a small disturbance: the largest deviation late over that
 * early. */
static double
growth (guint delay, double kappa, double tau1, double tau2, guint steps)
{
  double history[MAX_DELAY], rest = GAMMA * CAPACITY, r = rest * 1.0001, x = rest;
  double error_before = 0, early = 0, late = 0;

  for (guint i = 0; i < MAX_DELAY; i++)
    history[i] = rest;
  for (guint n = 1; n < steps; n++) {
    double error, deviation;

    x = rc_piqircp_source (x, history[(n + MAX_DELAY - delay) % MAX_DELAY],
        history[(n + MAX_DELAY - delay - 1) % MAX_DELAY], 1, tau1, tau2);
    error = rc_qircp_error (x, GAMMA, CAPACITY);
    r = rc_piqircp_rate (r, kappa, kappa, error, error_before);
    error_before = error;
    history[n % MAX_DELAY] = r;
    deviation = fabs (r / rest - 1);
    if (n >= steps / 10 && n < steps / 5)
      early = MAX (early, deviation);
    if (n >= steps * 9 / 10)
      late = MAX (late, deviation);
  }
  return late / early;
}

CLAIM (test_loop_is_stable_up_to_the_exact_limit)
{
  static const struct { guint delay; double tau1, tau2; } rows[] = {
    {5, 0.1, 0.1}, {12, 0.1, 0.1}, {12, 0.5, 0.5}, {12, 0.5, 0.74}, {30, 0.01, 0.1},
    {71, 0.01, 0.1}, {71, 0.1, 0.1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint delay = rows[i].delay, steps = 2000 * delay;
    double limit = exact_limit (delay, rows[i].tau1, rows[i].tau2), tau1 = rows[i].tau1,
        tau2 = rows[i].tau2;

    fail_unless (growth (delay, 0.99 * limit, tau1, tau2, steps) < 0.5, "row %u", i);
    fail_unless (growth (delay, 1.01 * limit, tau1, tau2, steps) > 2, "row %u", i);
  }
}

/* [PIQI eq. 35] */
CLAIM (test_simple_bound_is_inside_the_exact_limit)
{
  static const double taus1[] = { 0.001, 0.01, 0.1, 0.5, 0.9 }, taus2[] = { 0, 0.01, 0.1, 0.5 };
  static const guint delays[] = { 2, 12, 71 };

  for (guint d = 0; d < G_N_ELEMENTS (delays); d++)
    for (guint i = 0; i < G_N_ELEMENTS (taus1); i++)
      for (guint k = 0; k < G_N_ELEMENTS (taus2); k++)
        fail_unless (rc_piqircp_simple_bound (1, delays[d]) < exact_limit (delays[d], taus1[i],
                taus2[k]));
}
