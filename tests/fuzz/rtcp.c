/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The reader of RTCP (gst/rtp/rtcpmessage.c) over bytes of anybody.
 *
 * First byte even: the rest is a datagram. Odd: the rest is a row of packets, each behind a byte
 * for its type, one for its count and one for its length, so that the framing is right and the
 * contents are anything.
 *
 * Invariants: nothing is read beyond the bytes; no array is filled beyond its end; a list lies
 * within the datagram; a compound says what its packets say one by one; without its requests for
 * keyframes it says the same, but for them. */
#include "fuzz.h"

#include <rtp/rtcpmessage.h>

#define MAX_BYTES 2048
#define HEADER_BYTES 4

static unsigned long valid, malformed, skipped, overflows, sealed, lists, joined;

static void
check_bounds (const RtcpMessage *m, size_t size)
{
  FUZZ_CHECK (m->n_reports <= RTCP_MAX_REPORTS && m->n_infos <= RTCP_MAX_REPORTS);
  FUZZ_CHECK (m->n_lists <= RTCP_MAX_LISTS && m->n_keyframes <= RTCP_MAX_KEYFRAMES);
  FUZZ_CHECK (m->n_blocks <= RTCP_MAX_BLOCKS && m->n_sender_reports <= RTCP_MAX_BLOCKS);
  FUZZ_CHECK (m->n_bound_ssrcs <= RTCP_MAX_BLOCKS && m->n_byes <= RTCP_MAX_BLOCKS);
  FUZZ_CHECK (m->nacks.n_packets <= RTCP_MAX_NACKED && m->nacks.n_packets <= m->nacks.n_asked);
  FUZZ_CHECK (m->n_blocks * 24 + m->n_byes * 4 + m->n_keyframes * 8 <= size);
  FUZZ_CHECK (m->n_malformed * HEADER_BYTES <= size && m->n_others * HEADER_BYTES <= size);
  for (unsigned i = 0; i < m->n_lists; i++)
    FUZZ_CHECK (m->lists[i].offset <= size && m->lists[i].size <= size - m->lists[i].offset);
}

static bool
says_nothing (const RtcpMessage *m)
{
  return m->n_reports + m->n_infos + m->n_lists + m->n_blocks + m->n_sender_reports
      + m->n_bound_ssrcs + m->n_byes + m->n_keyframes + m->nacks.n_messages + m->n_malformed
      + m->n_overflow + m->n_others == 0 && !m->noticed;
}

/* Of packets that were read one by one. */
static void
add (RtcpMessage *sum, const RtcpMessage *one)
{
  sum->n_reports += one->n_reports;
  sum->n_infos += one->n_infos;
  sum->n_lists += one->n_lists;
  sum->n_blocks += one->n_blocks;
  sum->n_sender_reports += one->n_sender_reports;
  sum->n_byes += one->n_byes;
  sum->n_keyframes += one->n_keyframes;
  sum->n_malformed += one->n_malformed;
  sum->n_overflow += one->n_overflow;
  sum->n_others += one->n_others;
  sum->noticed |= one->noticed;
  sum->nacks.n_messages += one->nacks.n_messages;
  sum->nacks.n_asked += one->nacks.n_asked;
}

static bool
is_same (const RtcpMessage *a, const RtcpMessage *b)
{
  return a->n_reports == b->n_reports && a->n_infos == b->n_infos && a->n_lists == b->n_lists
      && a->n_blocks == b->n_blocks && a->n_sender_reports == b->n_sender_reports
      && a->n_byes == b->n_byes && a->n_keyframes == b->n_keyframes
      && a->n_malformed == b->n_malformed && a->n_others == b->n_others
      && a->noticed == b->noticed && a->nacks.n_messages == b->nacks.n_messages
      && a->nacks.n_asked == b->nacks.n_asked;
}

/* Each in memory of its own size, where a read beyond it is seen. */
static void
check_packets_one_by_one (const RtcpMessage *whole, const uint8_t *data, size_t size)
{
  static RtcpMessage sum, one;

  memset (&sum, 0, sizeof sum);
  for (size_t at = 0, n; at < size; at += n) {
    uint8_t *copy;

    n = 4 * ((size_t) (data[at + 2] << 8 | data[at + 3]) + 1);
    copy = malloc (n);
    memcpy (copy, data + at, n);
    FUZZ_CHECK (rtcp_message_read (&one, copy, n) == RTCP_VALID);
    add (&sum, &one);
    free (copy);
  }
  FUZZ_CHECK (sum.n_overflow > 0 || whole->n_overflow > 0 || is_same (whole, &sum));
  joined++;
}

