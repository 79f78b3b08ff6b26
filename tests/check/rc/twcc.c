/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/twcc.h>
#include <rc/feedback/wire.h>

#define CODEC rc_twcc_decode
#include "claim.h"
#include "listfixture.h"

#define TICK (250 * RC_USEC)
#define REFERENCE (64 * RC_MSEC)

static RcArrivals
list_of (const RcArrival * arrivals, guint n)
{
  return (RcArrivals) {
  .space = {RC_NUMBERS_TRANSPORT, 0},.arrivals = arrivals,.n_arrivals = n};
}

static void
assert_encodes_to (const RcArrivals * list, const guint8 * expected, gsize size)
{
  guint8 bytes[64];
  guint told;

  memset (bytes, 0xff, sizeof bytes);
  fail_unless_equals_int (rc_twcc_encode (list, 7, bytes, sizeof bytes, &told), size);
  fail_unless_equals_int (told, list->n_arrivals);
  for (gsize i = 0; i < size; i++)
    fail_unless_equals_int_hex (bytes[i], expected[i]);
}

/* Times after the first one decoded are compared: the reference time begins anywhere. */
static void
assert_same (const RcArrivals * told, guint n_told)
{
  const RcArrivals *got = &lists.lists[0];

  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless_equals_int (got->format, RC_FORMAT_TWCC);
  fail_unless_equals_int (got->n_arrivals, n_told);
  fail_unless_equals_int (got->n_missing_before, told->n_missing_before);
  fail_unless (got->space.kind == RC_NUMBERS_TRANSPORT && got->instance == INSTANCE);
  fail_unless (got->told_at_remote == RC_TIME_NONE && !got->ecn_read);
  for (guint i = 0; i < n_told; i++) {
    RcTime expected = told->arrivals[i].arrived_at_remote / TICK
        - told->arrivals[0].arrived_at_remote / TICK;

    fail_unless_equals_int (told->arrivals[i].number, got->arrivals[i].number);
    fail_unless_equals_int64 ((got->arrivals[i].arrived_at_remote
            - got->arrivals[0].arrived_at_remote) / TICK, expected);
  }
}

/* The second is missing, the fourth came late, the fifth before the fourth. */
static const RcArrival four[] = {
  {65535, 0, 5 * REFERENCE + 4 * TICK}, {1, 0, 5 * REFERENCE + 44 * TICK},
  {2, 0, 5 * REFERENCE + 444 * TICK}, {3, 0, 5 * REFERENCE + 424 * TICK},
};

static const guint8 four_bytes[] = {
  0xff, 0xfe, 0x00, 0x06, 0x00, 0x00, 0x05, 0x07,
  /* 11 and 2 bits each: 0 1 0 1 2 2 and one filler; deltas 4, 40, 400, -20 */
  0xc4, 0x68, 0x04, 0x28, 0x01, 0x90, 0xff, 0xec
};

/* 10 + 1 0 1 1 0 1 and fillers; deltas 1 2 3 4; padding */
static const guint8 small_bytes[] = {
  0x00, 0x64, 0x00, 0x06, 0x00, 0x00, 0x01, 0x07, 0xad, 0x00, 1, 2, 3, 4, 0, 0
};

static const RcArrival small[] = {
  {100, 0, REFERENCE + TICK}, {102, 0, REFERENCE + 3 * TICK}, {103, 0, REFERENCE + 6 * TICK},
  {105, 0, REFERENCE + 10 * TICK},
};

/* 9000 missing: 8191 and 809 of them; 20 with small deltas */
static const guint8 run_bytes[] = {
  0x00, 0x05, 0x23, 0x3c, 0x00, 0x00, 0x01, 0x07, 0x1f, 0xff, 0x03, 0x29, 0x20, 0x14,
  0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0
};

static RcArrival in_a_row[20];  /* set before each claim */

static const struct
{
  const RcArrival *arrivals;
  guint n, n_missing_before;
  const guint8 *bytes;
  gsize size;
} layouts[] = {
  {four, 4, 1, four_bytes, sizeof four_bytes},  /* a vector of 2 bits */
  {small, 4, 0, small_bytes, sizeof small_bytes},       /* of 1 bit */
  {in_a_row, 20, 9000, run_bytes, sizeof run_bytes},    /* runs */
};

BEFORE_EACH
{
  setup ();
  for (guint i = 0; i < G_N_ELEMENTS (in_a_row); i++)
    in_a_row[i] = (RcArrival) { 9005 + i, 0, REFERENCE + i * TICK };
}

CLAIMS (test_vectors_and_runs_have_the_layout_of_the_draft, G_N_ELEMENTS (layouts))
{
  RcArrivals list = list_of (layouts[__i__].arrivals, layouts[__i__].n);

  list.n_missing_before = layouts[__i__].n_missing_before;
  assert_encodes_to (&list, layouts[__i__].bytes, layouts[__i__].size);
  fail_unless (decode (layouts[__i__].bytes, layouts[__i__].size));
  assert_same (&list, layouts[__i__].n);
}

