/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <math.h>
#include <rc/sched/ramp_share.h>

#include "claim.h"

#define NEAR(a, b) (fabs ((a) - (b)) < 1e-6)

static gdouble
share (RcRampClaim * claims, guint n, gdouble budget)
{
  for (guint i = 0; i < n; i++)
    claims[i].next = i + 1 < n ? &claims[i + 1] : NULL;
  return rc_ramp_share (claims, budget);
}

CLAIM (test_what_fits_is_given_and_the_rest_returned)
{
  RcRampClaim claims[] = { {.want_bps = 3,.weight = 1}, {.want_bps = 4,.weight = 9} };

  fail_unless (NEAR (share (claims, 2, 10), 3));
  fail_unless (NEAR (claims[0].got_bps, 3) && NEAR (claims[1].got_bps, 4));
}

CLAIM (test_small_claims_are_met_and_large_ones_levelled_by_weight)
{
  RcRampClaim claims[] = { {.want_bps = 1,.weight = 1}, {.want_bps = 100,.weight = 1},
      {.want_bps = 100,.weight = 2} };

  fail_unless (share (claims, 3, 10) == 0);
  fail_unless (NEAR (claims[0].got_bps, 1) && NEAR (claims[1].got_bps, 3)
      && NEAR (claims[2].got_bps, 6));
}

CLAIM (test_a_floor_holds_against_any_weight)
{
  RcRampClaim claims[] = { {.want_bps = 8,.floor_bps = 4,.weight = 1},
      {.want_bps = 100,.weight = 100} };

  share (claims, 2, 10);
  fail_unless (NEAR (claims[0].got_bps, 4) && NEAR (claims[1].got_bps, 6));
}

CLAIM (test_floors_that_do_not_fit_are_shared_too)
{
  RcRampClaim claims[] = { {.want_bps = 80,.floor_bps = 80,.weight = 1},
      {.want_bps = 100,.floor_bps = 2,.weight = 1} };

  share (claims, 2, 10);
  fail_unless (NEAR (claims[0].got_bps, 8) && NEAR (claims[1].got_bps, 2));
}

/* Whatever the claims: never more than the budget, all of it in need, nobody above what it
 * wants. */
CLAIM (test_shares_are_within_budget_and_wants)
{
  GRand *rand = g_rand_new_with_seed (3);
  RcRampClaim claims[20];

  for (guint round = 0; round < 2000; round++) {
    gdouble budget = g_rand_double_range (rand, 0, 50), wants = 0, got = 0, left;

    for (guint i = 0; i < 20; i++) {
      claims[i].want_bps = g_rand_double (rand) < 0.2 ? 0 : g_rand_double_range (rand, 0, 10);
      claims[i].floor_bps = g_rand_double (rand) < 0.5 ? 0 : g_rand_double_range (rand, 0,
          claims[i].want_bps);
      claims[i].weight = g_rand_double_range (rand, 0.01, 100);
      wants += claims[i].want_bps;
    }
    left = share (claims, 20, budget);
    for (guint i = 0; i < 20; i++) {
      fail_unless (claims[i].got_bps >= 0 && claims[i].got_bps <= claims[i].want_bps + 1e-9);
      got += claims[i].got_bps;
    }
    fail_unless (got <= budget + 1e-9);
    fail_unless (fabs (got - MIN (wants, budget)) < 1e-6 * (budget + 1),
        "%g of %g, wanted %g", got, budget, wants);
    fail_unless (NEAR (left, MAX (budget - wants, 0)));
  }
  g_rand_free (rand);
}
