/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/arrivaltimes.h>

#include "claim.h"

#define START (10 * RC_SECOND)
#define UNITS_PER_MS 32

static RcArrivalTimes times;
static RcArrivalAges list;

BEFORE_EACH
{
  rc_arrivaltimes_init (&times);
}

/* ms after START. */
static void
note (guint32 number, guint ms)
{
  rc_arrivaltimes_note (&times, number, START + ms * RC_MSEC);
}

static void
tell (guint ms)
{
  rc_arrivaltimes_tell (&times, START + ms * RC_MSEC, &list);
}

static void
assert_age_ms (guint i, guint ms)
{
  fail_unless (i < list.n);
  fail_unless_equals_int (list.ages[i], ms * UNITS_PER_MS);
}

CLAIM (test_ages_are_counted_back_from_the_report)
{
  note (70000, 0);
  note (70001, 3);
  note (70003, 10);
  tell (20);
  fail_unless_equals_int (list.first, 70000 % 65536);
  fail_unless_equals_int (list.stride_log2, 0);
  fail_unless_equals_int (list.n, 4);
  assert_age_ms (0, 20);
  assert_age_ms (1, 17);
  fail_unless_equals_int (list.ages[2], RC_ARRIVALAGE_NONE);
  assert_age_ms (3, 10);
  tell (30);
  fail_unless_equals_int (list.n, 0);
}

CLAIM (test_ages_are_rounded_and_end_at_two_seconds)
{
  rc_arrivaltimes_note (&times, 1, START + RC_ARRIVALAGE_UNIT / 2 + RC_USEC);
  rc_arrivaltimes_note (&times, 2, START + RC_ARRIVALAGE_UNIT / 2);
  note (3, 5000);               /* the clock was set back */
  rc_arrivaltimes_tell (&times, START + 4 * RC_ARRIVALAGE_UNIT, &list);
  fail_unless_equals_int (list.ages[0], 3);
  fail_unless_equals_int (list.ages[1], 4);
  fail_unless_equals_int (list.ages[2], 0);
  note (4, 0);
  note (5, 100);
  tell (2100);
  fail_unless_equals_int (list.ages[0], RC_ARRIVALAGE_EARLIER);
  assert_age_ms (1, 2000);
}

CLAIM (test_late_packets_find_their_places)
{
  note (10, 0);
  note (13, 1);
  note (11, 2);
  note (7, 3);
  tell (10);
  fail_unless_equals_int (list.first, 7);
  fail_unless_equals_int (list.n, 7);
  assert_age_ms (0, 7);
  assert_age_ms (3, 10);
  assert_age_ms (4, 8);
  assert_age_ms (6, 9);
  fail_unless_equals_int (list.ages[1], RC_ARRIVALAGE_NONE);
  fail_unless_equals_int (list.ages[5], RC_ARRIVALAGE_NONE);
}

CLAIM (test_a_full_list_keeps_every_second_entry_exactly)
{
  guint i;

  for (i = 0; i < 1000; i++)
    if (i != 992)
      note (500 + i, i);
  note (500 - 8, 1000);         /* late: four strides before the first */
  note (500 - 3, 1000);         /* not on the stride */
  note (500 - 2000, 1000);      /* no room */
  tell (1000);
  fail_unless_equals_int (list.stride_log2, 2);
  fail_unless_equals_int (list.first, 492);
  fail_unless_equals_int (list.n, 252);
  assert_age_ms (0, 0);
  fail_unless_equals_int (list.ages[1], RC_ARRIVALAGE_NONE);
  for (i = 0; i < 250; i++)
    if (i != 248)
      assert_age_ms (i + 2, 1000 - 4 * i);
  fail_unless_equals_int (list.ages[250], RC_ARRIVALAGE_NONE);
}

CLAIM (test_the_list_ends_with_a_packet_that_came)
{
  for (guint i = 0; i < 255; i++)
    note (i, 0);
  note (257, 1);
  tell (10);
  fail_unless_equals_int (list.stride_log2, 1);
  fail_unless_equals_int (list.n, 128);
  assert_age_ms (127, 10);
}

/* More numbers than 16 bits tell apart, and across their end. */
CLAIM (test_a_report_that_waited_long_begins_its_list_anew)
{
  guint32 i;

  for (i = 0; i < 65536 + 10; i++)
    note (0xfffff000 + i, 0);
  tell (10);
  fail_unless_equals_int (list.n, 10);
  fail_unless_equals_int (list.first, 0xf000);
  for (i = 0; i < 65536; i++)
    note (0xfffff000 + i, 0);
  tell (10);
  fail_unless_equals_int (list.stride_log2, RC_ARRIVALAGES_MAX_STRIDE_LOG2);
  fail_unless_equals_int (list.n, 256);
}

CLAIM (test_a_list_is_thinned_to_what_fits)
{
  for (guint i = 0; i < 101; i++)
    if (i != 96)
      note (i, i);
  tell (100);
  rc_arrivalages_thin (&list, 101);
  fail_unless_equals_int (list.n, 101);
  rc_arrivalages_thin (&list, 30);
  fail_unless_equals_int (list.stride_log2, 2);
  fail_unless_equals_int (list.n, 26);
  assert_age_ms (25, 0);
  rc_arrivalages_thin (&list, 25);      /* 96 is at the end then */
  fail_unless_equals_int (list.stride_log2, 3);
  fail_unless_equals_int (list.n, 12);
  assert_age_ms (11, 12);
  rc_arrivalages_thin (&list, 0);
  fail_unless_equals_int (list.n, 0);
}
