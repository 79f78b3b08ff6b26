/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Any bytes for the decoders of lists (RFC 8888, TWCC) and of NACKs, and what they accept for the
 * ledgers of a sender that has sent some packets.
 *
 * Invariants: a refusal leaves the clock as it was; times are not negative and do not overflow;
 * what was accepted says the same once it was written and read again; no RTT is negative, and
 * nobody received more than was sent. */
#include "lists.h"

#include <string.h>

#include <rc/feedback/feedback.h>

#define INSTANCE 77
#define MAX_ARRIVALS 2048
#define ENTRIES 1024
#define RTP_BYTES 1000
/* Of an age of RFC 8888 and of its report time, each way. */
#define ROUNDING (RC_SECOND / 1024 + RC_SECOND / 32768)
#define TICK (250 * RC_USEC)

ListCounts list_counts;

typedef struct
{
  RcArrival arrivals[MAX_ARRIVALS];
  RcArrivalLists lists;
} Decoded;

static bool
decode (const uint8_t *bytes, size_t size, bool twcc, RcWireClock *clock, Decoded *out)
{
  out->lists = (RcArrivalLists) { .arrivals = out->arrivals, .max_arrivals = MAX_ARRIVALS };
  return twcc ? rc_twcc_decode (bytes, size, INSTANCE, clock, &out->lists)
      : rc_ccfb_decode (bytes, size, INSTANCE, clock, &out->lists);
}

static unsigned
check_list (const RcArrivals *list)
{
  FUZZ_CHECK (list->n_arrivals > 0 && list->instance == INSTANCE);
  for (unsigned i = 0; i < list->n_arrivals; i++) {
    const RcArrival *arrival = &list->arrivals[i];

    FUZZ_CHECK (arrival->arrived_at_remote >= 0 && arrival->ecn <= RC_ECN_BITS_CE);
    FUZZ_CHECK (arrival->arrived_at_remote / RC_USEC <= (RcTime) RC_WIRE_MAX_ARRIVAL_US);
    FUZZ_CHECK (i == 0 || arrival->number != arrival[-1].number);
  }
  return list->n_arrivals;
}

static void
check_same (const RcArrivals *a, const RcArrivals *b, RcTime tolerance)
{
  RcTime shift = a->arrivals[0].arrived_at_remote - b->arrivals[0].arrived_at_remote;

  FUZZ_CHECK (rc_numbers_equal (a->space, b->space) && a->format == b->format);
  FUZZ_CHECK (a->n_arrivals == b->n_arrivals);
  for (unsigned i = 0; i < a->n_arrivals; i++) {
    RcTime error = a->arrivals[i].arrived_at_remote - b->arrivals[i].arrived_at_remote - shift;

    FUZZ_CHECK (a->arrivals[i].number == b->arrivals[i].number);
    FUZZ_CHECK (a->arrivals[i].ecn == b->arrivals[i].ecn);
    FUZZ_CHECK (error <= tolerance && error >= -tolerance);
  }
}

static void
write_again (const RcArrivalLists *lists, bool twcc)
{
  static uint8_t bytes[100000];
  static Decoded again;
  RcWireClock clock = { 0, false };

  for (unsigned i = 0; i < lists->n_lists; i++) {
    RcArrivals list = lists->lists[i];
    unsigned told;
    size_t size = twcc ? rc_twcc_encode (&list, 0, bytes, sizeof bytes, &told)
        : rc_ccfb_encode (&list, 1, list.told_at_remote, bytes, sizeof bytes, &told);

    FUZZ_CHECK (size > 0 && told == list.n_arrivals);
    FUZZ_CHECK (decode (bytes, size, twcc, &clock, &again) && again.lists.n_lists == 1);
    check_same (&list, &again.lists.lists[0], twcc ? 0 : 2 * ROUNDING);
    FUZZ_CHECK (size < 2 || !decode (bytes, size - 4, twcc, &clock, &again));
  }
}

/* A sender with two streams and transport-wide numbers. */
typedef struct
{
  RcLedgers ledgers;
  RcLedgerEntry entries[3][ENTRIES];
  uint64_t received_pkts, sent_pkts;
} Sender;

