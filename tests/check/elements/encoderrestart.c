/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* When an encoder that begins anew with each bitrate gets another one:
 * gst/encoder/encoderrestart.c. */

#include <encoder/encoderrestart.h>

#include "claim.h"

#define FRAME_S .04
#define MBIT 1000000

/* So many seconds in which this is wanted; returns how often something was set. */
static guint
want (EncoderRestart * self, guint64 bps, gdouble s)
{
  guint n = 0;

  for (; s > 0; s -= FRAME_S) {
    n += encoder_restart_take (self, bps) > 0;
    encoder_restart_on_frame (self, FRAME_S);
  }
  return n;
}

CLAIM (test_each_bitrate_is_set_before_the_first_frame)
{
  EncoderRestart r = { 0 };

  fail_unless_equals_uint64 (encoder_restart_take (&r, MBIT), MBIT);
  fail_unless_equals_uint64 (encoder_restart_take (&r, 1.01 * MBIT), 1.01 * MBIT);
  fail_unless_equals_uint64 (encoder_restart_take (&r, 1.01 * MBIT), 0);
}

CLAIM (test_a_law_that_goes_up_and_down_by_a_tenth_costs_one_keyframe)
{
  EncoderRestart r = { 0 };
  guint i, n = want (&r, MBIT, 1);

  for (i = 0; i < 30; i++)
    n += want (&r, .95 * MBIT, .5) + want (&r, 1.05 * MBIT, .5);
  fail_unless (n <= 2, "%u were set", n);
}

/* The excess is as much as waits after a keyframe. */
CLAIM (test_a_fall_is_set_the_sooner_the_larger_it_is)
{
  EncoderRestart r = { 0 };

  want (&r, MBIT, 1);
  fail_unless_equals_int (want (&r, .8 * MBIT, .3), 0);
  fail_unless_equals_int (want (&r, .8 * MBIT, .2), 1);
  fail_unless (r.set_bps < .8 * MBIT);
  want (&r, .8 * MBIT, 1);
  fail_unless (encoder_restart_take (&r, .3 * MBIT) > 0);
}

CLAIM (test_a_rise_that_lasts_is_set)
{
  EncoderRestart r = { 0 };

  want (&r, MBIT, 1);
  fail_unless_equals_int (want (&r, 1.8 * MBIT, .4), 0);
  fail_unless_equals_int (want (&r, MBIT, .2), 0);
  fail_unless_equals_int (want (&r, 1.8 * MBIT, 1.5), 1);
  fail_unless (r.set_bps > 1.6 * MBIT && r.set_bps < 1.8 * MBIT);
}

/* The law goes up again, since the encoder leaves a part of the link empty. */
CLAIM (test_a_step_that_was_too_much_is_not_exceeded_soon)
{
  EncoderRestart r = { 0 };

  want (&r, 1.5 * MBIT, 1);
  fail_unless_equals_int (want (&r, 2 * MBIT, 2), 1);
  fail_unless_equals_int (want (&r, 1.4 * MBIT, 1), 1);
  want (&r, 2.5 * MBIT, 5);
  fail_unless (r.set_bps <= .93 * 2 * MBIT, "%" G_GUINT64_FORMAT, r.set_bps);
  want (&r, 2.5 * MBIT, 20);
  fail_unless (r.set_bps > 2.2 * MBIT);
}

/* A law that tries no more than a third above what is used, as rmcsink's. */
CLAIM (test_the_first_fall_does_not_bound_what_follows)
{
  EncoderRestart r = { 0 };
  gdouble s;

  want (&r, 2 * MBIT, 1);
  fail_unless_equals_int (want (&r, MBIT, 1), 1);
  for (s = 0; s < 12; s += FRAME_S)
    want (&r, MIN (3. * MBIT, r.set_bps / .75), FRAME_S);
  fail_unless (r.set_bps > .9 * 3 * MBIT, "%" G_GUINT64_FORMAT, r.set_bps);
}

CLAIM (test_twice_as_much_is_set_at_once)
{
  EncoderRestart r = { 0 };

  want (&r, MBIT, 1);
  fail_unless_equals_uint64 (encoder_restart_take (&r, 1.9 * MBIT), 0);
  fail_unless_equals_uint64 (encoder_restart_take (&r, 2 * MBIT), .93 * 2 * MBIT);
}

/* A change that waited is due although nothing else is wanted. */
CLAIM (test_a_frame_makes_a_change_due)
{
  EncoderRestart r = { 0 };

  want (&r, MBIT, 1);
  encoder_restart_take (&r, .9 * MBIT);
  fail_unless (!encoder_restart_is_due (&r));
  for (gdouble s = 0; s < 1.2; s += FRAME_S)
    encoder_restart_on_frame (&r, FRAME_S);
  fail_unless (encoder_restart_is_due (&r));
}