CLAIM (test_run_of_large_deltas_is_read)
{
  static const guint8 bytes[] = {
    0x00, 0x05, 0x00, 0x02, 0xff, 0xff, 0xff, 0x00, 0x40, 0x02, 0x01, 0x00, 0xff, 0x00, 0, 0
  };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.lists[0].n_arrivals, 2);
  fail_unless_equals_int64 (read_arrivals[1].arrived_at_remote
      - read_arrivals[0].arrived_at_remote, -256 * TICK);
}

CLAIM (test_nothing_arrived_is_a_message_with_no_list)
{
  static const guint8 bytes[] = { 0, 5, 0, 9, 0, 0, 1, 7, 0x00, 0x09, 0, 0 };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.n_lists, 0);
}

/* What Pion's receiver sent (pion/interceptor 0.1.51), 20 ms apart, 0 lost. */
CLAIM (test_message_of_pion_is_read)
{
  static const guint8 bytes[] = {
    0xff, 0xfe, 0x00, 0x04, 0x00, 0x00, 0x07, 0x00, 0xd4, 0x40, 0xc1, 0x51, 0x53
  };
  static const guint16 numbers[] = { 65534, 65535, 1 };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.n_lists, 1);
  fail_unless_equals_int (lists.lists[0].n_arrivals, 3);
  for (guint i = 0; i < 3; i++) {
    RcTime since = read_arrivals[i].arrived_at_remote - read_arrivals[0].arrived_at_remote;

    fail_unless_equals_int (read_arrivals[i].number, numbers[i]);
    fail_unless (ABS (since - i * 20 * RC_MSEC) < 2 * RC_MSEC);
  }
}

/* Some write a run that is longer than what is left, as libwebrtc accepts it. */
CLAIM (test_last_chunk_may_hold_more_than_is_told)
{
  static const guint8 bytes[] = { 0, 5, 0, 2, 0, 0, 1, 7, 0x20, 0x09, 1, 2 };

  fail_unless (decode (bytes, sizeof bytes));
  fail_unless_equals_int (lists.lists[0].n_arrivals, 2);
}

static guint
make_arrivals (GRand * rand, RcArrival * arrivals, guint most)
{
  guint16 number = g_rand_int_range (rand, 0, 65536);
  guint n = g_rand_int_range (rand, 1, most + 1), calm = g_rand_int_range (rand, 1, 30);
  RcTime at = 1000 * RC_SECOND;

  for (guint i = 0; i < n; i++) {
    arrivals[i] = (RcArrival) { number, 0, at };
    number += g_rand_int_range (rand, 0, calm) ? 1 : g_rand_int_range (rand, 1, 40);
    at += g_rand_int_range (rand, 0, calm) ? g_rand_int_range (rand, 0, 200) * 100 * RC_USEC
        : g_rand_int_range (rand, -8000, 8000) * RC_MSEC;
  }
  return n;
}

CLAIM (test_what_is_written_is_read_back)
{
  GRand *rand = g_rand_new_with_seed (1);
  RcArrival arrivals[200];
  guint8 bytes[2048];

  for (guint round = 0; round < 3000; round++) {
    RcArrivals list = list_of (arrivals, make_arrivals (rand, arrivals, 200));
    guint told;
    gsize size;

    list.n_missing_before = g_rand_int_range (rand, 0, 20);
    size = rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
    fail_unless (size > 0 && size % 4 == 0 && told == list.n_arrivals);
    fail_unless (decode (bytes, size));
    assert_same (&list, told);
  }
  g_rand_free (rand);
}

/* A message within each budget; together they tell all, and each packet once. */
CLAIM (test_what_does_not_fit_goes_into_the_next_message)
{
  GRand *rand = g_rand_new_with_seed (2);
  RcArrival arrivals[200];
  guint8 bytes[300];

  for (gsize cap = RC_TWCC_LEAST_BYTES; cap <= sizeof bytes; cap += 3) {
    RcArrivals rest = list_of (arrivals, make_arrivals (rand, arrivals, 200));

    while (rest.n_arrivals > 0) {
      guint told;
      gsize size = rc_twcc_encode (&rest, 0, bytes, cap, &told);

      fail_unless (size > 0 && size <= cap && told > 0);
      fail_unless (decode (bytes, size));
      assert_same (&rest, told);
      rc_arrivals_skip (&rest, told);
    }
  }
  g_rand_free (rand);
}

CLAIM (test_too_little_room_makes_no_message)
{
  RcArrivals list = list_of (four, 4);
  guint8 bytes[12];
  guint told;

  for (gsize cap = 0; cap < 12; cap++) {
    fail_unless_equals_int (rc_twcc_encode (&list, 0, bytes, cap, &told), 0);
    fail_unless_equals_int (told, 0);
  }
  fail_unless_equals_int (rc_twcc_encode (&list, 0, bytes, 12, &told), 12);
  list.n_arrivals = 0;
  fail_unless_equals_int (rc_twcc_encode (&list, 0, bytes, 12, &told), 0);
}

