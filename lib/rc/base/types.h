/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What all of the library agrees on: time, units, the ECN bits.
 *
 * Units: RcTime is signed nanoseconds of one monotonic clock; `_bps` is bits per second at the
 * network layer (RTP + UDP + IP headers included); `_bytes`, `_pkts` and `_ratio` (0..1) say
 * what they are. A name ending in `_at` is a point in time, `_remote` is a value of the peer's
 * clock: only differences of it mean anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t RcTime;

#define RC_TIME_NONE ((RcTime) -1)
#define RC_NSEC ((RcTime) 1)
#define RC_USEC ((RcTime) 1000)
#define RC_MSEC ((RcTime) 1000000)
#define RC_SECOND ((RcTime) 1000000000)

/* The two ECN bits of the IP header, with the values that they have there [RFC 3168]. */
typedef enum
{
  RC_ECN_BITS_NOT_ECT = 0,
  RC_ECN_BITS_ECT_1 = 1,
  RC_ECN_BITS_ECT_0 = 2,
  RC_ECN_BITS_CE = 3,
} RcEcnBits;

/* Bytes that IPv4 or IPv6 and UDP add to each RTP packet. */
#define RC_OVERHEAD_IPV4_BYTES 28
#define RC_OVERHEAD_IPV6_BYTES 48

static inline double
rc_time_to_s (RcTime t)
{
  return (double) t * 1e-9;
}

static inline RcTime
rc_time_from_s (double s)
{
  return (RcTime) (s * 1e9 + (s < 0 ? -0.5 : 0.5));
}

/* Time that `bytes` take at `bps`; bps must not be 0. */
static inline RcTime
rc_time_of_bytes (uint64_t bytes, uint64_t bps)
{
  return (RcTime) ((double) bytes * 8e9 / (double) bps + 0.5);
}

/* The earlier of two points in time, either of which may be RC_TIME_NONE. */
static inline RcTime
rc_sooner (RcTime a, RcTime b)
{
  if (a == RC_TIME_NONE || b == RC_TIME_NONE)
    return a == RC_TIME_NONE ? b : a;
  return a < b ? a : b;
}

static inline double
rc_clampd (double x, double lo, double hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}
