/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/frametimes.h>

#include "claim.h"

#define CLOCK 90000
#define FRAME 3000              /* of 30 a second */
#define INTERVAL (RC_SECOND / 30)
#define START (100 * RC_SECOND)

static RcFrameTimes frames;

BEFORE_EACH
{
  rc_frametimes_init (&frames);
}

/* The first packet of frame i comes on time, the last one so much later. */
static void
come (guint32 first_rtp, guint i, RcTime late)
{
  guint32 rtp = first_rtp + i * FRAME;

  rc_frametimes_on_packet (&frames, rtp, CLOCK, START + i * INTERVAL);
  rc_frametimes_on_packet (&frames, rtp, CLOCK, START + i * INTERVAL + late);
}

static gdouble
delay_ms (gdouble q)
{
  return rc_time_to_s (rc_frametimes_delay (&frames, q)) * 1e3;
}

CLAIM (test_delay_is_how_much_later_than_the_fastest_frame_a_frame_is_whole)
{
  for (guint i = 0; i < 200; i++)
    come (0, i, i % 10 == 0 ? 25 * RC_MSEC : 5 * RC_MSEC);
  fail_unless (ABS (delay_ms (0.5) - 0) < 0.1, "%f", delay_ms (0.5));
  fail_unless (ABS (delay_ms (0.95) - 20) < 0.1, "%f", delay_ms (0.95));
}

/* Clocks are unrelated, and the 32 bits of the timestamp come round. */
CLAIM (test_distance_of_the_clocks_and_wrap_around_do_not_matter)
{
  for (guint i = 0; i < 200; i++)
    come (G_MAXUINT32 - 50 * FRAME, i, i % 2 * 8 * RC_MSEC);
  fail_unless (ABS (delay_ms (1) - 8) < 0.1, "%f", delay_ms (1));
}

CLAIM (test_repair_that_comes_with_later_frames_counts_with_its_own)
{
  for (guint i = 0; i < 60; i++) {
    come (0, i, 0);
    if (i == 30)
      rc_frametimes_on_packet (&frames, 27 * FRAME, CLOCK, START + 30 * INTERVAL);
  }
  fail_unless (ABS (delay_ms (1) - 100) < 0.1, "%f", delay_ms (1));
}

/* A frame that is closed is not counted twice. */
CLAIM (test_repair_of_a_closed_frame_is_ignored)
{
  for (guint i = 0; i < 60; i++)
    come (0, i, 0);
  rc_frametimes_on_packet (&frames, 10 * FRAME, CLOCK, START + 60 * INTERVAL);
  for (guint i = 60; i < 90; i++)
    come (0, i, 0);
  fail_unless (delay_ms (1) < 0.1, "%f", delay_ms (1));
}

/* Frames in the order of decoding: P3 B1 B2 P6 B4 B5. */
CLAIM (test_frames_out_of_their_order_are_frames)
{
  static const guint order[] = { 2, 0, 1 };

  for (guint i = 0; i < 90; i++)
    rc_frametimes_on_packet (&frames, (i / 3 * 3 + order[i % 3]) * FRAME, CLOCK,
        START + i * INTERVAL);
  fail_unless (frames.begun == 90);
  fail_unless (ABS (delay_ms (1) - 100) < 0.1, "%f", delay_ms (1));
}

/* A stream of an hour by a clock that is 100 ppm fast. */
CLAIM (test_skew_of_the_clocks_is_no_delay)
{
  for (guint i = 0; i < 3600 * 30; i++)
    rc_frametimes_on_packet (&frames, i * FRAME, CLOCK,
        START + (RcTime) (i * (gdouble) INTERVAL * 1.0001));
  fail_unless (delay_ms (1) < 4, "%f", delay_ms (1));
}

/* Twelve frames a second that are numbered as 30. */
CLAIM (test_times_that_run_slow_are_no_delay)
{
  for (guint i = 0; i < 12 * 60; i++)
    rc_frametimes_on_packet (&frames, i * FRAME, CLOCK, START + i * RC_SECOND / 12
        + (i % 10 == 0) * 30 * RC_MSEC);
  fail_unless (delay_ms (0.5) < 60, "%f", delay_ms (0.5));
  fail_unless (delay_ms (0.95) < 100, "%f", delay_ms (0.95));
}

/* For ten seconds by 80 ms each; then it stays. */
CLAIM (test_a_queue_that_grows_is_delay)
{
  for (guint i = 0; i < 30 * 15; i++)
    rc_frametimes_on_packet (&frames, i * FRAME, CLOCK, START + i * INTERVAL
        + (RcTime) MIN (i, 300) * INTERVAL * 8 / 100);
  fail_unless (delay_ms (0.95) > 700, "%f", delay_ms (0.95));
}

CLAIM (test_jump_of_the_timestamps_starts_anew)
{
  for (guint i = 0; i < 100; i++)
    come (0, i, i % 2 * 50 * RC_MSEC);
  fail_unless (delay_ms (1) > 40);
  for (guint i = 100; i < 200; i++)
    come (0x40000000, i, 0);
  fail_unless (delay_ms (1) < 0.1, "%f", delay_ms (1));
}

/* Every fourth frame comes on time, the others 20 ms late. */
CLAIM (test_a_packet_is_due_when_the_fastest_ones_would_have_come)
{
  fail_unless_equals_int64 (rc_frametimes_due_at (&frames, 0), RC_TIME_NONE);
  for (guint i = 0; i < 200; i++)
    rc_frametimes_on_packet (&frames, i * FRAME, CLOCK,
        START + i * INTERVAL + (i % 4 ? 20 * RC_MSEC : 0));
  for (guint i = 190; i < 210; i++)
    fail_unless (ABS (rc_frametimes_due_at (&frames, i * FRAME) - START - i * INTERVAL)
        < RC_MSEC);
}

CLAIM (test_without_a_clock_rate_nothing_is_measured)
{
  for (guint i = 0; i < 100; i++)
    rc_frametimes_on_packet (&frames, i * FRAME, 0, START + i * INTERVAL);
  fail_unless_equals_int64 (rc_frametimes_delay (&frames, 0.5), RC_TIME_NONE);
}
