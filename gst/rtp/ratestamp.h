/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stamp for explicit rates in RTP packets, an RTP header extension (RFC 8285) of 8 bytes,
 * big-endian:
 *
 *   offset size
 *    0  4  rate that the relays so far offer, kbit/s (IPv4 or IPv6 packets); 2^32 - 1: none has
 *          stamped yet
 *    4  4  RTT of the loop as the sender sees it, us: from a rate to the load that it causes;
 *          0: unknown
 *
 * The sender puts it in; each relay lowers the rate to its own; the receiver reports it back. It
 * is not authenticated: any host on the path can write it; under SRTP, only holders of the key. */
#pragma once

#include <gst/rtp/rtp.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define RATE_STAMP_URI "urn:x-gst-arc:rate-stamp"
#define RATE_STAMP_BYTES 8
#define RATE_STAMP_ID 12        /* where caps do not say otherwise */

/* The id that `extmap-*` of the caps gives to the stamp, else RATE_STAMP_ID; 0: the caps have
 * something else there. caps may be NULL. */
guint8 rate_stamp_id_of_caps (const GstCaps * caps);

/* Puts a stamp into an RTP packet, or anew into the one that is there. Takes the buffer and
 * returns it or a copy; as it was if it cannot carry one (header extension of another kind, not
 * RTP). */
GstBuffer *rate_stamp_insert (GstBuffer * buffer, guint8 id, RcTime rtt);

/* No relay writes into a stamp that the packet has, if any: SRTP will authenticate it. Takes the
 * buffer and returns it or a copy. */
GstBuffer *rate_stamp_shut (GstBuffer * buffer, guint8 id);

/* What relays have stamped, 0: nothing. */
guint64 rate_stamp_read (GstRTPBuffer * rtp, guint8 id);

/* What relays have stamped elsewhere than in the RTP packet (stamptrailer.h). Takes the buffer and
 * returns it or a copy. */
GstBuffer *rate_stamp_attach (GstBuffer * buffer, guint64 bps);
/* 0: nothing. */
guint64 rate_stamp_attached (GstBuffer * buffer);

/* In a whole RTP packet of untrusted bytes; NULL: there is none. */
guint8 *rate_stamp_find (guint8 * packet, gsize size, guint8 id);
/* rtt <= 0: unknown */
void rate_stamp_write (guint8 * stamp, RcTime rtt);
/* Lowers the rate to bps, if it is more. */
void rate_stamp_offer (guint8 * stamp, guint64 bps);
/* 0: not stamped */
guint64 rate_stamp_bps (const guint8 * stamp);
/* RC_TIME_NONE: unknown */
RcTime rate_stamp_rtt (const guint8 * stamp);

G_END_DECLS
