/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The choice of size and frame rate, in virtual time: 720p at 30 frames, and an encoder whose
 * quantiser obeys the same kind of rule as eq. 1 with constants of its own. Of content of a typical
 * difficulty, the full size needs about 600 kbit/s. */
#include <math.h>
#include <rc/scale/scale.h>

#include "claim.h"

#define FPS 30
#define KBPS 1000.0
#define QP_PER_HALVED_PIXELS 2.2
#define TYPICAL 2.5
#define EASY -4
#define HARD 9

typedef struct
{
  RcScale scale;
  RcTime now;
  gdouble bps, difficulty, slope;       /* of the encoder; slope 0: it does not tell its QP */
  guint changes, ups, downs;
  RcTime last_change, least_gap_up, least_gap_down;
} Run;

static Run run;

static void
run_init (gdouble bps, gdouble difficulty)
{
  RcLadderInput input = { .width = 1280,.height = 720,.fps = FPS };
  RcLadder ladder;

  run = (Run) { .bps = bps,.difficulty = difficulty,.slope = 6.1,.last_change = RC_TIME_NONE,
    .least_gap_up = G_MAXINT64,.least_gap_down = G_MAXINT64
  };
  rc_ladder_init (&ladder, &input);
  rc_scale_init (&run.scale, &ladder);
}

static const RcRung *
rung_of (void)
{
  return &run.scale.ladder.rungs[run.scale.rung];
}

static void
note_change (guint before)
{
  RcTime *least = run.scale.rung > before ? &run.least_gap_down : &run.least_gap_up;

  if (run.last_change != RC_TIME_NONE)
    *least = MIN (*least, run.now - run.last_change);
  *(run.scale.rung > before ? &run.downs : &run.ups) += 1;
  run.last_change = run.now;
  run.changes++;
}

static void
frame (void)
{
  const RcRung *rung = rung_of ();
  gdouble bits = run.bps * rung->divisor / FPS;
  gdouble pixels = (gdouble) rung->width * rung->height;
  gdouble qp = run.difficulty - run.slope * log2 (bits / pixels)
      - QP_PER_HALVED_PIXELS * log2 (pixels / (1280 * 720));
  guint before = run.scale.rung;

  rc_scale_on_target (&run.scale, (guint64) run.bps);
  if (run.slope > 0)
    rc_scale_on_frame (&run.scale, bits, CLAMP (qp, 0, 51));
  if (rc_scale_choose (&run.scale, run.now))
    note_change (before);
  run.now += RC_SECOND / FPS;
}

static void
run_for (RcTime span)
{
  for (RcTime end = run.now + span; run.now < end;)
    frame ();
}

CLAIM (test_without_a_target_nothing_changes)
{
  run_init (0, 0);
  for (run.now = 0; run.now < 60 * RC_SECOND; run.now += RC_SECOND)
    fail_if (rc_scale_choose (&run.scale, run.now));
  fail_unless_equals_int (run.scale.rung, 0);
  fail_unless_equals_int (run.scale.reason, RC_SCALE_NO_TARGET);
}

CLAIM (test_lines_grow_with_the_rate)
{
  guint lines = 0;

  for (gdouble kbps = 50; kbps < 8000; kbps *= 1.3) {
    run_init (kbps * KBPS, TYPICAL);
    run_for (60 * RC_SECOND);
    fail_unless (rung_of ()->height >= lines);
    lines = rung_of ()->height;
  }
  fail_unless_equals_int (lines, 720);
}

CLAIM (test_easy_content_keeps_more_lines_than_difficult_content)
{
  run_init (500 * KBPS, EASY);
  run_for (60 * RC_SECOND);
  fail_unless_equals_int (rung_of ()->height, 720);
  run_init (500 * KBPS, HARD);
  run_for (60 * RC_SECOND);
  fail_unless (rung_of ()->height <= 360);
}

CLAIM (test_an_encoder_without_quantiser_is_scaled_by_the_rate)
{
  run_init (4000 * KBPS, 0);
  run.slope = 0;
  run_for (10 * RC_SECOND);
  fail_unless_equals_int (rung_of ()->height, 720);
  run.bps = 150 * KBPS;
  run_for (30 * RC_SECOND);
  fail_unless (rung_of ()->height <= 360);
  fail_unless_equals_int (run.scale.reason, RC_SCALE_LESS_RATE);
}

CLAIM (test_a_cut_to_difficult_content_is_told_as_such)
{
  run_init (1000 * KBPS, EASY);
  run_for (30 * RC_SECOND);
  fail_unless_equals_int (rung_of ()->height, 720);
  run.difficulty = HARD;
  run_for (30 * RC_SECOND);
  fail_unless (rung_of ()->height < 720);
  fail_unless_equals_int (run.scale.reason, RC_SCALE_HARDER);
  run.difficulty = EASY;
  run_for (30 * RC_SECOND);
  fail_unless_equals_int (rung_of ()->height, 720);
  fail_unless_equals_int (run.scale.reason, RC_SCALE_EASIER);
}

CLAIM (test_a_great_fall_is_followed_by_one_step)
{
  run_init (3000 * KBPS, TYPICAL);
  run_for (30 * RC_SECOND);
  fail_unless_equals_int (rung_of ()->height, 720);
  run.bps = 200 * KBPS;
  run_for (1.2 * RC_SECOND);
  fail_unless_equals_int (run.downs, 1);
  fail_unless (rung_of ()->height <= 360);
  run_for (30 * RC_SECOND);
  fail_unless_equals_int (run.downs, 1);
}

