/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/wire.h>

#include "claim.h"

#define WITH_RATE_BYTES (RC_WIRE_REPORT_BYTES + 12)

static const RcReport full = {
  .ssrc = 0x01020304,.number = 0x05060708,.highest_seq = 0x090a0b0c,
  .arrival_us_remote = 0x000e0f1011121314,
  .hold_us = 0x15161718,.bandwidth_bps = 0x191a1b1c1d,
  .received_pkts = 0x292a2b2c,.lost_pkts = 0x2d2e2f30,.ce_pkts = 0x31323334,
  .received_bytes = 0x35363738393a3b3c,
  .explicit_rate_bps = 1000000,
};

static const RcReport hello = {.ssrc = 7,.number = 1 };

static void
assert_same_report (const RcReport * a, const RcReport * b)
{
  fail_unless_equals_uint64 (a->ssrc, b->ssrc);
  fail_unless_equals_uint64 (a->number, b->number);
  fail_unless_equals_uint64 (a->highest_seq, b->highest_seq);
  fail_unless_equals_uint64 (a->arrival_us_remote, b->arrival_us_remote);
  fail_unless_equals_uint64 (a->hold_us, b->hold_us);
  fail_unless_equals_uint64 (a->bandwidth_bps, b->bandwidth_bps);
  fail_unless_equals_uint64 (a->received_pkts, b->received_pkts);
  fail_unless_equals_uint64 (a->lost_pkts, b->lost_pkts);
  fail_unless_equals_uint64 (a->ce_pkts, b->ce_pkts);
  fail_unless_equals_uint64 (a->received_bytes, b->received_bytes);
  fail_unless_equals_uint64 (a->explicit_rate_bps, b->explicit_rate_bps);
  fail_unless_equals_int (a->ecn_read, b->ecn_read);
  fail_unless_equals_uint64 (a->ecn_pkts, b->ecn_pkts);
  fail_unless_equals_uint64 (a->ect1_pkts, b->ect1_pkts);
  fail_unless_equals_int (a->arrivals.n, b->arrivals.n);
  fail_unless_equals_int (a->arrivals.first, b->arrivals.first);
  fail_unless_equals_int (a->arrivals.stride_log2, b->arrivals.stride_log2);
  fail_unless (memcmp (a->arrivals.ages, b->arrivals.ages, 2 * a->arrivals.n) == 0);
}

static guint8 bytes[RC_WIRE_MAX_BYTES + 4];
static RcReport r, out;
static RcSenderInfo info_out;

BEFORE_EACH
{
  memset (bytes, 0, sizeof bytes);
  r = full;
}

static gboolean
accepts (const RcReport * report)
{
  return rc_wire_decode_report (bytes, rc_wire_encode_report (report, bytes, sizeof bytes), &out);
}

static void
assert_survives (const RcReport * report)
{
  fail_unless (accepts (report));
  assert_same_report (report, &out);
}

/* It has these last bytes, which need so much memory, and survives. */
static void
assert_report_ends (const guint8 * block, gsize n)
{
  gsize len = rc_wire_encode_report (&r, bytes, sizeof bytes);

  fail_unless (memcmp (bytes + len - n, block, n) == 0);
  fail_unless_equals_int (rc_wire_encode_report (&r, bytes, len - 1), 0);
  assert_survives (&r);
}

/* The same, with `size` in all; decoded in info_out. */
static void
assert_info_ends (const RcSenderInfo * info, gsize size, const guint8 * block, gsize n)
{
  fail_unless_equals_int (rc_wire_encode_info (info, bytes, size - 1), 0);
  fail_unless_equals_int (rc_wire_encode_info (info, bytes, sizeof bytes), size);
  fail_unless (memcmp (bytes + size - n, block, MIN (n, 16)) == 0);
  fail_unless (rc_wire_decode_info (bytes, size, &info_out));
}

typedef struct
{
  const gchar *bytes;
  gsize len;
} Block;

