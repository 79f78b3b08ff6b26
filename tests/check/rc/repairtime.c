/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/repairtime.h>

#include "claim.h"

#define RTT (100 * RC_MSEC)

static RcRepairTime repairs;
static RcTime now;

BEFORE_EACH
{
  rc_repairtime_init (&repairs);
  now = 0;
}

static RcTime
latency (RcTime rtt)
{
  return rc_repairtime_latency (&repairs, rtt, now);
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
  fail_unless_equals_int64 (latency (RC_TIME_NONE), RC_TIME_NONE);
}

CLAIM (test_before_a_repair_it_is_wait_round_trip_and_margin)
{
  fail_unless_equals_int64 (latency (RTT), RTT + 30 * RC_MSEC);
}

CLAIM (test_more_loss_needs_more_tries)
{
  RcTime one, two, three;

  lose_one_in (200);
  one = latency (RTT);
  lose_one_in (40);
  two = latency (RTT);
  lose_one_in (12);
  three = latency (RTT);
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
  fail_unless (ABS (latency (RTT) - 145 * RC_MSEC) < RC_MSEC);
}

CLAIM (test_a_pause_of_the_stream_is_no_time_of_repair)
{
  RcTime before;

  rc_repairtime_on_asked (&repairs, 5 * RC_MSEC);
  rc_repairtime_on_repair (&repairs, 130 * RC_MSEC);
  before = latency (RTT);
  rc_repairtime_on_asked (&repairs, 10 * RC_SECOND);
  rc_repairtime_on_repair (&repairs, 10 * RC_SECOND);
  fail_unless_equals_int64 (latency (RTT), before);
}

/* Nothing longer repairs more, and nothing shorter as many. */
CLAIM (test_it_is_what_the_latest_repair_needed_and_a_margin)
{
  for (guint i = 0; i < 1000; i++, now += 300 * RC_MSEC) {
    rc_repairtime_on_asked (&repairs, (i % 3) * 10 * RC_MSEC);
    rc_repairtime_on_repair (&repairs, (i % 2 ? 50 : 60) * RC_MSEC);
    rc_repairtime_on_first (&repairs, ((i % 2 ? 50 : 60) + i % 3 * 10) * RC_MSEC, now);
    if (i > 10)
      fail_unless_equals_int64 (latency (RTT), 90 * RC_MSEC);
  }
}

CLAIM (test_it_comes_down_once_repairs_need_less)
{
  for (; now < 5 * RC_SECOND; now += 100 * RC_MSEC)
    rc_repairtime_on_first (&repairs, 400 * RC_MSEC, now);
  fail_unless_equals_int64 (latency (RTT), 410 * RC_MSEC);
  for (; now < 16 * RC_SECOND; now += 100 * RC_MSEC)
    rc_repairtime_on_first (&repairs, 80 * RC_MSEC, now);
  fail_unless_equals_int64 (latency (RTT), 90 * RC_MSEC);
  now += 20 * RC_SECOND;
  fail_unless_equals_int64 (latency (RTT), RTT + 30 * RC_MSEC);
}

/* Two paths, one of which is slower: every packet of it is overtaken. */
CLAIM (test_what_only_overtakes_is_no_loss)
{
  for (guint i = 0; i < 20000; i++, now += 3 * RC_MSEC) {
    rc_repairtime_on_packet (&repairs, i % 2);
    rc_repairtime_on_packet (&repairs, 0);
    if (i % 2 == 0)
      continue;
    rc_repairtime_on_late (&repairs);
    rc_repairtime_on_first (&repairs, 50 * RC_MSEC, now);
  }
  fail_unless_equals_int64 (latency (RTT), 60 * RC_MSEC);
}
