/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the program in the kernel (arcrouter.bpf.c) and arcrouter say to each other: two BPF maps
 * of one value each. */
#pragma once

#include <stdint.h>

#define ROUTER_PROGRAM "arcrouter"
#define ROUTER_CONTROL_MAP "control"
#define ROUTER_COUNTERS_MAP "counters"
/* A rate older than this is not stamped any more: arcrouter was killed or hangs. */
#define ROUTER_STALE_NS 500000000ll

/* From arcrouter, in shared memory. */
typedef struct
{
  uint64_t alive_at_ns;         /* CLOCK_MONOTONIC */
  uint32_t rate_kbps;           /* R; at least 1 */
  uint32_t interval;            /* number of the interval */
  uint32_t max_rtt_us;          /* a longer claim is taken as this */
  uint8_t stamp_id;
  uint8_t ethernet;             /* packets begin with an Ethernet header */
  uint8_t unused[2];
} RouterControl;

/* From the kernel, for each CPU; they only grow, except the longest RTT. Bytes are those that a
 * qdisc counts: with the link header. */
typedef struct
{
  uint64_t packets, bytes;      /* all that leaves by the interface, before its queue */
  uint64_t own_packets, own_bytes;      /* with a stamp */
  uint64_t stamped_packets;     /* of these, those whose rate was lowered */
  uint64_t claimed_bytes, claimed_us_bytes;     /* with an RTT; sum of RTT x bytes */
  uint64_t clamped_claims;
  uint32_t longest_rtt_us, interval;    /* the longest claim of the interval with this number */
} RouterCounters;