CLAIM (test_a_short_dip_is_no_fall)
{
  run_init (3000 * KBPS, TYPICAL);
  run_for (30 * RC_SECOND);
  for (guint i = 0; i < 10; i++) {
    run.bps = 200 * KBPS;
    run_for (800 * RC_MSEC);
    run.bps = 3000 * KBPS;
    run_for (RC_SECOND);
  }
  fail_unless_equals_int (run.downs, 0);
}

CLAIM (test_changes_keep_their_distance)
{
  GRand *random = g_rand_new_with_seed (1);

  run_init (1000 * KBPS, TYPICAL);
  while (run.now < 600 * RC_SECOND) {
    run.bps = 100 * KBPS * exp2 (g_rand_double_range (random, 0, 5));
    run.difficulty = g_rand_double_range (random, EASY, HARD);
    run_for ((RcTime) (g_rand_double_range (random, 0.1, 8) * RC_SECOND));
  }
  g_rand_free (random);
  fail_unless (run.ups > 10 && run.downs > 10);
  fail_unless (run.least_gap_down >= 2 * RC_SECOND);
  fail_unless (run.least_gap_up >= 5 * RC_SECOND);
}

/* Around each rate of the ladder, so around every threshold; slow and fast; the encoder's slope is
 * not the model's. */
CLAIMS (test_a_rate_that_wavers_by_a_fifth_makes_no_ping_pong, 20)
{
  static const gdouble periods_s[] = { 1, 5, 13, 30, 120 };
  static const gdouble slopes[] = { 0, 5, 6.1, 7 };

  for (gdouble kbps = 60; kbps < 6000; kbps *= 1.2) {
    gdouble period = periods_s[__i__ % G_N_ELEMENTS (periods_s)];

    run_init (kbps * KBPS, TYPICAL);
    run.slope = slopes[__i__ / G_N_ELEMENTS (periods_s)];
    for (; run.now < 600 * RC_SECOND; run.now += 2 * RC_SECOND / FPS) {     /* each third frame */
      if (run.now < (60 + 2 * period) * RC_SECOND)
        run.ups = run.downs = 0;        /* it has settled, and learnt the encoder's errors */
      run.bps = kbps * KBPS * (1 + 0.2 * sin (2 * G_PI * rc_time_to_s (run.now) / period));
      frame ();
    }
    fail_unless (MIN (run.ups, run.downs) == 0 && MAX (run.ups, run.downs) <= 1,
        "%g kbit/s, period %g s, slope %g: %u up, %u down", kbps, period, run.slope, run.ups,
        run.downs);
  }
}

/* Scenes of 5 s, and a rate that wavers: the size is that of the harder scenes. */
CLAIM (test_content_that_comes_and_goes_makes_few_changes)
{
  for (gdouble kbps = 100; kbps < 2000; kbps *= 1.3) {
    run_init (kbps * KBPS, TYPICAL);
    while (run.now < 600 * RC_SECOND) {
      gdouble waver = sin (2 * G_PI * rc_time_to_s (run.now) / 13);

      run.difficulty = run.now / (5 * RC_SECOND) % 2 ? TYPICAL + 3 : TYPICAL - 2;
      run.bps = kbps * KBPS * (1 + 0.2 * waver);
      frame ();
    }
    fail_unless (run.changes <= 12, "%g kbit/s: %u changes", kbps, run.changes);
  }
}

CLAIM (test_a_refused_rung_is_not_taken)
{
  run_init (200 * KBPS, TYPICAL);
  frame ();
  fail_unless (run.scale.rung > 0);
  rc_scale_refuse (&run.scale, 0);
  fail_unless_equals_int (run.scale.rung, 0);
}

/* What was learnt of the steps of another ladder does not hold back those of the new one. */
CLAIM (test_a_new_ladder_begins_without_what_the_old_one_taught)
{
  RcLadder ladder;

  run_init (600 * KBPS, TYPICAL);
  for (guint i = 0; i < 20 && run.scale.extra_margin <= 0; i++) {
    run.difficulty = i % 2 ? HARD : EASY;
    run_for (12 * RC_SECOND);
  }
  fail_unless (run.scale.extra_margin > 0);
  ladder = run.scale.ladder;
  rc_scale_set_ladder (&run.scale, &ladder);
  fail_unless (run.scale.extra_margin <= 0, "%g", run.scale.extra_margin);
  fail_unless_equals_int (run.scale.rung, 0);
}

CLAIM (test_strange_numbers_do_no_harm)
{
  run_init (1, TYPICAL);
  run_for (RC_SECOND);
  rc_scale_on_frame (&run.scale, 0, 30);
  rc_scale_on_frame (&run.scale, 1e12, 51);
  rc_scale_on_target (&run.scale, G_MAXUINT64);
  run.now -= 10 * RC_SECOND;
  rc_scale_choose (&run.scale, run.now);
  rc_scale_choose (&run.scale, G_MAXINT64);
  fail_unless (isfinite (run.scale.difficulty) && isfinite (run.scale.log_rate));
}
