/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What a relay can tell about itself, and its form for applications. */
#pragma once

#include "base/description.h"

#include <gst/arc/arc.h>
#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

/* For gst-inspect-1.0 and the reference. */
#define RELAY_FIELDS \
    DESCRIPTION_FIELD ("flows", "uint", "senders now") \
    DESCRIPTION_FIELD ("rate", "uint64, bit/s", "R, that each flow is told now") \
    DESCRIPTION_FIELD ("arrival-bitrate", "uint64, bit/s", "y, over the last interval") \
    DESCRIPTION_FIELD ("kappa", "double", "gain of the law now") \
    DESCRIPTION_FIELD ("loop-delay", "uint64, ns", "the longest round trip that senders claim") \
    DESCRIPTION_FIELD ("queue-packets", "uint", "packets that wait now") \
    DESCRIPTION_FIELD ("queue-bytes", "uint64, bytes", "the same") \
    DESCRIPTION_FIELD ("max-queue-packets", "uint", "the longest queue since start") \
    DESCRIPTION_FIELD ("max-queue-bytes", "uint64, bytes", "the same") \
    DESCRIPTION_FIELD ("packets-in", "uint64", "packets that came from senders") \
    DESCRIPTION_FIELD ("bytes-in", "uint64, bytes", "the same") \
    DESCRIPTION_FIELD ("packets-out", "uint64", "packets that were sent on") \
    DESCRIPTION_FIELD ("bytes-out", "uint64, bytes", "the same") \
    DESCRIPTION_FIELD ("packets-stamped", "uint64", "of these: with the rate written into them") \
    DESCRIPTION_FIELD ("packets-dropped", "uint64", "the queue was full") \
    DESCRIPTION_FIELD ("packets-oversize", "uint64", "above 2048 bytes, either way, dropped") \
    DESCRIPTION_FIELD ("packets-overflow", "uint64", "lost before: the kernel's buffer was full") \
    DESCRIPTION_FIELD ("packets-implausible", "uint64", "refused, from senders that are no flow: " \
        "neither RTP nor of rmcsink") \
    DESCRIPTION_FIELD ("packets-limited", "uint64", "refused: too many new senders at once") \
    DESCRIPTION_FIELD ("packets-refused", "uint64", "refused: no place (max-flows), or no file " \
        "for " \
        "a socket") \
    DESCRIPTION_FIELD ("send-errors", "uint64", "packets that the system did not send") \
    DESCRIPTION_FIELD ("feedback-packets", "uint64", "answers that went back to senders") \
    DESCRIPTION_FIELD ("flows-evicted", "uint64", "senders that lost their place to others") \
    DESCRIPTION_FIELD ("claims-clamped", "uint64", "senders that claimed a round trip above 1 s")

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
