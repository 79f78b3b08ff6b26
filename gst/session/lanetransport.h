/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A transport that sends by several others, the paths: RcLanes with what a lane has around it, that
 * is the transport of its path, the packets that wait for it and that left by it, and the handshake
 * by which the receiver takes media by it. The session's own sender is carried by the lanes
 * (rc_sender_set_carriage ()).
 *
 * The session begins as one without lanes does: one path has the media as it is, since the receiver
 * may be any. When a notice shows that it is arcsrc, that path asks to join as a lane: its infos
 * bring the lane's SSRC and, as proof, the cookie of an address by which media is taken already; at
 * first that is its own. From the first report about the lane its packets have the lane's number
 * (gst/rtp/lanepacket.h). Then the other paths join in the same way. So only the one to whom the
 * receiver gave both cookies can join. */
#pragma once

#include "net/transport.h"
#include "rtp/rtcpmessage.h"
#include "sessionstats.h"

#include <rc/lanes/lanes.h>

G_BEGIN_DECLS

/* The sessions's lock is held in all calls but lane_transport_new (). */

/* Without a path yet. overhead_bytes: of the paths, which need the same. */
Transport *lane_transport_new (RcLanesMode mode, RcTime latency, guint overhead_bytes);
/* Takes the path. FALSE: there are as many lanes as can be, and the path is freed. */
gboolean lane_transport_add (Transport * transport, const gchar * name, Transport * path);
/* Removes the paths that are not among these, which end with NULL. */
void lane_transport_keep (Transport * transport, const gchar * const *names);
gboolean lane_transport_has (Transport * transport, const gchar * name);

G_END_DECLS
