/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Codec of RFC 8888; the layout is drawn in ccfb.h.
 *
 * In a nutshell: writing goes once over the arrivals. Reading goes twice over the bytes: first it
 * finds out how the message counts its blocks, then it reads them.
 *
 * Source: RFC 8888 3.1, erratum 8166.
 * Limits: a message that was cut off between two streams, in the middle of the second one's SSRC
 * and first number, looks like a shorter message; the length in the RTCP header shows it. */
#include <rc/feedback/ccfb.h>

#include <rc/base/bytes.h>

#define STREAM_HEADER_BYTES 8
#define REPORT_TIME_BYTES 4
#define REPORT_TIME_BITS 32
#define LEAST_BYTES (STREAM_HEADER_BYTES + REPORT_TIME_BYTES)
#define ARRIVED 0x8000
#define ECN_SHIFT 13
#define AGE_MASK 0x1fff
#define AGE_EARLIER 0x1ffe
#define AGE_NOT_KNOWN 0x1fff
#define AGES_A_SECOND 1024
#define TICKS_AN_AGE (65536 / AGES_A_SECOND)    /* of the report time */
#define LONGEST_AGE (8 * RC_SECOND)

/* --- time --- */

static uint32_t
to_report_time (RcTime t)
{
  uint64_t s = (uint64_t) (t / RC_SECOND), rest = (uint64_t) (t % RC_SECOND);

  return (uint32_t) (s << 16 | (rest << 16) / (uint64_t) RC_SECOND);
}

static RcTime
from_ticks (int64_t ticks)
{
  return (ticks >> 16) * RC_SECOND + (((ticks & 0xffff) * RC_SECOND) >> 16);
}

static uint16_t
age_of (RcTime arrived_at, RcTime told_at)
{
  RcTime before = told_at - arrived_at;

  if (before < 0)
    return AGE_NOT_KNOWN;
  if (before > LONGEST_AGE)
    return AGE_EARLIER;
  before = (before * AGES_A_SECOND + RC_SECOND / 2) / RC_SECOND;
  return before < AGE_EARLIER ? (uint16_t) before : AGE_EARLIER;
}

static RcTime
time_of (uint16_t age, int64_t told_ticks)
{
  return from_ticks (told_ticks - (age == AGE_NOT_KNOWN ? 0 : age * TICKS_AN_AGE));
}

/* --- writing --- */

