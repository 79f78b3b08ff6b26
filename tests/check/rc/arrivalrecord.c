/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/receiver/arrivalrecord.h>

#include "claim.h"

#define START (10 * RC_SECOND)

static RcArrivalRecord record;
static RcArrival list[RC_ARRIVALRECORD_NUMBERS];
static guint16 missing;

BEFORE_EACH
{
  rc_arrivalrecord_init (&record);
}

/* Number n arrives n ms after START. */
static void
note (guint16 number)
{
  rc_arrivalrecord_note (&record, number, RC_ECN_BITS_ECT_0, START + number * RC_MSEC);
}

static void
note_range (guint16 first, guint n)
{
  for (guint i = 0; i < n; i++)
    note ((guint16) (first + i));
}

/* Tells at most so many. Returns how many. */
static guint
tell_some (guint most)
{
  guint n = rc_arrivalrecord_list (&record, list, most, &missing);

  if (n > 0)
    rc_arrivalrecord_told (&record, list[n - 1].number);
  return n;
}

static guint
tell (void)
{
  return tell_some (G_N_ELEMENTS (list));
}

CLAIM (test_each_packet_is_told_once_with_its_time_and_marks)
{
  note (5);
  rc_arrivalrecord_note (&record, 6, RC_ECN_BITS_CE, START);
  fail_unless_equals_int (rc_arrivalrecord_pending (&record), 2);
  fail_unless_equals_int (tell (), 2);
  fail_unless_equals_int (list[0].number, 5);
  fail_unless_equals_int64 (list[0].arrived_at_remote, START + 5 * RC_MSEC);
  fail_unless_equals_int (list[0].ecn, RC_ECN_BITS_ECT_0);
  fail_unless_equals_int (list[1].ecn, RC_ECN_BITS_CE);
  fail_unless_equals_int (missing, 0);
  fail_unless_equals_int (rc_arrivalrecord_pending (&record), 0);
  fail_unless_equals_int (tell (), 0);
  note (7);
  fail_unless_equals_int (tell (), 1);
  fail_unless_equals_int (list[0].number, 7);
}

CLAIM (test_numbers_missing_between_two_reports_belong_to_the_second)
{
  note_range (1, 3);
  tell ();
  note_range (6, 2);
  fail_unless_equals_int (rc_arrivalrecord_pending (&record), 4);
  fail_unless_equals_int (tell (), 2);
  fail_unless_equals_int (list[0].number, 6);
  fail_unless_equals_int (missing, 2);
}

CLAIM (test_late_packet_is_told_with_what_follows_it)
{
  note_range (1, 3);
  note_range (5, 3);
  tell ();
  note (4);
  note (8);
  fail_unless_equals_int (tell (), 5);
  for (guint i = 0; i < 5; i++)
    fail_unless_equals_int (list[i].number, 4 + i);
  fail_unless_equals_int (missing, 0);
}

CLAIM (test_copies_tell_the_first_arrival_and_any_mark)
{
  note (1);
  rc_arrivalrecord_note (&record, 1, RC_ECN_BITS_CE, START + RC_SECOND);
  rc_arrivalrecord_note (&record, 1, RC_ECN_BITS_NOT_ECT, START + RC_SECOND);
  fail_unless_equals_int (tell (), 1);
  fail_unless_equals_int64 (list[0].arrived_at_remote, START + RC_MSEC);
  fail_unless_equals_int (list[0].ecn, RC_ECN_BITS_CE);
  note (1);
  fail_unless_equals_int (tell (), 0);
}

CLAIM (test_what_does_not_fit_is_told_next)
{
  note_range (1, 4);
  note_range (7, 4);
  fail_unless_equals_int (tell_some (3), 3);
  fail_unless_equals_int (tell_some (3), 3);
  fail_unless_equals_int (list[0].number, 4);
  fail_unless_equals_int (list[2].number, 8);
  fail_unless_equals_int (tell_some (3), 2);
  fail_unless_equals_int (list[1].number, 10);
  fail_unless_equals_int (tell_some (3), 0);
}

CLAIM (test_numbers_wrap_around)
{
  note_range (65530, 4);
  tell ();
  note_range (65534, 6);
  fail_unless_equals_int (tell (), 6);
  for (guint i = 0; i < 6; i++)
    fail_unless_equals_int (list[i].number, (guint16) (65534 + i));
  fail_unless_equals_int (missing, 0);
}

/* After a short run with the same first number. */
CLAIM (test_numbering_that_restarts_among_the_remembered_is_followed)
{
  note_range (0, 500);
  tell ();
  for (guint16 i = 0; i < 10; i++)
    rc_arrivalrecord_note (&record, i, RC_ECN_BITS_ECT_0, START + (3000 + i) * RC_MSEC);
  fail_unless_equals_int (tell (), 8);
  fail_unless_equals_int (list[7].number & 0xffff, 9);
}

CLAIM (test_restarted_numbering_is_followed_and_a_stray_is_not)
{
  note_range (1, 10);
  tell ();
  note (30000);
  fail_unless_equals_int (tell (), 0);
  note (11);
  fail_unless_equals_int (tell (), 1);
  note_range (40000, 3);        /* the first of them is not believed yet */
  fail_unless_equals_int (tell (), 2);
  fail_unless_equals_int (list[0].number, 40001);
  fail_unless_equals_int (missing, 0);
}

CLAIM (test_memory_is_bounded_and_what_leaves_it_is_counted)
{
  note_range (1, RC_ARRIVALRECORD_NUMBERS / 2 - 1);
  fail_if (rc_arrivalrecord_pressing (&record));
  note (RC_ARRIVALRECORD_NUMBERS / 2);
  fail_unless (rc_arrivalrecord_pressing (&record));
  note_range (RC_ARRIVALRECORD_NUMBERS / 2 + 1, RC_ARRIVALRECORD_NUMBERS / 2 + 7);
  fail_unless_equals_uint64 (record.untold_numbers, 7);
  fail_unless_equals_int (rc_arrivalrecord_pending (&record), RC_ARRIVALRECORD_NUMBERS);
  fail_unless_equals_int (tell (), RC_ARRIVALRECORD_NUMBERS);
  fail_unless_equals_int (list[0].number, 8);
  fail_unless_equals_int (list[RC_ARRIVALRECORD_NUMBERS - 1].number,
      RC_ARRIVALRECORD_NUMBERS + 7);
}

/* Any numbers: in each report they rise, none but late ones is told twice, memory is kept. */
CLAIM (test_hostile_numbers_keep_the_order_of_a_report)
{
  GRand *random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 100000; i++) {
    guint32 word = g_rand_int (random);
    guint16 number = word & 1 ? (guint16) (word >> 8) : (guint16) (i + (word >> 4) % 50);

    rc_arrivalrecord_note (&record, number, (RcEcnBits) (word % 4), START + i);
    fail_unless (rc_arrivalrecord_pending (&record) <= RC_ARRIVALRECORD_NUMBERS);
    if (word % 97 == 0) {
      guint n = tell_some (1 + word % 300);

      for (guint k = 1; k < n; k++)
        fail_unless ((gint16) (list[k].number - list[k - 1].number) > 0);
      fail_unless (missing < RC_ARRIVALRECORD_NUMBERS);
    }
  }
  g_rand_free (random);
}
