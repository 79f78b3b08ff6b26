/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Codec of TWCC; the layout is drawn in twcc.h.
 *
 * In a nutshell: statuses are made one by one from the arrivals and gathered into chunks, the
 * longest run or else the vector that holds most. Both the size of a message and its bytes come
 * from the same walk, so that the number of arrivals that fit is found by bisection.
 * Times are counted in 250 us since the origin of the clock, each rounded down by itself; so errors
 * do not add up along the list.
 *
 * Source: draft-holmer-rmcat-transport-wide-cc-extensions-01 3.1. */
#include <rc/feedback/twcc.h>

#include <rc/base/bytes.h>

#define HEADER_BYTES 8
#define REFERENCE_BITS 24
#define TICK (250 * RC_USEC)
#define TICKS_A_REFERENCE 256   /* 64 ms */
#define MAX_STATUSES 65535
#define MAX_MISSING 32767
#define MAX_RUN 0x1fff
#define VECTOR_OF_1_BIT 0x8000
#define VECTOR_OF_2_BITS 0xc000
#define N_OF_1_BIT 14
#define N_OF_2_BITS 7
/* The status of a packet that arrived is the size of its delta. */
#define NOT_ARRIVED 0
#define SMALL 1
#define LARGE 2
#define RESERVED 3

/* --- writing --- */

static int64_t
ticks_of (const RcArrivals *list, unsigned i)
{
  return list->arrivals[i].arrived_at_remote / TICK;
}

static int64_t
reference_of (const RcArrivals *list)
{
  return ticks_of (list, 0) / TICKS_A_REFERENCE;
}

static int64_t
delta_of (const RcArrivals *list, unsigned i)
{
  return ticks_of (list, i) - (i > 0 ? ticks_of (list, i - 1)
      : reference_of (list) * TICKS_A_REFERENCE);
}

static unsigned
status_of (const RcArrivals *list, unsigned i)
{
  int64_t delta = delta_of (list, i);

  return delta >= 0 && delta <= UINT8_MAX ? SMALL : LARGE;
}

/* With more missing, it is ambiguous whether they are behind or ahead. */
static uint16_t
missing_before (const RcArrivals *list)
{
  return list->n_missing_before < MAX_MISSING ? list->n_missing_before : MAX_MISSING;
}

static uint16_t
first_of (const RcArrivals *list)
{
  return (uint16_t) (list->arrivals[0].number - missing_before (list));
}

/* Goes over the statuses from the first number to that of the n-th arrival. */
typedef struct
{
  const RcArrivals *list;
  unsigned n, next;             /* arrivals: all, and the one that comes next */
  uint16_t number;
} Walk;

static Walk
begin_walk (const RcArrivals *list, unsigned n)
{
  return (Walk) { list, n, 0, first_of (list) };
}

static bool
walk_ended (const Walk *self)
{
  return self->next == self->n;
}

static unsigned
walk_peek (const Walk *self)
{
  return self->list->arrivals[self->next].number == self->number
      ? status_of (self->list, self->next) : NOT_ARRIVED;
}

static unsigned
walk_step (Walk *self)
{
  unsigned status = walk_peek (self);

  self->next += status != NOT_ARRIVED;
  self->number++;
  return status;
}

static unsigned
run_length (Walk walk)
{
  unsigned status = walk_peek (&walk), n = 0;

  while (n < MAX_RUN && !walk_ended (&walk) && walk_peek (&walk) == status) {
    walk_step (&walk);
    n++;
  }
  return n;
}

/* Which vector is best; *n: how many statuses it would hold. */
static uint16_t
vector_kind (Walk walk, unsigned *n)
{
  for (*n = 0; *n < N_OF_1_BIT && !walk_ended (&walk); (*n)++) {
    if (walk_step (&walk) != LARGE)
      continue;
    *n = *n < N_OF_2_BITS ? *n + 1 : N_OF_2_BITS;
    while (*n < N_OF_2_BITS && !walk_ended (&walk)) {
      walk_step (&walk);
      (*n)++;
    }
    return VECTOR_OF_2_BITS;
  }
  return VECTOR_OF_1_BIT;
}

static uint16_t
next_chunk (Walk *walk)
{
  unsigned n, run = run_length (*walk);
  uint16_t chunk = vector_kind (*walk, &n);
  unsigned bits = chunk == VECTOR_OF_1_BIT ? 1 : 2, shift = N_OF_1_BIT;

  if (run >= n) {
    chunk = (uint16_t) (walk_peek (walk) << 13 | run);
    while (run-- > 0)
      walk_step (walk);
    return chunk;
  }
  while (n-- > 0) {
    shift -= bits;
    chunk = (uint16_t) (chunk | walk_step (walk) << shift);
  }
  return chunk;
}

/* How many arrivals one message of any size can report. */
static unsigned
n_tellable (const RcArrivals *list)
{
  uint32_t statuses = missing_before (list) + 1U;
  unsigned i;

  for (i = 0; i < list->n_arrivals && statuses <= MAX_STATUSES; i++) {
    uint16_t step;

    if (delta_of (list, i) < INT16_MIN || delta_of (list, i) > INT16_MAX)
      break;
    if (i + 1 == list->n_arrivals)
      return i + 1;
    step = (uint16_t) (list->arrivals[i + 1].number - list->arrivals[i].number);
    if (step == 0)
      return i + 1;
    statuses += step;
  }
  return i;
}

static size_t
size_of (const RcArrivals *list, unsigned n)
{
  Walk walk = begin_walk (list, n);
  size_t size = HEADER_BYTES;

  while (!walk_ended (&walk)) {
    next_chunk (&walk);
    size += 2;
  }
  for (unsigned i = 0; i < n; i++)
    size += status_of (list, i);
  return (size + 3) / 4 * 4;
}

