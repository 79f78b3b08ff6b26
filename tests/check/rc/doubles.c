/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Each packet once, in any order. */

#include <rc/lanes/doubles.h>

#include "claim.h"

static RcDoubles doubles;
static RcTime now;

BEFORE_EACH
{
  rc_doubles_init (&doubles);
  now = 0;
}

/* At 1000 packets a second. */
static bool
take (guint32 number)
{
  now += RC_MSEC;
  return rc_doubles_take (&doubles, (guint16) number, now);
}

CLAIM (test_each_number_is_taken_once_in_any_order)
{
  static const guint16 order[] = { 65533, 1, 65534, 0, 65535, 2 };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    fail_unless (take (order[i]), "%u", order[i]);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    fail_if (take (order[i]), "%u", order[i]);
}

CLAIM (test_window_is_remembered_and_what_is_older_is_not_taken)
{
  guint32 n, taken = 0, late = 0;

  for (n = 0; n < 200000; n += 2)
    taken += take (n);
  fail_unless_equals_int (taken, 100000);
  for (n = 199999 - RC_DOUBLES_WINDOW + 2; n < 199999; n += 2)
    late += take (n);
  fail_unless_equals_int (late, RC_DOUBLES_WINDOW / 2 - 1);
  fail_if (take (199998 - RC_DOUBLES_WINDOW));
  fail_if (take (199998 - 30000));
}

CLAIM (test_source_that_jumps_ahead_goes_on)
{
  fail_unless (take (10));
  fail_unless (take (20010));
  fail_unless (take (20009));
  fail_if (take (20010));
}

/* How many of n packets from `first` on are taken. */
static guint
taken_of (guint32 first, guint n)
{
  guint taken = 0;

  for (guint i = 0; i < n; i++)
    taken += take (first + i);
  return taken;
}

CLAIM (test_one_forged_number_stops_nothing)
{
  static const guint ahead[] = { RC_DOUBLES_WINDOW, 20000, 32000, 32767, 32768, 40000, 60000 };

  taken_of (0, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (ahead); i++) {
    take (1000 + 100 * i + ahead[i]);
    fail_unless_equals_int (taken_of (1000 + 100 * i, 100), 100);
    fail_unless_equals_int (taken_of (1000 + 100 * i, RC_DOUBLES_AGAIN - 1), 0);
  }
}

/* Also those that make the window begin anew. */
CLAIM (test_who_forges_sends_as_many_packets_as_get_lost)
{
  guint32 next = 0;
  guint forged, lost = 0;

  taken_of (0, 1000);
  for (forged = 0, next = 1000; forged < 4000; next += 100) {
    for (guint i = 0; i < RC_DOUBLES_STRAYS; i++, forged++)
      take (next + 32000 + i);
    lost += 100 - taken_of (next, 100);
  }
  fail_unless (lost <= forged, "%u packets lost by %u forged ones", lost, forged);
}

/* An outage, or a sender that begins anew. */
CLAIM (test_stream_that_goes_on_at_any_number_is_taken)
{
  for (guint32 gap = 0; gap < 65536; gap += 500) {
    RcTime after = gap < 65536 - RC_DOUBLES_WINDOW ? RC_DOUBLES_STRAYS_TIME : RC_DOUBLES_AGAIN_TIME;
    guint taken;

    rc_doubles_init (&doubles);
    taken_of (0, 1000);
    taken = taken_of (1000 + gap, 2000);
    fail_unless (taken >= 2000 - after / RC_MSEC, "%u taken behind a gap of %u", taken, gap);
  }
}

CLAIM (test_copies_of_the_first_packets_behind_a_gap_are_not_taken)
{
  taken_of (0, 1000);
  for (guint32 n = 11000; n < 11000 + 2 * RC_DOUBLES_STRAYS; n++) {
    fail_unless (take (n));
    fail_if (take (n));
  }
}

/* The fast lane fails or the source pauses, and for as long as the slow one is slower nothing comes
 * but copies. */
CLAIM (test_copies_by_a_slow_lane_are_not_taken_when_nothing_else_comes)
{
  taken_of (0, 3000);
  fail_unless_equals_int (taken_of (2100, 900), 0);
  fail_unless_equals_int (taken_of (3000, 100), 100);
}

/* A lane stood still and delivers at once what left by the other meanwhile. */
CLAIM (test_old_burst_between_two_packets_of_a_stream_is_not_taken)
{
  for (guint32 from = 0; from <= 8000; from += 1000) {
    guint taken = 0;

    rc_doubles_init (&doubles);
    taken_of (0, 10000);
    for (guint32 n = from; n < from + 1000; n++)
      taken += rc_doubles_take (&doubles, (guint16) n, now);
    fail_unless_equals_int (taken, 0);
    fail_unless_equals_int (taken_of (10000, 100), 100);
  }
}

/* It waited in a queue of its lane, while the other one went on. */
CLAIM (test_old_burst_of_one_lane_costs_the_other_nothing)
{
  guint taken = 0;

  taken_of (0, 10000);
  for (guint32 n = 0; n < 3000; n++) {
    take (n);
    if (n % (3 * RC_DOUBLES_STRAYS) == 0)
      taken += taken_of (10000 + n / (3 * RC_DOUBLES_STRAYS), 1);
  }
  fail_unless_equals_int (taken, 125);
}
