/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/ledger/toldnumbers.h>

#include "claim.h"

static RcToldNumbers numbers;
static guint16 ours;

BEFORE_EACH
{
  numbers = (RcToldNumbers) { 0 };
}

static RcToldVerdict
told (guint16 number, RcTime sent_at)
{
  RcTold one = { number, sent_at, 1000, RC_TIME_NONE };

  return rc_toldnumbers_take (&numbers, &one, &ours);
}

CLAIM (test_numbers_in_order_are_kept)
{
  for (guint i = 65530; i < 65550; i++) {
    fail_unless_equals_int (told ((guint16) i, i * RC_MSEC), RC_TOLD_NEW);
    fail_unless_equals_int (ours, (guint16) i);
  }
}

CLAIM (test_packet_told_again_is_known_also_without_its_time)
{
  told (10, RC_MSEC);
  told (11, 2 * RC_MSEC);
  fail_unless_equals_int (told (10, RC_TIME_NONE), RC_TOLD_KNOWN);
  fail_unless_equals_int (ours, 10);
  fail_unless_equals_int (told (11, 2 * RC_MSEC), RC_TOLD_KNOWN);
  fail_unless_equals_int (told (10, RC_MSEC), RC_TOLD_KNOWN);
}

CLAIM (test_packets_of_one_list_left_at_one_time)
{
  told (10, RC_MSEC);
  fail_unless_equals_int (told (11, RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (told (12, RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (ours, 12);
}

CLAIM (test_packets_that_no_message_names_leave_no_gap)
{
  told (10, RC_MSEC);
  fail_unless_equals_int (told (20, 2 * RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (ours, 11);
  fail_unless_equals_int (told (15, RC_TIME_NONE), RC_TOLD_UNKNOWN);
  fail_unless_equals_int (told (10, RC_TIME_NONE), RC_TOLD_UNKNOWN);
}

CLAIM (test_session_that_begins_again_goes_on_in_our_numbers)
{
  told (5000, RC_MSEC);
  told (5001, 2 * RC_MSEC);
  fail_unless_equals_int (told (0, 3 * RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (ours, 5002);
  fail_unless_equals_int (told (1, 4 * RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (ours, 5003);
}

CLAIM (test_nothing_is_known_before_the_first_departure)
{
  fail_unless_equals_int (told (7, RC_TIME_NONE), RC_TOLD_UNKNOWN);
  fail_unless_equals_int (told (7, RC_MSEC), RC_TOLD_NEW);
  fail_unless_equals_int (told (6, RC_TIME_NONE), RC_TOLD_UNKNOWN);
}
