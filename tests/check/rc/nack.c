/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/nack.h>
#include <string.h>

#include "claim.h"

CLAIM (test_a_word_asks_for_a_number_and_those_of_its_mask)
{
  const guint8 fci[] = { 0xff, 0xfe, 0x80, 0x03 };
  guint16 numbers[RC_NACK_WORD_NUMBERS];

  fail_unless_equals_int (rc_nack_decode (fci, sizeof fci, numbers, G_N_ELEMENTS (numbers)), 4);
  fail_unless_equals_int (numbers[0], 0xfffe);
  fail_unless_equals_int (numbers[1], 0xffff);
  fail_unless_equals_int (numbers[2], 0);
  fail_unless_equals_int (numbers[3], 14);
}

CLAIM (test_what_is_written_is_read_again_across_the_wrap)
{
  const guint16 numbers[] = { 65000, 65016, 65017, 65535, 0, 3, 400 };
  guint16 again[G_N_ELEMENTS (numbers)];
  guint8 fci[64];
  guint n_told;
  gsize len = rc_nack_encode (numbers, G_N_ELEMENTS (numbers), fci, sizeof fci, &n_told);

  fail_unless_equals_int (n_told, G_N_ELEMENTS (numbers));
  fail_unless_equals_int (len, 4 * RC_NACK_WORD_BYTES);
  fail_unless_equals_int (rc_nack_decode (fci, len, again, G_N_ELEMENTS (again)),
      G_N_ELEMENTS (numbers));
  fail_unless (memcmp (numbers, again, sizeof numbers) == 0);
}

CLAIM (test_what_finds_no_room_is_not_told)
{
  const guint16 numbers[] = { 1, 100, 200 };
  guint8 fci[2 * RC_NACK_WORD_BYTES];
  guint n_told;

  fail_unless_equals_int (rc_nack_encode (numbers, 3, fci, sizeof fci, &n_told), sizeof fci);
  fail_unless_equals_int (n_told, 2);
}

CLAIM (test_more_is_counted_than_there_is_room_for)
{
  guint8 fci[4 * RC_NACK_WORD_BYTES];
  guint16 numbers[5] = { 0 };

  memset (fci, 0xff, sizeof fci);
  fail_unless_equals_int (rc_nack_decode (fci, sizeof fci, numbers, 4), 4 * RC_NACK_WORD_NUMBERS);
  fail_unless_equals_int (numbers[3], 2);
  fail_unless_equals_int (numbers[4], 0);
}

CLAIM (test_a_broken_word_is_refused)
{
  const guint8 fci[6] = { 0 };
  guint16 numbers[1];

  fail_unless_equals_int (rc_nack_decode (fci, sizeof fci, numbers, 1), 0);
}
