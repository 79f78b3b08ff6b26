/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Transport-wide congestion control ("TWCC", draft-holmer-rmcat-transport-wide-cc-extensions-01),
 * which lists single packets by the transport-wide number that each carries in an RTP header
 * extension: an RTCP packet of type 205 (RTPFB) with FMT RC_TWCC_FMT.
 *
 * The codec reads and writes the feedback control information (what follows the two SSRCs); the
 * RTCP framing around it is GStreamer's. Untrusted bytes stop here. All big-endian:
 *   offset size
 *    0  2  first number
 *    2  2  how many numbers, > 0
 *    4  3  reference time, units of 64 ms
 *    7  1  count of feedback messages
 *    8     status chunks of 2 bytes until all numbers have a status, then the deltas, then zeros to
 *          a multiple of 4 bytes
 * A status is 0: not arrived; 1: arrived, its delta has 1 byte; 2: arrived, its delta has 2 bytes,
 * with sign. 3 is reserved. A chunk is one of
 *    0  status (2 bits)  count (13 bits)         that status so many times
 *    1  0  14 statuses of 1 bit
 *    1  1   7 statuses of 2 bits
 * A delta is the time since the arrival of the packet listed before it, in 250 us; the first one
 * is since the reference time. */
#pragma once

#include <rc/feedback/arrivals.h>
#include <rc/feedback/wireclock.h>

#define RC_TWCC_FMT 15
#define RC_TWCC_LEAST_BYTES 20  /* always have room for one arrival, with all that miss before it */
#define RC_TWCC_URI "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"

/* Writes one message of at most `cap` bytes, with this count. The list is of the kind
 * RC_NUMBERS_TRANSPORT; *n_told is how many of its arrivals the message reports. The rest needs
 * another message: rc_arrivals_skip(). Returns the size, a multiple of 4, or 0 if there is nothing
 * to report or no room. */
size_t rc_twcc_encode (const RcArrivals *list, uint8_t count, uint8_t *bytes, size_t cap,
    unsigned *n_told);
/* instance: SSRC of the RTCP sender; clock: of this receiver. false: refused, and *clock is as it
 * was. */
bool rc_twcc_decode (const uint8_t *bytes, size_t len, uint32_t instance, RcWireClock *clock,
    RcArrivalLists *out);
