/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A link with its schedule and its log: no socket, no clock. Times are since time 0 of the run. */
#pragma once

#include "log.h"
#include "packet.h"
#include "schedule.h"

G_BEGIN_DECLS

typedef void (*TrunkOutput) (Packet * packet, gpointer user_data);

/* Packets whose service has not begun. */
typedef struct
{
  Packet *head, **tail;
} TrunkWaiting;

typedef struct
{
  Link link;
  LinkParams params;
  Schedule *schedule;
  Log *log;
  LogTotals totals;
  guint64 taken_bytes, blackout_pkts;
  RcTime now;
  TrunkWaiting waiting[2];      /* by link_dualpi2_is_l(): each begins in its order */
  TrunkOutput output;
  gpointer user_data;
} Trunk;

/* schedule and log stay the caller's. Delivered packets go to `output`, which owns them then. */
void trunk_init (Trunk * self, const LinkParams * params, guint64 seed, Schedule * schedule,
    Log * log, TrunkOutput output, gpointer user_data);
/* Lets time pass: deliveries, capacity steps and log rows happen in their order. A `now` of the
 * past does nothing. */
void trunk_advance (Trunk * self, RcTime now);
/* Takes the packet (g_malloc'ed; frees it if it is dropped). */
void trunk_arrive (Trunk * self, Packet * packet, RcTime now);
/* When to call trunk_advance() again. */
RcTime trunk_next_at (Trunk * self);

G_END_DECLS