static unsigned
n_fitting (const RcArrivals *list, size_t cap)
{
  unsigned low = 0, high = n_tellable (list);

  while (low < high) {
    unsigned n = low + (high - low + 1) / 2;

    if (size_of (list, n) <= cap)
      low = n;
    else
      high = n - 1;
  }
  return low;
}

size_t
rc_twcc_encode (const RcArrivals *list, uint8_t count, uint8_t *bytes, size_t cap,
    unsigned *n_told)
{
  unsigned n = list->n_arrivals > 0 ? n_fitting (list, cap) : 0;
  Walk walk;
  uint8_t *at;

  *n_told = n;
  if (n == 0)
    return 0;
  at = rc_put16 (bytes, first_of (list));
  at = rc_put16 (at, (uint16_t) (list->arrivals[n - 1].number - first_of (list) + 1));
  at = rc_put32 (at, (uint32_t) reference_of (list) << 8 | count);
  for (walk = begin_walk (list, n); !walk_ended (&walk);)
    at = rc_put16 (at, next_chunk (&walk));
  for (unsigned i = 0; i < n; i++) {
    if (status_of (list, i) == LARGE)
      at = rc_put16 (at, (uint16_t) delta_of (list, i));
    else
      *at++ = (uint8_t) delta_of (list, i);
  }
  while ((at - bytes) % 4 != 0)
    *at++ = 0;
  return (size_t) (at - bytes);
}

/* --- reading --- */

/* Reads chunk after chunk. */
typedef struct
{
  const uint8_t *at, *end;
  uint16_t chunk;
  unsigned left;                /* statuses in this chunk */
} Statuses;

static bool
next_of_chunks (Statuses *self)
{
  if (self->end - self->at < 2)
    return false;
  self->chunk = rc_get16 (self->at);
  self->at += 2;
  if ((self->chunk & VECTOR_OF_2_BITS) == VECTOR_OF_2_BITS)
    self->left = N_OF_2_BITS;
  else if (self->chunk & VECTOR_OF_1_BIT)
    self->left = N_OF_1_BIT;
  else
    self->left = self->chunk & MAX_RUN;
  return self->left > 0;
}

/* RESERVED where there is none, too. */
static unsigned
next_status (Statuses *self)
{
  if (self->left == 0 && !next_of_chunks (self))
    return RESERVED;
  self->left--;
  if ((self->chunk & VECTOR_OF_2_BITS) == VECTOR_OF_2_BITS)
    return self->chunk >> 2 * self->left & 3;
  if (self->chunk & VECTOR_OF_1_BIT)
    return self->chunk >> self->left & 1;
  return self->chunk >> 13;
}

/* Where the deltas begin; NULL: the statuses and the deltas are not all there, or something else
 * follows. */
static const uint8_t *
find_deltas (const uint8_t *bytes, size_t len, unsigned n_statuses)
{
  Statuses statuses = { .at = bytes + HEADER_BYTES, .end = bytes + len };
  size_t deltas_bytes = 0, rest;

  for (unsigned i = 0; i < n_statuses; i++) {
    unsigned status = next_status (&statuses);

    if (status == RESERVED)
      return NULL;
    deltas_bytes += status;
  }
  rest = (size_t) (statuses.end - statuses.at);
  return rest >= deltas_bytes && rest - deltas_bytes < 4 ? statuses.at : NULL;
}

static int
read_delta (const uint8_t **at, unsigned status)
{
  int delta = status == LARGE ? (int16_t) rc_get16 (*at) : **at;

  *at += status;
  return delta;
}

static bool
read_arrivals (const uint8_t *bytes, const uint8_t *deltas, unsigned n_statuses, int64_t ticks,
    RcArrivals *list, RcArrivalLists *out)
{
  Statuses statuses = { .at = bytes + HEADER_BYTES, .end = deltas };
  uint16_t number = rc_get16 (bytes);

  for (unsigned i = 0; i < n_statuses; i++, number++) {
    unsigned status = next_status (&statuses);

    if (status == NOT_ARRIVED)
      continue;
    if (list->n_arrivals == out->max_arrivals)
      return false;
    ticks += read_delta (&deltas, status);
    out->arrivals[list->n_arrivals++] = (RcArrival) { number, RC_ECN_BITS_NOT_ECT, ticks * TICK };
  }
  return true;
}

bool
rc_twcc_decode (const uint8_t *bytes, size_t len, uint32_t instance, RcWireClock *clock,
    RcArrivalLists *out)
{
  RcWireClock followed = *clock;
  RcArrivals list = { .space = { RC_NUMBERS_TRANSPORT, 0 }, .arrivals = out->arrivals,
    .told_at_remote = RC_TIME_NONE, .instance = instance, .policy = RC_REPORT_POLICY_PATIENT,
    .counted = true, .format = RC_FORMAT_TWCC };
  unsigned n_statuses;
  const uint8_t *deltas;
  int64_t reference;

  out->n_lists = 0;
  if (len < HEADER_BYTES || (n_statuses = rc_get16 (bytes + 2)) == 0)
    return false;
  deltas = find_deltas (bytes, len, n_statuses);
  if (!deltas)
    return false;
  reference = rc_wireclock_follow (&followed, rc_get32 (bytes + 4) >> 8, REFERENCE_BITS);
  if (!read_arrivals (bytes, deltas, n_statuses, reference * TICKS_A_REFERENCE, &list, out))
    return false;
  *clock = followed;
  if (list.n_arrivals > 0) {
    list.n_missing_before = (uint16_t) (list.arrivals[0].number - rc_get16 (bytes));
    list.count = bytes[7];
    out->lists[out->n_lists++] = list;
  }
  return true;
}
