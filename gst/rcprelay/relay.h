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

#include "relaystats.h"

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
