/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The relay without GStreamer's elements around: sockets in, one paced queue out, feedback back.
 * It runs on the thread of the pacing engine from relay_new() to relay_free().
 *
 * Why an element, and without pads: it shares the pacing thread, pacer and egress with rmcsink,
 * and users meet it as the rest: properties, stats, bus, monitor. What the host answers must
 * leave by the port that each sender spoke to, which udpsrc and udpsink cannot express. The law
 * needs no table: the RTT comes in each packet, and the longest of the last second sets the
 * gain. Flows are known for the way back only. */
#pragma once

#include "base/fields.h"

#include <gst/gst.h>
#include <rc/law/limits.h>
#include <rc/router/rcprouter.h>

G_BEGIN_DECLS

typedef struct _Relay Relay;

typedef struct
{
  const gchar *address;         /* to listen on */
  guint port, n_ports;          /* port .. port + n_ports - 1 */
  const gchar *host;            /* what comes in at port + i goes to host_port + i */
  guint host_port;
  guint64 capacity_bps;         /* 0: it is learnt, within the limits */
  RcLimits limits;
  RcRouterParams router;
  RcTime max_queue_time;
  guint8 stamp_id;
  guint max_flows;
  /* The feedback that passes cannot be read: once, on the pacing thread, without a lock. */
  void (*on_blind) (gpointer user_data);
  gpointer user_data;
  gboolean one_by_one; /* the kernel neither joins nor cuts datagrams: as one that cannot */
} RelayConfig;

/* Statistics. Cumulative, but where it says now. */
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

/* NULL and *error (domain GST_RESOURCE_ERROR, a sentence for the user) if the system refuses. */
Relay *relay_new (const RelayConfig * config, GError ** error);
void relay_free (Relay * self);
/* Of the pacing thread: see pacing_engine_set_priority(). FALSE: not permitted. */
gboolean relay_set_priority (Relay * self, gint priority);
/* capacity_bps: 0 exactly if it was 0 at the start; else nothing happens. */
void relay_set_capacity (Relay * self, guint64 capacity_bps);
void relay_set_max_queue_time (Relay * self, RcTime max_queue_time);
void relay_get_stats (Relay * self, RelayStats * stats);

G_END_DECLS
