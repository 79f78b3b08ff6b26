/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Time in which the path had nothing of ours to carry. */
#include <rc/path/idletime.h>

#include "claim.h"

#define RATE_BPS 8e6
#define SIZE_BITS 8e3           /* 1 ms of the rate */

static RcIdleTime idle;
static RcTime now;
static bool ahead;

BEFORE_EACH
{
  now = 1000 * RC_SECOND;
  idle = (RcIdleTime) {.busy_until = now + RC_SECOND }; /* no pause ends with the first packet */
  ahead = false;
}

static void
send_each (RcTime apart, guint pkts, gdouble queued_s)
{
  for (guint i = 0; i < pkts; i++) {
    now += apart;
    rc_idletime_on_sent (&idle, SIZE_BITS, RATE_BPS, queued_s, ahead, now);
  }
}

CLAIM (test_a_paced_flow_and_frames_leave_no_idle_time)
{
  send_each (RC_MSEC, 100, 0);
  send_each (50 * RC_MSEC, 100, 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now), 0);
}

CLAIM (test_a_pause_counts_without_the_packet_before_it_and_its_queue)
{
  send_each (RC_MSEC, 10, 0.020);
  send_each (121 * RC_MSEC, 1, 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now), 100 * RC_MSEC);
  send_each (61 * RC_MSEC, 1, 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now), 160 * RC_MSEC);
}

/* Ten frames a second that leave at ten times the rate: at the rate there would be no pause. */
CLAIM (test_a_frame_that_leaves_faster_than_at_the_rate_leaves_no_idle_time)
{
  ahead = true;
  for (int i = 0; i < 20; i++) {
    send_each (91 * RC_MSEC, 1, 0);
    send_each (100 * RC_USEC, 90, 0);
  }
  fail_unless_equals_int64 (rc_idletime_before (&idle, now), 0);
}

/* A report tells of packets that left a round trip ago. */
CLAIM (test_a_packet_of_before_the_pause_has_what_was_idle_before_it)
{
  RcTime first_at, second_at;

  send_each (RC_MSEC, 10, 0);
  first_at = now;
  send_each (101 * RC_MSEC, 1, 0);
  second_at = now;
  send_each (201 * RC_MSEC, 1, 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, first_at), 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, second_at), 100 * RC_MSEC);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now - 1), 100 * RC_MSEC);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now), 300 * RC_MSEC);
}

CLAIM (test_of_more_pauses_than_it_remembers_the_oldest_counts)
{
  RcTime first_at;

  send_each (RC_MSEC, 1, 0);
  first_at = now;
  send_each (101 * RC_MSEC, RC_RING + 3, 0);
  fail_unless_equals_int64 (rc_idletime_before (&idle, now),
      (RC_RING + 3) * 100 * RC_MSEC);
  fail_unless_equals_int64 (rc_idletime_before (&idle, first_at), 4 * 100 * RC_MSEC);
}
