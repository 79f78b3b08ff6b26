/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include <rc/feedback/sealedrtcp.h>

#include <rc/base/bytes.h>

#define HEADER_BYTES 8          /* with the SSRC; not encrypted */
#define FIRST_TYPE 192          /* RFC 5761 4 */
#define LAST_TYPE 223
#define INDEX_BYTES 4
#define INDEX_ENCRYPTED UINT32_C (0x80000000)
#define LEAST_TRAILER_BYTES (INDEX_BYTES + 4)
#define MAX_BEHIND_INDEX_BYTES (16 + 10)        /* MKI and tag of counter mode */

static bool
is_header (const uint8_t *bytes)
{
  return bytes[0] >> 6 == 2 && bytes[1] >= FIRST_TYPE && bytes[1] <= LAST_TYPE;
}

static size_t
packet_bytes (const uint8_t *bytes)
{
  return 4 * ((size_t) rc_get16 (bytes + 2) + 1);
}

static bool
is_plain (const uint8_t *bytes, size_t size)
{
  size_t at = 0;

  while (at + 4 <= size && is_header (bytes + at))
    at += packet_bytes (bytes + at);
  return at == size;
}

bool
rc_sealed_rtcp (const uint8_t *bytes, size_t size)
{
  size_t first;

  if (size < HEADER_BYTES + LEAST_TRAILER_BYTES || !is_header (bytes) || is_plain (bytes, size))
    return false;
  first = packet_bytes (bytes);
  if (first < HEADER_BYTES || first + LEAST_TRAILER_BYTES > size)
    return false;
  for (size_t at = first; at + INDEX_BYTES <= size; at += 4) {
    uint32_t index = rc_get32 (bytes + at);

    if (size - at - INDEX_BYTES <= MAX_BEHIND_INDEX_BYTES && (index & INDEX_ENCRYPTED)
        && (index & ~INDEX_ENCRYPTED) < RC_SEALED_RTCP_INDEXES)
      return true;
  }
  return false;
}
