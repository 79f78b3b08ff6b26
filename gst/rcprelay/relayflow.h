/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Who sends through the relay: a flow is a sender's address at one of our ports. It has a socket of its own towards the
 * host, so that the host's answers tell the flows apart. Bounded: a newcomer takes the place of the flow that has been
 * idle longest, and is refused while nobody is idle. */
#pragma once

#include "common/pacingengine.h"
#include "common/udpsender.h"

#include <gio/gio.h>
#include <sys/socket.h>

G_BEGIN_DECLS

#define RELAY_FLOW_IDLE (10 * RC_SECOND)        /* pauses of media with probes each 3 s are shorter */

typedef struct
{
  guint port_index;             /* of ours */
  socklen_t address_size;
  struct sockaddr_storage address;      /* the sender's */
} RelayFlowKey;

typedef struct
{
  RelayFlowKey key;             /* must stay first: the table's key */
  gpointer owner;
  GSocket *socket;              /* to the host */
  UdpSender sender;
  PacingClient *client;
  RcTime active_at;
  guint queued;                 /* packets */
} RelayFlow;

typedef struct
{
  GHashTable *flows;            /* RelayFlow, key and value */
  guint max_flows;
  guint64 evicted;
} RelayFlowTable;

void relay_flow_table_init (RelayFlowTable * self, guint max_flows);
/* Flows leave the engine first. */
void relay_flow_table_clear (RelayFlowTable * self, PacingEngine * engine);
/* It is active now, which keeps its place. */
RelayFlow *relay_flow_table_find (RelayFlowTable * self, const RelayFlowKey * key, RcTime now);
/* Takes the socket in any case. on_readable gets the flow. NULL: no place, or the system refuses. */
RelayFlow *relay_flow_table_add (RelayFlowTable * self, const RelayFlowKey * key, GSocket * socket,
    PacingEngine * engine, const PacingClientFuncs * funcs, gpointer owner, RcTime now);
/* Makes sure that there is place for one more; FALSE: nobody is idle. */
gboolean relay_flow_table_make_room (RelayFlowTable * self, PacingEngine * engine, RcTime now);

G_END_DECLS
