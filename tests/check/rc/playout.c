/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/playout.h>

#include "claim.h"

#define INTERVAL (RC_SECOND / 30)
#define CLOCKS (1000 * RC_SECOND)       /* between the two */
#define PATH (25 * RC_MSEC)
#define START (200 * RC_MSEC)

static const RcPlayoutParams params = RC_PLAYOUT_PARAMS_DEFAULT;
static RcPlayout playout;
static guint n;                 /* frames that came */

BEFORE_EACH
{
  rc_playout_init (&playout, &params, START);
  n = 0;
}

/* The next frame: its first packet comes on time, the last one so much later. */
static RcTime
come (RcTime late)
{
  RcTime media = n++ * INTERVAL, at = CLOCKS + media + PATH;

  rc_playout_on_packet (&playout, media, at, false);
  rc_playout_on_packet (&playout, media, at + late, false);
  return rc_playout_latency (&playout, at + late);
}

static RcTime
come_for (gdouble seconds, RcTime late)
{
  RcTime latency = 0;

  for (guint i = 0; i < (guint) (seconds * 30); i++)
    latency = come (late);
  return latency;
}

/* The second row is what a wired LAN does. */
static const struct
{
  RcTime late, latency;
} paths[] = { { 40 * RC_MSEC, 55 * RC_MSEC }, { RC_MSEC, 20 * RC_MSEC },
  { 300 * RC_MSEC, 315 * RC_MSEC }, { 2 * RC_SECOND, 500 * RC_MSEC } };

CLAIMS (test_latency_is_the_latest_frame_and_a_margin_within_bounds, G_N_ELEMENTS (paths))
{
  RcTime latency = come_for (20, paths[__i__].late);

  fail_unless (ABS (latency - paths[__i__].latency) < params.step, "%" G_GINT64_FORMAT, latency);
}

CLAIM (test_it_shrinks_by_a_step_each_interval)
{
  RcTime before = START, changed_at = 0;

  for (guint i = 0; i < 150; i++) {
    RcTime latency = come (0);

    if (latency == before)
      continue;
    fail_unless_equals_int64 (before - latency, params.step);
    fail_unless (i * INTERVAL - changed_at >= params.interval - INTERVAL);
    changed_at = i * INTERVAL;
    before = latency;
  }
  fail_unless (before < 40 * RC_MSEC);
}

CLAIM (test_late_frame_makes_it_grow_at_once)
{
  come_for (10, 0);
  fail_unless_equals_int64 (come (150 * RC_MSEC), 150 * RC_MSEC + params.lead * 150 * RC_MSEC
      + params.margin);
  fail_unless_equals_int64 (playout.late_frames, 1);
}

/* No frame is late. */
CLAIM (test_it_grows_before_frames_of_a_growing_queue_are_late)
{
  RcTime late = 10 * RC_MSEC;

  come_for (10, late);
  for (guint i = 0; i < 15; i++)
    come (late += 20 * RC_MSEC);
  fail_unless_equals_int64 (playout.late_frames, 0);
}

/* The same without the extrapolation. */
CLAIM (test_without_lead_frames_of_a_growing_queue_are_late)
{
  RcPlayoutParams blind = params;
  RcTime late = 10 * RC_MSEC;

  blind.lead = 0;
  rc_playout_init (&playout, &blind, START);
  come_for (10, late);
  for (guint i = 0; i < 15; i++)
    come (late += 20 * RC_MSEC);
  fail_unless (playout.late_frames > 5, "%d", (int) playout.late_frames);
}

/* One late frame each 1.5 s, of which the window sees the last. */
CLAIM (test_latency_stays_for_late_frames_that_come_again)
{
  for (guint i = 0; i < 10; i++) {
    come (120 * RC_MSEC);
    fail_unless (come_for (1.5, 0) >= 120 * RC_MSEC);
  }
  fail_unless (come_for (20, 0) < 40 * RC_MSEC);
}