/* A delta has 16 bits, a message 65535 statuses. */
CLAIM (test_what_no_message_can_tell_begins_another)
{
  RcArrival late[2] = { {1, 0, REFERENCE}, {2, 0, REFERENCE + 32767 * TICK} };
  RcArrival far[3] = { {1, 0, REFERENCE}, {32768, 0, REFERENCE}, {65535, 0, REFERENCE} };
  RcArrivals list = list_of (late, 2);
  guint8 bytes[64];
  guint told;

  rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
  fail_unless_equals_int (told, 2);
  late[1].arrived_at_remote += TICK;
  rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
  fail_unless_equals_int (told, 1);
  list = list_of (far, 3);
  rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
  fail_unless_equals_int (told, 3);
  list.n_missing_before = 1;
  rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);
  fail_unless_equals_int (told, 2);
  list.n_missing_before = 65535;
  fail_unless (rc_twcc_encode (&list, 0, bytes, RC_TWCC_LEAST_BYTES, &told) > 0, "never stuck");
}

CLAIM (test_each_message_that_is_cut_off_is_refused)
{
  GRand *rand = g_rand_new_with_seed (3);
  RcArrival arrivals[100];
  guint8 bytes[2048];

  for (guint round = 0; round < 100; round++) {
    RcArrivals list = list_of (arrivals, make_arrivals (rand, arrivals, 100));
    guint told;
    gsize size = rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told);

    /* What is left without the padding is whole. */
    for (gsize cut = 0; cut + 4 <= size; cut++)
      fail_if (decode (bytes, cut), "%zu of %zu bytes", cut, size);
    fail_if (wire_clock.begun, "a refusal changes nothing");
    memset (bytes + size, 0, 4);
    fail_if (decode (bytes, size + 4), "a word too much");
  }
  g_rand_free (rand);
}

CLAIM (test_hostile_messages_are_refused)
{
  static const guint8 none[] = { 0, 5, 0, 0, 0, 0, 1, 7, 0x20, 0x01, 1, 0 };
  static const guint8 reserved_run[] = { 0, 5, 0, 1, 0, 0, 1, 7, 0x60, 0x01, 1, 0 };
  static const guint8 reserved[] = { 0, 5, 0, 1, 0, 0, 1, 7, 0xf0, 0x00, 1, 0 };
  static const guint8 empty_run[] = { 0, 5, 0, 1, 0, 0, 1, 7, 0x20, 0x00, 0x20, 0x01, 1, 0, 0, 0 };
  static const guint8 many[] = { 0, 5, 0xff, 0xff, 0, 0, 1, 7, 0x3f, 0xff, 0x3f, 0xff };

  fail_if (decode (none, sizeof none));
  fail_if (decode (reserved_run, sizeof reserved_run));
  fail_if (decode (reserved, sizeof reserved));
  fail_if (decode (empty_run, sizeof empty_run));
  fail_if (decode (many, sizeof many));
}

CLAIM (test_counts_that_do_not_match_the_length_are_refused)
{
  guint8 bytes[sizeof four_bytes];

  memcpy (bytes, four_bytes, sizeof bytes);
  for (guint n = 0; n < 65536; n++) {
    bytes[2] = n >> 8;
    bytes[3] = n & 0xff;
    /* The last status of the chunk, which nobody counts, is "not arrived"; one delta less leaves
     * two bytes, which can be padding. */
    fail_unless_equals_int (decode (bytes, sizeof bytes), n >= 5 && n <= 7);
  }
}

CLAIM (test_more_than_the_caller_has_room_for_is_refused)
{
  lists.max_arrivals = 3;
  fail_if (decode (four_bytes, sizeof four_bytes));
  lists.max_arrivals = 4;
  fail_unless (decode (four_bytes, sizeof four_bytes));
}

/* The reference time wraps around each 12 days. */
CLAIM (test_clock_goes_on_where_the_reference_time_wraps_around)
{
  RcTime start = ((1 << 24) - 10) * REFERENCE, before = 0;
  guint8 bytes[64];

  for (guint i = 0; i < 40; i++) {
    RcArrival arrival = { i, 0, start + i * 100 * RC_MSEC };
    RcArrivals list = list_of (&arrival, 1);
    guint told;
    gsize size = rc_twcc_encode (&list, i, bytes, sizeof bytes, &told);

    fail_unless (decode (bytes, size));
    if (i > 0)
      fail_unless_equals_int64 (read_arrivals[0].arrived_at_remote - before, 100 * RC_MSEC);
    before = read_arrivals[0].arrived_at_remote;
  }
}

CLAIM (test_hostile_clock_neither_overflows_nor_becomes_negative)
{
  guint8 bytes[] = { 0, 5, 0, 1, 0, 0, 0, 0, 0x40, 0x01, 0x80, 0x00 };
  static const guint32 steps[] = { 0x7fffff, 0x800001 };

  for (guint way = 0; way < 2; way++) {
    guint32 value = 0;

    for (guint i = 0; i < 20000; i++, value += steps[way]) {
      GST_WRITE_UINT24_BE (bytes + 4, value & 0xffffff);
      fail_unless (decode (bytes, sizeof bytes));
      fail_unless (read_arrivals[0].arrived_at_remote >= 0
          && read_arrivals[0].arrived_at_remote / RC_USEC <= (RcTime) RC_WIRE_MAX_ARRIVAL_US);
    }
  }
}
