/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The senders of the relay: a flow is a sender's address at one of our ports. It has a socket of
 * its own towards the host, by which the host's answers are assigned to it.
 *
 * An open port receives packets with any source address, so the number of flows is limited. A
 * datagram that does not look like media creates no flow. A flow is on probation until
 * the host has answered it. New flows are limited in number by time, and in number at a time by
 * max_flows and by the files that the process may open, of which some are left to others. A
 * newcomer to a full table takes the place of the flow that has been unanswered longest, if its
 * probation is over, or else of the answered one that has been idle longest. Each decision takes
 * constant time. */
#pragma once

#include "pacing/pacingengine.h"
#include "net/pathwatch.h"
#include "net/udpsender.h"
#include "relayhost.h"
#include "relaylistener.h"
#include "relayuplink.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Pauses of media with probes each 3 s are shorter. */
#define RELAY_FLOW_IDLE (10 * RC_SECOND)
#define RELAY_FLOW_PROBATION (2 * RC_SECOND)    /* the answer takes an RTT */
/* 1 % of a CPU; a sender of 50 packets/s among 5000 forged ones needs 0.5 s. */
#define RELAY_FLOW_NEW_PER_S 200
#define RELAY_FLOW_NEW_BURST 200

typedef struct
{
  guint port_index;             /* of ours */
  RelayPeer from;
} RelayFlowKey;

typedef struct
{
  RelayFlowKey key;             /* must stay first: the table's key */
  gpointer owner;
  LocalAddress to; /* which of our addresses the sender used last: answers leave from it */
  GSocket *socket;              /* to the host */
  guint host_generation;        /* to which of its addresses */
  PathWatch watch;
  UdpSender sender;
  PacingClient *client;
  RcTime created_at, active_at;
  GList place;                  /* in one of the table's lists */
  gboolean answered;
  gboolean removed;             /* lives on for the packets that wait */
  guint queued;                 /* packets */
  RelayUplinkFlow *uplink;      /* NULL: the capacity is known */
} RelayFlow;

typedef enum
{
  RELAY_FLOW_ADMITTED,
  RELAY_FLOW_LIMITED,           /* too many new ones just now */
  RELAY_FLOW_FULL,
} RelayFlowVerdict;

typedef struct
{
  GHashTable *flows;            /* RelayFlow, key and value */
  GQueue unanswered;            /* the oldest first */
  GQueue answered;              /* the idlest first */
  guint max_flows;
  gboolean short_of_files;      /* as the last newcomer found */
  gdouble tokens;               /* new flows that may come now */
  RcTime tokens_at;
  guint64 evicted;
} RelayFlowTable;

void relay_flow_table_init (RelayFlowTable * self, guint max_flows, RcTime now);
/* Flows leave the engine first. None may have packets that wait. */
void relay_flow_table_clear (RelayFlowTable * self, PacingEngine * engine);
/* It is active now, which keeps the place of an answered one. */
RelayFlow *relay_flow_table_find (RelayFlowTable * self, const RelayFlowKey * key, RcTime now);
/* RTP, or RTCP with an ARCS; or what may be those under SRTP. */
gboolean relay_flow_may_begin_with (const guint8 * data, gsize size);
/* May one more come now? If so there is place for it. */
RelayFlowVerdict relay_flow_table_admit (RelayFlowTable * self, PacingEngine * engine, RcTime now);
/* on_readable gets the flow. NULL: the process has too few files left, or the system refuses. */
RelayFlow *relay_flow_table_add (RelayFlowTable * self,
    const RelayFlowKey * key, const RelayHost * host,
    PacingEngine * engine, const PacingClientFuncs * funcs, gpointer owner, RcTime now);
/* The host has answered: no longer on probation. */
void relay_flow_table_on_answer (RelayFlowTable * self, RelayFlow * flow, RcTime now);
/* Has its packets leave by another way to the host, if theirs leads nowhere: from another
 * address of ours, to another of the host. TRUE: the system was asked, which takes its time. */
gboolean relay_flow_keep_way (RelayFlow * flow, RelayHost * host, RcTime now);
/* A packet of it no longer waits: the flow may be gone after. */
void relay_flow_dequeued (RelayFlow * flow);

G_END_DECLS
