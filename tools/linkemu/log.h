/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The two CSV files: one row an interval, one row a packet. Times are since time 0 of the run. */
#pragma once

#include <glib.h>
#include <rc/types.h>
#include <stdio.h>

G_BEGIN_DECLS

typedef enum
{
  LOG_FATE_OK,
  LOG_FATE_TAIL,
  LOG_FATE_RANDOM,
  LOG_FATE_BLACKOUT,
} LogFate;

/* Since time 0; a row tells differences. */
typedef struct
{
  gdouble capacity_bits;
  guint64 arrived_bytes, served_bytes, reverse_bytes;
  guint64 delivered_pkts, tail_dropped_pkts, random_lost_pkts;
} LogTotals;

typedef struct
{
  FILE *rows, *packets;         /* NULL: not wanted */
  RcTime interval, row_at;      /* end of the present row */
  LogTotals last;
  RcTime delay_sum, delay_max;
  guint n_delays;
} Log;

/* NULL: not wanted; "-": standard output. */
gboolean log_open (Log * self, const gchar * rows, const gchar * packets, RcTime interval, GError ** error);
void log_close (Log * self);

/* A packet began service (LOG_FATE_OK, after queue_delay) or was dropped. */
void log_packet (Log * self, RcTime arrived_at, guint size_bytes, RcTime queue_delay, LogFate fate);
/* Writes the row that ends at row_at. queue_delay: what a packet would wait now; it stands in for the mean and the
 * maximum if no packet began service, so that a stalled link shows. */
void log_row (Log * self, const LogTotals * totals, RcTime queue_delay, guint64 queue_bytes);

G_END_DECLS
