/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/sched/burst.h>

#include "claim.h"

#define FRAME (RC_SECOND / 30)

static RcBurst burst;

BEFORE_EACH
{
  rc_burst_init (&burst);
}

static void
frame (guint i, guint packets)
{
  for (guint k = 0; k < packets; k++)
    rc_burst_on_packet (&burst, 1000, i * FRAME + k * 100 * RC_USEC);
}

CLAIM (test_nothing_is_known_before_a_burst_has_ended)
{
  frame (0, 10);
  fail_unless (burst.mean_bytes == 0);
}

CLAIM (test_packets_of_a_frame_are_one_burst)
{
  for (guint i = 0; i < 10; i++)
    frame (i, 10);
  fail_unless (burst.mean_bytes == 10000, "%f", burst.mean_bytes);
}

CLAIM (test_single_packets_are_bursts_of_their_size)
{
  for (guint i = 0; i < 10; i++)
    rc_burst_on_packet (&burst, 120, i * 20 * RC_MSEC);
  fail_unless (burst.mean_bytes == 120, "%f", burst.mean_bytes);
}

CLAIM (test_a_keyframe_moves_the_mean_by_an_eighth)
{
  for (guint i = 0; i < 10; i++)
    frame (i, 10);
  frame (10, 50);
  frame (11, 10);
  fail_unless (burst.mean_bytes == 15000, "%f", burst.mean_bytes);
}
