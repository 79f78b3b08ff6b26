/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Feeds the body of fuzz-lists without libFuzzer, as driver.c does that of fuzz-wire. Arguments:
 * [count [seed]]. */
#include "draw.h"
#include "lists.h"

#include <string.h>

#define DEFAULT_COUNT 20000
#define DEFAULT_SEED 1
#define MAX_INPUT 3000
#define MAX_MESSAGE 1020        /* 255 words */

/* Of packets that the sender has sent, more often than not. */
static unsigned
draw_arrivals (RcArrival *arrivals, unsigned most, bool twcc)
{
  uint16_t number = (uint16_t) ((twcc ? 65400 : 0) + draw (draw (8) ? 250 : 65536));
  RcTime at = 100 * RC_SECOND + draw (5000) * RC_MSEC;
  unsigned n = 1 + draw (most);

  for (unsigned i = 0; i < n; i++) {
    arrivals[i] = (RcArrival) { number, (uint8_t) (twcc ? 0 : draw (4)), at };
    number = (uint16_t) (number + (draw (6) ? 1 : 1 + draw (30)));
    at += (RcTime) draw (draw (9) ? 20 : 9000) * RC_MSEC - (draw (9) ? 0 : 30 * RC_MSEC);
  }
  return n;
}

static size_t
write_message (uint8_t *bytes, bool twcc)
{
  RcArrival arrivals[3][80];
  RcArrivals lists[3];
  unsigned told[3], n = twcc ? 1 : 1 + draw (3);

  for (unsigned i = 0; i < n; i++)
    lists[i] = (RcArrivals) { .space = { twcc ? RC_NUMBERS_TRANSPORT : RC_NUMBERS_RTP,
        twcc ? 0 : 1 + draw (3) }, .arrivals = arrivals[i],
      .n_arrivals = draw_arrivals (arrivals[i], 80, twcc),
      .n_missing_before = (uint16_t) draw (9) };
  if (twcc)
    return rc_twcc_encode (lists, (uint8_t) draw (256), bytes, MAX_MESSAGE, told);
  return rc_ccfb_encode (lists, n, (105 + (RcTime) draw (5)) * RC_SECOND, bytes, MAX_MESSAGE, told);
}

static size_t
next_input (uint8_t *bytes)
{
  bool twcc = draw (2) != 0;
  size_t size = 0;

  bytes[size++] = twcc;
  for (uint32_t n = 1 + draw (3); n > 0 && size + 1 + MAX_MESSAGE < MAX_INPUT; n--) {
    uint8_t *message = bytes + size + 1;
    size_t len = draw (8) ? write_message (message, twcc) : 4 * draw (20);

    for (size_t i = 0; len <= 80 && draw (8) == 0 && i < len; i++)
      message[i] = (uint8_t) draw (256);
    for (uint32_t flips = draw (3) ? 0 : draw (4); flips > 0 && len > 0; flips--)
      message[draw ((uint32_t) len)] ^= (uint8_t) (1 << draw (8));
    if (draw (16) == 0)
      len = 4 * draw ((uint32_t) len / 4 + 1);
    bytes[size] = (uint8_t) (len / 4);
    size += 1 + len;
  }
  return size;
}

static bool
reached (const char *what, unsigned long n)
{
  printf ("%-28s %10lu\n", what, n);
  return n > 0;
}

int
main (int argc, char **argv)
{
  unsigned long count = argc > 1 ? strtoul (argv[1], NULL, 0) : DEFAULT_COUNT;
  static uint8_t bytes[MAX_INPUT];
  const ListCounts *c = &list_counts;
  bool all = true;

  random_state = (argc > 2 ? strtoull (argv[2], NULL, 0) : DEFAULT_SEED) | UINT64_C (1) << 63;
  for (unsigned long i = 0; i < count; i++) {
    size_t size = next_input (bytes);
    /* A copy of its own, so that the sanitizer sees a read past its end. */
    uint8_t *exact = malloc (size);

    memcpy (exact, bytes, size);
    LLVMFuzzerTestOneInput (exact, size);
    free (exact);
  }
  printf ("%lu inputs\n", count);
  all &= reached ("RFC 8888 accepted", c->accepted[0]);
  all &= reached ("RFC 8888 refused", c->refused[0]);
  all &= reached ("TWCC accepted", c->accepted[1]);
  all &= reached ("TWCC refused", c->refused[1]);
  all &= reached ("digested", c->digested);
  all &= reached ("  with several delays", c->delays);
  all &= reached ("asked for again", c->nacked);
  return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
