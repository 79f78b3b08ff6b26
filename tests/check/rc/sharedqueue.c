/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Two lanes in one queue are told from two in queues of their own. */

#include <rc/lanes/sharedqueue.h>

#include "claim.h"

#include <math.h>

static RcSharedQueue shared;
static RcTime now;
static guint64 state;

BEFORE_EACH
{
  rc_sharedqueue_init (&shared);
  now = 0;
  state = 7;
}

static gdouble
noise (void)
{
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (gdouble) (state >> 11) / 9007199254740992.0 - 0.5;
}

/* A queue of `common_ms` that both see, one of `own_ms` that each has, for so long. */
static void
run (gdouble span_s, gdouble common_ms, gdouble own_ms, gdouble noise_ms)
{
  RcTime end = now + rc_time_from_s (span_s);

  for (; now < end; now += 20 * RC_MSEC) {
    gdouble s = rc_time_to_s (now);
    gdouble common = common_ms * (1 + sin (3 * s)), a = own_ms * (1 + sin (2 * s)),
        b = own_ms * (1 + sin (2.6 * s));

    rc_sharedqueue_add (&shared, (RcTime) ((20 + common + a + noise_ms * noise ()) * RC_MSEC),
        (RcTime) ((55 + common + b + noise_ms * noise ()) * RC_MSEC), now);
  }
}

CLAIM (test_nothing_is_concluded_in_the_first_seconds)
{
  run (4, 10, 0, 0);
  fail_if (rc_sharedqueue_is_shared (&shared));
}

CLAIM (test_delays_that_move_together_are_of_one_queue)
{
  run (10, 10, 0, 5);
  fail_unless (rc_sharedqueue_is_shared (&shared), "%g", rc_sharedqueue_correlation (&shared));
}

CLAIM (test_queues_of_their_own_are_apart)
{
  for (guint i = 0; i < 60; i++) {
    run (1, 0, 10, 5);
    fail_if (rc_sharedqueue_is_shared (&shared), "%g", rc_sharedqueue_correlation (&shared));
  }
}

CLAIM (test_noise_of_hosts_is_no_queue)
{
  run (20, 0.5, 0, 0.1);
  fail_if (rc_sharedqueue_is_shared (&shared));
}

CLAIM (test_lanes_part_when_their_queues_do)
{
  run (10, 10, 0, 5);
  fail_unless (rc_sharedqueue_is_shared (&shared));
  run (20, 0, 10, 5);
  fail_if (rc_sharedqueue_is_shared (&shared), "%g", rc_sharedqueue_correlation (&shared));
}

CLAIM (test_a_steady_queue_changes_nothing)
{
  run (10, 10, 0, 5);
  run (60, 0, 0, 0.5);
  fail_unless (rc_sharedqueue_is_shared (&shared));
}

/* Frames that both carried parts of made their delays alike; then one carries copies alone. */
CLAIM (test_lanes_of_which_one_has_a_queue_are_apart)
{
  RcTime end;

  run (10, 4, 0, 0);
  fail_unless (rc_sharedqueue_is_shared (&shared));
  for (end = now + 20 * RC_SECOND; now < end; now += 20 * RC_MSEC)
    rc_sharedqueue_add (&shared, 24 * RC_MSEC,
        (RcTime) ((59 + 4 * sin (3 * rc_time_to_s (now))) * RC_MSEC), now);
  fail_if (rc_sharedqueue_is_shared (&shared));
}