static void
start_sender (Sender *self, uint16_t number, RcTime now)
{
  RcNumberSpace spaces[] = { rc_numbers_of_ssrc (1), rc_numbers_of_ssrc (2),
    {RC_NUMBERS_TRANSPORT, 0} };

  memset (self, 0, sizeof *self);
  rc_ledgers_init (&self->ledgers, RC_OVERHEAD_IPV4_BYTES);
  for (unsigned i = 0; i < 3; i++) {
    rc_ledgers_give (&self->ledgers, spaces[i], self->entries[i], ENTRIES, now);
    for (unsigned k = 0; k < 300; k++, self->sent_pkts++)
      rc_ledgers_on_sent (&self->ledgers, spaces[i], (uint16_t) (number + k), RTP_BYTES,
          now + k * RC_MSEC);
  }
}

static void
digest (Sender *self, const RcArrivalLists *lists, RcTime now)
{
  RcFeedback fb;

  if (lists->n_lists == 0 || !rc_ledgers_digest_arrivals (&self->ledgers, lists->lists,
          lists->n_lists, now, &fb))
    return;
  list_counts.digested++;
  self->received_pkts = fb.restarted ? fb.received_pkts : self->received_pkts + fb.received_pkts;
  FUZZ_CHECK (fb.rtt == RC_TIME_NONE || fb.rtt > 0);
  FUZZ_CHECK (self->received_pkts <= self->sent_pkts);
  FUZZ_CHECK (fb.ce_pkts <= fb.received_pkts && fb.ecn_pkts <= fb.received_pkts);
  list_counts.delays += fb.delays.pkts > 1;
}

/* Any bytes are NACKs: each word says the same once it was written again. The packets of the first
 * one leave again. */
static void
check_nacks (Sender *self, const uint8_t *data, size_t size)
{
  uint16_t numbers[RC_NACK_WORD_NUMBERS];
  uint8_t word[RC_NACK_WORD_BYTES];
  unsigned sum = 0, told;

  for (size_t at = 0; at + sizeof word <= size; at += sizeof word) {
    unsigned n = rc_nack_decode (data + at, sizeof word, numbers, RC_NACK_WORD_NUMBERS);

    FUZZ_CHECK (n >= 1 && n <= RC_NACK_WORD_NUMBERS);
    FUZZ_CHECK (rc_nack_encode (numbers, n, word, sizeof word, &told) == sizeof word && told == n);
    FUZZ_CHECK (memcmp (word, data + at, sizeof word) == 0);
    for (unsigned i = 0; at == 0 && i < n; i++)
      rc_ledgers_on_again (&self->ledgers, 1, numbers[i]);
    sum += n;
  }
  FUZZ_CHECK (rc_nack_decode (data, size - size % sizeof word, numbers, 1) == sum);
  list_counts.nacked += sum;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static Decoded decoded;
  static Sender sender;
  RcWireClock clock = { 0, false };
  RcTime now = 10 * RC_SECOND;
  bool twcc = size > 0 && data[0] % 2;

  start_sender (&sender, twcc ? 65400 : 0, now);
  check_nacks (&sender, data, size);
  /* Messages of a length that its first byte tells, in words. */
  for (size_t at = 1; at < size; now += 100 * RC_MSEC) {
    size_t left = size - at - 1, len = 4 * (size_t) data[at] < left ? 4 * (size_t) data[at] : left;
    RcWireClock before = clock;

    if (decode (data + at + 1, len, twcc, &clock, &decoded)) {
      unsigned n = 0;

      list_counts.accepted[twcc]++;
      for (unsigned i = 0; i < decoded.lists.n_lists; i++)
        n += check_list (&decoded.lists.lists[i]);
      FUZZ_CHECK (n <= len);
      write_again (&decoded.lists, twcc);
      digest (&sender, &decoded.lists, now + RC_SECOND);
    } else {
      list_counts.refused[twcc]++;
      FUZZ_CHECK (memcmp (&before, &clock, sizeof before) == 0);
    }
    at += 1 + len;
  }
  return 0;
}
