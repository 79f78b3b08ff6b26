/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The packets that are to be listed in feedback of RFC 8888 (CCFB), by source, or in transport-wide
 * feedback (TWCC), and the RTCP packet that lists them. No clock and no lock: both are the
 * caller's. */
#pragma once

#include "feedbackchoice.h"
#include "rtppacket.h"
#include "sourcetable.h"

#include <gst/rtp/rtp.h>
#include <rc/receiver/arrivalrecord.h>

G_BEGIN_DECLS

/* More do not fit into a datagram. */
#define PACKET_LISTS_MAX_ARRIVALS (SOURCE_TABLE_COMPOUND_BYTES / 2)

typedef struct
{
  guint32 ssrc;
  RcArrivalRecord record;
} ListedSource;

typedef struct
{
  GstArcFeedback format;        /* neither CCFB nor TWCC: nothing is listed */
  ListedSource sources[SOURCE_TABLE_SIZE];      /* CCFB; by their place in the source table */
  RcArrivalRecord transport;    /* TWCC */
  guint32 media_ssrc;           /* TWCC: of the last packet */
  guint8 count;                 /* of messages */
  guint64 untold_numbers;       /* of records that ended */
  RcArrival arrivals[PACKET_LISTS_MAX_ARRIVALS];
} PacketLists;

/* Forgets the packets, for another format or another sender. */
void packet_lists_begin (PacketLists * self, GstArcFeedback format);
/* place: of its source in the source table. */
void packet_lists_note (PacketLists * self, guint place, const RtpPacket * packet,
    RcTime arrived_at);
/* Approximate size of the RTCP packet that would report all; 0: nothing to report. */
guint packet_lists_bytes (const PacketLists * self);
/* It should go now. */
gboolean packet_lists_pressing (const PacketLists * self);
/* Adds an RTCP packet of at most `cap` bytes that reports as much as fits. ssrc: ours. */
void packet_lists_add (PacketLists * self, GstRTCPBuffer * rtcp, guint32 ssrc, guint cap,
    RcTime now);
/* Sequence numbers that were evicted before they were reported. */
guint64 packet_lists_untold (const PacketLists * self);

G_END_DECLS
