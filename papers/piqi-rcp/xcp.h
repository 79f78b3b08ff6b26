/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* XCP, a peer of the PIQI-RCP paper: a router tells each packet by how much its sender's window is
 * to change. The model is in xcp.c. */
#pragma once

#include <rc/base/types.h>

/* What a packet carries. Bytes count with all headers. */
typedef struct
{
  double cwnd_bytes, rtt_s;     /* of the sender; rtt 0: not known yet */
  double feedback_bytes;        /* asked for; then what the routers allow, less than 0: go down */
} XcpHeader;

/* Of the packets that came in one interval. */
typedef struct
{
  double bytes;                 /* of all */
  double rtt_bytes;             /* sum of rtt s, of those that know an RTT, as below */
  double known_bytes;           /* sum of s */
  double per_rate;              /* sum of rtt s / cwnd: each flow counts alike */
  double rtt_per_rate;          /* sum of rtt rtt s / cwnd, if d is the mean of the flows */
} XcpSums;

typedef struct
{
  double capacity_bytes_s;
  double interval_s;            /* d: the mean RTT */
  double xi_up, xi_down;        /* of this interval */
  double standing_bytes;        /* least queue of this interval; less than 0: none seen */
  RcTime began_at;
  XcpSums now;
  bool flows_mean;              /* d is the mean of the flows, not of their bytes */
} XcpRouter;

void xcp_router_init (XcpRouter *self, uint64_t capacity_bps, RcTime now);
/* header: NULL: a packet without one, which counts as load. queue_bytes: before it. */
void xcp_router_on_arrival (XcpRouter *self, uint32_t bytes, const XcpHeader *header,
    uint64_t queue_bytes);
/* Before it leaves. */
void xcp_router_stamp (const XcpRouter *self, uint32_t bytes, XcpHeader *header);
/* At the end of an interval; returns when the next one ends. */
RcTime xcp_router_update (XcpRouter *self, RcTime now);

/* The window after an acknowledgement that brings this; never less than a packet. */
double xcp_source_window (double cwnd_bytes, double feedback_bytes, uint32_t packet_bytes);
