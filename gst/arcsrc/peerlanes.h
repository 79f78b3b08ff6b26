/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The lanes of the sender: further addresses by which it sends the same media, each with an SSRC
 * and numbers of its own (gst/rtp/lanepacket.h). Each lane is measured and reported to its address
 * by itself; what came by all of them is one stream again, each packet once.
 *
 * An address joins by an info that brings two cookies: its own, which proves it, and that of an
 * address by which media of the sender is taken already. The second one was sent to that address
 * alone, so only the sender knows it. No lock and no clock: both are the caller's. */
#pragma once

#include "net/localaddress.h"
#include "rtp/rtcpmessage.h"

#include <gio/gio.h>
#include <rc/lanes/doubles.h>
#include <rc/lanes/lanechoice.h>
#include <rc/receiver/receiver.h>

G_BEGIN_DECLS

#define PEER_LANES_STREAMS 16

typedef struct
{
  GSocketAddress *address;      /* NULL: the place is free */
  LocalAddress local;           /* that it addressed last */
  guint64 cookie;
  RcReceiver receiver;
  RcTime heard_at, arrived_at;
} PeerLane;

typedef struct
{
  guint32 ssrc;
  RcDoubles doubles;
} PeerLaneStream;

typedef struct
{
  PeerLane lanes[RC_LANES_MAX];
  PeerLaneStream streams[PEER_LANES_STREAMS];
  guint n_streams, next_stream;
  guint64 joins, malformed;
  guint64 doubles;              /* packets that had come by another lane */
} PeerLanes;

void peer_lanes_clear (PeerLanes * self);
guint peer_lanes_count (const PeerLanes * self);
/* NULL: the address is that of no lane. */
PeerLane *peer_lanes_find (PeerLanes * self, GSocketAddress * address);
/* The one that was heard last; NULL: there is none. */
PeerLane *peer_lanes_latest (PeerLanes * self);
gboolean peer_lanes_has_cookie (const PeerLanes * self, guint64 cookie);
/* The address may join. A lane with this SSRC has moved here; else the one that was silent for
 * longest gives its place up if there is none, and was silent for `release`. */
PeerLane *peer_lanes_join (PeerLanes * self, GSocketAddress * address, guint64 cookie,
    guint32 ssrc, RcTime release, RcTime now);
/* Media of the lane. Takes the buffer. NULL: it came before, or is no packet of a lane. now: when
 * it arrived. */
GstBuffer *peer_lanes_take (PeerLanes * self, PeerLane * lane, GstBuffer * buffer, RcTime now);
/* When a report of any lane is due; RC_TIME_NONE: none. */
RcTime peer_lanes_due_at (const PeerLanes * self, RcTime now);
/* The report of a lane that is due, or NULL. instance: SSRC of the receiver. */
GstBuffer *peer_lanes_report (PeerLanes * self, PeerLane ** lane, guint32 instance, RcTime now);

G_END_DECLS
