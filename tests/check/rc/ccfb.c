/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/ccfb.h>
#include <rc/feedback/wire.h>

#define CODEC rc_ccfb_decode
#include "claim.h"
#include "listfixture.h"

#define SSRC 0x11223344
#define TOLD (10 * RC_SECOND + 500 * RC_MSEC)
/* Of an age and of the report time. */
#define ROUNDING (RC_SECOND / 2048 + RC_SECOND / 65536)

static RcArrivals
list_of (guint32 ssrc, const RcArrival * arrivals, guint n)
{
  return (RcArrivals) {
  .space = rc_numbers_of_ssrc (ssrc),.arrivals = arrivals,.n_arrivals = n};
}

static const RcArrival four[] = {
  {65534, RC_ECN_BITS_ECT_0, TOLD},
  {0, RC_ECN_BITS_CE, TOLD - RC_SECOND},
  {1, RC_ECN_BITS_ECT_1, TOLD - 9 * RC_SECOND},
  {2, RC_ECN_BITS_NOT_ECT, TOLD + RC_MSEC},
};

static const guint8 four_bytes[] = {
  0x11, 0x22, 0x33, 0x44, 0xff, 0xfd, 0x00, 0x06,
  /* not arrived; ECT(0), age 0; not arrived; CE, age 1024; ECT(1), > 8 s; after the report */
  0x00, 0x00, 0xc0, 0x00, 0x00, 0x00, 0xe4, 0x00, 0xbf, 0xfe, 0x9f, 0xff,
  0x00, 0x0a, 0x80, 0x00
};

BEFORE_EACH
{
  setup ();
}

CLAIM (test_message_has_the_layout_of_the_rfc)
{
  RcArrivals list = list_of (SSRC, four, 4);
  guint8 bytes[64];
  guint told;

  list.n_missing_before = 1;
  fail_unless_equals_int (rc_ccfb_encode (&list, 1, TOLD, bytes, sizeof bytes, &told),
      sizeof four_bytes);
  fail_unless_equals_int (told, 4);
  fail_unless (memcmp (bytes, four_bytes, sizeof four_bytes) == 0);
}

CLAIM (test_message_is_read_as_the_rfc_says)
{
  RcTime told_at;

  fail_unless (decode (four_bytes, sizeof four_bytes));
  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless (rc_numbers_equal (lists.lists[0].space, rc_numbers_of_ssrc (SSRC)));
  fail_unless_equals_int (lists.lists[0].n_arrivals, 4);
  fail_unless_equals_int (lists.lists[0].n_missing_before, 1);
  fail_unless_equals_int (lists.lists[0].instance, INSTANCE);
  fail_unless (lists.lists[0].ecn_read);
  told_at = lists.lists[0].told_at_remote;
  for (guint i = 0; i < 4; i++) {
    fail_unless_equals_int (read_arrivals[i].number, four[i].number);
    fail_unless_equals_int (read_arrivals[i].ecn, four[i].ecn);
  }
  fail_unless_equals_int64 (read_arrivals[0].arrived_at_remote, told_at);
  fail_unless_equals_int64 (read_arrivals[1].arrived_at_remote, told_at - RC_SECOND);
  fail_unless (read_arrivals[2].arrived_at_remote < told_at - 7900 * RC_MSEC);
  /* After the report, or not known. */
  fail_unless_equals_int64 (read_arrivals[3].arrived_at_remote, told_at);
}

CLAIM (test_odd_number_of_blocks_is_padded_with_zeros)
{
  static const guint8 expected[] = {
    0x11, 0x22, 0x33, 0x44, 0xff, 0xfe, 0x00, 0x01, 0xc0, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x80, 0x00
  };
  RcArrivals list = list_of (SSRC, four, 1);
  guint8 bytes[sizeof expected];
  guint told;

  memset (bytes, 0xff, sizeof bytes);
  fail_unless_equals_int (rc_ccfb_encode (&list, 1, TOLD, bytes, sizeof bytes, &told),
      sizeof expected);
  fail_unless (memcmp (bytes, expected, sizeof expected) == 0);
}

