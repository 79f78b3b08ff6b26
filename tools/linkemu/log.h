/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The two CSV files of a link: one row an interval, one row a packet. Times are since time 0 of
 * the run. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef enum
{
  LOG_FATE_OK,
  LOG_FATE_TAIL,
  LOG_FATE_AQM,
  LOG_FATE_RANDOM,
  LOG_FATE_BLACKOUT,
} LogFate;

/* Since time 0; a row tells differences. */
typedef struct
{
  gdouble capacity_bits;
  guint64 arrived_bytes, served_bytes, reverse_bytes;
  guint64 delivered_pkts, tail_dropped_pkts, random_lost_pkts, aqm_dropped_pkts, marked_pkts;
} LogTotals;

/* What became of a packet. */
typedef struct
{
  RcTime arrived_at, queue_delay;       /* the latter of LOG_FATE_OK only */
  guint size_bytes;
  LogFate fate;
  gboolean ce;                  /* has the mark now */
  const gchar *flow;            /* "tcp 10.77.1.1:5000 10.77.2.1:6000", or NULL: unknown */
} LogPacket;

typedef struct
{
  FILE *file;                   /* NULL: not wanted */
  int failure;                  /* errno of the first write that failed */
} LogFile;

typedef struct
{
  LogFile rows, packets;
  const gchar *link;            /* name in the packets file */
  gboolean shares_packets;      /* with another link's log, which closes the file */
  RcTime interval, row_at;      /* end of the present row */
  LogTotals last;
  RcTime delay_sum, delay_max;
  guint n_delays;
} Log;

/* rows, packets: NULL: not wanted; "-": standard output. `link` must outlive it. */
gboolean log_open (Log * self, const gchar * link, const gchar * rows, const gchar * packets,
    RcTime interval, GError ** error);
/* No rows, and its packets go into the file of `other`. */
void log_open_beside (Log * self, const gchar * link, const Log * other);
/* FALSE: a file lacks something. */
gboolean log_close (Log * self, GError ** error);

/* A packet began service (LOG_FATE_OK) or was dropped. */
void log_packet (Log * self, const LogPacket * packet);
/* Writes the row that ends at row_at. queue_delay: what a packet would wait now; it stands in
 * for the mean and the maximum if no packet began service, so that a stalled link shows. */
void log_row (Log * self, const LogTotals * totals, RcTime queue_delay, guint64 queue_bytes);

G_END_DECLS
