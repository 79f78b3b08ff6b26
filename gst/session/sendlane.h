/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* One path of a session: the transport, whether that leads to the receiver, and the lane of the
 * session's sender that has law and ledgers of what leaves by it. Most sessions have one; several
 * are sendlanes.h. All calls hold the session's lock. */
#pragma once

#include "listreader.h"
#include "sendpath.h"

G_BEGIN_DECLS

typedef struct
{
  RcSender *sender;             /* whose only lane it is; NULL: of several */
  RcLane *rc;                   /* NULL: not begun */
  RcLaneMemory memory;
  SendPath path;                /* with the transport, which is the lane's */
  RcTime received_at;           /* something came from there; 0: nothing yet */
  ListReader *lists;            /* NULL: the receiver has listed no packets yet */
  guint64 accepted;             /* messages of feedback, as a newcomer was looked for last */
  /* Of one of several. */
  gboolean has_own_peer;        /* it leads to another address of the receiver */
  guint32 ssrc;
  gboolean confirmed;           /* the receiver counts it: packets leave with its SSRC and number */
} SendLane;

void send_lane_init (SendLane * self, Transport * transport, gboolean follows_route,
    gboolean has_name);
void send_lane_free_transport (SendLane * self);
/* With the ledgers' memory. */
void send_lane_clear (SendLane * self);
/* As TransportFuncs.get_mtu. */
guint send_lane_get_mtu (const SendLane * self);
/* RTCP leaves at once. */
void send_lane_send_control (SendLane * self, GstBuffer * buffer, RcTime now);
void send_lane_send_infos (SendLane * self, const RcSenderInfo * infos, guint n, RcTime now);
/* The last message to a receiver that wants its cookie back, if it is due. */
void send_lane_say_farewell (SendLane * self, RcTime now);
/* Memory of the ledgers for this packet. */
void send_lane_give_entries (SendLane * self, const RcSenderPacket * packet, RcTime now);

G_END_DECLS
