/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* All links of a topology, in virtual time: what happens inside happens at its own time and in
 * its order, however late the caller looks. Times are since time 0 of the run. */
#pragma once

#include "topology.h"
#include "trunk.h"

G_BEGIN_DECLS

typedef void (*NetworkOutput) (Packet * packet, gboolean reverse, gpointer user_data);

typedef struct _Network Network;

typedef struct
{
  Network *network;
  guint index;
  Trunk trunk;
  Log log;
  Schedule schedule;            /* of a later link: empty */
} NetworkHop;

struct _Network
{
  const Topology *topology;
  NetworkHop hops[TOPOLOGY_MAX_HOPS], reverse;
  Link access[TOPOLOGY_MAX_PATHS], reverse_access[TOPOLOGY_MAX_PATHS];
  RcTime now;
  NetworkOutput output;
  gpointer user_data;
};

/* What a link has beside its parameters; stays the caller's. */
typedef struct
{
  Schedule *schedule;
  const gchar *rows, *packets;  /* CSV files; NULL: not wanted */
} NetworkLinkFiles;

/* The topology stays the caller's; self must not move. FALSE and *error if a file cannot be
 * written. Delivered packets go to `output`, which owns them then. */
gboolean network_init (Network * self, const Topology * topology, guint64 seed,
    const NetworkLinkFiles * forward, const NetworkLinkFiles * reverse, RcTime log_interval,
    NetworkOutput output, gpointer user_data, GError ** error);
void network_clear (Network * self);
/* At the end of time. FALSE: a file lacks something. */
gboolean network_close_logs (Network * self, GError ** error);
void network_advance (Network * self, RcTime now);
/* Takes the packet (g_malloc'ed; frees it if it is dropped), of path packet->path. */
void network_arrive (Network * self, Packet * packet, gboolean reverse, RcTime now);
/* When to call network_advance() again. */
RcTime network_next_at (Network * self);

G_END_DECLS
