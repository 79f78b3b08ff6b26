/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* Streams that repeat packets of other streams (RFC 4588, SSRC multiplexing): each media stream has
 * one, with an SSRC and numbers of its own, and a payload type for each of the media's. A repeated
 * packet has the header and the extensions of the original, its number (OSN), and its payload.
 * rtprtxreceive undoes it. No locks. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define RTX_STREAMS_MAX 16      /* so many media streams have ledgers (RC_LEDGERS_MAX) */

typedef struct
{
  guint32 media_ssrc, ssrc;
  guint16 next_seq;             /* of the next packet that leaves */
  guint16 ready_seq;            /* of the next packet that is made ready */
} RtxStream;

typedef struct
{
  guint8 payload_types[128];    /* by that of the media; 0: it is not repeated in this way */
  RtxStream streams[RTX_STREAMS_MAX];
  guint n_streams;
} RtxStreams;

/* map: as the payload-type-map of rtprtxsend, "application/x-rtp-pt-map, 96=(uint)97"; NULL: no
 * payload type. */
void rtx_streams_init (RtxStreams * self, const GstStructure * map);
/* That repeats this media stream, which has packets of this payload type. NULL: none does. */
RtxStream *rtx_streams_get (RtxStreams * self, guint32 media_ssrc, guint8 payload_type);
/* The packet as the stream repeats it, with this number. NULL: it is no RTP. */
GstBuffer *rtx_stream_new_packet (const RtxStreams * self, const RtxStream * stream,
    GstBuffer * packet, guint16 seq);
/* The media's and their own SSRCs: "application/x-rtp-ssrc-map, MEDIA=(uint)OWN", as the ssrc-map
 * of rtprtxreceive. */
GstStructure *rtx_streams_to_structure (const RtxStreams * self);

/* What it adds to a packet. */
#define RTX_STREAM_OSN_BYTES 2

G_END_DECLS
