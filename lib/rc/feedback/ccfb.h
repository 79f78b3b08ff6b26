/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Congestion control feedback of RFC 8888 ("CCFB"), which lists single packets: an RTCP packet of
 * type 205 (RTPFB) with FMT RC_CCFB_FMT.
 *
 * The codec reads and writes what follows the SSRC of the RTCP sender; the RTCP framing around it
 * is GStreamer's. Untrusted bytes stop here. All big-endian, per stream:
 *   offset size
 *    0  4  SSRC
 *    4  2  first sequence number, b
 *    6  2  how many blocks follow, n <= 16384
 *    8  2  a block for each of b, b + 1, ... b + n - 1: 1 bit "arrived", 2 ECN bits as in the IP
 *          header, 13 bits age; all zero if the packet has not arrived. Two bytes of zero follow
 *          an odd n.
 * and once, after the last stream:
 *    0  4  report time: the middle 32 bits of an NTP time, units of 2^-16 s
 * The age is how long before the report time the packet arrived, in 1/1024 s. 0x1ffe: longer than
 * can be encoded (8 s). 0x1fff: after the report time, or not known.
 *
 * Number of blocks: the text of the RFC can be read as if b + n were in the list too; erratum 8166
 * and most implementations say that n counts the blocks. We write the count. What we read must
 * fill the packet to its last word as a count; else it must do so as a count that is one short.
 *
 * An arrival of unknown time is taken for one at the report time: the packet did arrive, and later
 * than that can only be the report itself. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/feedback/wireclock.h>

#define RC_CCFB_FMT 11          /* feedback message type (FMT) of RTPFB [RFC 4585 6.1] */
#define RC_CCFB_MAX_BLOCKS 16384        /* of one stream */
#define RC_CCFB_LEAST_BYTES 16  /* always have room for one arrival */

/* Writes one message of at most `cap` bytes. The lists are of the kind RC_NUMBERS_RTP. told_at: the
 * report time by the clock of the arrivals, which is the one of RTCP sender reports. n_told[i] is
 * how many arrivals of list i the message reports. The rest, for want of room, needs another
 * message: rc_arrivals_skip(). Streams with nothing to report are left out, because some
 * receivers reject a message that ends with one. Returns the size, or 0 if there is nothing to
 * report or no room. */
size_t rc_ccfb_encode (const RcArrivals *lists, unsigned n_lists, RcTime told_at, uint8_t *bytes,
    size_t cap, unsigned *n_told);
/* instance: SSRC of the RTCP sender; clock: of this receiver. false: refused, and *clock is as it
 * was. */
bool rc_ccfb_decode (const uint8_t *bytes, size_t len, uint32_t instance, RcWireClock *clock,
    RcArrivalLists *out);
