/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The path to the receiver: whether it still leads there. When sending fails or no reports arrive,
 * the local address may have changed (another network, DHCP, a VPN), or the receiver's name may
 * resolve to another address. No locks. */
#pragma once

#include "net/pathwatch.h"
#include "net/transport.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 send_errors, send_again, refused;
} SendPathStats;

typedef struct
{
  Transport *transport;
  PathWatch watch;
  gboolean follows_route, has_name;     /* else the local address, or the receiver's, is fixed */
  gint send_error;              /* errno of the last packet; 0: it was sent */
  RcTime refused_since;         /* RC_TIME_NONE: not since the last answer */
  gboolean told_port_refused;   /* since then */
  RcTime refused_at;            /* the last time */
  gboolean port_refused;        /* ... and its owner has yet to report it */
  gboolean unanswered;          /* a program listens since then, but does not answer; the same */
  SendPathStats stats;
} SendPath;

typedef enum
{
  SEND_PATH_SAME,
  SEND_PATH_MOVED,               /* what was known of the path is wrong now */
  SEND_PATH_BACK,                /* it failed, and may work again: ask soon */
} SendPathChange;

void send_path_stats_add (SendPathStats * sum, const SendPathStats * stats);
void send_path_init (SendPath * self, Transport * transport, gboolean follows_route,
    gboolean has_name);
/* Packets were sent, or not. */
void send_path_on_batch (SendPath * self, const TransportResult * result, RcTime now);
/* Something came from the receiver. */
void send_path_on_answer (SendPath * self);
/* n packets were answered by ICMP: no program listens at the port. */
void send_path_on_refused (SendPath * self, guint n, RcTime now);
/* Another way was taken. */
void send_path_begin_anew (SendPath * self);
/* Finds out whether the receiver must be reached in another way now; before each attempt to send.
 * */
SendPathChange send_path_follow (SendPath * self, RcTime now);
/* When to do so again; RC_TIME_NONE: with the next packet. */
RcTime send_path_next_at (const SendPath * self);
/* TRUE, now and then: the receiver's name should be looked up. */
gboolean send_path_wants_name (SendPath * self, RcTime now);

G_END_DECLS
