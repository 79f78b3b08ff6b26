/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ladder/viewerchoice.h>

#include "claim.h"

#define TICK (50 * RC_MSEC)
#define LOW 0
#define HIGH 2

static RcRungs rungs;
static RcViewerChoice viewer;
static RcTime now;

BEFORE_EACH
{
  RcRungsParams params = { .n_rungs = 3, .min_bps = 1e5, .max_bps = 6e6, .pixels_per_s = 2.3e7 };

  rc_rungs_init (&rungs, &params);
  rungs.bps[LOW] = 3e5;
  rungs.bps[HIGH] = 2e6;
  rc_viewerchoice_init (&viewer);
  now = 0;
}

/* How long until it wishes for something else at this target; RC_TIME_NONE: never. */
static RcTime
time_of_wish (double bps, int *wish)
{
  RcTime begun = now;

  rc_viewerchoice_on_target (&viewer, bps);
  for (; now - begun < 60 * RC_SECOND; now += TICK)
    if ((*wish = rc_viewerchoice_wish (&viewer, &rungs, now)) != viewer.rung)
      return now - begun;
  return RC_TIME_NONE;
}

static void
begin_at (double bps, int rung)
{
  int wish;

  fail_unless (time_of_wish (bps, &wish) == 0);
  fail_unless_equals_int (wish, rung);
  rc_viewerchoice_take (&viewer, wish);
}

CLAIM (test_a_newcomer_gets_the_lowest_rung)
{
  fail_unless_equals_int (rc_viewerchoice_wish (&viewer, &rungs, 0), LOW);
}

CLAIM (test_a_viewer_gets_what_its_network_carries)
{
  begin_at (2.1e6, HIGH);
}

CLAIM (test_a_fall_by_half_is_answered_soon_and_a_waver_never)
{
  int wish;

  begin_at (2e6, HIGH);
  for (; now < 20 * RC_SECOND; now += TICK) {
    rc_viewerchoice_on_target (&viewer, now / TICK % 2 ? 1.9e6 : 2.2e6);
    fail_unless_equals_int (rc_viewerchoice_wish (&viewer, &rungs, now), HIGH);
  }
  fail_unless (time_of_wish (1e6, &wish) <= 200 * RC_MSEC);
  fail_unless_equals_int (wish, LOW);
}

CLAIM (test_up_is_later_than_down)
{
  RcTime up;
  int wish;

  begin_at (1e6, LOW);
  up = time_of_wish (2.5e6, &wish);
  fail_unless_equals_int (wish, HIGH);
  fail_unless (up > 500 * RC_MSEC && up < 5 * RC_SECOND);
}

CLAIM (test_a_rung_that_moved_above_the_target_is_left)
{
  int wish;

  begin_at (2e6, HIGH);
  rungs.bps[HIGH] = 4e6;
  fail_unless (time_of_wish (2e6, &wish) <= 200 * RC_MSEC);
  fail_unless_equals_int (wish, LOW);
}

CLAIM (test_a_rung_that_is_gone_is_left_at_once)
{
  int wish;

  begin_at (2e6, HIGH);
  rungs.bps[HIGH] = 0;
  fail_unless (time_of_wish (2e6, &wish) == 0);
  fail_unless_equals_int (wish, LOW);
}

CLAIM (test_below_the_lowest_rung_there_is_nothing)
{
  int wish;

  begin_at (4e5, LOW);
  fail_unless (time_of_wish (5e4, &wish) <= 200 * RC_MSEC);
  fail_unless_equals_int (wish, RC_RUNGS_NONE);
  rc_viewerchoice_take (&viewer, wish);
  fail_unless (time_of_wish (5e5, &wish) < 2 * RC_SECOND);
  fail_unless_equals_int (wish, LOW);
}

/* What is sent nothing tells nothing: its target would never rise again. */
CLAIM (test_below_the_lowest_rung_that_is_tried_again_and_again)
{
  const RcTime pauses[] = { 2 * RC_SECOND, 4 * RC_SECOND, 8 * RC_SECOND, 16 * RC_SECOND,
    32 * RC_SECOND, 32 * RC_SECOND
  };
  RcTime time;
  int wish;

  begin_at (4e5, LOW);
  for (guint i = 0; i < G_N_ELEMENTS (pauses); i++) {
    time = time_of_wish (5e4, &wish);
    fail_unless (time <= (i == 0 ? 200 * RC_MSEC : 7 * RC_SECOND), "after %g s",
        rc_time_to_s (time));
    fail_unless_equals_int (wish, RC_RUNGS_NONE);
    rc_viewerchoice_take (&viewer, wish);
    time = time_of_wish (5e4, &wish);
    fail_unless (time <= pauses[i] && time >= pauses[i] - RC_SECOND, "after %g s",
        rc_time_to_s (time));
    fail_unless_equals_int (wish, LOW);
    rc_viewerchoice_take (&viewer, wish);
  }
  fail_unless (time_of_wish (5e5, &wish) == RC_TIME_NONE);
}

CLAIM (test_below_the_lowest_rung_its_base_is_a_rung_that_needs_no_keyframe)
{
  int wish;

  rungs.base_bps[LOW] = 2e5;
  begin_at (4e5, LOW);
  fail_unless (time_of_wish (2.5e5, &wish) == RC_TIME_NONE);
  fail_unless (viewer.thin);
  fail_unless (time_of_wish (4e5, &wish) == RC_TIME_NONE);
  fail_unless (!viewer.thin);
  fail_unless (time_of_wish (1.5e5, &wish) <= RC_SECOND);
  fail_unless_equals_int (wish, RC_RUNGS_NONE);
  rc_viewerchoice_take (&viewer, wish);
  fail_unless (time_of_wish (2.5e5, &wish) < 2 * RC_SECOND);
  fail_unless_equals_int (wish, LOW);
  rc_viewerchoice_take (&viewer, wish);
  fail_unless (viewer.thin);
  fail_unless (time_of_wish (4e6, &wish) < 5 * RC_SECOND);
  fail_unless_equals_int (wish, HIGH);
  rc_viewerchoice_take (&viewer, wish);
  fail_unless (!viewer.thin);
}
