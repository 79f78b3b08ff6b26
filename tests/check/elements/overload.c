/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Viewers who cost a thread `cost` of the CPU's time each. In virtual time. */

#include <pacing/overload.h>

#include "claim.h"

#define N 1000
#define PASS (10 * RC_MSEC)

typedef struct
{
  Overload load;
  RcTime now, behind;           /* how late the thread is */
  guint most_aside;
} World;

/* The thread is behind by what it could not do. At most half a second, as queues go. */
static void
run (World * self, gdouble cost, RcTime span)
{
  for (RcTime end = self->now + span; self->now < end; self->now += PASS) {
    gdouble work = cost * (N - self->load.aside);

    self->behind += (RcTime) ((work - 1) * PASS);
    self->behind = CLAMP (self->behind, 0, RC_SECOND / 2);
    overload_note (&self->load, self->behind + (RcTime) (MIN (work, 1) * PASS));
    overload_look (&self->load, N, self->now + PASS);
    self->most_aside = MAX (self->most_aside, self->load.aside);
  }
}

CLAIM (test_who_is_in_time_is_never_overloaded)
{
  World world = { {0} };

  run (&world, .95 / N, 60 * RC_SECOND);
  fail_if (world.load.bound);
  fail_unless_equals_int (world.most_aside, 0);
}

CLAIM (test_a_pause_of_the_machine_is_no_overload)
{
  World world = { {0} };

  run (&world, .5 / N, RC_SECOND);
  overload_note (&world.load, RC_SECOND);
  run (&world, .5 / N, RC_SECOND);
  fail_if (world.load.bound);
}

CLAIM (test_of_too_many_those_who_came_first_are_served_in_time)
{
  World world = { {0} };

  run (&world, 1.5 / N, 4 * RC_SECOND);
  fail_unless (world.load.bound);
  fail_unless (world.load.aside >= N / 3 && world.load.aside < N / 2, "%u", world.load.aside);
  run (&world, 1.5 / N, 2 * RC_SECOND);
  fail_unless (world.load.lag < OVERLOAD_LAG, "%u ms", (guint) (world.load.lag / RC_MSEC));
}

CLAIM (test_who_is_aside_comes_back_once_there_is_room)
{
  World world = { {0} };

  run (&world, 1.5 / N, 4 * RC_SECOND);
  run (&world, .5 / N, 40 * RC_SECOND);
  fail_unless_equals_int (world.load.aside, 0);
  fail_if (world.load.bound);
}

/* Else the others are late each few seconds, for ever. */
CLAIM (test_a_return_that_is_too_much_is_tried_seldom)
{
  World world = { {0} };
  guint late = 0;

  run (&world, 1.5 / N, 120 * RC_SECOND);
  for (guint i = 0; i < 240; i++) {
    run (&world, 1.5 / N, OVERLOAD_WINDOW);
    late += world.load.lag > OVERLOAD_LAG;
  }
  fail_unless (late < 8, "in %u of 240 windows", late);
  fail_unless (world.load.aside < N / 2 && world.load.aside > N / 4, "%u", world.load.aside);
}

CLAIM (test_one_is_always_served)
{
  World world = { {0} };

  for (guint i = 0; i < 10000; i++) {
    overload_note (&world.load, RC_SECOND);
    overload_look (&world.load, i < 5000 ? 3 : 1, i * PASS);
    fail_unless (world.load.aside <= 2);
  }
  fail_unless_equals_int (world.load.aside, 0);
}

/* Behind a splitter: callers are told to call later all the same. */
CLAIM (test_where_none_can_be_set_aside_it_is_said)
{
  World world = { {0} };

  for (guint i = 0; i < 1000; i++) {
    overload_note (&world.load, RC_SECOND);
    overload_look (&world.load, 0, i * PASS);
  }
  fail_unless (world.load.bound);
  fail_unless_equals_int (world.load.aside, 0);
}
