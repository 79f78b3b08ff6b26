/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The custom upstream event `RTPTWCCPackets`, by which rtpsession reports transport-wide feedback.
 * Its field `packets` is a GValueArray of structures `RTPTWCCPacket`:
 *
 *   seqnum     uint     transport-wide number, 16 bits
 *   local-ts   uint64   system clock when the packet entered rtpsession; absent, or all ones, for
 *                       packets reported before
 *   remote-ts  uint64   receiver's clock, in steps of 250 us; all ones for lost packets
 *   size       uint     bytes of the RTP payload
 *   lost       boolean
 *
 * Any element may send such an event: what cannot be is left out. */
#pragma once

#include <gst/gst.h>
#include <rc/ledger/toldnumbers.h>

G_BEGIN_DECLS

#define TWCC_EVENT_NAME "RTPTWCCPackets"

/* header_bytes: that each packet has before its payload. clock_offset: our clock less the system
 * clock. The packets (RcTold, g_array_unref), in the order of the event. *refused: how many
 * entries make no sense. NULL: the event has no list. */
GArray *twcc_event_read (const GstStructure * event, guint header_bytes, RcTime clock_offset,
    RcTime now, guint * refused);

G_END_DECLS
