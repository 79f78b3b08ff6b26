/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Senders and receivers for a relay whose CPU time is measured, in processes of their own, so that
 * none of theirs is counted: flows at a fixed rate that send in trains (UDP_SEGMENT), and a sink
 * that takes trains (UDP_GRO) and sleeps between. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>
#include <sys/types.h>

#define RELAY_LOAD_MAX_FLOWS 64

typedef struct
{
  guint port, host_port;        /* of the relay; where it sends to */
  guint flows;
  guint64 bps;                  /* of all, with headers of IPv4 */
  guint train_pkts;             /* of a flow that leave together */
  gboolean whole_trains;        /* the sink takes them; FALSE: each packet, as udpsrc does */
  guint seconds;
} RelayLoad;

#define RELAY_LOAD_PACKET_BYTES 1472    /* 1500 with the headers of IPv4 */
#define RELAY_LOAD_MAX_TRAIN 44 /* packets in one message */
#define RELAY_LOAD_STAMP_AT 17  /* of a packet: its stamp */

/* Bound to the port or connected to it, on loopback. trains: it takes or cuts them. */
int relay_load_socket (guint port, gboolean bind_it, gboolean trains);
/* Packets that claim this RTT, in a row. Free with g_free(). */
guint8 *relay_load_train (RcTime rtt);

/* The process, which ends by itself after the load's seconds and a second. */
pid_t relay_load_send (const RelayLoad * load);
/* ... that ends when it is told to. */
pid_t relay_load_sink (const RelayLoad * load);
void relay_load_stop (pid_t pid);