/* Each behind a report, or else an info, that has no other. */
static void
assert_refused (const Block * bad, guint n, gboolean report)
{
  gsize len = report ? RC_WIRE_REPORT_BYTES : RC_WIRE_INFO_BYTES;

  r.explicit_rate_bps = 0;
  for (guint i = 0; i < n; i++) {
    if (report)
      rc_wire_encode_report (&r, bytes, sizeof bytes);
    memcpy (bytes + len, bad[i].bytes, bad[i].len);
    fail_if (report ? rc_wire_decode_report (bytes, len + bad[i].len, &out)
        : rc_wire_decode_info (bytes, len + bad[i].len, &info_out), "%u", i);
  }
}

CLAIM (test_report_has_the_documented_layout)
{
  static const guint8 expected[WITH_RATE_BYTES] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 14, 15, 16, 17, 18, 19, 20, 0x15, 0x16, 0x17, 0x18,
    0, 0, 0, 0x19, 0x1a, 0x1b, 0x1c, 0x1d,
    0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34,
    0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40,
  };

  fail_unless_equals_int (rc_wire_encode_report (&full, bytes, sizeof bytes), sizeof expected);
  fail_unless (memcmp (bytes, expected, sizeof expected) == 0);
}

CLAIM (test_report_survives_the_wire)
{
  assert_survives (&full);
  assert_survives (&hello);
}

CLAIM (test_info_survives_the_wire_and_has_the_documented_layout)
{
  static const guint8 expected[RC_WIRE_INFO_BYTES] = { 1, 2, 3, 4, 0, 0, 0xc3, 0x50, 0, 0,
      0x61, 0xa8 };
  RcSenderInfo info = { 0x01020304, 50000, 25000 };

  assert_info_ends (&info, sizeof expected, expected, sizeof expected);
  fail_unless (info_out.ssrc == info.ssrc && info_out.srtt_us == 50000);
  fail_unless_equals_int (info_out.report_interval_us, 25000);
}

CLAIM (test_info_brings_the_cookie_back)
{
  static const guint8 block[] = { 1, 2, 0, 0, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18 };
  RcSenderInfo info = { 0x01020304, 50000, 25000, 0x1112131415161718 };

  assert_info_ends (&info, RC_WIRE_INFO_BYTES + 12, block, sizeof block);
  fail_unless (info_out.ssrc == info.ssrc && info_out.cookie == info.cookie);
  fail_unless (rc_wire_decode_info (bytes, RC_WIRE_INFO_BYTES, &info_out));
  fail_unless (info_out.cookie == 0);
}

CLAIM (test_bad_cookies_are_refused)
{
  static const Block bad[] = {
    {"\1\2\0\0\0\0\0\0\0\0\0\0", 12}, /* 0 */
    {"\1\1\0\0\0\0\0\5", 8},  /* of one word */
    {"\1\3\0\0\0\0\0\0\0\0\0\5\0\0\0\0", 16},
    {"\1\2\0\0\0\0\0\0\0\0\0\5\1\2\0\0\0\0\0\0\0\0\0\5", 24}, /* twice */
  };

  assert_refused (bad, G_N_ELEMENTS (bad), FALSE);
}

CLAIM (test_info_tells_what_the_media_is)
{
  static const guint8 block[] = { 2, 8, 0, 0, 96, 2, 0, 0, 0, 1, 0x5f, 0x90, 'H', '2', '6', '4' };
  RcSenderInfo info = {.ssrc = 1,.cookie = 5,.format = { "H264", 96, RC_MEDIA_VIDEO, 90000 } };
  const RcMediaFormat *format = &info_out.format;

  assert_info_ends (&info, RC_WIRE_INFO_BYTES + 12 + 36, block, 36);
  fail_unless_equals_string (format->encoding_name, "H264");
  fail_unless (format->payload_type == 96 && format->media == RC_MEDIA_VIDEO);
  fail_unless (format->clock_rate_hz == 90000 && info_out.cookie == 5);
  /* as long as may be */
  memset (info.format.encoding_name, 'X', RC_WIRE_ENCODING_BYTES);
  fail_unless (rc_wire_decode_info (bytes, rc_wire_encode_info (&info, bytes, sizeof bytes),
          &info_out));
  fail_unless_equals_string (format->encoding_name, info.format.encoding_name);
}

