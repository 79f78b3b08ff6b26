/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <net/pathwatch.h>

#include "claim.h"

typedef struct
{
  guint routes, names;
} Asked;

/* A packet each 10 ms from `from` until `until`. */
static Asked
send_until (PathWatch * watch, gboolean failed, RcTime from, RcTime until)
{
  Asked asked = { 0, 0 };
  RcTime now;

  for (now = from; now < until; now += 10 * RC_MSEC) {
    path_watch_on_sent (watch, failed, now);
    asked.routes += path_watch_wants_route (watch, now);
    asked.names += path_watch_wants_name (watch, now);
  }
  return asked;
}

CLAIM (test_way_that_works_is_left_alone)
{
  PathWatch watch;
  RcTime now;
  Asked asked;

  path_watch_init (&watch);
  for (now = 0; now < 10 * RC_SECOND; now += 250 * RC_MSEC) {
    asked = send_until (&watch, FALSE, now, now + 250 * RC_MSEC);
    fail_unless (asked.routes == 0 && asked.names == 0);
    path_watch_on_answer (&watch);
  }
}

CLAIM (test_source_that_pauses_is_no_silence)
{
  PathWatch watch;

  path_watch_init (&watch);
  fail_if (path_watch_wants_route (&watch, 100 * RC_SECOND));
  fail_if (path_watch_wants_name (&watch, 100 * RC_SECOND));
}

CLAIM (test_silence_is_noticed_within_half_a_second_and_asked_about_on_and_on)
{
  PathWatch watch;
  Asked asked;

  path_watch_init (&watch);
  asked = send_until (&watch, FALSE, 0, 500 * RC_MSEC);
  fail_unless_equals_int (asked.routes, 0);
  asked = send_until (&watch, FALSE, 500 * RC_MSEC, 520 * RC_MSEC);
  fail_unless_equals_int (asked.routes, 1);
  asked = send_until (&watch, FALSE, 520 * RC_MSEC, 20500 * RC_MSEC);
  fail_unless_equals_int (asked.routes, 39);
  fail_unless_equals_int (asked.names, 4);      /* at 1, 6, 11 and 16 s */
}

CLAIM (test_failure_is_asked_about_at_once_but_not_for_each_packet)
{
  PathWatch watch;
  Asked asked;

  path_watch_init (&watch);
  asked = send_until (&watch, TRUE, 0, 10 * RC_MSEC);
  fail_unless_equals_int (asked.routes, 1);
  asked = send_until (&watch, TRUE, 10 * RC_MSEC, RC_SECOND);
  fail_unless_equals_int (asked.routes, 9);
  fail_unless_equals_int64 (path_watch_next_at (&watch), 1400 * RC_MSEC); /* asked last at 0.9 s */
  asked = send_until (&watch, FALSE, RC_SECOND, 1300 * RC_MSEC);
  fail_unless_equals_int (asked.routes, 0);
  fail_unless_equals_int64 (path_watch_next_at (&watch), RC_TIME_NONE);
}
