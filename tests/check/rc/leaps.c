/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/loss/leaps.h>

#include "claim.h"

static RcLeaps leaps;

BEFORE_EACH
{
  leaps = (RcLeaps) { 0 };
  rc_leaps_on_packet (&leaps, 65530, false);
}

static RcLeapVerdict
come (int seq)
{
  return rc_leaps_on_packet (&leaps, (uint16_t) seq, false);
}

CLAIM (test_packets_in_order_late_and_behind_some_losses_go_on)
{
  int seqs[] = { 65531, 65535, 0, 1, 101, 50, 65000, 40000, 201 };

  for (unsigned i = 0; i < G_N_ELEMENTS (seqs); i++)
    fail_unless_equals_int (come (seqs[i]), RC_LEAP_NONE);
}

CLAIM (test_one_far_ahead_waits_until_another_of_its_surroundings_comes)
{
  fail_unless_equals_int (come (95), RC_LEAP_DOUBTED);
  fail_unless_equals_int (come (96), RC_LEAP_CONFIRMED);
  fail_unless_equals_int (come (97), RC_LEAP_NONE);
  fail_unless_equals_int (come (65531), RC_LEAP_NONE);
}

CLAIM (test_reordered_packets_confirm_each_other)
{
  fail_unless_equals_int (come (1001), RC_LEAP_DOUBTED);
  fail_unless_equals_int (come (1000), RC_LEAP_CONFIRMED);
  fail_unless_equals_int (come (1101), RC_LEAP_NONE);
}

CLAIM (test_a_copy_confirms_nothing)
{
  for (int i = 0; i < 5; i++)
    fail_unless_equals_int (come (1000), RC_LEAP_DOUBTED);
}

CLAIM (test_false_numbers_change_nothing_for_the_true_ones)
{
  for (int i = 0; i < 30000; i++) {
    fail_unless_equals_int (come (65531 + i), RC_LEAP_NONE);
    fail_unless_equals_int (come (65531 + i + 200 + 7919 * i % 32000), RC_LEAP_DOUBTED);
  }
}

CLAIM (test_a_sender_that_begins_anew_behind_is_where_leaps_count_from)
{
  fail_unless_equals_int (come (40000), RC_LEAP_NONE);
  rc_leaps_begin_at (&leaps, 40001);
  fail_unless_equals_int (come (65531), RC_LEAP_DOUBTED);
  fail_unless_equals_int (come (40002), RC_LEAP_NONE);
}

CLAIM (test_a_doubtful_first_packet_waits_for_the_second)
{
  leaps = (RcLeaps) { 0 };
  fail_unless_equals_int (rc_leaps_on_packet (&leaps, 7, true), RC_LEAP_DOUBTED);
  fail_unless_equals_int (rc_leaps_on_packet (&leaps, 5000, true), RC_LEAP_DOUBTED);
  fail_unless_equals_int (rc_leaps_on_packet (&leaps, 5001, true), RC_LEAP_CONFIRMED);
  fail_unless_equals_int (rc_leaps_on_packet (&leaps, 5002, true), RC_LEAP_NONE);
}