CLAIM (test_stream_with_nothing_to_tell_is_left_out)
{
  RcArrivals three[] = { list_of (1, four, 0), list_of (2, four, 2), list_of (3, four, 0) };
  guint8 bytes[64];
  guint told[3];

  fail_unless_equals_int (rc_ccfb_encode (three, 3, TOLD, bytes, sizeof bytes, told), 20);
  fail_unless (told[0] == 0 && told[1] == 2 && told[2] == 0);
  fail_unless (decode (bytes, 20));
  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless_equals_int (lists.lists[0].space.ssrc, 2);
  fail_unless_equals_int (rc_ccfb_encode (three, 1, TOLD, bytes, sizeof bytes, told), 0);
}

/* Pion sends streams without blocks, also at the end. */
CLAIM (test_streams_without_blocks_are_read)
{
  static const guint8 bytes[] = {
    0, 0, 0, 1, 0, 9, 0, 0,
    0, 0, 0, 2, 0, 7, 0, 1, 0x80, 0x10, 0, 0,
    0, 0, 0, 3, 0, 5, 0, 0,
    0, 1, 0, 0
  };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless_equals_int (lists.lists[0].space.ssrc, 2);
  fail_unless_equals_int (read_arrivals[0].number, 7);
}

/* What Pion's receiver sent (pion/interceptor 0.1.51), 20 ms apart, 0 lost; then it repeats. */
CLAIM (test_messages_of_pion_are_read)
{
  static const guint8 begun[] = {
    0x11, 0x22, 0x33, 0x44, 0xff, 0xfe, 0x00, 0x04, 0x80, 0x66, 0x80, 0x52, 0x00, 0x00, 0x80, 0x3d,
    0x11, 0xe4, 0x3e, 0x59
  };
  static const guint8 repeated[] = {
    0x11, 0x22, 0x33, 0x44, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x80, 0xa4, 0x11, 0xe4, 0x58, 0x0e
  };
  RcTime arrived_at;

  fail_unless (decode (begun, sizeof begun));
  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless_equals_int (lists.lists[0].n_arrivals, 3);
  fail_unless_equals_int (read_arrivals[0].number, 65534);
  fail_unless_equals_int (read_arrivals[2].number, 1);
  arrived_at = read_arrivals[2].arrived_at_remote;
  fail_unless (ABS (arrived_at - read_arrivals[1].arrived_at_remote - 20 * RC_MSEC) < RC_MSEC);
  fail_unless (decode (repeated, sizeof repeated));
  fail_unless_equals_int (read_arrivals[0].number, 1);
  fail_unless_equals_int (lists.lists[0].n_missing_before, 1);
  fail_unless (ABS (read_arrivals[0].arrived_at_remote - arrived_at) < 2 * ROUNDING);
}

CLAIM (test_nothing_arrived_is_a_message_with_no_list)
{
  static const guint8 bytes[] = { 0, 0, 0, 1, 0, 9, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0 };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.n_lists, 0);
}

/* gstscream and the text of the RFC: the last number is first + count. */
CLAIM (test_count_that_is_one_short_is_understood)
{
  static const guint8 even[] = {
    0, 0, 0, 1, 0, 9, 0, 2, 0x80, 1, 0x80, 2, 0x80, 3, 0, 0, 0, 1, 0, 0
  };
  static const guint8 odd[] = { 0, 0, 0, 1, 0, 9, 0, 1, 0x80, 1, 0x80, 2, 0, 1, 0, 0 };
  static const guint8 two[] = {
    0, 0, 0, 1, 0, 9, 0, 2, 0x80, 1, 0x80, 2, 0x80, 3, 0, 0,
    0, 0, 0, 2, 0, 9, 0, 1, 0x80, 1, 0x80, 2, 0, 1, 0, 0
  };

  fail_unless (decode (even, sizeof even));
  fail_unless_equals_int (lists.lists[0].n_arrivals, 3);
  fail_unless (decode (odd, sizeof odd));
  fail_unless_equals_int (lists.lists[0].n_arrivals, 2);
  fail_unless_equals_int (lists.lists[0].arrivals[1].number, 10);
  fail_unless (decode (two, sizeof two));
  fail_unless_equals_int (lists.n_lists, 2);
  fail_unless_equals_int (lists.lists[0].n_arrivals, 3);
  fail_unless_equals_int (lists.lists[1].n_arrivals, 2);
}

