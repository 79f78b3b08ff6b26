/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* By which of two or three lanes a packet leaves. */

#include <rc/lanes/lanechoice.h>

#include "claim.h"

#define PACKET 1200

static RcLaneView views[3];

BEFORE_EACH
{
  views[0] = (RcLaneView) { TRUE, 2000000, 0, 10 * RC_MSEC, 0 };
  views[1] = (RcLaneView) { TRUE, 2000000, 0, 40 * RC_MSEC, 0 };
  views[2] = (RcLaneView) { FALSE, 0, 0, 0, 0 };
}

static RcLaneChoice
choose (RcTime left, RcTime loss_price, guint avoid, gboolean twice)
{
  RcLaneWish wish = { PACKET, left, loss_price, avoid, twice };

  return rc_lanechoice_make (views, 3, &wish);
}

CLAIM (test_packet_arrives_after_what_waits_its_own_time_and_the_way)
{
  views[0].bound_bytes = 2 * PACKET;
  /* 3 x 9600 bits at 2 Mbit/s, and 10 ms */
  fail_unless_equals_int64 (rc_lanechoice_arrival (&views[0], PACKET), 24400 * RC_USEC);
}

CLAIM (test_packet_goes_where_it_arrives_first)
{
  fail_unless_equals_int (choose (RC_TIME_NONE, 0, 0, FALSE).first, 0);
  views[0].bound_bytes = 6 * PACKET;    /* 28.8 ms */
  fail_unless_equals_int (choose (RC_TIME_NONE, 0, 0, FALSE).first, 0);
  views[0].bound_bytes = 7 * PACKET;    /* 33.6 ms */
  fail_unless_equals_int (choose (RC_TIME_NONE, 0, 0, FALSE).first, 1);
}

CLAIM (test_queues_of_a_long_frame_end_at_the_same_time)
{
  guint64 bound[2] = { 0, 0 };

  for (guint i = 0; i < 40; i++) {
    RcLaneChoice choice = choose (RC_TIME_NONE, 0, 0, FALSE);

    bound[choice.first] += PACKET;
    views[choice.first].bound_bytes += PACKET;
  }
  /* 30 ms of 2 Mbit/s are 7500 bytes */
  fail_unless (bound[0] - bound[1] >= 7500 - PACKET && bound[0] - bound[1] <= 7500 + PACKET,
      "%u and %u bytes", (guint) bound[0], (guint) bound[1]);
}

CLAIM (test_no_packet_goes_where_it_comes_after_its_deadline)
{
  views[0].loss_ratio = 0.5;
  fail_unless_equals_int (choose (RC_TIME_NONE, RC_SECOND, 0, FALSE).first, 1);
  fail_unless_equals_int (choose (30 * RC_MSEC, RC_SECOND, 0, FALSE).first, 0);
}

CLAIM (test_packet_that_is_late_everywhere_goes_where_it_arrives_first)
{
  views[0].loss_ratio = 0.5;
  fail_unless_equals_int (choose (RC_MSEC, RC_SECOND, 0, FALSE).first, 0);
}

CLAIM (test_what_must_not_be_lost_takes_the_safer_lane)
{
  views[0].loss_ratio = 0.05;
  fail_unless_equals_int (choose (RC_TIME_NONE, 100 * RC_MSEC, 0, FALSE).first, 0);
  fail_unless_equals_int (choose (RC_TIME_NONE, RC_SECOND, 0, FALSE).first, 1);
}

CLAIM (test_packet_that_was_lost_leaves_by_another_lane)
{
  fail_unless_equals_int (choose (RC_TIME_NONE, 0, 1 << 0, FALSE).first, 1);
  views[1].usable = FALSE;
  fail_unless_equals_int (choose (RC_TIME_NONE, 0, 1 << 0, FALSE).first, 0);
}

CLAIM (test_copy_takes_another_lane_if_it_is_in_time)
{
  RcLaneChoice choice = choose (60 * RC_MSEC, 0, 0, TRUE);

  fail_unless_equals_int (choice.first, 0);
  fail_unless_equals_int (choice.second, 1);
  choice = choose (30 * RC_MSEC, 0, 0, TRUE);
  fail_unless_equals_int (choice.second, RC_LANE_NONE);
}

CLAIM (test_without_a_usable_lane_there_is_no_choice)
{
  RcLaneChoice choice;

  views[0].usable = views[1].usable = FALSE;
  choice = choose (RC_TIME_NONE, 0, 0, TRUE);
  fail_unless_equals_int (choice.first, RC_LANE_NONE);
  fail_unless_equals_int (choice.second, RC_LANE_NONE);
}
