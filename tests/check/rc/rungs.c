/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ladder/rungs.h>

#include "claim.h"

#define TICK (100 * RC_MSEC)

static RcRungs rungs;
static RcTime now;

BEFORE_EACH
{
  RcRungsParams params = { .n_rungs = 3, .min_bps = 1e5, .max_bps = 6e6, .pixels_per_s = 2.3e7 };

  rc_rungs_init (&rungs, &params);
  now = 0;
}

static void
count (unsigned n, double bps)
{
  while (n-- > 0)
    rc_rungs_count (&rungs, bps, 1, rc_rungs_below (&rungs, bps));
}

/* Counts until the rungs move, for a while. */
static RcTime
time_of_move (unsigned n_low, double low, unsigned n_high, double high, RcTime limit)
{
  for (RcTime begun = now; now - begun < limit; now += TICK) {
    count (n_low, low);
    count (n_high, high);
    if (rc_rungs_move (&rungs, now))
      return now - begun;
  }
  return RC_TIME_NONE;
}

CLAIM (test_the_first_viewers_are_served_at_once)
{
  fail_unless (time_of_move (5, 3e5, 5, 2e6, RC_SECOND) == 0);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 1e6)] == 3e5);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 2e6)] == 2e6);
  fail_unless (rungs.bps[rc_rungs_lowest (&rungs)] == 3e5);
  fail_unless_equals_int (rc_rungs_below (&rungs, 2e5), RC_RUNGS_NONE);
}

CLAIM (test_rungs_stay_where_viewers_stay)
{
  time_of_move (5, 3e5, 5, 2e6, RC_SECOND);
  fail_unless (time_of_move (5, 3e5, 5, 2e6, 600 * RC_SECOND) == RC_TIME_NONE);
  fail_unless_equals_uint64 (rungs.moves, 1);
}

CLAIM (test_a_small_gain_is_taken_late)
{
  RcTime small, large;

  time_of_move (5, 3e5, 5, 2e6, RC_SECOND);
  small = time_of_move (5, 3e5, 5, 2.2e6, 60 * RC_SECOND);
  fail_unless (small > 2 * RC_SECOND);
  large = time_of_move (5, 3e5, 5, 6e6, 60 * RC_SECOND);
  fail_unless (large > 0 && large < small / 2);
}

CLAIM (test_an_encoder_of_one_viewer_follows_it)
{
  time_of_move (0, 3e5, 1, 2.3e6, RC_SECOND);
  fail_unless (time_of_move (0, 3e5, 1, 2.8e6, RC_SECOND) <= 2 * TICK);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 2.8e6)] == 2.8e6);
  fail_unless (time_of_move (0, 3e5, 1, 2.8e6, 60 * RC_SECOND) == RC_TIME_NONE);
}

CLAIM (test_a_fall_of_many_moves_them_at_once)
{
  time_of_move (5, 3e5, 50, 2e6, RC_SECOND);
  fail_unless (time_of_move (5, 3e5, 50, 1e6, RC_SECOND) <= 2 * TICK);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 2e6)] == 1e6);
}

CLAIM (test_a_rung_keeps_its_number_where_its_viewers_are)
{
  int low, high;

  time_of_move (20, 3e5, 50, 2e6, RC_SECOND);
  low = rc_rungs_below (&rungs, 3e5);
  high = rc_rungs_below (&rungs, 2e6);
  /* A third group comes between. */
  for (; now < 60 * RC_SECOND; now += TICK) {
    count (5, 9e5);
    count (20, 3e5);
    count (50, 2.1e6);
    rc_rungs_move (&rungs, now);
  }
  fail_unless_equals_int (rc_rungs_below (&rungs, 3e5), low);
  fail_unless_equals_int (rc_rungs_below (&rungs, 2.1e6), high);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 9e5)] == 9e5);
}

CLAIM (test_who_is_below_the_least_bitrate_takes_no_rung)
{
  time_of_move (10, 5e4, 1, 2e6, RC_SECOND);
  fail_unless (rungs.bps[rc_rungs_lowest (&rungs)] == 2e6);
  fail_unless_equals_int (rc_rungs_below (&rungs, 5e4), RC_RUNGS_NONE);
}

CLAIM (test_no_rung_is_above_the_most)
{
  time_of_move (1, 5e7, 1, 9e7, RC_SECOND);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 9e7)] == 6e6);
}

CLAIM (test_without_viewers_nothing_moves)
{
  fail_unless (!rc_rungs_move (&rungs, now));
  time_of_move (5, 3e5, 5, 2e6, RC_SECOND);
  fail_unless (!rc_rungs_move (&rungs, now + RC_SECOND));
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 3e5)] == 3e5);
}

CLAIM (test_other_limits_hold_at_once)
{
  RcRungsParams params = rungs.params;

  time_of_move (5, 3e5, 5, 4e6, RC_SECOND);
  params.max_bps = 2e6;
  rc_rungs_set_params (&rungs, &params);
  fail_unless (time_of_move (5, 3e5, 5, 4e6, RC_SECOND) == 0);
  fail_unless (rungs.bps[rc_rungs_below (&rungs, 9e6)] == 2e6);
}

CLAIM (test_viewers_that_fall_a_little_keep_their_rungs)
{
  int low, high;

  time_of_move (1, 8e5, 1, 2e6, RC_SECOND);
  low = rc_rungs_below (&rungs, 8e5);
  high = rc_rungs_below (&rungs, 2e6);
  for (; now < 5 * RC_SECOND; now += TICK) {
    rc_rungs_count (&rungs, 7.8e5, 1, low);
    rc_rungs_count (&rungs, 1.9e6, 1, high);
    rc_rungs_move (&rungs, now);
  }
  fail_unless (rungs.bps[low] == 7.8e5);
  fail_unless (rungs.bps[high] == 1.9e6);
}