static void
assert_same (const RcArrivals * told, guint n_told, const RcArrivals * got)
{
  fail_unless (rc_numbers_equal (told->space, got->space));
  fail_unless_equals_int (got->format, RC_FORMAT_CCFB);
  fail_unless_equals_int (got->n_arrivals, n_told);
  fail_unless_equals_int (got->n_missing_before, told->n_missing_before);
  for (guint i = 0; i < n_told; i++) {
    const RcArrival *a = &told->arrivals[i], *b = &got->arrivals[i];
    RcTime age = TOLD - a->arrived_at_remote;

    fail_unless_equals_int (a->number, b->number);
    fail_unless_equals_int (a->ecn, b->ecn);
    fail_unless (ABS (got->told_at_remote - b->arrived_at_remote - age) <= ROUNDING,
        "arrival %u", i);
  }
}

static guint
make_arrivals (GRand * rand, RcArrival * arrivals, guint most)
{
  guint16 number = g_rand_int_range (rand, 0, 65536);
  guint n = g_rand_int_range (rand, 1, most + 1);

  for (guint i = 0; i < n; i++) {
    arrivals[i] = (RcArrival) { number, g_rand_int_range (rand, 0, 4),
      TOLD - g_rand_int_range (rand, 0, 7990) * RC_MSEC };
    number += g_rand_int_range (rand, 0, 8) ? 1 : g_rand_int_range (rand, 1, 40);
  }
  return n;
}

CLAIM (test_what_is_written_is_read_back)
{
  GRand *rand = g_rand_new_with_seed (1);
  RcArrival arrivals[3][60];
  guint8 bytes[16384];

  for (guint round = 0; round < 2000; round++) {
    RcArrivals told[3];
    guint n_told[3], n = 1 + round % 3;
    gsize size;

    for (guint i = 0; i < n; i++) {
      told[i] = list_of (i * 1000 + 1, arrivals[i], make_arrivals (rand, arrivals[i], 60));
      told[i].n_missing_before = g_rand_int_range (rand, 0, 4);
    }
    size = rc_ccfb_encode (told, n, TOLD, bytes, sizeof bytes, n_told);
    fail_unless (size > 0 && size % 4 == 0);
    fail_unless (decode (bytes, size));
    fail_unless_equals_int (lists.n_lists, n);
    for (guint i = 0; i < n; i++) {
      fail_unless_equals_int (n_told[i], told[i].n_arrivals);
      assert_same (&told[i], n_told[i], &lists.lists[i]);
    }
  }
  g_rand_free (rand);
}

/* A message within each budget; together they tell all, and each packet once. */
CLAIM (test_what_does_not_fit_goes_into_the_next_message)
{
  GRand *rand = g_rand_new_with_seed (2);
  RcArrival arrivals[200];
  guint8 bytes[300];

  for (gsize cap = 16; cap <= sizeof bytes; cap += 3) {
    RcArrivals rest = list_of (SSRC, arrivals, make_arrivals (rand, arrivals, 200));

    while (rest.n_arrivals > 0) {
      guint told;
      gsize size = rc_ccfb_encode (&rest, 1, TOLD, bytes, cap, &told);

      fail_unless (size > 0 && size <= cap && told > 0);
      fail_unless (decode (bytes, size));
      fail_unless_equals_int (lists.lists[0].n_arrivals, told);
      for (guint i = 0; i < told; i++)
        fail_unless_equals_int (lists.lists[0].arrivals[i].number, rest.arrivals[i].number);
      rc_arrivals_skip (&rest, told);
    }
  }
  g_rand_free (rand);
}

CLAIM (test_too_little_room_makes_no_message)
{
  RcArrivals list = list_of (SSRC, four, 4);
  guint8 bytes[16];
  guint told;

  for (gsize cap = 0; cap < 16; cap++) {
    fail_unless_equals_int (rc_ccfb_encode (&list, 1, TOLD, bytes, cap, &told), 0);
    fail_unless_equals_int (told, 0);
  }
  fail_unless_equals_int (rc_ccfb_encode (&list, 1, TOLD, bytes, 16, &told), 16);
  fail_unless_equals_int (told, 1);
}

CLAIM (test_no_stream_has_more_blocks_than_the_rfc_allows)
{
  RcArrival far[2] = { {10, 0, TOLD}, {10 + RC_CCFB_MAX_BLOCKS, 0, TOLD} };
  RcArrivals list = list_of (SSRC, far, 2);
  guint8 *bytes = g_malloc (100000);
  guint told;
  gsize size = rc_ccfb_encode (&list, 1, TOLD, bytes, 100000, &told);

  fail_unless_equals_int (told, 1);
  far[1].number--;
  size = rc_ccfb_encode (&list, 1, TOLD, bytes, 100000, &told);
  fail_unless_equals_int (told, 2);
  fail_unless_equals_int (size, 12 + 2 * RC_CCFB_MAX_BLOCKS);
  fail_unless (decode (bytes, size));
  /* One more, and the bytes for it. */
  bytes[7]++;
  fail_if (decode (bytes, size + 4));
  g_free (bytes);
}

