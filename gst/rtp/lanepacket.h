/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A packet of media as it leaves by a lane (lib/rc/lanes): it has the lane's SSRC and number, so
 * that the receiver counts each lane by itself and SRTP has an index for each copy. Its own SSRC
 * and number travel as RTP padding, so it is a valid packet of RTP for any receiver:
 *
 *   SSRC (4 bytes), number (2), flags (1), count (1)
 *
 * Bit 0 of the flags: the packet had padding, which stands before this and is counted too.
 *
 * So the receiver's loss history, ledger and reports serve a lane as they serve a source.
 * Rejected: a header extension or trailer outside of SRTP, since two copies with one index and
 * different headers break GCM; lists of RTP numbers (RFC 8888) by path, where what went by
 * another path looks lost; transport-wide numbers, which need an extension in each payloader's
 * caps and tell no ECN bits. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define LANE_PACKET_BYTES 8     /* that a packet is longer on its lane */

/* A copy; NULL: it is no RTP, or has more padding than can be counted. */
GstBuffer *lane_packet_wrap (GstBuffer * buffer, guint32 ssrc, guint16 seq);
/* Takes the buffer. NULL: it is not what the other function makes. */
GstBuffer *lane_packet_unwrap (GstBuffer * buffer);
/* FALSE: the buffer is no RTP. */
gboolean lane_packet_read (GstBuffer * buffer, guint32 * ssrc, guint16 * seq);

G_END_DECLS
