/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/repairtime.h>

#include "claim.h"

#define RTT (100 * RC_MSEC)

static RcRepairTime repairs;

BEFORE_EACH
{
  rc_repairtime_init (&repairs);
}

/* One packet in `period` is lost. */
static void
lose_one_in (guint period)
{
  for (guint i = 0; i < 20000; i++)
    rc_repairtime_on_packet (&repairs, i % period == 0);
}

CLAIM (test_nothing_is_told_before_a_round_trip_is_known)
{
  fail_unless_equals_int64 (rc_repairtime_latency (&repairs, RC_TIME_NONE), RC_TIME_NONE);
}

CLAIM (test_before_a_repair_it_is_wait_round_trip_and_margin)
{
  fail_unless_equals_int64 (rc_repairtime_latency (&repairs, RTT), RTT + 30 * RC_MSEC);
}

CLAIM (test_more_loss_needs_more_tries)
{
  RcTime one, two, three;

  lose_one_in (200);
  one = rc_repairtime_latency (&repairs, RTT);
  lose_one_in (40);
  two = rc_repairtime_latency (&repairs, RTT);
  lose_one_in (12);
  three = rc_repairtime_latency (&repairs, RTT);
  fail_unless_equals_int64 (one, RTT + 30 * RC_MSEC);
  fail_unless_equals_int64 (two, one + RTT);
  fail_unless_equals_int64 (three, two + RTT);
}

CLAIM (test_measured_times_take_the_place_of_the_round_trip)
{
  for (guint i = 0; i < 100; i++) {
    rc_repairtime_on_asked (&repairs, 5 * RC_MSEC);
    rc_repairtime_on_repair (&repairs, 130 * RC_MSEC);
  }
  fail_unless (ABS (rc_repairtime_latency (&repairs, RTT) - 145 * RC_MSEC) < RC_MSEC);
}

CLAIM (test_a_pause_of_the_stream_is_no_time_of_repair)
{
  RcTime before;

  rc_repairtime_on_asked (&repairs, 5 * RC_MSEC);
  rc_repairtime_on_repair (&repairs, 130 * RC_MSEC);
  before = rc_repairtime_latency (&repairs, RTT);
  rc_repairtime_on_asked (&repairs, 10 * RC_SECOND);
  rc_repairtime_on_repair (&repairs, 10 * RC_SECOND);
  fail_unless_equals_int64 (rc_repairtime_latency (&repairs, RTT), before);
}

CLAIM (test_what_varies_needs_more)
{
  for (guint i = 0; i < 1000; i++)
    rc_repairtime_on_repair (&repairs, (i % 2 ? 90 : 110) * RC_MSEC);
  fail_unless (rc_repairtime_latency (&repairs, RTT) > 110 * RC_MSEC + 30 * RC_MSEC);
  fail_unless (rc_repairtime_latency (&repairs, RTT) < 160 * RC_MSEC + 30 * RC_MSEC);
}