CLAIM (test_each_message_that_is_cut_off_is_refused)
{
  RcArrival arrivals[60];
  GRand *rand = g_rand_new_with_seed (3);
  guint8 bytes[8192];

  for (guint round = 0; round < 50; round++) {
    RcArrivals list = list_of (SSRC, arrivals, make_arrivals (rand, arrivals, 60));
    guint told;
    gsize size = rc_ccfb_encode (&list, 1, TOLD, bytes, sizeof bytes, &told);

    for (gsize cut = 0; cut < size; cut++)
      fail_if (decode (bytes, cut), "%zu of %zu bytes", cut, size);
    fail_if (wire_clock.begun, "a refusal changes nothing");
  }
  g_rand_free (rand);
}

CLAIM (test_counts_that_do_not_match_the_length_are_refused)
{
  guint8 bytes[sizeof four_bytes];

  memcpy (bytes, four_bytes, sizeof bytes);
  for (guint n = 0; n < 65536; n++) {
    bytes[6] = n >> 8;
    bytes[7] = n & 0xff;
    /* Six blocks; five and something in the padding. */
    fail_unless_equals_int (decode (bytes, sizeof bytes), n == 5 || n == 6 || n == 4);
  }
}

CLAIM (test_more_than_the_caller_has_room_for_is_refused)
{
  guint8 bytes[12 * (RC_ARRIVALS_MAX_LISTS + 1) + 4];

  lists.max_arrivals = 3;
  fail_if (decode (four_bytes, sizeof four_bytes));
  lists.max_arrivals = 4;
  fail_unless (decode (four_bytes, sizeof four_bytes));
  lists.max_arrivals = G_N_ELEMENTS (read_arrivals);
  for (guint i = 0; i <= RC_ARRIVALS_MAX_LISTS; i++) {
    static const guint8 stream[] = { 0, 0, 0, 1, 0, 9, 0, 1, 0x80, 1, 0, 0 };

    memcpy (bytes + 12 * i, stream, 12);
  }
  memset (bytes + sizeof bytes - 4, 0, 4);
  fail_if (decode (bytes, sizeof bytes));
  fail_unless (decode (bytes + 12, sizeof bytes - 12));
  fail_unless_equals_int (lists.n_lists, RC_ARRIVALS_MAX_LISTS);
}

/* The report time wraps around each 18 hours. */
CLAIM (test_clock_goes_on_where_the_report_time_wraps_around)
{
  RcTime start = 65535 * RC_SECOND, before = 0;
  guint8 bytes[64];

  for (guint i = 0; i < 40; i++) {
    RcTime told_at = start + i * 100 * RC_MSEC;
    RcArrival arrival = { i, 0, told_at };
    RcArrivals list = list_of (SSRC, &arrival, 1);
    guint told;
    gsize size = rc_ccfb_encode (&list, 1, told_at, bytes, sizeof bytes, &told);

    fail_unless (decode (bytes, size));
    if (i > 0)
      fail_unless (ABS (lists.lists[0].told_at_remote - before - 100 * RC_MSEC) <= ROUNDING);
    before = lists.lists[0].told_at_remote;
  }
}

CLAIM (test_hostile_clock_neither_overflows_nor_becomes_negative)
{
  guint8 bytes[sizeof four_bytes];
  static const guint32 steps[] = { 0x7fffffff, 0x80000001 };

  memcpy (bytes, four_bytes, sizeof bytes);
  for (guint way = 0; way < 2; way++) {
    guint32 value = 0;

    for (guint i = 0; i < 20000; i++, value += steps[way]) {
      GST_WRITE_UINT32_BE (bytes + sizeof bytes - 4, value);
      fail_unless (decode (bytes, sizeof bytes));
      for (guint k = 0; k < 4; k++)
        fail_unless (read_arrivals[k].arrived_at_remote >= 0
            && read_arrivals[k].arrived_at_remote / RC_USEC <= (RcTime) RC_WIRE_MAX_ARRIVAL_US);
    }
  }
}
