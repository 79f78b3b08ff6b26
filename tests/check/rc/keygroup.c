/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ladder/keygroup.h>

#include "claim.h"

#define TICK (20 * RC_MSEC)

static RcKeyGroup group;
static RcTime now;

BEFORE_EACH
{
  rc_keygroup_init (&group);
  now = 0;
}

/* How long until a keyframe is asked for. */
static RcTime
wait_of (unsigned n, double loss_per_s, bool urgent, double members)
{
  for (RcTime begun = now; now - begun < 600 * RC_SECOND; now += TICK) {
    for (unsigned i = 0; i < n; i++)
      rc_keygroup_count (&group, loss_per_s, urgent);
    if (rc_keygroup_due (&group, members, now))
      return now - begun;
  }
  return RC_TIME_NONE;
}

CLAIM (test_nobody_waits_for_a_rung_that_nobody_watches)
{
  fail_unless (wait_of (1, 0.02, false, 0) == 0);
}

CLAIM (test_nothing_is_asked_for_nobody)
{
  fail_unless (wait_of (0, 0, false, 0) == RC_TIME_NONE);
}

CLAIM (test_one_waits_longer_than_many_before_many)
{
  RcTime one = wait_of (1, 0.02, false, 100), many;

  rc_keygroup_on_keyframe (&group);
  now += RC_SECOND;
  many = wait_of (50, 0.02, false, 100);
  fail_unless (one > 40 * RC_SECOND);
  fail_unless (many < 2 * RC_SECOND);
}

CLAIM (test_a_viewer_whose_network_fell_waits_for_half_a_second_at_most)
{
  fail_unless (wait_of (1, 0.9, true, 10000) == 500 * RC_MSEC);
}

/* Not even with what was lost before, where somebody else waits from now on. */
CLAIM (test_what_was_lost_before_a_keyframe_is_forgotten)
{
  for (; now < 4 * RC_SECOND; now += TICK) {
    rc_keygroup_count (&group, 0.02, false);
    fail_unless (!rc_keygroup_due (&group, 10, now));
  }
  rc_keygroup_on_keyframe (&group);
  fail_unless (wait_of (1, 0.02, false, 10) > 4 * RC_SECOND);
}

CLAIM (test_a_keyframe_that_comes_by_itself_serves_who_waits)
{
  wait_of (1, 0.02, false, 1);
  rc_keygroup_on_keyframe (&group);
  now += RC_SECOND;
  fail_unless (wait_of (1, 0.02, false, 10) > RC_SECOND);
}

CLAIM (test_keyframes_are_200_ms_apart_for_any_crowd)
{
  unsigned asked = 0;

  for (; now < 10 * RC_SECOND; now += TICK) {
    for (unsigned i = 0; i < 1000; i++)
      rc_keygroup_count (&group, 0.9, true);
    asked += rc_keygroup_due (&group, 1000, now);
  }
  fail_unless (asked <= 50 && asked >= 10);
}
