/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Packets of paced flows through routers with explicit rates, in virtual time: the laws are the
 * library's. Beside them flows with windows through routers of XCP. */
#pragma once

#include <glib.h>
#include <rc/law/controller.h>
#include <rc/base/heap.h>
#include <rc/router/rcprouter.h>
#include <xcp.h>

#define WORLD_MAX_LINKS 3
#define WORLD_MAX_FLOWS 300
#define WORLD_MAX_HOPS 3
#define WORLD_NEVER G_MAXINT64

typedef struct World World;
typedef struct WorldEvent WorldEvent;
typedef struct WorldPacket WorldPacket;

struct WorldEvent
{
  RcHeapNode node;              /* must stay first */
  void (*fire) (World *world, WorldEvent *event);
  bool scheduled;
};

typedef struct
{
  WorldEvent tick, served;      /* must be the first two */
  guint index;
  guint64 rate_bps;
  RcTime delay;                 /* behind it */
  RcRouter router;
  XcpRouter xcp;                /* of world_add_xcp_link, instead */
  bool is_xcp;
  WorldPacket *head, **tail;
  guint64 limit_bytes;          /* of the queue; 0: none */
  /* Of it, what waits in the device, where the router does not see it. */
  guint64 device_bytes;
  guint64 queue_bytes, peak_bytes, dropped_bytes;
  guint64 arrived_bytes, served_bytes;
} WorldLink;

typedef struct
{
  const char *law;              /* of rc_laws; NULL: XCP */
  double tau1, tau2;            /* piqi-rcp; 0: its defaults */
  RcTime start, stop;
  RcTime access_delay;          /* to the first link */
  RcTime return_delay;
  guint n_hops, hops[WORLD_MAX_HOPS];   /* links */
  guint64 most_bytes;           /* then it ends; 0: no end */
  bool claims_once;             /* its RTT, each T: so that a mean by bytes is one by flows */
  gint obeys;                   /* only this link; -1: all of its path */
} WorldFlowConfig;

typedef struct
{
  WorldEvent send, timer;       /* must be the first two */
  WorldFlowConfig config;
  RcController controller;
  RcDecision decision;
  RcTime sent_at, fed_at, claimed_at;
  double fed_bps;               /* stamp in the feedback before */
  RcTime rtt;                   /* last sample, smoothed with XCP; 0: none */
  double cwnd_bytes;            /* XCP */
  guint64 acked_bytes;
  guint64 sent_bytes, received_bytes;
  bool done;
} WorldFlow;

struct World
{
  RcHeap events;
  RcTime now;
  guint packet_bytes;
  guint n_links, n_flows;
  WorldLink links[WORLD_MAX_LINKS];
  WorldFlow flows[WORLD_MAX_FLOWS];
  WorldPacket *spare;
};

World *world_new (guint packet_bytes);
void world_free (World *world);
guint world_add_link (World *world, guint64 rate_bps, RcTime delay, const RcRouterParams *params);
guint world_add_xcp_link (World *world, guint64 rate_bps, RcTime delay, bool flows_mean);
guint world_add_flow (World *world, const WorldFlowConfig *config);
/* A flow of the same kind in the place of one that is done. */
void world_restart_flow (World *world, guint flow, const WorldFlowConfig *config);
/* All that happens before `until`. */
void world_run (World *world, RcTime until);
/* What the flow is allowed now, with XCP its window each round trip, 0 before its start and after
 * its end. */
double world_flow_bps (const World *world, guint flow);
