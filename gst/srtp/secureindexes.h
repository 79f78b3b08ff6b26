/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The indexes of the sender's streams, signalled in its RTCP. Problem: a receiver that joins after
 * the sequence numbers have wrapped (every 65536 packets) cannot know how often they did, and
 * without that count (ROC) no packet authenticates [RFC 3711 3.3.1]. SRTCP has no such trap, since
 * it carries its index. Rule: RTCP of a sender whose streams have overflowed ends with an APP
 * packet (RFC 3550 6.7), which names the index of each; all other receivers ignore it. The same
 * frees a receiver that missed so much (32768 packets) that it counts overflows wrongly.
 *
 *   name "ARCX", SSRC of the RTCP packet it follows, then for each stream
 *   SSRC (4 bytes), ROC (4), newest sequence number (2), zero (2) */
#pragma once

#include "srtp/securestreams.h"

G_BEGIN_DECLS

#define SECURE_INDEXES_MAX 8    /* streams in one message: they take turns */
#define SECURE_INDEXES_MAX_BYTES (12 + 12 * SECURE_INDEXES_MAX)

/* Writes behind the RTCP of `size` bytes, where SECURE_INDEXES_MAX_BYTES are free. Returns how many
 * bytes; 0: no stream has overflowed. */
gsize secure_indexes_append (SecureStreams * streams, guint8 * rtcp, gsize size);
/* If RTCP ends with such a message, takes what is not known yet, or far ahead of what is. Returns
 * the size without it. */
gsize secure_indexes_take (SecureStreams * streams, const guint8 * rtcp, gsize size);

G_END_DECLS