/* 20 ms behind are a margin of 15. */
CLAIM (test_time_for_processing_is_a_margin_but_for_what_a_decoder_takes)
{
  RcTime latency = come_for (20, 50 * RC_MSEC);

  fail_unless (ABS (latency - 65 * RC_MSEC) < params.step);
  rc_playout_set_spare (&playout, 20 * RC_MSEC);
  latency = come_for (20, 50 * RC_MSEC);
  fail_unless (ABS (latency - 50 * RC_MSEC) < params.step);
  fail_unless (latency >= 50 * RC_MSEC);
  fail_unless_equals_int64 (playout.late_frames, 0);
}

CLAIM (test_what_a_jitter_buffer_adds_by_its_base_is_not_added_again)
{
  come_for (10, 0);
  rc_playout_on_base (&playout, CLOCKS + PATH + 90 * RC_MSEC);
  fail_unless (come_for (10, 100 * RC_MSEC) < 40 * RC_MSEC);
}

/* A jitter buffer in the mode `none` begins at 0. */
CLAIM (test_base_that_follows_no_arrivals_is_not_believed)
{
  come_for (10, 0);
  rc_playout_on_base (&playout, 0);
  fail_unless (come_for (1, 30 * RC_MSEC) >= 30 * RC_MSEC);
  fail_unless (playout.latency < 100 * RC_MSEC);
}

CLAIM (test_losses_keep_the_latency_that_repair_needs)
{
  RcTime now;

  come_for (10, 0);
  now = CLOCKS + n * INTERVAL;
  rc_playout_on_lost (&playout, now);
  rc_playout_set_repair (&playout, 130 * RC_MSEC);
  fail_unless (come (0) >= 130 * RC_MSEC);
  fail_unless (come_for (20, 0) >= 130 * RC_MSEC);
  fail_unless (come_for (40, 0) < 40 * RC_MSEC);
}

CLAIM (test_frames_by_two_paths_in_turn_are_no_growing_queue)
{
  RcTime latency = 0;

  for (guint i = 0; i < 600; i++)
    latency = come (i % 2 ? 80 * RC_MSEC : 20 * RC_MSEC);
  fail_unless (ABS (latency - 95 * RC_MSEC) < params.step, "%" G_GINT64_FORMAT, latency);
}

/* By its transit, without the extrapolation. */
CLAIM (test_repair_is_no_growing_queue)
{
  RcTime media;

  come_for (10, 0);
  media = (n - 3) * INTERVAL;
  rc_playout_on_packet (&playout, media, CLOCKS + media + PATH + 100 * RC_MSEC, true);
  fail_unless_equals_int64 (come (0), 100 * RC_MSEC + params.margin);
}

CLAIM (test_new_timestamps_keep_the_latency_and_nothing_else)
{
  RcTime latency = come_for (20, 60 * RC_MSEC), at = CLOCKS + n * INTERVAL;

  rc_playout_on_packet (&playout, 77777 * RC_SECOND, at, false);
  fail_unless_equals_int64 (rc_playout_latency (&playout, at), latency);
  fail_unless_equals_int64 (playout.late_frames, 0);
}

/* Two hours by a clock that is 100 ppm slow, and one that is fast. */
CLAIMS (test_skew_of_the_clocks_is_no_delay, 2)
{
  for (guint i = 0; i < 2 * 3600 * 30; i++) {
    RcTime media = i * INTERVAL;

    rc_playout_on_packet (&playout, media,
        CLOCKS + media + (RcTime) ((gdouble) media * (__i__ ? 1e-4 : -1e-4)), false);
    rc_playout_latency (&playout, CLOCKS + media);
  }
  fail_unless (playout.latency <= 30 * RC_MSEC);
  fail_unless_equals_int64 (playout.late_frames, 0);
}

CLAIM (test_before_the_first_packet_nothing_changes)
{
  fail_unless_equals_int64 (rc_playout_latency (&playout, 5 * RC_SECOND), START);
}