CLAIM (test_info_of_a_lane_brings_the_cookie_of_another_address)
{
  static const guint8 block[] = { 3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7 };
  static const Block bad[] = {
    {"\3\2\0\0\0\0\0\0\0\0\0\7\3\2\0\0\0\0\0\0\0\0\0\7", 24}, /* twice */
    {"\3\2\0\0\0\0\0\0\0\0\0\0", 12},  /* 0 */
    {"\3\2\0\0\0\0\0\0\0\0\0\7\1\2\0\0\0\0\0\0\0\0\0\5", 24}, /* out of order */
  };
  RcSenderInfo info = {.ssrc = 1,.cookie = 5,.join = 7 };

  assert_info_ends (&info, RC_WIRE_INFO_BYTES + 24, block, sizeof block);
  fail_unless (info_out.cookie == 5 && info_out.join == 7);
  assert_refused (bad, G_N_ELEMENTS (bad), FALSE);
}

CLAIM (test_report_about_a_lane_says_how_many_there_are)
{
  static const guint8 block[] = { 6, 1, 0, 0, 0, 0, 0, 2 };
  static const Block none = { "\6\1\0\0\0\0\0\0", 8 };

  r = (RcReport) {.ssrc = 1,.number = 2,.n_lanes = 2 };
  assert_report_ends (block, sizeof block);
  fail_unless_equals_int (out.n_lanes, 2);
  assert_refused (&none, 1, TRUE);
}

CLAIM (test_bad_formats_are_refused)
{
  static const struct
  {
    gsize at;
    guint8 byte;
  } bad[] = {
    {4, 128},                   /* payload type */
    {6, 1}, {7, 1},
    /* The name: none, no character of one, more behind it. */
    {12, 0}, {12, '\n'}, {13, ' '}, {15, 0xe9}, {17, 'a'},
    {35, 'a'},
    {1, 7}, {1, 9},             /* words */
  };
  RcSenderInfo info = {.ssrc = 1,.format = { "H264", 96, RC_MEDIA_VIDEO, 90000 } };
  gsize i, size;

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    size = rc_wire_encode_info (&info, bytes, sizeof bytes);
    bytes[RC_WIRE_INFO_BYTES + bad[i].at] = bad[i].byte;
    fail_if (rc_wire_decode_info (bytes, size, &info_out), "%zu", i);
  }
  size = rc_wire_encode_info (&info, bytes, sizeof bytes);
  memset (bytes + RC_WIRE_INFO_BYTES + 8, 0, 4);
  fail_if (rc_wire_decode_info (bytes, size, &info_out), "clock rate");
  size = rc_wire_encode_info (&info, bytes, sizeof bytes);
  memcpy (bytes + size, bytes + RC_WIRE_INFO_BYTES, 36);
  fail_if (rc_wire_decode_info (bytes, size + 36, &info_out), "twice");
  memcpy (bytes + size, "\1\2\0\0\0\0\0\0\0\0\0\5", 12);
  fail_if (rc_wire_decode_info (bytes, size + 12, &info_out), "out of order");
}

static RcSenderInfo
info_with_a_part (guint8 number, guint8 count, guint16 n_bytes)
{
  RcSenderInfo info = {.ssrc = 1,.format = { "H264", 96, RC_MEDIA_VIDEO, 90000 } };

  info.part = (RcFormatPart) { 0x01020304, number, count, n_bytes, {7, 8, 9} };
  return info;
}

