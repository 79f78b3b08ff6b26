/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a relay can tell about itself, and its form for applications. */
#pragma once

#include "base/description.h"

#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* For users, in gst-inspect-1.0. */
#define RELAY_STATS_DESCRIPTION \
    "property stats, \"" GST_RCP_RELAY_STATS "\". Now:" DESCRIPTION_LINE \
    "flows, rate (the stamp, bit/s a flow), arrival-bitrate (bit/s of the last interval)," \
    DESCRIPTION_LINE "queue-packets, queue-bytes, " \
    "kappa, loop-delay (ns: the longest that senders claim)" DESCRIPTION_LINE \
    "Since start: packets-in, bytes-in, packets-out, bytes-out, packets-stamped," DESCRIPTION_LINE \
    "packets-dropped (queue full), packets-oversize (above 2048 bytes, either way)," \
    DESCRIPTION_LINE "packets-overflow (the kernel's buffer was full), send-errors, " \
    "feedback-packets, flows-evicted," DESCRIPTION_LINE "max-queue-packets, max-queue-bytes, " \
    "claims-clamped (senders that claimed an RTT above 1 s)" DESCRIPTION_LINE "Refused, of " \
    "senders that are no flow: packets-implausible (neither RTP nor of rmcsink)," DESCRIPTION_LINE \
    "packets-limited (too many new senders at once), packets-refused (no place: max-flows, or the" \
    DESCRIPTION_LINE "limit of open files)"

/* Cumulative, but where it says now. */
typedef struct
{
  guint64 packets_in, bytes_in;
  guint64 packets_out, bytes_out;
  guint64 packets_stamped;
  guint64 packets_dropped;      /* the queue was full */
  guint64 packets_oversize;     /* longer than a datagram may be, either way */
  guint64 packets_overflow;     /* lost before: the kernel's buffers were full */
  /* Of unknown senders: neither RTP nor ARCS; too many new ones; no place, or no file for it. */
  guint64 packets_implausible, packets_limited, packets_refused;
  guint64 send_errors;
  guint64 feedback_packets;     /* that went back */
  guint64 flows_evicted;
  guint flows;                  /* now */
  guint queue_packets, max_queue_packets;       /* now; most */
  guint64 queue_bytes, max_queue_bytes;
  guint64 rate_bps, arrival_bps;        /* now: R and y */
  double kappa;                 /* now */
  RcTime loop_delay;            /* now */
  guint64 claims_clamped;
} RelayStats;

/* GST_RCP_RELAY_STATS */
GstStructure *relay_stats_to_structure (const RelayStats * self);

G_END_DECLS
