/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What every law and its surroundings agree on: time, a sent packet, a digested report.
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

/* One packet that has just been handed to the network. */
typedef struct
{
  uint32_t size_bytes;          /* at the network layer */
  bool backlogged;              /* more packets were waiting for their turn */
} RcSent;

/* How long a receiver may hold a report back to save traffic. */
typedef struct
{
  uint32_t paying_bytes; /* until so many bytes of media have come since the last report ... */
  RcTime longest_interval;      /* ... but no longer than this */
} RcReportPolicy;

/* Of a receiver whose format is not known yet: reports of 100 bytes with all headers are 5 %
 * of 2000, the share that RFC 3550 6.2 gives to control traffic. */
#define RC_REPORT_POLICY_PATIENT ((RcReportPolicy) { 2000, 250 * RC_MSEC })

/* One-way delays (OWD) of the packets that one report told of. Delays are of the receiver's
 * clock less ours, with an unknown offset: only differences mean anything. */
typedef struct
{
  uint32_t pkts; /* whose departure and arrival are known; 0: nothing below is valid */
  RcTime mean_remote, least_remote;     /* OWD */
  RcTime last_remote;           /* OWD of the packet with the highest number */
  RcTime least_sent_at;         /* when the packet with the least OWD left */
  uint64_t least_bytes; /* received when it came, since the first report, at the network layer */
} RcDelays;

/* What one feedback report told, after rc_ledger_digest() checked it, unwrapped it and took
 * differences. Deltas are since the report before. */
typedef struct
{
  RcTime rtt;                   /* sample, hold time removed; RC_TIME_NONE: no sample */
  /* Arrival (receiver clock) - departure (ours): unknown offset; valid iff rtt is. */
  RcTime owd_remote;
  uint64_t bandwidth_bps;       /* B: used bandwidth, low-passed by the receiver */
  uint64_t received_bytes;      /* delta, at the network layer */
  uint32_t received_pkts;       /* delta */
  uint32_t lost_pkts; /* delta; never negative: packets found again only lower later deltas */
  uint32_t ce_pkts;             /* delta: ECN congestion experienced */
  uint32_t ecn_pkts;            /* delta: ECN-capable, or CE; 0 without ecn_read */
  uint32_t ect1_pkts;           /* delta: ECT(1), as far as the format tells it */
  bool ecn_read;                /* the receiver can read ECN bits */
  bool left_as_ect1;            /* the packets: marks may be those of an L4S queue */
  uint64_t outstanding_bytes;   /* sent after the highest packet that the report acknowledges */
  RcTime sent_at;               /* when that highest packet left; RC_TIME_NONE if unknown */
  uint64_t explicit_rate_bps;   /* echoed stamp of the relays on the path; 0: none */
  double loss_event_ratio;      /* p [RFC 5348]; 0: no loss event yet */
  bool restarted;               /* the receiver is a new one: counters and clocks started afresh */
  RcReportPolicy policy;        /* of the receiver's format */
  RcDelays delays;
} RcFeedback;

/* Bounds that the user sets on a law. min <= start <= max. */
typedef struct
{
  uint64_t min_bps, start_bps, max_bps;
} RcLimits;