CLAIM (test_info_brings_a_part_of_the_fields_of_the_format)
{
  static const guint8 block[] = { 4, 3, 0, 0, 1, 2, 3, 4, 1, 2, 0, 0, 7, 8, 9, 0 };
  RcSenderInfo info = info_with_a_part (1, 2, 4);
  const gsize at = RC_WIRE_INFO_BYTES + 36, size = at + sizeof block;

  assert_info_ends (&info, size, block, sizeof block);
  fail_unless (memcmp (&info_out.part, &info.part, 12) == 0);
  memcpy (bytes + size, block, sizeof block);
  fail_if (rc_wire_decode_info (bytes, size + sizeof block, &info_out), "twice");
  memmove (bytes + RC_WIRE_INFO_BYTES, bytes + at, sizeof block);
  fail_if (rc_wire_decode_info (bytes, RC_WIRE_INFO_BYTES + sizeof block, &info_out), "no format");
  /* With all that an info may have it stays below what a peer of any version takes. */
  info = info_with_a_part (0, 16, RC_FIELDS_PART_BYTES);
  info.cookie = info.join = 5;
  fail_unless (rc_wire_decode_info (bytes, rc_wire_encode_info (&info, bytes, sizeof bytes),
          &info_out));
}

CLAIM (test_bad_parts_are_refused)
{
  static const struct
  {
    guint8 number, count;
    guint16 n_bytes;
  } bad[] = { {0, 0, 4}, {1, 1, 4}, {0, 17, 512}, {0, 2, 508}, {0, 1, 0} };
  RcSenderInfo info;
  gsize i, size, at = RC_WIRE_INFO_BYTES + 36;

  for (i = 0; i < G_N_ELEMENTS (bad); i++) {
    info = info_with_a_part (0, 1, bad[i].n_bytes);
    size = rc_wire_encode_info (&info, bytes, sizeof bytes);
    bytes[at + 8] = bad[i].number;
    bytes[at + 9] = bad[i].count;
    fail_if (rc_wire_decode_info (bytes, size, &info_out), "%zu", i);
  }
  info = info_with_a_part (0, 1, 4);
  size = rc_wire_encode_info (&info, bytes, sizeof bytes);
  bytes[at + 10] = 1;
  fail_if (rc_wire_decode_info (bytes, size, &info_out), "zeros");
}

CLAIM (test_notice_survives_the_wire_and_has_the_documented_layout)
{
  static const guint8 expected[RC_WIRE_NOTICE_BYTES] = { 0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8 };
  RcNotice notice = { RC_REFUSAL_TAKEN, 0x0102030405060708 }, got;
  gsize len;

  fail_unless_equals_int (rc_wire_encode_notice (&notice, bytes, RC_WIRE_NOTICE_BYTES - 1), 0);
  fail_unless_equals_int (rc_wire_encode_notice (&notice, bytes, sizeof bytes), sizeof expected);
  fail_unless (memcmp (bytes, expected, sizeof expected) == 0);
  for (len = 0; len < RC_WIRE_NOTICE_BYTES + 4; len++)
    fail_unless (rc_wire_decode_notice (bytes, len, &got) == (len == RC_WIRE_NOTICE_BYTES),
        "%zu", len);
  fail_unless (rc_wire_decode_notice (bytes, RC_WIRE_NOTICE_BYTES + 4, &got));
  fail_unless (got.refusal == RC_REFUSAL_TAKEN && got.cookie == notice.cookie);
  fail_if (rc_wire_decode_notice (bytes, RC_WIRE_MAX_BYTES + 4, &got));
  memset (bytes + 4, 0, 8);
  fail_if (rc_wire_decode_notice (bytes, RC_WIRE_NOTICE_BYTES, &got), "no cookie");
}