static void
check_rest (const RtcpMessage *whole, const uint8_t *data, size_t size)
{
  static RtcpMessage rest, again;
  GstBuffer *buffer = rtcp_without_keyframes (data, size);

  if (!buffer)
    return;
  FUZZ_CHECK (rtcp_message_read_buffer (&rest, buffer) == RTCP_VALID);
  FUZZ_CHECK (rest.n_keyframes == 0 && rest.n_blocks == whole->n_blocks);
  FUZZ_CHECK (rest.n_reports == whole->n_reports && rest.n_malformed <= whole->n_malformed);
  again = *whole;
  again.n_keyframes = 0;
  again.n_malformed = rest.n_malformed;
  again.n_others = rest.n_others;
  FUZZ_CHECK (is_same (&again, &rest));
  gst_buffer_unref (buffer);
}

static void
fuzz_datagram (const uint8_t *data, size_t size)
{
  static RtcpMessage message;
  RtcpVerdict verdict = rtcp_message_read (&message, data, size);

  FUZZ_CHECK (verdict == message.verdict);
  FUZZ_CHECK (rtcp_is_rtcp (data, size) == (verdict != RTCP_NOT_RTCP));
  FUZZ_CHECK (!message.sealed || verdict == RTCP_MALFORMED);
  FUZZ_CHECK (verdict == RTCP_VALID || says_nothing (&message));
  check_bounds (&message, size);
  valid += verdict == RTCP_VALID;
  malformed += verdict == RTCP_MALFORMED;
  sealed += message.sealed != 0;
  skipped += message.n_malformed;
  overflows += message.n_overflow;
  lists += message.n_lists;
  if (verdict != RTCP_VALID)
    return;
  check_packets_one_by_one (&message, data, size);
  check_rest (&message, data, size);
}

/* Makes a row of packets of the input; returns its size. */
static size_t
frame (const uint8_t *data, size_t size, uint8_t *out)
{
  static const uint8_t types[] = { 200, 201, 202, 203, 204, 205, 206, 207 };
  static const char *const names[] = { "ARCR", "ARCS", "ARCN", "REMB" };
  size_t n = 0;

  while (size >= 3) {
    size_t room = size - 3, body = 4 * (size_t) (data[2] % 32);

    body = body > room ? room & ~(size_t) 3 : body;
    if (n + HEADER_BYTES + body > MAX_BYTES)
      break;
    out[n] = (uint8_t) (0x80 | (data[1] & (data[1] & 0x40 ? 0x3f : 0x1f)));
    out[n + 1] = types[data[0] % 8];
    out[n + 2] = (uint8_t) (body / 4 >> 8);
    out[n + 3] = (uint8_t) (body / 4);
    memcpy (out + n + HEADER_BYTES, data + 3, body);
    if (data[0] & 0x80 && body >= 12)
      memcpy (out + n + HEADER_BYTES + (data[0] % 8 == 4 ? 4 : 8), names[data[0] >> 3 & 3], 4);
    n += HEADER_BYTES + body;
    data += 3 + body;
    size -= 3 + body;
  }
  return n;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  uint8_t framed[MAX_BYTES], *copy;
  const uint8_t *bytes = data + 1;
  size_t n = size - 1;

  if (!gst_is_initialized ())
    gst_init (NULL, NULL);
  if (size == 0)
    return 0;
  if (data[0] & 1) {
    n = frame (data + 1, size - 1, framed);
    bytes = framed;
  }
  copy = malloc (n);
  if (n > 0)
    memcpy (copy, bytes, n);
  fuzz_datagram (copy, n);
  free (copy);
  return 0;
}

#ifndef FUZZ_WITHOUT_MAIN
#define COUNT 200000
#define MOST_INPUT 900

/* Deterministic inputs, as driver.c has them; a raw datagram begins as RTCP does. */
int
main (int argc, char **argv)
{
  unsigned long count = argc > 1 ? strtoul (argv[1], NULL, 10) : COUNT;
  uint64_t state = UINT64_C (1) << 63 | 1;
  uint8_t bytes[MOST_INPUT];

  for (unsigned long i = 0; i < count; i++) {
    size_t size = 1 + i % (i % 16 ? 200 : MOST_INPUT);

    for (size_t k = 0; k < size; k++) {
      state ^= state >> 12;
      state ^= state << 25;
      state ^= state >> 27;
      bytes[k] = (uint8_t) (state * UINT64_C (0x2545f4914f6cdd1d) >> 56);
    }
    if (!(bytes[0] & 1) && size > 5) {
      bytes[1] = (uint8_t) (0x80 | (bytes[1] & 0x3f));
      bytes[2] = (uint8_t) (200 + bytes[2] % 8);
      bytes[3] = 0;
      bytes[4] = (uint8_t) (i % 3 ? (size - 1) / 4 - 1 : bytes[4] % 16);
    }
    LLVMFuzzerTestOneInput (bytes, size);
  }
  printf ("%lu valid, %lu malformed (%lu sealed), %lu joined, %lu packets skipped, %lu entries "
      "without a place, %lu lists\n", valid, malformed, sealed, joined, skipped, overflows, lists);
  return valid > 0 && malformed > 0 && sealed > 0 && skipped > 0 && overflows > 0 && lists > 0
      ? EXIT_SUCCESS : EXIT_FAILURE;
}
#endif
