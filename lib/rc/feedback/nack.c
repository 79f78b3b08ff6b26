/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/nack.h>

#include <rc/base/bytes.h>

#define MASK_BITS (RC_NACK_WORD_NUMBERS - 1)

static unsigned
put (uint16_t *numbers, unsigned n, unsigned max, uint16_t number)
{
  if (n < max)
    numbers[n] = number;
  return n + 1;
}

unsigned
rc_nack_decode (const uint8_t *fci, size_t len, uint16_t *numbers, unsigned max)
{
  unsigned n = 0;

  if (len % RC_NACK_WORD_BYTES != 0)
    return 0;
  for (size_t at = 0; at < len; at += RC_NACK_WORD_BYTES) {
    uint16_t first = rc_get16 (fci + at), mask = rc_get16 (fci + at + 2);

    n = put (numbers, n, max, first);
    for (unsigned bit = 0; bit < MASK_BITS; bit++)
      if (mask >> bit & 1)
        n = put (numbers, n, max, (uint16_t) (first + bit + 1));
  }
  return n;
}

size_t
rc_nack_encode (const uint16_t *numbers, unsigned n, uint8_t *fci, size_t cap, unsigned *n_told)
{
  size_t len = 0;
  unsigned i = 0;

  while (i < n && len + RC_NACK_WORD_BYTES <= cap) {
    uint16_t first = numbers[i++], mask = 0;

    for (; i < n && (uint16_t) (numbers[i] - first) <= MASK_BITS; i++)
      if (numbers[i] != first)
        mask |= (uint16_t) (1U << (uint16_t) (numbers[i] - first - 1));
    rc_put16 (fci + len, first);
    rc_put16 (fci + len + 2, mask);
    len += RC_NACK_WORD_BYTES;
  }
  *n_told = i;
  return len;
}