/* Else to answer a sender that has not proven its address would amplify. */
CLAIM (test_notice_is_no_larger_than_what_it_answers)
{
  RcNotice notice = { RC_REFUSAL_NONE, 1 };
  RcSenderInfo info = { 1, 2, 3 };

  fail_unless (rc_wire_encode_notice (&notice, bytes, sizeof bytes)
      <= rc_wire_encode_info (&info, bytes, sizeof bytes));
}

CLAIM (test_encoder_refuses_small_memory)
{
  RcSenderInfo info = { 1, 2, 3 };

  fail_unless_equals_int (rc_wire_encode_report (&full, bytes, WITH_RATE_BYTES - 1), 0);
  fail_unless_equals_int (rc_wire_encode_report (&hello, bytes, RC_WIRE_REPORT_BYTES - 1), 0);
  fail_unless_equals_int (rc_wire_encode_report (&hello, bytes, RC_WIRE_REPORT_BYTES),
      RC_WIRE_REPORT_BYTES);
  fail_unless_equals_int (rc_wire_encode_info (&info, bytes, RC_WIRE_INFO_BYTES - 1), 0);
}

CLAIM (test_every_other_length_is_refused)
{
  RcReport report;
  RcSenderInfo info;
  gsize len;

  rc_wire_encode_report (&full, bytes, sizeof bytes);
  for (len = 0; len < WITH_RATE_BYTES; len++)
    fail_unless (rc_wire_decode_report (bytes, len, &report) == (len == RC_WIRE_REPORT_BYTES),
        "%zu", len);
  /* Zeros are empty blocks of unknown type. */
  fail_unless (rc_wire_decode_report (bytes, RC_WIRE_MAX_BYTES, &report));
  fail_if (rc_wire_decode_report (bytes, RC_WIRE_MAX_BYTES + 4, &report));
  memset (bytes, 0, sizeof bytes);
  for (len = 0; len < RC_WIRE_INFO_BYTES + 4; len++)
    fail_unless (rc_wire_decode_info (bytes, len, &info) == (len == RC_WIRE_INFO_BYTES),
        "%zu", len);
  fail_if (rc_wire_decode_info (bytes, RC_WIRE_MAX_BYTES + 4, &info));
}

CLAIM (test_what_a_report_may_have_has_a_block_behind_the_rate)
{
  static const struct { guint8 type; gsize offset; gboolean is_ecn; } blocks[] = {
    {3, offsetof (RcReport, ecn_pkts), TRUE},
    {5, offsetof (RcReport, ect1_pkts)},
  };

  for (guint i = 0; i < G_N_ELEMENTS (blocks); i++) {
    const guint8 block[] = { blocks[i].type, 1, 0, 0, 0x12, 0x34, 0x56, 0x78 };

    r = full;
    G_STRUCT_MEMBER (guint32, &r, blocks[i].offset) = 0x12345678;
    r.ecn_read = blocks[i].is_ecn;
    assert_report_ends (block, sizeof block);
    memset (bytes + WITH_RATE_BYTES + 4, 0, 4);
    fail_unless (rc_wire_decode_report (bytes, WITH_RATE_BYTES + 8, &out) == blocks[i].is_ecn,
        "no block is for a zero, but that ECN can be read is told by one");
  }
}

/* They are in front of what else an earlier receiver tells. */
CLAIM (test_loss_events_of_an_earlier_receiver_are_skipped)
{
  static const guint8 block[] = { 2, 1, 0, 0, 0x12, 0x34, 0x56, 0x78 };
  gsize len;

  r.ecn_read = TRUE;
  r.ecn_pkts = 7;
  len = rc_wire_encode_report (&r, bytes, sizeof bytes);
  memmove (bytes + WITH_RATE_BYTES + sizeof block, bytes + WITH_RATE_BYTES, len - WITH_RATE_BYTES);
  memcpy (bytes + WITH_RATE_BYTES, block, sizeof block);
  fail_unless (rc_wire_decode_report (bytes, len + sizeof block, &out));
  assert_same_report (&r, &out);
}

