/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ladder/placement.h>

#include "claim.h"

#define PIXELS (1280 * 720 * 25.0)
#define FEW 9
#define MANY 5000

static RcPlacementPoint points[MANY];
static RcPlacementCell cells[MANY + 1];
static double rungs[RC_PLACEMENT_MOST_RUNGS];

static double
value_of (unsigned n, const double *bps, unsigned n_rungs)
{
  return rc_placement_value (points, n, PIXELS, bps, n_rungs);
}

/* The best of all choices of up to k targets from `from` on. */
static double
try_all (unsigned n, unsigned from, double *chosen, unsigned n_chosen, unsigned k)
{
  double best = n_chosen > 0 ? value_of (n, chosen, n_chosen) : 0;

  for (unsigned i = from; i < n && n_chosen < k; i++) {
    double value;

    chosen[n_chosen] = points[i].bps;
    value = try_all (n, i + 1, chosen, n_chosen + 1, k);
    best = MAX (best, value);
  }
  return best;
}

static void
draw_points (GRand * rand, unsigned n)
{
  double bps = g_rand_double_range (rand, 3e4, 1e6);

  for (unsigned i = 0; i < n; i++) {
    bps *= g_rand_double_range (rand, 1.001, 2.5);
    points[i] = (RcPlacementPoint) { bps, g_rand_int_range (rand, 1, 5) };
  }
}

CLAIM (test_no_other_choice_is_better)
{
  GRand *rand = g_rand_new_with_seed (1);
  double chosen[RC_PLACEMENT_MOST_RUNGS];

  for (unsigned trial = 0; trial < 2000; trial++) {
    unsigned n = (unsigned) g_rand_int_range (rand, 1, FEW + 1);
    unsigned k = (unsigned) g_rand_int_range (rand, 1, 6), n_used;

    draw_points (rand, n);
    n_used = rc_placement_choose (points, n, PIXELS, cells, k, rungs);
    fail_unless (n_used >= 1 && n_used <= MIN (k, n));
    for (unsigned i = 1; i < n_used; i++)
      fail_unless (rungs[i] > rungs[i - 1]);
    fail_unless_equals_float (value_of (n, rungs, n_used), try_all (n, 0, chosen, 0, k));
  }
  g_rand_free (rand);
}

CLAIM (test_each_viewer_has_its_own_rung_if_there_are_enough)
{
  points[0] = (RcPlacementPoint) { 300e3, 1 };
  points[1] = (RcPlacementPoint) { 2e6, 1 };
  fail_unless_equals_int (rc_placement_choose (points, 2, PIXELS, cells, 3, rungs), 2);
  fail_unless (rungs[0] == 300e3 && rungs[1] == 2e6);
  fail_unless_equals_float (value_of (2, rungs, 2), value_of (2, NULL, 0));
}

CLAIM (test_rungs_go_where_the_viewers_are)
{
  points[0] = (RcPlacementPoint) { 300e3, 100 };
  points[1] = (RcPlacementPoint) { 350e3, 1 };
  points[2] = (RcPlacementPoint) { 4e6, 100 };
  points[3] = (RcPlacementPoint) { 5e6, 1 };
  fail_unless_equals_int (rc_placement_choose (points, 4, PIXELS, cells, 2, rungs), 2);
  fail_unless (rungs[0] == 300e3 && rungs[1] == 4e6);
}

CLAIM (test_a_single_slow_viewer_takes_no_rung_from_thousands)
{
  points[0] = (RcPlacementPoint) { 40e3, 1 };
  points[1] = (RcPlacementPoint) { 1e6, 5000 };
  points[2] = (RcPlacementPoint) { 4e6, 5000 };
  fail_unless_equals_int (rc_placement_choose (points, 3, PIXELS, cells, 2, rungs), 2);
  fail_unless (rungs[0] == 1e6 && rungs[1] == 4e6);
}

CLAIM (test_weight_counts)
{
  points[0] = (RcPlacementPoint) { 40e3, 100 };
  points[1] = (RcPlacementPoint) { 1e6, 1 };
  fail_unless_equals_int (rc_placement_choose (points, 2, PIXELS, cells, 1, rungs), 1);
  fail_unless (rungs[0] == 40e3);
  points[1].weight = 10000;
  rc_placement_choose (points, 2, PIXELS, cells, 1, rungs);
  fail_unless (rungs[0] == 1e6);
}

CLAIM (test_more_rungs_are_never_worse_for_thousands)
{
  GRand *rand = g_rand_new_with_seed (2);
  double before = 0;

  for (unsigned i = 0; i < MANY; i++)
    points[i] = (RcPlacementPoint) { 5e4 * (1 + i) + g_rand_double (rand), 1 };
  for (unsigned k = 1; k <= RC_PLACEMENT_MOST_RUNGS; k++) {
    unsigned n_used = rc_placement_choose (points, MANY, PIXELS, cells, k, rungs);

    fail_unless_equals_int (n_used, k);
    fail_unless (value_of (MANY, rungs, k) > before);
    before = value_of (MANY, rungs, k);
  }
  fail_unless (before < value_of (MANY, NULL, 0));
  g_rand_free (rand);
}

CLAIM (test_quality_rises_with_the_bitrate)
{
  fail_unless (rc_placement_quality (0, PIXELS) == 0);
  fail_unless (rc_placement_quality (1e4, PIXELS) < rc_placement_quality (1e5, PIXELS));
  /* Of bunny .901, of pan .976 at the best size; docs/results/scale.md. */
  fail_unless (rc_placement_quality (6e5, PIXELS) > 0.93);
  fail_unless (rc_placement_quality (6e5, PIXELS) < 0.95);
}
