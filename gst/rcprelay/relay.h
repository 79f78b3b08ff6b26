/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The relay without GStreamer's elements around: sockets in, one paced queue out, feedback back. It runs on the thread
 * of the pacing engine from relay_new() to relay_free(). */
#pragma once

#include <gst/gst.h>
#include <rc/router/rcprouter.h>

G_BEGIN_DECLS

typedef struct _Relay Relay;

typedef struct
{
  const gchar *address;         /* to listen on */
  guint port, n_ports;          /* port .. port + n_ports - 1 */
  const gchar *host;            /* what comes in at port + i goes to host_port + i */
  guint host_port;
  guint64 capacity_bps;
  RcRouterParams router;
  RcTime max_queue_time;
  guint8 stamp_id;
  guint max_flows;
} RelayConfig;

/* Cumulative, but where it says now. */
typedef struct
{
  guint64 packets_in, bytes_in;
  guint64 packets_out, bytes_out;
  guint64 packets_stamped;
  guint64 packets_dropped;      /* the queue was full */
  guint64 packets_oversize;     /* longer than a datagram may be, either way */
  guint64 packets_overflow;     /* lost before: the kernel's buffers were full */
  /* Of unknown senders: neither RTP nor ARCS; too many senders that are new; no place, or no file for it */
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

/* NULL and *error (domain GST_RESOURCE_ERROR, a sentence for the user) if the system refuses. */
Relay *relay_new (const RelayConfig * config, GError ** error);
void relay_free (Relay * self);
/* Of the pacing thread: see pacing_engine_set_priority(). FALSE: not permitted. */
gboolean relay_set_priority (Relay * self, gint priority);
void relay_set_capacity (Relay * self, guint64 capacity_bps);
void relay_set_max_queue_time (Relay * self, RcTime max_queue_time);
void relay_get_stats (Relay * self, RelayStats * stats);

G_END_DECLS
