/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The stamp of ratestamp.h behind an SRTP packet, where relays may write: SRTP authenticates header
 * extensions, and ends where its authentication tag (or MKI) ends. 16 bytes at the end of the
 * datagram, as many as the header extension takes:
 *
 *   offset size
 *    0  8  the stamp
 *    8  8  the mark, by which relay and receiver know the trailer
 *
 * The sender appends it after it has protected the packet. The receiver takes it off before it
 * authenticates the packet, and believes the stamp only if the packet is authentic and no replay.
 * Forging a stamp therefore requires intercepting a packet of the sender; an attacker in that
 * position could as well drop it.
 *
 * The mark is the beginning of SHA-256 of RATE_STAMP_URI. An authentication tag ends in the same
 * 8 bytes by chance once in 2^64 packets; that packet is lost.
 *
 * It needs no key at the relay, and is as long as the extension it replaces. rmcsink appends it
 * once an authenticated notice came, which only arcsrc sends, and not while media is stopped:
 * stock receivers would refuse the packet. Rejected: a key at each relay, which could then read
 * and make media; RFC 8723, which neither libsrtp nor stock receivers have; a packet of its own
 * beside the stream, which anybody can send. */
#pragma once

#include <glib.h>
#include <rc/base/types.h>

G_BEGIN_DECLS

#define STAMP_TRAILER_BYTES 16

/* Writes STAMP_TRAILER_BYTES with an empty stamp. rtt <= 0: unknown. */
void stamp_trailer_write (guint8 * trailer, RcTime rtt);
/* In a whole datagram of untrusted bytes: the trailer, which begins with the stamp. NULL: there is
 * none, or it is not behind RTP. */
guint8 *stamp_trailer_find (guint8 * packet, gsize size);

G_END_DECLS