static uint32_t
at_most (uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

/* With the padding. */
static size_t
bytes_of_blocks (uint32_t n)
{
  return (n + 1) / 2 * 4;
}

static uint32_t
blocks_in (size_t room)
{
  size_t n = room > STREAM_HEADER_BYTES ? (room - STREAM_HEADER_BYTES) / 4 * 2 : 0;

  return n < RC_CCFB_MAX_BLOCKS ? (uint32_t) n : RC_CCFB_MAX_BLOCKS;
}

static uint32_t
put_blocks (const RcArrivals *list, RcTime told_at, uint16_t first, uint32_t most, uint8_t *at,
    unsigned *n_told)
{
  uint32_t n = 0;

  for (; *n_told < list->n_arrivals; (*n_told)++) {
    const RcArrival *arrival = &list->arrivals[*n_told];
    uint32_t place = (uint16_t) (arrival->number - first);

    if (place < n || place >= most)
      break;
    for (; n < place; n++)
      at = rc_put16 (at, 0);
    at = rc_put16 (at, (uint16_t) (ARRIVED | (arrival->ecn & RC_ECN_BITS_CE) << ECN_SHIFT
            | age_of (arrival->arrived_at_remote, told_at)));
    n++;
  }
  if (n % 2)
    rc_put16 (at, 0);
  return n;
}

/* Returns the size; 0: nothing to report, or no room. */
static size_t
put_stream (const RcArrivals *list, RcTime told_at, uint8_t *at, size_t room, unsigned *n_told)
{
  uint32_t most = blocks_in (room), n;
  uint16_t first;

  *n_told = 0;
  if (list->n_arrivals == 0 || most == 0)
    return 0;
  first = (uint16_t) (list->arrivals[0].number - at_most (list->n_missing_before, most - 1));
  n = put_blocks (list, told_at, first, most, at + STREAM_HEADER_BYTES, n_told);
  at = rc_put16 (rc_put32 (at, list->space.ssrc), first);
  rc_put16 (at, (uint16_t) n);
  return STREAM_HEADER_BYTES + bytes_of_blocks (n);
}

size_t
rc_ccfb_encode (const RcArrivals *lists, unsigned n_lists, RcTime told_at, uint8_t *bytes,
    size_t cap, unsigned *n_told)
{
  size_t room = cap > REPORT_TIME_BYTES ? cap - REPORT_TIME_BYTES : 0, size = 0;

  for (unsigned i = 0; i < n_lists; i++)
    size += put_stream (&lists[i], told_at, bytes + size, room - size, &n_told[i]);
  if (size == 0)
    return 0;
  rc_put32 (bytes + size, to_report_time (told_at));
  return size + REPORT_TIME_BYTES;
}

/* --- reading --- */

/* Size of the stream that begins here; 0: it does not fit. extra: what its count is short of. */
static size_t
stream_size (const uint8_t *at, size_t left, unsigned extra)
{
  uint32_t n;
  size_t size;

  if (left < STREAM_HEADER_BYTES)
    return 0;
  n = rc_get16 (at + 6);
  if (n > 0)
    n += extra;
  size = STREAM_HEADER_BYTES + bytes_of_blocks (n);
  return n <= RC_CCFB_MAX_BLOCKS && size <= left ? size : 0;
}

static bool
streams_fill (const uint8_t *at, size_t left, unsigned extra)
{
  while (left > 0) {
    size_t size = stream_size (at, left, extra);

    if (size == 0)
      return false;
    at += size;
    left -= size;
  }
  return true;
}

/* What stands in the padding is a block of an implementation that counts one short. */
static bool
read_stream (const uint8_t *at, size_t size, uint32_t instance, int64_t told_ticks,
    unsigned *n_arrivals, RcArrivalLists *out)
{
  uint16_t number = rc_get16 (at + 4), first = number;
  RcArrivals list = { .space = rc_numbers_of_ssrc (rc_get32 (at)),
    .arrivals = out->arrivals + *n_arrivals, .told_at_remote = from_ticks (told_ticks),
    .instance = instance, .ecn_read = true, .policy = RC_REPORT_POLICY_PATIENT,
    .format = RC_FORMAT_CCFB };

  for (size_t i = STREAM_HEADER_BYTES; i < size; i += 2, number++) {
    uint16_t block = rc_get16 (at + i);

    if (!(block & ARRIVED))
      continue;
    if (*n_arrivals == out->max_arrivals)
      return false;
    out->arrivals[(*n_arrivals)++] = (RcArrival) { number,
      (uint8_t) (block >> ECN_SHIFT & RC_ECN_BITS_CE),
      time_of (block & AGE_MASK, told_ticks) };
    list.n_arrivals++;
  }
  if (list.n_arrivals == 0)
    return true;
  list.n_missing_before = (uint16_t) (list.arrivals[0].number - first);
  if (out->n_lists == RC_ARRIVALS_MAX_LISTS)
    return false;
  out->lists[out->n_lists++] = list;
  return true;
}

bool
rc_ccfb_decode (const uint8_t *bytes, size_t len, uint32_t instance, RcWireClock *clock,
    RcArrivalLists *out)
{
  RcWireClock followed = *clock;
  unsigned extra, n_arrivals = 0;
  size_t end;
  int64_t told_ticks;

  out->n_lists = 0;
  if (len < LEAST_BYTES || len % 4 != 0)
    return false;
  end = len - REPORT_TIME_BYTES;
  extra = streams_fill (bytes, end, 0) ? 0 : 1;
  if (extra && !streams_fill (bytes, end, extra))
    return false;
  told_ticks = rc_wireclock_follow (&followed, rc_get32 (bytes + end), REPORT_TIME_BITS);
  for (size_t i = 0; i < end; i += stream_size (bytes + i, end - i, extra))
    if (!read_stream (bytes + i, stream_size (bytes + i, end - i, extra), instance, told_ticks,
            &n_arrivals, out))
      return false;
  *clock = followed;
  return true;
}
