/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Real traffic on loopback: rmcsinks that always have something to send, through one rcprelay,
 * to as many arcsrcs. */
#pragma once

#include <gst/gst.h>
#include <stdio.h>

#define LIVE_MAX_FLOWS 64
#define LIVE_FIRST_PORT 25000   /* of the relay */

typedef struct
{
  guint n;                      /* flows */
  guint64 capacity_bps;
  const gchar *law;             /* of senders and relay; arc: end to end */
  GstClockTime spacing;         /* of joins, and of leaves: all but the first go again */
  /* After the last join, and after the last leave; then it is measured. */
  GstClockTime settle, steady;
  const gchar *relay, *sender;  /* further properties, or "" */
  /* Of the first flow, where something relays to the relay; 0: to the relay itself. */
  guint send_port;
  FILE *csv; /* each 0.2 s: s, packets in the queue, bit/s of each flow; or NULL */
} LiveSetup;

typedef struct
{
  gdouble jain_ratio;
  gdouble utilisation_ratio;    /* of the capacity, out of the relay */
  gdouble least_bps, most_bps;  /* flows */
  guint queue_p50_pkts, queue_p99_pkts, queue_pkts; /* sampled each 5 ms; the last is the most */
  gdouble mean_queue_pkts;
  guint64 dropped_pkts, lost_pkts;      /* in the relay; as receivers tell */
} LiveFigures;

typedef struct
{
  LiveFigures all, one;         /* with all flows, and after all but the first have left */
  guint most_queue_pkts;        /* of the whole run */
  guint64 dropped_pkts, lost_pkts, stamped_pkts, feedback_pkts;
  gdouble cpu_ratio;            /* of one CPU, the whole process */
} LiveResult;

/* FALSE: something failed, and was printed. */
gboolean live_run (const LiveSetup * setup, LiveResult * result);
