/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The lanes of a session that sends by several paths: what each has around its RcLane, that is its
 * transport, the packets that wait for it and that left by it, and the handshake by which the
 * receiver takes media by it.
 *
 * The session begins as one with one path does: one path has the media as it is, since the receiver
 * may be any. When a notice shows that it is arcsrc, that path asks to join as a lane: its infos
 * bring the lane's SSRC and, as proof, the cookie of an address by which media is taken already; at
 * first that is its own. From the first report about the lane its packets have the lane's number
 * (gst/rtp/lanepacket.h). Then the other paths join in the same way. So only the one to whom the
 * receiver gave both cookies can join. */
#pragma once

#include "sendlane.h"
#include "sessionstats.h"

G_BEGIN_DECLS

/* One of several paths. The name is copied, and the transport taken. */
typedef struct
{
  const gchar *name;
  Transport *transport;
  gboolean stays;               /* as long as the session: nobody opens it anew */
} SendLanesPath;

typedef struct
{
  SendLanesPath paths[RC_LANES_MAX];    /* all transports add as many bytes */
  guint n_paths;
  RcLanesMode mode;
  RcTime latency;
} SendLanesConfig;

/* A packet of media. */
typedef struct
{
  guint32 ssrc;
  guint16 seq;
  guint8 again:1;               /* it left before: it leaves by another lane, */
  guint8 by_both:1;             /* and by that one as well */
  guint8 lane;                  /* that one */
} SendLanesPacket;

typedef struct _SendLanes SendLanes;

/* The session's lock is held in all calls. */

/* Of all below RTP, a packet. */
guint send_lanes_overhead_bytes (const SendLanesConfig * config);
/* sender: of the session; it lives longer. gone: what lanes that are removed have counted is added
 * there. */
SendLanes *send_lanes_new (const SendLanesConfig * config, RcSender * sender,
    const RcSenderConfig * sender_config, gboolean has_name, SendPathStats * gone, RcTime now);
void send_lanes_free (SendLanes * self);
/* What the lanes lost is given to it. It lives as long as they. */
void send_lanes_set_resender (SendLanes * self, Resender * resender);
/* As SendMedia.has_trailers. */
gboolean send_lanes_have_trailers (const SendLanes * self);
/* Readable when something came by any of them. */
int send_lanes_get_fd (const SendLanes * self);
/* NULL: there is none in this place. */
SendLane *send_lanes_get (SendLanes * self, guint place);
/* By which RTCP of the session leaves now; NULL: there is none. */
SendLane *send_lanes_get_best (SendLanes * self, RcTime now);
/* The one that stands for all in what is found out about the receiver's port and name: that by
 * which media leaves until others have joined. NULL: there is none. */
SendLane *send_lanes_get_main (SendLanes * self);

/* Takes the transport. FALSE: there are as many lanes as can be, and it is freed. */
gboolean send_lanes_add (SendLanes * self, const SendLanesPath * path, RcTime now);
gboolean send_lanes_has (SendLanes * self, const gchar * name);
/* Removes those that are not among these, which end with NULL, unless they stay. */
void send_lanes_keep (SendLanes * self, const gchar * const *names, RcTime now);

/* The session's sender let the packet go. Returns by which lane it leaves; -1: there is none. */
gint send_lanes_take (SendLanes * self, GstBuffer * buffer, const SendLanesPacket * packet,
    RcTime now);
/* Before media leaves: what lanes in doubt and those that failed have is given to the resender.
 * Returns when to come again. */
RcTime send_lanes_watch (SendLanes * self, RcTime now);
/* Then: sends what is due. *wants_paths: look for those that are not there. Returns when to come
 * again. */
RcTime send_lanes_serve (SendLanes * self, RcTime now, gboolean * wants_paths);
/* Notice and reports of arcsrc came by this lane. */
void send_lanes_on_message (SendLanes * self, SendLane * lane, const RtcpMessage * message,
    RcTime now);
/* What waits leaves. */
void send_lanes_flush_out (SendLanes * self, RcTime now);

/* stats: RC_LANES_MAX of them. Returns how many. */
guint send_lanes_get_stats (SendLanes * self, LaneStats * stats, RcTime now);
G_END_DECLS