CLAIM (test_arrivals_have_a_block)
{
  static const guint8 odd[] = {
    4, 3, 0, 0, 0xab, 0xcd, 3, 0, 0x12, 0x34, 0xff, 0xff, 0xff, 0xfe, 0xff, 0xff
  };
  r.arrivals = (RcArrivalAges) {
  0xabcd, 3, 3, {0x1234, RC_ARRIVALAGE_NONE, RC_ARRIVALAGE_EARLIER}};
  assert_report_ends (odd, sizeof odd);
  r.arrivals.n = RC_ARRIVALTIMES_MAX;
  r.arrivals.ages[RC_ARRIVALTIMES_MAX - 1] = 7;
  r.ecn_read = TRUE;
  r.ect1_pkts = 0x12345678;
  fail_unless_equals_int (rc_wire_encode_report (&r, bytes, sizeof bytes), 600);
  assert_survives (&r);
}

CLAIM (test_arrivals_have_one_encoding)
{
  static const guint8 refused[][16] = {
    {4, 0, 0, 0}, {4, 1, 0, 0, 0, 9, 0, 0},     /* none */
    {4, 2, 0, 0, 0, 9, 9, 0, 0, 1, 0, 1},       /* a stride beyond 16 bits */
    {4, 2, 0, 0, 0, 9, 0, 1, 0, 1, 0, 1},       /* not zero */
    {4, 2, 0, 0, 0, 9, 0, 0, 0xff, 0xff, 0, 1}, /* the first did not come */
    {4, 2, 0, 0, 0, 9, 0, 0, 0xff, 0xff, 0xff, 0xff},
    {4, 3, 0, 0, 0, 9, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, /* nor the last */
  };
  gsize len = rc_wire_encode_report (&full, bytes, sizeof bytes), i;

  for (i = 0; i < G_N_ELEMENTS (refused); i++) {
    memcpy (bytes + len, refused[i], sizeof refused[i]);
    fail_if (rc_wire_decode_report (bytes, len + 4 + 4 * refused[i][1], &out), "%zu", i);
  }
  r.arrivals = (RcArrivalAges) { 9, 0, 1, {5} };
  len = rc_wire_encode_report (&r, bytes, sizeof bytes);
  memcpy (bytes + len, bytes + len - 12, 12);
  fail_if (rc_wire_decode_report (bytes, len + 12, &out), "two lists");
  memset (bytes + WITH_RATE_BYTES, 0, sizeof bytes - WITH_RATE_BYTES);
  bytes[WITH_RATE_BYTES] = 4;
  bytes[WITH_RATE_BYTES + 1] = 2 + RC_ARRIVALTIMES_MAX / 2;
  len = WITH_RATE_BYTES + 4 + 4 * bytes[WITH_RATE_BYTES + 1];
  fail_if (rc_wire_decode_report (bytes, len, &out), "too long");
}

CLAIM (test_a_relay_lowers_the_rate_in_a_report_and_changes_nothing_else)
{
  guint8 before[RC_WIRE_MAX_BYTES];
  gsize len = rc_wire_encode_report (&full, bytes, sizeof bytes);

  memcpy (before, bytes, len);
  fail_if (rc_wire_lower_rate (bytes, len, full.explicit_rate_bps), "no higher");
  fail_if (rc_wire_lower_rate (bytes, len, 0), "no rate");
  fail_if (rc_wire_lower_rate (bytes, len - 4, 1), "cut off");
  fail_unless (memcmp (bytes, before, len) == 0);
  fail_unless (rc_wire_lower_rate (bytes, len, 70000));
  fail_unless (rc_wire_decode_report (bytes, len, &out));
  fail_unless_equals_uint64 (out.explicit_rate_bps, 70000);
  out.explicit_rate_bps = full.explicit_rate_bps;
  fail_unless_equals_uint64 (rc_wire_encode_report (&out, bytes, sizeof bytes), len);
  fail_unless (memcmp (bytes, before, len) == 0);
  r.explicit_rate_bps = 0;
  len = rc_wire_encode_report (&r, bytes, sizeof bytes);
  fail_if (rc_wire_lower_rate (bytes, len, 1), "there is none");
}

CLAIM (test_unknown_blocks_are_skipped)
{
  RcSenderInfo info;
  gsize len;

  r.explicit_rate_bps = 0;
  len = rc_wire_encode_report (&r, bytes, sizeof bytes);
  bytes[len] = 9;
  bytes[len + 1] = 1;
  memcpy (bytes + len + 8, "\1\2\0\0\0\0\0\0\0\0\0\5", 12);
  fail_unless (rc_wire_decode_report (bytes, len + 20, &out));
  fail_unless_equals_uint64 (out.explicit_rate_bps, 5);
  memset (bytes, 0, sizeof bytes);
  memcpy (bytes + RC_WIRE_INFO_BYTES, "\11\1\0\0\0\0\0\0", 8);
  fail_unless (rc_wire_decode_info (bytes, RC_WIRE_INFO_BYTES + 8, &info));
}

CLAIM (test_bad_blocks_are_refused)
{
  static const Block bad[] = {
    {"\11\0\0\0\0", 5},        /* not whole words */
    {"\1\2\0\0\0\0\0\0", 8},    /* ends before its words */
    {"\11\377\0\0", 4},
    {"\1\2\0\1\0\0\0\0\0\0\0\5", 12},   /* not zero where zero is due */
    {"\1\2\1\0\0\0\0\0\0\0\0\5", 12},
    {"\1\1\0\0\0\0\0\5", 8},    /* an explicit rate has two words */
    {"\1\3\0\0\0\0\0\0\0\0\0\5\0\0\0\0", 16},
    {"\3\1\0\0\0\0\0\0\1\2\0\0\0\0\0\0\0\0\0\5", 20}, /* out of order */
    {"\3\1\0\0\0\0\0\0\2\1\0\0\0\0\0\5", 16},
    {"\3\0\0\0", 4},          /* ECN has one word */
    {"\3\2\0\0\0\0\0\0\0\0\0\0", 12},
    {"\3\1\0\0\0\0\0\0\3\1\0\0\0\0\0\0", 16}, /* and comes once */
    {"\1\2\0\0\0\0\0\0\0\0\0\0", 12},   /* rate 0 */
    {"\1\2\0\0\377\0\0\0\0\0\0\0", 12}, /* absurd rate */
    {"\1\2\0\0\0\0\0\0\0\0\0\5\1\2\0\0\0\0\0\0\0\0\0\5", 24},   /* twice */
  };

  assert_refused (bad, G_N_ELEMENTS (bad), TRUE);
}

#define REFUSE(report, change) do { r = report; change; fail_if (accepts (&r)); } while (0)

CLAIM (test_absurd_values_are_refused)
{
  fail_unless (accepts (&full));
  r = full, r.bandwidth_bps = RC_WIRE_MAX_BPS;
  fail_unless (accepts (&r));
  REFUSE (full, r.bandwidth_bps = RC_WIRE_MAX_BPS + 1);
  r = full, r.arrival_us_remote = RC_WIRE_MAX_ARRIVAL_US;
  fail_unless (accepts (&r));
  REFUSE (full, r.arrival_us_remote = RC_WIRE_MAX_ARRIVAL_US + 1);
}

CLAIM (test_hello_with_media_in_it_is_refused)
{
  fail_unless (accepts (&hello));
  REFUSE (hello, r.highest_seq = 1);
  REFUSE (hello, r.arrival_us_remote = 1);
  REFUSE (hello, r.hold_us = 1);
  REFUSE (hello, r.bandwidth_bps = 1);
  REFUSE (hello, r.lost_pkts = 1);
  REFUSE (hello, r.ce_pkts = 1);
  REFUSE (hello, r.received_bytes = 1);
}
