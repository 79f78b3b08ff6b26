/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The statistics of a relay, and their fields for applications. */
#pragma once

#include "base/fields.h"

#include <gst/gst.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

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
  guint64 queue_bytes;
  guint64 rate_bps, arrival_bps;        /* now: R and y */
  double kappa;                 /* now */
  RcTime loop_delay;            /* now */
  guint64 rtt_clamped;
  guint64 capacity_bps;         /* now: as set, or learnt */
  const gchar *capacity_state;  /* now */
  RcTime uplink_delay;          /* now: behind the relay; RC_TIME_NONE: unknown */
  guint64 reports, reports_refused;     /* that it learns from */
  guint64 feedback_unreadable;
} RelayStats;

/* Its fields, of GST_RCP_RELAY_STATS. */
extern const FieldRow relay_fields[];

G_END_DECLS
