/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The lanes of the sender: further addresses by which it sends the same media, each with an SSRC
 * and numbers of its own (gst/rtp/lanepacket.h). The meter of arcreceiver measures each lane as a
 * source; what came by all of them is one stream again, each packet once.
 *
 * An address joins by an info that brings two cookies: its own, which proves it, and that of an
 * address by which media of the sender is taken already. The second one was sent to that address
 * alone, so only the sender knows it. No lock and no clock: both are the caller's. */
#pragma once

#include "arcreceiver/rtppacket.h"
#include "net/localaddress.h"

#include <gio/gio.h>
#include <rc/lanes/doubles.h>
#include <rc/lanes/lanechoice.h>

G_BEGIN_DECLS

#define PEER_LANES_STREAMS 16

typedef struct
{
  GSocketAddress *address;      /* NULL: the place is free */
  LocalAddress local;           /* that it addressed last */
  guint64 cookie;
  guint32 ssrc;
  RcTime heard_at;
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
  guint number;                 /* counts changes of the lanes */
  guint64 joins, malformed;
  guint64 doubles;              /* packets that had come by another lane */
} PeerLanes;

void peer_lanes_clear (PeerLanes * self);
guint peer_lanes_count (const PeerLanes * self);
/* Their SSRCs; returns how many. */
guint peer_lanes_ssrcs (const PeerLanes * self, guint32 ssrcs[RC_LANES_MAX]);
/* NULL: the address, or the SSRC, is that of no lane. */
PeerLane *peer_lanes_find (PeerLanes * self, GSocketAddress * address);
PeerLane *peer_lanes_find_ssrc (PeerLanes * self, guint32 ssrc);
/* The one that was heard last; NULL: there is none. */
PeerLane *peer_lanes_latest (PeerLanes * self);
gboolean peer_lanes_has_cookie (const PeerLanes * self, guint64 cookie);
/* The address may join. A lane with this SSRC has moved here; else the one that was silent for
 * longest gives its place up if there is none, and was silent for `release`. */
PeerLane *peer_lanes_join (PeerLanes * self, GSocketAddress * address, guint64 cookie,
    guint32 ssrc, RcTime release, RcTime now);
/* Media of a lane. Takes the buffer. NULL: it came before, or is no packet of a lane: then *packet
 * has 0 bytes; else what is to be measured. */
GstBuffer *peer_lanes_take (PeerLanes * self, GstBuffer * buffer, RtpPacket * packet, RcTime now);

G_END_DECLS
