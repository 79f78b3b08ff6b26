/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What encoders are told to make: lib/rc/sender/mediatarget.c, in virtual time. */
#include <rc/sender/mediatarget.h>

#include "claim.h"

static RcMediaTarget target;

BEFORE_EACH
{
  rc_mediatarget_init (&target);
}

CLAIM (test_target_is_the_rate_less_headers_and_standing_queue)
{
  RcTime now = RC_SECOND;
  guint i, bps;

  for (i = 0; i < 1000; i++)
    rc_mediatarget_on_sent (&target, 1000, 900);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 900000) < 2000, "%u", bps);
  for (i = 0; i < 10; i++, now += 10 * RC_MSEC)
    /* A frame comes and goes, 6250 bytes stay. */
    rc_mediatarget_on_queue (&target, i % 2 ? 12500 : 6250, now);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 855000) < 2000, "%u", bps);
  rc_mediatarget_on_queue (&target, 0, now);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 900000) < 2000, "%u", bps);
  for (i = 0; i < 10; i++, now += 20 * RC_MSEC)
    rc_mediatarget_on_queue (&target, 1000000, now);
  fail_unless_equals_int (rc_mediatarget_get_bps (&target, 1000000, now), 250000);
  fail_unless_equals_int (rc_mediatarget_get_bps (&target, 0, now), 1);
}

/* 1250 bytes are 10 kbit: a hundredth of the rate in 1 s, a tenth in 0.1 s. */
CLAIM (test_after_a_fall_what_waits_goes_first)
{
  RcTime now = RC_SECOND;
  guint bps;

  for (guint i = 0; i < 1000; i++)
    rc_mediatarget_on_sent (&target, 1000, 1000);
  for (guint i = 0; i < 10; i++, now += 20 * RC_MSEC)
    rc_mediatarget_on_queue (&target, 1250, now);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 990000) < 2000, "%u", bps);
  rc_mediatarget_set_fallen (&target, true);
  bps = rc_mediatarget_get_bps (&target, 1000000, now);
  fail_unless (ABS ((gint) bps - 900000) < 2000, "%u", bps);
}

/* Makes `gain` of what it is told for so long; returns when that was told of, 0: it was not. */
static RcTime
time_of_excess (double gain, RcTime from, RcTime to, guint * times)
{
  RcTime now, at = 0;
  guint bps = 0, made, told;

  *times = 0;
  for (now = from; now < to; now += 33 * RC_MSEC) {
    rc_mediatarget_take (&target, 1000000, now, &bps);
    rc_mediatarget_on_made (&target, (guint) (gain * (double) target.told_bps * 0.033 / 8), now);
    if (rc_mediatarget_take_misfit (&target, now, &made, &told)) {
      fail_unless (made > 1.4 * told && made < 2.2 * told, "%u of %u", made, told);
      at = (*times)++ == 0 ? now : at;
    }
  }
  return at;
}

CLAIM (test_encoder_far_above_its_target_is_told_of_once_after_three_seconds)
{
  guint times;
  RcTime at;

  at = time_of_excess (2, 0, 20 * RC_SECOND, &times);
  fail_unless (at >= 5 * RC_SECOND && at < 6 * RC_SECOND, "%f", rc_time_to_s (at));
  fail_unless_equals_int (times, 1);
}

CLAIM (test_encoder_somewhat_above_its_target_or_for_a_moment_is_not_told_of)
{
  guint times;

  time_of_excess (1.3, 0, 10 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
  time_of_excess (3, 10 * RC_SECOND, 11 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
  time_of_excess (1, 11 * RC_SECOND, 20 * RC_SECOND, &times);
  fail_unless_equals_int (times, 0);
}

/* Makes so much of 1 Mbit/s for 60 s; returns how often it was told to be short. */
static guint
times_short (double made_bps, RcTime first_after)
{
  guint bps = 0, made = 0, told = 0, times = 0;

  rc_mediatarget_init (&target);
  for (RcTime now = 0; now < 60 * RC_SECOND; now += 33 * RC_MSEC) {
    rc_mediatarget_take (&target, 1000000, now, &bps);
    rc_mediatarget_on_made (&target, (guint) (made_bps * 0.033 / 8), now);
    if (!rc_mediatarget_take_misfit (&target, now, &made, &told))
      continue;
    fail_unless (times++ > 0 || now >= first_after, "after %f s", rc_time_to_s (now));
    fail_unless (told > 1.2 * made, "%u of %u", made, told);
  }
  return times;
}

CLAIM (test_encoder_that_stays_far_below_its_target_is_told_of_every_ten_seconds)
{
  guint times = times_short (330000, 12 * RC_SECOND);

  fail_unless (times >= 4 && times <= 5, "%u times", times);
  fail_unless_equals_int (times_short (900000, 0), 0);
}

/* Tells an encoder that makes `gain` of what it is told, each 33 ms for 10 s. Returns what it
 * makes in the end of what it should. */
static double
follow_target (double gain, guint most_bps)
{
  guint64 made_bits = 0;
  RcTime now, from = 5 * RC_SECOND, to = 10 * RC_SECOND;
  guint bps, told = 0;

  rc_mediatarget_init (&target);
  for (now = 0; now < to; now += 33 * RC_MSEC) {
    if (rc_mediatarget_take (&target, 1000000, now, &bps))
      told = bps;
    bps = MIN (told * gain, most_bps);
    rc_mediatarget_on_made (&target, bps * 0.033 / 8, now);
    if (now >= from)
      made_bits += bps * 0.033;
  }
  return made_bits / rc_time_to_s (to - from) / (1e6 * 1188 / 1228);
}

CLAIM (test_encoder_that_is_a_little_off_is_corrected)
{
  fail_unless (ABS (follow_target (0.94, 10000000) - 0.98) < 0.02);
  fail_unless (ABS (follow_target (1.06, 10000000) - 0.98) < 0.02);
  fail_unless (ABS (follow_target (1, 300000) - 0.31) < 0.01, "a still picture is left alone");
}

/* What it is told stays near the rate when the encoder does not follow at all. */
CLAIM (test_target_is_bounded_when_the_encoder_does_not_follow)
{
  RcTime now;
  guint bps;

  for (now = 0; now < 20 * RC_SECOND; now += 33 * RC_MSEC) {
    rc_mediatarget_take (&target, 1000000, now, &bps);
    rc_mediatarget_on_made (&target, now < 10 * RC_SECOND ? 30 : 30000, now);
    fail_unless (bps <= 1100000 && bps >= 800000, "%u", bps);
  }
}

CLAIM (test_falls_are_told_at_once_and_rises_seldom)
{
  RcTime now = RC_SECOND;
  guint bps;

  fail_unless (rc_mediatarget_take (&target, 1000000, now, &bps));
  fail_if (rc_mediatarget_take (&target, 1010000, now + RC_SECOND, &bps));
  fail_if (rc_mediatarget_take (&target, 985000, now + RC_SECOND, &bps));
  fail_unless (rc_mediatarget_take (&target, 970000, now + 1, &bps));
  fail_if (rc_mediatarget_take (&target, 2000000, now + 99 * RC_MSEC, &bps));
  fail_unless (rc_mediatarget_take (&target, 2000000, now + 101 * RC_MSEC, &bps));
}
