/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rtp/ulpfec.h"

#include <rc/base/bytes.h>      /* in RED it begins at an odd address */

#define HEADER_BYTES 10
#define BASE_AT 2
#define TIMESTAMP_AT 4
#define MASK_AT 12              /* behind the length of level 0 */
#define LONG 0x40               /* L: the mask has 48 bits, else 16 */
#define RED_MORE 0x80           /* F: another block follows */
#define RED_BLOCK_BYTES 4       /* of the header of any but the last */
#define RED_LENGTH 0x3ff

gboolean
ulpfec_get_base (const guint8 * fec, gsize size, guint16 * base)
{
  if (size <= HEADER_BYTES)
    return FALSE;
  *base = rc_get16 (fec + BASE_AT);
  return TRUE;
}

void
ulpfec_set_base (guint8 * fec, guint16 base)
{
  rc_put16 (fec + BASE_AT, base);
}

/* The sum is bit by bit: an even number of equal timestamps is 0. */
void
ulpfec_set_timestamp (guint8 * fec, gsize size, guint32 timestamp)
{
  guint mask_bytes = fec[0] & LONG ? 6 : 2;
  gboolean odd = FALSE;

  if (size < MASK_AT + mask_bytes)
    return;
  for (guint i = 0; i < 8 * mask_bytes; i++)
    odd ^= fec[MASK_AT + i / 8] >> (i % 8) & 1;
  rc_put32 (fec + TIMESTAMP_AT, odd ? timestamp : 0);
}

/* Headers of the blocks first, the last of them without MORE, then the blocks in that order. */
gsize
red_find_primary (const guint8 * payload, gsize size, guint8 * payload_type)
{
  gsize at = 0, before = 0;

  while (at + RED_BLOCK_BYTES <= size && payload[at] & RED_MORE) {
    before += rc_get16 (payload + at + 2) & RED_LENGTH;
    at += RED_BLOCK_BYTES;
  }
  if (at + 1 + before >= size || payload[at] & RED_MORE)
    return 0;
  *payload_type = payload[at];
  return at + 1 + before;
}
